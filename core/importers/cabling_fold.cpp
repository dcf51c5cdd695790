#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>

#include "core/importers/cabling_units.hpp"

namespace crosspoint {
namespace {

using folding::Graph;
using folding::Strand;
using folding::Unit;
using folding::Units;

/// Switches or NICs drawn as one device, in the order of its instances.
struct Bundle {
    int box = -1;
    std::vector<int> vertices;
    bool ordered = false;  ///< a rail fixes the order
};

/// The strands of one kind between two bundles.
struct Pattern {
    int a = 0, b = 0, kind = 0;
    std::vector<std::tuple<int, int, int>> strands;  ///< vertex of a, vertex of b, lanes
};

class Folder {
public:
    explicit Folder(const Cabling& cabling)
        : cabling_(cabling), graph_(folding::graph_of(cabling)), units_(folding::units_of(cabling, graph_)) {}

    Folded run() {
        place_roots();
        while (!wire()) {
        }
        for (const Bundle& bundle : bundles_) out_.devices.push_back(device_of(bundle));
        for (const int t : graph_.tier) out_.unreached_switches += t < 0;
        out_.host_to_host = graph_.host_to_host;
        return std::move(out_);
    }

private:
    // Boxes and first bundles.

    void place_roots() {
        const auto groups = alike(units_.roots);
        const bool single = groups.size() == 1 && groups.front().size() == 1;
        for (const auto& group : groups) {
            const Unit& unit = units_.all[std::size_t(group.front())];
            if (single && unit.kind == Folded::Kind::unit) fill(unit, -1);
            else place(group, -1);
        }
    }

    /// Units of one signature, in the order of their first.
    [[nodiscard]] std::vector<std::vector<int>> alike(const std::vector<int>& units) const {
        std::map<std::uint64_t, std::size_t> slot;
        std::vector<std::vector<int>> groups;
        for (const int u : units) {
            const auto [it, fresh] = slot.emplace(units_.all[std::size_t(u)].signature, groups.size());
            if (fresh) groups.emplace_back();
            groups[it->second].push_back(u);
        }
        return groups;
    }

    void place(const std::vector<int>& group, int parent) {
        const Unit& unit = units_.all[std::size_t(group.front())];
        const Unit& last = units_.all[std::size_t(group.back())];
        Folded::Box box;
        box.kind = unit.kind;
        box.parent = parent;
        box.count = std::int64_t(group.size());
        box.host = unit.host;
        box.tier = unit.tier;
        box.first = name_of(unit, unit.first_host);
        box.last = name_of(last, last.last_host);
        out_.boxes.push_back(std::move(box));
        fill(unit, int(out_.boxes.size()) - 1);
    }

    /// Of a host or domain by its own name; a unit goes by its switch.
    [[nodiscard]] std::string name_of(const Unit& unit, int host) const {
        if (unit.kind == Folded::Kind::unit)
            return cabling_.switches[std::size_t(unit.switches.front() - graph_.nics)].name;
        const Cabling::Host& h = cabling_.hosts[std::size_t(host)];
        return unit.kind == Folded::Kind::domain ? h.domain : h.name;
    }

    void fill(const Unit& unit, int box) {
        std::map<std::uint64_t, std::vector<int>> by_look;
        std::vector<std::uint64_t> order;
        const auto put = [&](int vertex, std::uint64_t look) {
            auto& list = by_look[look];
            if (list.empty()) order.push_back(look);
            list.push_back(vertex);
        };
        for (const int v : unit.switches) put(v, units_.colours[std::size_t(v)]);
        if (unit.host >= 0)
            for (int v = graph_.first_nic[std::size_t(unit.host)]; v < graph_.first_nic[std::size_t(unit.host) + 1];
                 ++v)
                put(v, look_of_nic(v));
        for (const std::uint64_t look : order) add_bundle({box, by_look.at(look), false});
        const auto groups = alike(unit.children);
        for (const auto& group : groups) {
            const Unit& child = units_.all[std::size_t(group.front())];
            const bool only = groups.size() == 1 && group.size() == 1 && child.kind == Folded::Kind::unit;
            if (only) fill(child, box);  // a box around a single unit says nothing
            else place(group, box);
        }
    }

