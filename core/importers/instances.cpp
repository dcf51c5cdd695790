#include "core/importers/instances.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace crosspoint {
namespace {

constexpr int deepest = 32;

/// Containers from just below `top` down to the parent of the device; false when the device is not inside `top`.
bool path_below(const Topology& t, const Container* top, const Device& device, std::vector<const Container*>& path) {
    std::optional<ContainerId> at = device.parent;
    for (int depth = 0; depth < deepest; ++depth) {
        if (!at) return top == nullptr;
        const Container* c = t.containers.find(*at);
        if (!c) return false;
        if (c == top) return true;
        path.insert(path.begin(), c);
        at = c->parent;
    }
    return false;
}

const Container* node_of(const Topology& t) {
    const auto holds = [&](const Container& c) {
        return std::any_of(t.devices.begin(), t.devices.end(), [&](const Device& d) {
            std::vector<const Container*> path;
            return d.kind == DeviceKind::accelerator && path_below(t, &c, d, path);
        });
    };
    for (const Container& c : t.containers)
        if (c.kind == ContainerKind::node && holds(c)) return &c;
    for (const Container& c : t.containers)
        if (c.interconnect && holds(c)) return &c;
    return nullptr;
}

/// The counts that one device is drawn out over: its containers' below the node, then its own.
struct Axes {
    std::vector<const Container*> containers;
    std::vector<std::int64_t> counts;
    std::size_t first = 0;  ///< of its units
    [[nodiscard]] std::int64_t product(std::size_t from) const {
        std::int64_t p = 1;
        for (std::size_t i = from; i < counts.size(); ++i) p *= counts[i];
        return p;
    }
};

class DrawOut {
public:
    DrawOut(const Topology& topology, std::size_t limit) : t_(topology), limit_(limit) {
        result_.node = node_of(topology);
    }

    Result<DrawnOut> run() {
        for (const Device& d : t_.devices)
            if (!add(d))
                return fail(ErrorCode::unsupported, fmt::format("the node has more than {} devices", limit_),
                            "export a drawing of smaller nodes");
        for (const Link& link : t_.links) join(link);
        return std::move(result_);
    }

private:
    bool add(const Device& d) {
        Axes axes;
        if (!path_below(t_, result_.node, d, axes.containers)) return true;
        double size = double(d.count);
        for (const Container* c : axes.containers) axes.counts.push_back(c->count), size *= double(c->count);
        if (double(result_.units.size()) + size > double(limit_)) return false;
        axes.counts.push_back(d.count);
        axes.first = result_.units.size();
        for (std::int64_t i = 0; i < axes.product(0); ++i) result_.units.push_back({&d, i});
        axes_[d.id] = std::move(axes);
        return true;
    }

    void join(const Link& link) {
        const auto a = axes_.find(link.a), b = axes_.find(link.b);
        if (a == axes_.end() || b == axes_.end()) return;
        std::size_t shared = 0;
        const auto &ca = a->second.containers, &cb = b->second.containers;
        while (shared < ca.size() && shared < cb.size() && ca[shared] == cb[shared]) ++shared;
        const std::int64_t na = a->second.product(shared), nb = b->second.product(shared);
        const std::int64_t own_a = a->second.counts.back(), own_b = b->second.counts.back();
        const std::int64_t outer = a->second.product(0) / na;
        for (std::int64_t o = 0; o < outer; ++o)
            for (std::int64_t i = 0; i < na; ++i)
                for (std::int64_t j = 0; j < nb; ++j)
                    if (joined(link, {i, na, own_a}, {j, nb, own_b}))
                        push(link, a->second.first + std::size_t(o * na + i),
                             b->second.first + std::size_t(o * nb + j));
    }

    struct End {
        std::int64_t index, size, own;
    };
    static bool joined(const Link& link, const End& a, const End& b) {
        switch (link.wiring) {
            case Wiring::each_to_each: return link.a != link.b || a.index < b.index;
            case Wiring::rail: return a.index % a.own == b.index % b.own;
            default: break;
        }
        if (a.size >= b.size) return a.index * b.size / a.size == b.index;
        return b.index * a.size / b.size == a.index;
    }

    void push(const Link& link, std::size_t a, std::size_t b) { result_.links.push_back({a, b, &link}); }

    const Topology& t_;
    std::size_t limit_;
    DrawnOut result_;
    std::map<DeviceId, Axes> axes_;
};

}  // namespace

Result<DrawnOut> draw_out_node(const Topology& topology, std::size_t limit) { return DrawOut(topology, limit).run(); }

}  // namespace crosspoint
