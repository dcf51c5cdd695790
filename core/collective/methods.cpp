// The table of cost-model section 3, one small function per formula. K ranks, n bytes of the full tensor.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/collective/terms.hpp"

namespace crosspoint {
namespace {

/// A tree hands on whole chunks where a ring hands on slices of 1/K: each of its steps in the bulk protocol takes as
/// long as this many of a ring. Fitted on 80 H100 of 10 nodes, where 32 MiB take the time of the ring.
constexpr double chunks_of_a_tree = 8;

/// Steps inside a domain and between domains; without domains all are between.
struct Steps {
    double inside = 0, between = 0;
    double bulk_factor = 1;  ///< what a step takes longer under the bulk protocol
};

Terms summed(Seconds latency, Seconds moving, double kappa, Bytes wire) {
    Terms t;
    t.latency = latency;
    t.bandwidth = moving;
    t.pipelining = Seconds(kappa * std::sqrt(latency.si() * moving.si()));
    t.sent = wire;
    return t;
}

Seconds bulk_step(const Fabric& f) { return f.bulk ? f.bulk->step : f.step; }

Terms bulk_terms(const GroupFabric& g, const Steps& steps, Bytes wire, Seconds moving) {
    // Inside a domain half of what is handed on came from the network, at the network's pace.
    const Seconds inner = g.inside ? (bulk_step(*g.inside) + bulk_step(g.whole)) / 2.0 : bulk_step(g.whole);
    const Seconds inside = inner * steps.inside;
    const Seconds between = bulk_step(g.whole) * (steps.between * steps.bulk_factor);
    const Seconds software = g.whole.bulk ? g.whole.bulk->software : g.whole.software;
    Terms t = summed(software + inside + between, moving, g.whole.kappa, wire);
    if (g.whole.bulk) t.protocol = "bulk";
    return t;
}

/// The faster protocol; `moving` is the bandwidth term at full bandwidth.
Terms terms(const GroupFabric& g, const Steps& steps, Bytes wire, Seconds moving) {
    const Seconds inside = (g.inside ? g.inside->step : g.whole.step) * steps.inside;
    const Seconds latency = g.whole.software + inside + g.whole.step * steps.between;
    if (!g.whole.bulk) return summed(latency, moving, g.whole.kappa, wire);
    Terms low = summed(latency, moving / g.whole.low_latency_share, 0, wire);
    low.protocol = "low-latency";
    const Terms bulk = bulk_terms(g, steps, wire, moving);
    return low.time() <= bulk.time() ? low : bulk;
}
Terms terms(const GroupFabric& g, const Steps& steps, Bytes wire) {
    return terms(g, steps, wire, wire / g.whole.bandwidth);
}

double rounds(double ranks) { return std::ceil(std::log2(ranks)); }
double others(double ranks) { return (ranks - 1) / ranks; }
bool levels(const GroupFabric& g) { return g.inside && g.across; }

/// Around all ranks: between domains as often as there are domains to go to.
Steps ring_steps(const GroupFabric& g, double passes) {
    if (!levels(g)) return {0, passes * (g.whole.ranks - 1)};
    return {passes * (g.whole.ranks - g.across->ranks), passes * (g.across->ranks - 1)};
}
bool two_domains(const GroupFabric& g) { return levels(g) && g.across->ranks == 2; }
Steps tree_steps(const GroupFabric& g, double passes) {
    const double factor = two_domains(g) ? 1 : chunks_of_a_tree;
    if (!levels(g)) return {0, passes * rounds(g.whole.ranks), factor};
    return {passes * rounds(g.inside->ranks), passes * rounds(g.across->ranks), factor};
}

// All-reduce.

Terms ring_all_reduce(Bytes n, const GroupFabric& g) {
    return terms(g, ring_steps(g, 2), 2 * others(g.whole.ranks) * n);
}
Terms halving_all_reduce(Bytes n, const GroupFabric& g) {
    return terms(g, {0, 2 * rounds(g.whole.ranks)}, 2 * others(g.whole.ranks) * n);
}
Terms kernel(const GroupFabric& g, Seconds software, Bytes wire) {
    return summed(software, wire / (g.whole.bandwidth * g.whole.kernels->bandwidth_share), 0, wire);
}
Terms one_shot_all_reduce(Bytes n, const GroupFabric& g) {
    const Bytes wire = (g.whole.ranks - 1) * n;
    return g.whole.kernels ? kernel(g, g.whole.kernels->one_shot, wire) : terms(g, {0, 1}, wire);
}
Terms two_shot_all_reduce(Bytes n, const GroupFabric& g) {
    const Bytes wire = 2 * others(g.whole.ranks) * n;
    return g.whole.kernels ? kernel(g, g.whole.kernels->two_shot, wire) : terms(g, {0, 2}, wire);
}

/// What a tree between domains needs of each rank's exits: between two domains there is one edge, and the tensor
/// crosses it once. Measured: a two-node all-reduce may exceed the node's NIC rate.
Seconds tree_between(Bytes n, const GroupFabric& g) {
    return n * (two_domains(g) ? 1.0 : 2.0) / g.inside->ranks / g.across->bandwidth;
}

/// The switch reads n from each accelerator and writes n/K to it and the rest to the others: (K+1)/K n.
Seconds reduced_in_switch(Bytes n, const Fabric& f) {
    const Bytes algebraic = n * ((f.ranks + 1) / f.ranks);
    if (f.in_switch_bandwidth > BytesPerSecond(0)) return algebraic / f.in_switch_bandwidth;
    if (f.in_switch_gain <= 1) return algebraic / f.bandwidth;
    return 2 * others(f.ranks) * n / f.bandwidth / f.in_switch_gain;
}

/// In levels: reduced by the switch of each domain, by a tree between them, all pipelined. Libraries know no
/// low-latency form of it.
Terms in_switch_all_reduce(Bytes n, const GroupFabric& g) {
    const Fabric& domain = levels(g) ? *g.inside : g.whole;
    Steps steps;
    if (levels(g)) steps = {0, 2 * rounds(g.across->ranks), two_domains(g) ? 1 : chunks_of_a_tree};
    GroupFabric paid = g;
    (paid.whole.bulk ? paid.whole.bulk->software : paid.whole.software) +=
        domain.in_switch_latency.value_or(bulk_step(domain) * 2.0);
    const Seconds reduced = reduced_in_switch(n, domain);
    return bulk_terms(paid, steps, n * ((domain.ranks + 1) / domain.ranks),
                      levels(g) ? std::max(reduced, tree_between(n, g)) : reduced);
}

Terms tree(Bytes n, const GroupFabric& g) {
    if (!two_domains(g)) return terms(g, tree_steps(g, 2), 2.0 * n);
    return terms(g, tree_steps(g, 2), 2.0 * n, std::max(tree_between(n, g), 2.0 * n / g.inside->bandwidth));
}

// All-gather, reduce-scatter and exchanges.

Terms ring_gather(Bytes n, const GroupFabric& g) { return terms(g, ring_steps(g, 1), others(g.whole.ranks) * n); }
/// One message to each peer, all under way at once.
Terms direct(Bytes n, const GroupFabric& g) {
    GroupFabric issued = g;
    const Seconds messages = g.whole.message * (g.whole.ranks - 1);
    issued.whole.software += messages;
    if (issued.whole.bulk) issued.whole.bulk->software += messages;
    return terms(issued, {0, 1}, others(g.whole.ranks) * n);
}
Terms pairwise(Bytes n, const GroupFabric& g) { return terms(g, {0, g.whole.ranks - 1}, others(g.whole.ranks) * n); }

// Forms in levels: each part is a call of its own on its own fabric, one after the other.

GroupFabric alone(const Fabric& f) {
    GroupFabric g;
    g.whole = f;
    return g;
}

Terms in_sequence(const std::vector<Terms>& inside, const Terms& across) {
    Terms sum = across;
    sum.across = across.time();
    sum.levels = 2;
    sum.protocol = {};
    for (const Terms& t : inside) {
        sum.latency += t.latency;
        sum.bandwidth += t.bandwidth;
        sum.pipelining += t.pipelining;
        sum.sent += t.sent;
    }
    return sum;
}

Terms gather_part(Bytes n, const Fabric& fabric) {
    const GroupFabric f = alone(fabric);
    return fabric.one_hop && !fabric.fitted ? direct(n, f) : ring_gather(n, f);
}

Terms reduce_across(Bytes part, const Fabric& fabric) {
    const GroupFabric across = alone(fabric);
    const Terms ring = ring_all_reduce(part, across), over_tree = tree(part, across);
    return ring.time() <= over_tree.time() ? ring : over_tree;
}

/// From the innermost level outwards each rank keeps a smaller part; `passes` 2 adds the way back.
Terms over_levels(Bytes n, const std::vector<Fabric>& levels, double passes) {
    Bytes part = n;
    std::vector<Terms> steps;
    for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
        const Terms t = gather_part(part, levels[i]);
        for (int pass = 0; pass < int(passes); ++pass) steps.push_back(t);
        part = part / levels[i].ranks;
    }
    const Terms last = passes > 1 ? reduce_across(part, levels.back()) : ring_gather(part, alone(levels.back()));
    Terms sum = in_sequence(steps, last);
    for (std::size_t i = passes > 1 ? 2 : 1; i < steps.size(); ++i) sum.across += steps[i].time();
    sum.levels = int(levels.size());
    return sum;
}

/// Over the domains and what joins them, or over every level of the network where that is faster.
Terms hierarchical(Bytes n, const GroupFabric& g, double passes) {
    const Terms two = over_levels(n, {*g.inside, *g.across}, passes);
    if (g.levels.size() < 3) return two;
    const Terms all = over_levels(n, g.levels, passes);
    return two.time() <= all.time() ? two : all;
}
Terms hierarchical_all_reduce(Bytes n, const GroupFabric& g) { return hierarchical(n, g, 2); }
Terms hierarchical_gather(Bytes n, const GroupFabric& g) { return hierarchical(n, g, 1); }

/// Gather by destination inside, then one exchange across.
Terms two_level_all_to_all(Bytes n, const GroupFabric& g) {
    return in_sequence({direct(n, alone(*g.inside))}, direct(n, alone(*g.across)));
}

// One root.

Terms ring_whole(Bytes n, const GroupFabric& g) { return terms(g, ring_steps(g, 1), n); }
Terms tree_whole(Bytes n, const GroupFabric& g) { return terms(g, tree_steps(g, 1), n); }
Terms tree_parts(Bytes n, const GroupFabric& g) { return terms(g, tree_steps(g, 1), others(g.whole.ranks) * n); }
Terms one_message(Bytes n, const GroupFabric& g) { return terms(g, {0, 1}, n); }

bool always(const GroupFabric&) { return true; }
bool one_hop(const GroupFabric& g) { return g.whole.one_hop; }
bool power_of_two(const GroupFabric& g) { return std::exp2(std::round(std::log2(g.whole.ranks))) == g.whole.ranks; }
/// Libraries run rings there; figures that were fitted to one hold for it alone.
bool direct_holds(const GroupFabric& g) { return g.whole.one_hop && !g.whole.fitted; }
bool kernels_hold(const GroupFabric& g) { return g.whole.one_hop && (g.whole.kernels || !g.whole.fitted); }
bool levels_hold(const GroupFabric& g) { return levels(g) && !g.whole.fitted; }
/// Its far partners load upper levels more than the neighbours of a ring do, so the ring's bandwidth holds on one
/// crossbar only.
bool halving_holds(const GroupFabric& g) { return power_of_two(g) && direct_holds(g); }
/// Libraries start to reduce in the switch above four devices (published tuning constants).
bool reduces(const Fabric& f) { return f.in_switch_reduction && f.ranks > 4; }
bool reduces(const GroupFabric& g) { return reduces(g.whole) || (levels(g) && reduces(*g.inside)); }

using Op = CollectiveOp;
using Al = Algorithm;

constexpr std::string_view ring_gather_text = "(K-1) alpha + (K-1)/K n/beta";
constexpr std::string_view direct_gather_text = "alpha + (K-1)/K n/beta";
constexpr std::string_view two_level_text =
    "alpha_in + (k-1)/k n/beta_in + steps alpha_out + (D-1)/D (n/k)/beta_out, k ranks in each of D domains";

const std::array table{
    Method{Op::all_reduce, Al::ring, "2(K-1) alpha + 2(K-1)/K n/beta", always, always, ring_all_reduce},
    Method{Op::all_reduce, Al::tree, "2 ceil(log2 K) alpha + 2 n/beta; between two domains n once over the wire",
           always, always, tree},
    Method{Op::all_reduce, Al::halving_doubling, "2 log2 K alpha + 2(K-1)/K n/beta", power_of_two, halving_holds,
           halving_all_reduce},
    Method{Op::all_reduce, Al::one_shot, "alpha + (K-1) n/beta", one_hop, kernels_hold, one_shot_all_reduce},
    Method{Op::all_reduce, Al::two_shot, "2 alpha + 2(K-1)/K n/beta", one_hop, kernels_hold, two_shot_all_reduce},
    Method{Op::all_reduce, Al::in_switch, "2 alpha + ring bandwidth term / measured gain, else (K+1)/K n/beta", reduces,
           reduces, in_switch_all_reduce},
    Method{Op::all_reduce, Al::hierarchical,
           "reduce-scatter inside + all-reduce across on n/k + all-gather inside, k ranks a domain; over more levels "
           "the same "
           "from each to the next",
           levels, levels, hierarchical_all_reduce},
    Method{Op::all_gather, Al::ring, ring_gather_text, always, always, ring_gather},
    Method{Op::all_gather, Al::direct, direct_gather_text, one_hop, direct_holds, direct},
    Method{Op::all_gather, Al::hierarchical, two_level_text, levels, levels_hold, hierarchical_gather},
    Method{Op::reduce_scatter, Al::ring, ring_gather_text, always, always, ring_gather},
    Method{Op::reduce_scatter, Al::direct, direct_gather_text, one_hop, direct_holds, direct},
    Method{Op::reduce_scatter, Al::hierarchical, two_level_text, levels, levels_hold, hierarchical_gather},
    Method{Op::all_to_all, Al::direct, "alpha + (K-1) issue + (K-1)/K n/beta", always, always, direct},
    Method{Op::all_to_all, Al::pairwise, ring_gather_text, always, always, pairwise},
    Method{Op::all_to_all, Al::hierarchical, "alpha_in + (k-1)/k n/beta_in + alpha_out + (D-1)/D n/beta_out", levels,
           levels_hold, two_level_all_to_all},
    Method{Op::point_to_point, Al::direct, "alpha + n/beta", always, always, one_message},
    Method{Op::broadcast, Al::tree, "ceil(log2 K) alpha + n/beta", always, always, tree_whole},
    Method{Op::broadcast, Al::ring, "(K-1) alpha + n/beta", always, always, ring_whole},
    Method{Op::reduce, Al::tree, "ceil(log2 K) alpha + n/beta", always, always, tree_whole},
    Method{Op::reduce, Al::ring, "(K-1) alpha + n/beta", always, always, ring_whole},
    Method{Op::gather, Al::tree, "ceil(log2 K) alpha + (K-1)/K n/beta", always, always, tree_parts},
    Method{Op::gather, Al::ring, ring_gather_text, always, always, ring_gather},
    Method{Op::scatter, Al::tree, "ceil(log2 K) alpha + (K-1)/K n/beta", always, always, tree_parts},
    Method{Op::scatter, Al::ring, ring_gather_text, always, always, ring_gather},
};

}  // namespace

std::span<const Method> methods() { return table; }

}  // namespace crosspoint