    /// NICs of a host start as one device where they have the same cables, wherever these lead.
    [[nodiscard]] std::uint64_t look_of_nic(int vertex) const {
        std::vector<std::pair<int, int>> cables;
        for (const Strand& s : graph_.strands[std::size_t(vertex)]) cables.emplace_back(s.kind, s.lanes);
        std::sort(cables.begin(), cables.end());
        const auto [it, fresh] = looks_.emplace(std::move(cables), looks_.size());
        return it->second;
    }

    void add_bundle(Bundle bundle) {
        for (const int v : bundle.vertices) bundle_of_[v] = int(bundles_.size());
        bundles_.push_back(std::move(bundle));
    }

    // Wires between bundles; a bundle that no wiring fits is split, and all is tried again.

    bool wire() {
        out_.wires.clear();
        for (Bundle& b : bundles_) b.ordered = false;
        std::set<int> split;
        for (const auto& [key, pattern] : patterns()) {
            if (split.contains(pattern.a) || split.contains(pattern.b)) continue;
            const auto wiring = wiring_of(pattern);
            if (!wiring) {
                split.insert({pattern.a, pattern.b});
                continue;
            }
            const Graph::Kind& kind = graph_.kinds[std::size_t(pattern.kind)];
            out_.wires.push_back({pattern.a, pattern.b, *wiring, std::get<2>(pattern.strands.front()), kind.bytes_per_s,
                                  kind.latency_s});
        }
        return split.empty();
    }

    [[nodiscard]] std::map<std::tuple<int, int, int>, Pattern> patterns() const {
        std::map<std::tuple<int, int, int>, Pattern> result;
        for (const Bundle& bundle : bundles_) {
            for (const int v : bundle.vertices) {
                for (const Strand& s : graph_.strands[std::size_t(v)]) {
                    const auto to = bundle_of_.find(s.to);
                    if (to == bundle_of_.end() || !from_below(v, s.to)) continue;
                    const int a = bundle_of_.at(v), b = to->second;
                    Pattern& pattern = result[{a, b, s.kind}];
                    pattern.a = a, pattern.b = b, pattern.kind = s.kind;
                    pattern.strands.emplace_back(v, s.to, s.lanes);
                }
            }
        }
        return result;
    }

    [[nodiscard]] bool from_below(int v, int w) const {
        const int tv = graph_.tier[std::size_t(v)], tw = graph_.tier[std::size_t(w)];
        return tv != tw ? tv < tw : v < w;
    }

    std::optional<Wiring> wiring_of(const Pattern& pattern) {
        Bundle& a = bundles_[std::size_t(pattern.a)];
        Bundle& b = bundles_[std::size_t(pattern.b)];
        const std::size_t n = a.vertices.size(), m = b.vertices.size();
        std::set<int> lanes;
        for (const auto& strand : pattern.strands) lanes.insert(std::get<2>(strand));
        if (pattern.a != pattern.b && lanes.size() == 1) {
            if (pattern.strands.size() == n * m) return n * m == 1 ? Wiring::one_to_one : Wiring::each_to_each;
            const auto upper = partners(pattern, false), lower = partners(pattern, true);
            const bool even = upper.size() == n && lower.size() == m && pattern.strands.size() == std::max(n, m) &&
                              same_sizes(upper) && same_sizes(lower);
            if (even && n == m && order_rail(a, b, upper, lower)) return Wiring::rail;
            if (even && m > n && split_by_partner(pattern.b, a, upper)) return std::nullopt;
            if (even && n > m && split_by_partner(pattern.a, b, lower)) return std::nullopt;
        }
        split(pattern);
        return std::nullopt;
    }

    using Partners = std::map<int, std::vector<int>>;  ///< vertex -> its far ends

    static Partners partners(const Pattern& pattern, bool of_b) {
        Partners result;
        for (const auto& [v, w, lanes] : pattern.strands) result[of_b ? w : v].push_back(of_b ? v : w);
        return result;
    }

    static bool same_sizes(const Partners& partners) {
        return std::all_of(partners.begin(), partners.end(),
                           [&](const auto& p) { return p.second.size() == partners.begin()->second.size(); });
    }

