// Counted drawings written out instance by instance, and the plain reading of the routing rules on them: slow, simple,
// and independent of core/network.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/topology/topology.hpp"

namespace copies {

using namespace crosspoint;

/// "gpu#03": the id of instance 3. Sorts as the instances do.
inline std::string numbered(const std::string& id, std::int64_t i) {
    return id + "#" + (i < 10 ? "0" : "") + std::to_string(i);
}
inline std::string class_of(const std::string& id) { return id.substr(0, id.find('#')); }

/// Every instance of every container, device and cable drawn by itself.
class Copier {
public:
    explicit Copier(const Topology& from) : from_(from) {}

    Topology run() {
        copy_inside(std::nullopt, std::nullopt, {});
        for (const Link& link : from_.links) {
            if (link.wiring == Wiring::dragonfly) dragonfly(link);
            else cables(link);
        }
        return out_;
    }

private:
    using Index = std::vector<std::int64_t>;
    struct Instance {
        DeviceId id;
        Index index;  // of the containers, outermost first, then its own
    };

    void copy_inside(const std::optional<ContainerId>& parent, const std::optional<ContainerId>& copy, Index index) {
        for (const Container& c : from_.containers)
            if (c.parent == parent)
                for (std::int64_t i = 0; i < c.count; ++i) {
                    Container one = c;
                    one.id = ContainerId(numbered((copy ? copy->value + "." : "") + c.id.value, i));
                    one.parent = copy;
                    one.count = 1;
                    out_.containers.put(one);
                    Index inside = index;
                    inside.push_back(i);
                    copy_inside(c.id, one.id, inside);
                }
        for (const Device& d : from_.devices)
            if (d.parent == parent)
                for (std::int64_t i = 0; i < d.count; ++i) {
                    Device one = d;
                    std::string at;
                    for (const std::int64_t x : index) at += (x < 10 ? "0" : "") + std::to_string(x) + ".";
                    one.id = DeviceId(numbered(d.id.value, 0).substr(0, d.id.value.size() + 1) + at +
                                      std::to_string(i + 10));
                    one.parent = copy;
                    one.count = 1;
                    out_.devices.put(one);
                    Index own = index;
                    own.push_back(i);
                    instances_[d.id].push_back({one.id, own});
                }
    }

    [[nodiscard]] std::vector<const Container*> chain(const DeviceId& id) const {
        std::vector<const Container*> result;
        auto at = from_.devices.find(id)->parent;
        while (at) {
            result.push_back(from_.containers.find(*at));
            at = result.back()->parent;
        }
        std::reverse(result.begin(), result.end());
        return result;
    }
    [[nodiscard]] Index counts(const DeviceId& id) const {
        Index result;
        for (const Container* c : chain(id)) result.push_back(c->count);
        result.push_back(from_.devices.find(id)->count);
        return result;
    }
    static std::int64_t flat(const Index& index, const Index& counts, std::size_t from, bool size) {
        std::int64_t value = size ? 1 : 0;
        for (std::size_t i = from; i < counts.size(); ++i)
            value = size ? value * counts[i] : value * counts[i] + index[i];
        return value;
    }
    static bool meet(std::int64_t a, std::int64_t na, std::int64_t b, std::int64_t nb) {
        return na >= nb ? a * nb / na == b : b * na / nb == a;
    }

    [[nodiscard]] bool joined(const Link& link, const Instance& a, const Instance& b) const {
        const auto ca = chain(link.a), cb = chain(link.b);
        std::size_t shared = 0;
        while (shared < std::min(ca.size(), cb.size()) && ca[shared] == cb[shared]) {
            if (a.index[shared] != b.index[shared]) return false;
            ++shared;
        }
        const Index na = counts(link.a), nb = counts(link.b);
        switch (link.wiring) {
            case Wiring::each_to_each: return link.a != link.b || a.id < b.id;
            case Wiring::rail: return meet(a.index.back(), na.back(), b.index.back(), nb.back());
            default:
                return meet(flat(a.index, na, shared, false), flat(a.index, na, shared, true),
                            flat(b.index, nb, shared, false), flat(b.index, nb, shared, true));
        }
    }

