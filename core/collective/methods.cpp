// The table of cost-model section 3, one small function per formula. K ranks, n bytes of the full tensor.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/collective/terms.hpp"

namespace crosspoint {
namespace {

/// `steps` of the fabric after one software launch, and `wire` bytes from each rank.
Terms terms(const Fabric& f, double steps, Bytes wire, double gain = 1.0) {
    Terms t;
    t.latency = f.software + f.step * steps;
    t.bandwidth = wire / f.bandwidth / gain;
    t.pipelining = Seconds(f.kappa * std::sqrt(t.latency.si() * t.bandwidth.si()));
    t.sent = wire;
    return t;
}

double rounds(double ranks) { return std::ceil(std::log2(ranks)); }
double others(double ranks) { return (ranks - 1) / ranks; }

// All-reduce.

Terms ring_all_reduce(Bytes n, const Fabric& f) { return terms(f, 2 * (f.ranks - 1), 2 * others(f.ranks) * n); }
Terms tree_all_reduce(Bytes n, const Fabric& f) { return terms(f, 2 * rounds(f.ranks), 2.0 * n); }
Terms halving_all_reduce(Bytes n, const Fabric& f) { return terms(f, 2 * rounds(f.ranks), 2 * others(f.ranks) * n); }
Terms one_shot_all_reduce(Bytes n, const Fabric& f) { return terms(f, 1, (f.ranks - 1) * n); }
Terms two_shot_all_reduce(Bytes n, const Fabric& f) { return terms(f, 2, 2 * others(f.ranks) * n); }

/// Measured gain over the ring where the catalogue has one; else the algebraic n (K+1)/K.
Terms in_switch_all_reduce(Bytes n, const Fabric& f) {
    const Bytes algebraic = n * ((f.ranks + 1) / f.ranks);
    if (f.in_switch_gain <= 1) return terms(f, 2, algebraic);
    Terms t = terms(f, 2, 2 * others(f.ranks) * n, f.in_switch_gain);
    t.sent = algebraic;
    return t;
}

bool two_domains(const GroupFabric& g) { return g.inside && g.across && g.across->ranks == 2; }

/// Between two domains a tree has one edge: the tensor crosses it once, spread over all exits, while inside each
/// domain it goes up to the exit and down again. Measured: two-node all-reduce may exceed the node's NIC rate.
Terms tree(Bytes n, const GroupFabric& g) {
    if (!two_domains(g)) return tree_all_reduce(n, g.whole);
    Terms t = terms(g.whole, 2 * rounds(g.whole.ranks), 2.0 * n);
    t.bandwidth = std::max(n / g.inside->ranks / g.across->bandwidth, 2.0 * n / g.inside->bandwidth);
    t.pipelining = Seconds(g.whole.kappa * std::sqrt(t.latency.si() * t.bandwidth.si()));
    return t;
}

// All-gather and reduce-scatter.

Terms ring_gather(Bytes n, const Fabric& f) { return terms(f, f.ranks - 1, others(f.ranks) * n); }
Terms direct_gather(Bytes n, const Fabric& f) { return terms(f, 1, others(f.ranks) * n); }

// Forms in levels: each part is an operation on its own fabric, launched once together.

Fabric unlaunched(Fabric f, bool keep_pipelining) {
    f.software = Seconds(0);
    if (!keep_pipelining) f.kappa = 0;
    return f;
}

/// One launch, the parts inside a domain, and the part across.
Terms launched(const GroupFabric& g, std::initializer_list<Terms> inside, const Terms& across) {
    Terms sum = across;
    sum.across = across.time() + std::max(g.across->software - g.inside->software, Seconds(0));
    sum.latency += std::max(g.inside->software, g.across->software);
    for (const Terms& t : inside) {
        sum.latency += t.latency;
        sum.bandwidth += t.bandwidth;
        sum.pipelining += t.pipelining;
        sum.sent += t.sent;
    }
    return sum;
}

Terms gather_inside(Bytes n, const GroupFabric& g) {
    const Fabric f = unlaunched(*g.inside, false);
    return f.one_hop ? direct_gather(n, f) : ring_gather(n, f);
}

Terms hierarchical_all_reduce(Bytes n, const GroupFabric& g) {
    const Bytes part = n / g.inside->ranks;
    const Fabric across = unlaunched(*g.across, true);
    const Terms ring = ring_all_reduce(part, across), tree = tree_all_reduce(part, across);
    const Terms inside = gather_inside(n, g);
    return launched(g, {inside, inside}, ring.time() <= tree.time() ? ring : tree);
}

Terms hierarchical_gather(Bytes n, const GroupFabric& g) {
    return launched(g, {gather_inside(n, g)}, ring_gather(n / g.inside->ranks, unlaunched(*g.across, false)));
}

/// Gather by destination inside, then one exchange across.
Terms two_level_all_to_all(Bytes n, const GroupFabric& g) {
    return launched(g, {direct_gather(n, unlaunched(*g.inside, false))},
                    direct_gather(n, unlaunched(*g.across, false)));
}

// One root.

Terms ring_whole(Bytes n, const Fabric& f) { return terms(f, f.ranks - 1, n); }
Terms tree_whole(Bytes n, const Fabric& f) { return terms(f, rounds(f.ranks), n); }
Terms tree_parts(Bytes n, const Fabric& f) { return terms(f, rounds(f.ranks), others(f.ranks) * n); }
Terms one_message(Bytes n, const Fabric& f) { return terms(f, 1, n); }

template <Terms (*formula)(Bytes, const Fabric&)>
Terms flat(Bytes n, const GroupFabric& g) {
    return formula(n, g.whole);
}

bool always(const GroupFabric&) { return true; }
bool one_hop(const GroupFabric& g) { return g.whole.one_hop; }
bool levels(const GroupFabric& g) { return g.inside && g.across; }
bool power_of_two(const GroupFabric& g) { return std::exp2(std::round(std::log2(g.whole.ranks))) == g.whole.ranks; }
/// Its far partners load upper levels more than the neighbours of a ring do, so the ring's bandwidth holds on one
/// crossbar only.
bool halving_holds(const GroupFabric& g) { return power_of_two(g) && g.whole.one_hop; }
/// Libraries start to reduce in the switch above four devices (published tuning constants).
bool reduces(const GroupFabric& g) { return g.whole.in_switch_reduction && g.whole.ranks > 4; }

using Op = CollectiveOp;
using Al = Algorithm;

constexpr std::string_view ring_gather_text = "(K-1) alpha + (K-1)/K n/beta";
constexpr std::string_view direct_gather_text = "alpha + (K-1)/K n/beta";
constexpr std::string_view two_level_text =
    "alpha_in + (k-1)/k n/beta_in + steps alpha_out + (D-1)/D (n/k)/beta_out, k ranks in each of D domains";

const std::array table{
    Method{Op::all_reduce, Al::ring, "2(K-1) alpha + 2(K-1)/K n/beta", always, always, flat<ring_all_reduce>},
    Method{Op::all_reduce, Al::tree, "2 ceil(log2 K) alpha + 2 n/beta; between two domains n once over the wire",
           always, always, tree},
    Method{Op::all_reduce, Al::halving_doubling, "2 log2 K alpha + 2(K-1)/K n/beta", power_of_two, halving_holds,
           flat<halving_all_reduce>},
    Method{Op::all_reduce, Al::one_shot, "alpha + (K-1) n/beta", one_hop, one_hop, flat<one_shot_all_reduce>},
    Method{Op::all_reduce, Al::two_shot, "2 alpha + 2(K-1)/K n/beta", one_hop, one_hop, flat<two_shot_all_reduce>},
    Method{Op::all_reduce, Al::in_switch, "2 alpha + ring bandwidth term / measured gain, else (K+1)/K n/beta", reduces,
           reduces, flat<in_switch_all_reduce>},
    Method{Op::all_reduce, Al::hierarchical,
           "reduce-scatter inside + all-reduce across on n/k + all-gather inside, k ranks a domain", levels, levels,
           hierarchical_all_reduce},
    Method{Op::all_gather, Al::ring, ring_gather_text, always, always, flat<ring_gather>},
    Method{Op::all_gather, Al::direct, direct_gather_text, one_hop, one_hop, flat<direct_gather>},
    Method{Op::all_gather, Al::hierarchical, two_level_text, levels, levels, hierarchical_gather},
    Method{Op::reduce_scatter, Al::ring, ring_gather_text, always, always, flat<ring_gather>},
    Method{Op::reduce_scatter, Al::direct, direct_gather_text, one_hop, one_hop, flat<direct_gather>},
    Method{Op::reduce_scatter, Al::hierarchical, two_level_text, levels, levels, hierarchical_gather},
    Method{Op::all_to_all, Al::direct, direct_gather_text, always, always, flat<direct_gather>},
    Method{Op::all_to_all, Al::pairwise, ring_gather_text, always, always, flat<ring_gather>},
    Method{Op::all_to_all, Al::hierarchical, "alpha_in + (k-1)/k n/beta_in + alpha_out + (D-1)/D n/beta_out", levels,
           levels, two_level_all_to_all},
    Method{Op::point_to_point, Al::direct, "alpha + n/beta", always, always, flat<one_message>},
    Method{Op::broadcast, Al::tree, "ceil(log2 K) alpha + n/beta", always, always, flat<tree_whole>},
    Method{Op::broadcast, Al::ring, "(K-1) alpha + n/beta", always, always, flat<ring_whole>},
    Method{Op::reduce, Al::tree, "ceil(log2 K) alpha + n/beta", always, always, flat<tree_whole>},
    Method{Op::reduce, Al::ring, "(K-1) alpha + n/beta", always, always, flat<ring_whole>},
    Method{Op::gather, Al::tree, "ceil(log2 K) alpha + (K-1)/K n/beta", always, always, flat<tree_parts>},
    Method{Op::gather, Al::ring, ring_gather_text, always, always, flat<ring_gather>},
    Method{Op::scatter, Al::tree, "ceil(log2 K) alpha + (K-1)/K n/beta", always, always, flat<tree_parts>},
    Method{Op::scatter, Al::ring, ring_gather_text, always, always, flat<ring_gather>},
};

}  // namespace

std::span<const Method> methods() { return table; }

}  // namespace crosspoint
