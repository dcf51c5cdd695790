#include "core/collective/group_levels.hpp"

#include <algorithm>

namespace crosspoint {
namespace {

/// Accelerator of member `index` of the first group.
std::int64_t accelerator(const RankGroups& groups, std::int64_t index) {
    std::int64_t result = 0;
    for (const Stride& s : groups.members) {
        result += index % s.extent * s.stride;
        index /= s.extent;
    }
    return result;
}

/// Highest level on the way from member 0 to member `index`; -1 where there is none.
int level_to(const Network& network, const RankGroups& groups, std::int64_t index) {
    const auto found = path(network, accelerator(groups, 0), accelerator(groups, index));
    if (!found) return -1;
    int level = -1;
    for (const int link : found->links) level = std::max(level, network.links[std::size_t(link)].level);
    return level;
}

/// First multiple of `part` from which on paths climb above those to the first one; `size` where none does.
std::int64_t end_of_level(const Network& network, const RankGroups& groups, std::int64_t part, std::int64_t size) {
    const int near = level_to(network, groups, part);
    std::int64_t low = 1, high = 2;
    while (high * part < size && level_to(network, groups, high * part) <= near) {
        low = high;
        high *= 2;
    }
    high = std::min(high, size / part);
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (level_to(network, groups, middle * part) <= near ? low : high) = middle;
    }
    const bool climbs = high * part < size && level_to(network, groups, high * part) > near;
    return climbs ? high * part : size;
}

/// Splits strides after `count` members: first those below, then those above; false where a stride does not divide.
bool split(const std::vector<Stride>& members, std::int64_t count, std::vector<Stride>& below,
           std::vector<Stride>& above) {
    for (const Stride& s : members) {
        if (count % s.extent == 0) {
            below.push_back(s);
            count /= s.extent;
        } else if (s.extent % count == 0) {
            if (count > 1) below.push_back({count, s.stride});
            above.push_back({s.extent / count, s.stride * count});
            count = 1;
        } else {
            return false;
        }
    }
    return count == 1;
}

}  // namespace

std::vector<std::int64_t> level_sizes(const Network& network, const RankGroups& groups, std::int64_t ranks_per_domain) {
    const std::int64_t size = groups.size();
    std::vector<std::int64_t> sizes{ranks_per_domain};
    while (sizes.back() < size) {
        const std::int64_t next = end_of_level(network, groups, sizes.back(), size);
        if (size % next != 0 || next % sizes.back() != 0) return {};
        sizes.push_back(next);
    }
    return sizes.size() >= 3 ? sizes : std::vector<std::int64_t>{};
}

RankGroups groups_of_level(const RankGroups& groups, std::int64_t inner, std::int64_t outer) {
    std::vector<Stride> within, beyond, inside, peers;
    if (inner < 1 || outer % inner != 0 || !split(groups.members, outer, within, beyond)) return {};
    if (!split(within, inner, inside, peers)) return {};
    RankGroups level{peers, groups.copies};
    level.copies.insert(level.copies.end(), inside.begin(), inside.end());
    level.copies.insert(level.copies.end(), beyond.begin(), beyond.end());
    return level;
}

}  // namespace crosspoint