    void put(const Link& link, const DeviceId& a, const DeviceId& b) {
        Link one = link;
        one.id = LinkId(link.id.value + "#" + std::to_string(number_++));
        one.a = a;
        one.b = b;
        one.wiring = Wiring::one_to_one;
        one.per_pair = 1;
        out_.links.put(one);
    }
    void cables(const Link& link) {
        for (const Instance& a : instances_[link.a])
            for (const Instance& b : instances_[link.b])
                if (joined(link, a, b)) put(link, a.id, b.id);
    }
    /// All in one group per instance of the container next to the switches; nothing counted around the groups.
    void dragonfly(const Link& link) {
        const std::int64_t groups = chain(link.a).back()->count, switches = from_.devices.find(link.a)->count;
        const auto at = [&](std::int64_t group, std::int64_t port) {
            return instances_[link.a][std::size_t(group * switches + port % switches)].id;
        };
        // Cables that reach every switch alike are one bundle a switch.
        const bool bundled = link.per_pair % switches == 0;
        const std::int64_t cables = bundled ? switches : link.per_pair;
        for (std::int64_t a = 0; a < groups; ++a)
            for (std::int64_t b = a + 1; b < groups; ++b)
                for (std::int64_t c = 0; c < cables; ++c)
                    put(link, at(a, (b - a - 1) * link.per_pair + c), at(b, (groups - 1 - b + a) * link.per_pair + c));
    }

    const Topology& from_;
    Topology out_;
    std::map<DeviceId, std::vector<Instance>> instances_;
    int number_ = 0;
};

/// Fewest hops and even sharing at every hop, pair by pair, over names; links named "global" are avoided first. Only
/// for drawings where every count is 1.
class Plain {
public:
    explicit Plain(const Topology& t) : topology_(t) {
        for (const Link& link : t.links)
            if (works(link.a) && works(link.b) && link.state.health != Health::down) {
                const std::string name = class_of(link.id.value);
                join(link.a.value, link.b.value, name, name == "global" ? 1000 : 2);
            }
        for (const Container& c : t.containers)
            if (c.interconnect) join_domain(c);
    }

    void send(const std::string& from, const std::string& to, double bytes) {
        const auto distance = distances(to);
        std::map<int, std::map<std::string, double>, std::greater<>> layers{{distance.at(from), {{from, bytes}}}};
        for (auto layer = layers.begin(); layer != layers.end() && layer->first > 0; ++layer)
            for (const auto& [at, amount] : layer->second) {
                std::vector<const Arc*> hops;
                for (const Arc& arc : arcs_[at])
                    if (const auto d = distance.find(arc.to);
                        d != distance.end() && d->second == layer->first - arc.cost && passes(arc.to, to))
                        hops.push_back(&arc);
                for (const Arc* hop : hops) {
                    bytes_[{hop->cable, hop->forward}] += amount / double(hops.size());
                    layers[distance.at(hop->to)][hop->to] += amount / double(hops.size());
                }
            }
    }

    /// Per class of links: bytes over the busiest cable and direction.
    [[nodiscard]] std::map<std::string, double> busiest() const {
        std::map<std::string, double> result;
        for (const auto& [key, bytes] : bytes_) {
            double& most = result[cables_[key.first]];
            most = std::max(most, bytes);
        }
        return result;
    }

private:
    struct Arc {
        std::string to;
        std::size_t cable;
        bool forward;
        int cost;
    };

    [[nodiscard]] bool works(const DeviceId& id) const {
        return topology_.devices.find(id)->state.health != Health::down;
    }
    [[nodiscard]] bool passes(const std::string& at, const std::string& target) const {
        const Device* device = topology_.devices.find(DeviceId(at));
        return at == target || !device || device->kind != DeviceKind::accelerator;
    }
    void join(const std::string& a, const std::string& b, const std::string& name, int cost) {
        arcs_[a].push_back({b, cables_.size(), true, cost});
        arcs_[b].push_back({a, cables_.size(), false, cost});
        cables_.push_back(name);
    }
    void join_domain(const Container& c) {
        for (const Device& d : topology_.devices) {
            if (d.kind != DeviceKind::accelerator || !works(d.id)) continue;
            for (auto at = d.parent; at; at = topology_.containers.find(*at)->parent)
                if (*at == c.id) join(d.id.value, "domain " + c.id.value, "domain", 1);
        }
    }
    std::map<std::string, int> distances(const std::string& to) {
        std::map<std::string, int> known{{to, 0}};
        std::multimap<int, std::string> open{{0, to}};
        while (!open.empty()) {
            const auto [d, at] = *open.begin();
            open.erase(open.begin());
            if (known.at(at) != d || !passes(at, to)) continue;
            for (const Arc& arc : arcs_[at])
                if (!known.contains(arc.to) || known.at(arc.to) > d + arc.cost)
                    open.emplace(known[arc.to] = d + arc.cost, arc.to);
        }
        return known;
    }

    const Topology& topology_;
    std::map<std::string, std::vector<Arc>> arcs_;
    std::vector<std::string> cables_;
    std::map<std::pair<std::size_t, bool>, double> bytes_;
};

}  // namespace copies
