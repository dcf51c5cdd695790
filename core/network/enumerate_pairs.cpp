#include <map>
#include <numeric>

#include "core/network/pair_demand.hpp"

namespace crosspoint {
namespace {

using Domain = std::vector<std::size_t>;  // indices of members, in member order

/// Members by locality, localities in order of first appearance.
std::vector<Domain> domains_of(const std::vector<Member>& members) {
    std::map<std::int64_t, std::size_t> place;
    std::vector<Domain> domains;
    for (std::size_t m = 0; m < members.size(); ++m) {
        const auto [it, added] = place.try_emplace(members[m].locality, domains.size());
        if (added) domains.emplace_back();
        domains[it->second].push_back(m);
    }
    return domains;
}

void inside_ring(const Domain& domain, double bytes, const PairSink& sink) {
    if (domain.size() < 2) return;
    for (std::size_t i = 0; i < domain.size(); ++i) sink(domain[i], domain[(i + 1) % domain.size()], bytes);
}

/// `total` bytes from one domain to the next, shared evenly by the members of both: same place to same place.
void exit_pairs(const Domain& from, const Domain& to, double total, const PairSink& sink) {
    const std::size_t pairs = std::lcm(from.size(), to.size());
    for (std::size_t x = 0; x < pairs; ++x) sink(from[x % from.size()], to[x % to.size()], total / double(pairs));
}

void all_pairs(std::size_t n, const PairSink& sink) {
    for (std::size_t s = 0; s < n; ++s)
        for (std::size_t d = 0; d < n; ++d)
            if (s != d) sink(s, d, 1.0 / double(n - 1));
}

}  // namespace

double inside_share(bool in_domain, double members, double localities) {
    return in_domain || localities < 2 ? 1.0 : (members - 1) / members;
}

void enumerate_pairs(const std::vector<Member>& members, Pattern pattern, const PairSink& sink) {
    if (members.size() < 2) return;
    if (pattern == Pattern::all_to_all) return all_pairs(members.size(), sink);
    if (pattern == Pattern::stages) {
        for (std::size_t m = 0; m + 1 < members.size(); ++m) sink(m, m + 1, 1.0);
        return;
    }
    const auto domains = domains_of(members);
    if (pattern != Pattern::across_domains)
        for (const Domain& domain : domains) {
            const bool exits = pattern == Pattern::ring;
            const bool in_domain = members[domain.front()].in_domain;
            const double localities = exits ? double(domains.size()) : 1.0;
            inside_ring(domain, inside_share(in_domain, double(domain.size()), localities), sink);
        }
    if (pattern == Pattern::within_domains || domains.size() < 2) return;
    for (std::size_t d = 0; d < domains.size(); ++d) {
        const double total = pattern == Pattern::ring ? 1.0 : double(domains[d].size());
        exit_pairs(domains[d], domains[(d + 1) % domains.size()], total, sink);
    }
}

}  // namespace crosspoint