    /// Instance i to instance i, by putting one side into the order of the other where its order is still free.
    static bool order_rail(Bundle& a, Bundle& b, const Partners& upper, const Partners& lower) {
        const auto follow = [](const std::vector<int>& order, const Partners& to) {
            std::vector<int> result;
            for (const int v : order) result.push_back(to.at(v).front());
            return result;
        };
        const std::vector<int> wanted = follow(a.vertices, upper);
        if (wanted != b.vertices) {
            if (!b.ordered) b.vertices = wanted;
            else if (!a.ordered) a.vertices = follow(b.vertices, lower);
            else return false;
        }
        a.ordered = b.ordered = true;
        return true;
    }

    /// Each of the few has k of the many: k bundles, each with one for each of the few.
    bool split_by_partner(int many, const Bundle& few, const Partners& to_many) {
        std::vector<std::vector<int>> parts(to_many.begin()->second.size());
        for (const int v : few.vertices)
            for (std::size_t r = 0; r < parts.size(); ++r) parts[r].push_back(to_many.at(v)[r]);
        replace(many, std::move(parts));
        return true;
    }

    /// The upper side by what it is cabled to below; when that is all the same, the lower side by its cables.
    void split(const Pattern& pattern) {
        using Ends = std::vector<std::pair<int, int>>;
        std::map<int, Ends> of_upper, of_lower;
        for (const auto& [v, w, lanes] : pattern.strands) {
            of_upper[w].emplace_back(v, lanes);
            of_lower[v].emplace_back(w, lanes);
        }
        std::map<Ends, std::vector<int>> upper;
        for (const int v : bundles_[std::size_t(pattern.b)].vertices) upper[of_upper[v]].push_back(v);
        std::map<std::pair<Ends, std::vector<std::tuple<int, int, int>>>, std::vector<int>> lower;
        for (const int v : bundles_[std::size_t(pattern.a)].vertices)
            lower[{of_lower[v], cables_to_single(v)}].push_back(v);
        if (upper.size() > 1) replace(pattern.b, parts_of(upper));
        else replace(pattern.a, parts_of(lower));
    }

    template <class Classes>
    static std::vector<std::vector<int>> parts_of(Classes& classes) {
        std::vector<std::vector<int>> parts;
        for (auto& [key, part] : classes) parts.push_back(std::move(part));
        std::sort(parts.begin(), parts.end());
        return parts;
    }

    /// Cables to what is already drawn one by one.
    [[nodiscard]] std::vector<std::tuple<int, int, int>> cables_to_single(int vertex) const {
        std::vector<std::tuple<int, int, int>> result;
        for (const Strand& s : graph_.strands[std::size_t(vertex)]) {
            const auto bundle = bundle_of_.find(s.to);
            if (bundle == bundle_of_.end() || bundles_[std::size_t(bundle->second)].vertices.size() > 1) continue;
            result.emplace_back(s.to, s.kind, s.lanes);
        }
        std::sort(result.begin(), result.end());
        return result;
    }

    void replace(int bundle, std::vector<std::vector<int>> parts) {
        const int box = bundles_[std::size_t(bundle)].box;
        bundles_[std::size_t(bundle)].vertices = std::move(parts.front());
        for (std::size_t i = 1; i < parts.size(); ++i) add_bundle({box, std::move(parts[i]), false});
    }

    [[nodiscard]] Folded::Device device_of(const Bundle& bundle) const {
        Folded::Device device;
        device.box = bundle.box;
        const int host = graph_.host_of[std::size_t(bundle.vertices.front())];
        device.nic = host >= 0;
        const int base = device.nic ? graph_.first_nic[std::size_t(host)] : graph_.nics;
        for (const int v : bundle.vertices) device.members.push_back(v - base);
        return device;
    }

    const Cabling& cabling_;
    Graph graph_;
    Units units_;
    Folded out_;
    std::vector<Bundle> bundles_;
    std::unordered_map<int, int> bundle_of_;
    mutable std::map<std::vector<std::pair<int, int>>, std::uint64_t> looks_;
};

}  // namespace

Folded fold(const Cabling& cabling) { return Folder(cabling).run(); }

}  // namespace crosspoint
