#include "core/network/digits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "core/network/fabric_graph.hpp"

namespace crosspoint {
namespace {

using Axes = std::vector<int>;

/// Where each axis may be split: divisors c of its count such that they divide one another.
class Cuts {
public:
    explicit Cuts(const std::vector<std::int64_t>& counts) : counts_(counts), cuts_(counts.size()) {}

    [[nodiscard]] std::int64_t total(const Axes& axes) const {
        std::int64_t product = 1;
        for (const int axis : axes) product *= counts_[std::size_t(axis)];
        return product;
    }

    /// False when the position cannot be a border between digits.
    bool add(const Axes& axes, std::int64_t position) {
        std::int64_t offset = 1;
        for (auto it = axes.rbegin(); it != axes.rend(); ++it) {
            const std::int64_t count = counts_[std::size_t(*it)];
            if (position <= offset) return position == offset;
            if (position < offset * count) return position % offset == 0 && split(*it, position / offset);
            offset *= count;
        }
        return position == offset;
    }

    /// Borders strictly inside the flat index of `axes`, ascending.
    [[nodiscard]] std::vector<std::int64_t> borders(const Axes& axes) const {
        std::vector<std::int64_t> result;
        std::int64_t offset = 1;
        const std::int64_t end = total(axes);
        for (auto it = axes.rbegin(); it != axes.rend(); ++it) {
            if (offset > 1 && offset < end) result.push_back(offset);
            for (const std::int64_t c : cuts_[std::size_t(*it)]) result.push_back(offset * c);
            offset *= counts_[std::size_t(*it)];
        }
        result.erase(std::unique(result.begin(), result.end()), result.end());
        return result;
    }

    [[nodiscard]] const std::set<std::int64_t>& of(int axis) const { return cuts_[std::size_t(axis)]; }
    [[nodiscard]] std::size_t size() const {
        return std::accumulate(cuts_.begin(), cuts_.end(), std::size_t(0),
                               [](std::size_t n, const auto& c) { return n + c.size(); });
    }

private:
    bool split(int axis, std::int64_t cut) {
        auto& cuts = cuts_[std::size_t(axis)];
        if (counts_[std::size_t(axis)] % cut != 0) return false;
        for (const std::int64_t c : cuts)
            if (std::max(c, cut) % std::min(c, cut) != 0) return false;
        cuts.insert(cut);
        return true;
    }

    const std::vector<std::int64_t>& counts_;
    std::vector<std::set<std::int64_t>> cuts_;
};

/// The axes of an edge's ends whose flat indices its wiring ties together.
struct Tied {
    Axes a, b;
};

Tied tied_axes(const NetworkImpl& impl, const GraphEdge& edge) {
    const Axes& a = impl.vertices[std::size_t(edge.a)].axes;
    const Axes& b = impl.vertices[std::size_t(edge.b)].axes;
    switch (edge.wiring) {
        case Wiring::one_to_one:
            return {Axes(a.begin() + edge.shared, a.end()), Axes(b.begin() + edge.shared, b.end())};
        case Wiring::rail: return {{a.back()}, {b.back()}};
        case Wiring::dragonfly: {
            const Axes switches(a.begin() + edge.shared + 1, a.end());
            return {switches, switches};
        }
        case Wiring::each_to_each: break;
    }
    return {};
}

/// Makes the borders of both flat indices agree: larger / ratio == smaller.
bool align(Cuts& cuts, const Axes& larger, const Axes& smaller, std::int64_t ratio) {
    if (ratio > 1 && !cuts.add(larger, ratio)) return false;
    for (const std::int64_t q : cuts.borders(smaller))
        if (!cuts.add(larger, q * ratio)) return false;
    for (const std::int64_t p : cuts.borders(larger)) {
        if (p <= ratio) continue;
        if (p % ratio != 0 || !cuts.add(smaller, p / ratio)) return false;
    }
    return true;
}

tl::unexpected<Error> no_common_split(const std::string& link) {
    return fail(ErrorCode::unsupported, fmt::format("link '{}' joins counts that have no common grouping", link),
                "draw the ends inside the same containers, or use counts that divide one another", {link});
}

/// Cables of a dragonfly that do not reach every switch of a group alike.
Result<void> check_dragonfly(const NetworkImpl& impl, const GraphEdge& edge, const std::string& link) {
    const std::int64_t switches = impl.axis_counts[std::size_t(impl.vertices[std::size_t(edge.a)].axes.back())];
    if (edge.wiring != Wiring::dragonfly || edge.per_pair == switches) return {};
    return fail(ErrorCode::unsupported,
                fmt::format("link '{}' joins two groups by {} cables on {} switches, and this many instances are not "
                            "routed one by one",
                            link, edge.per_pair, switches),
                "use a multiple of the switches of a group as cables a pair, or fewer accelerators", {link});
}

Result<void> align_edge(Cuts& cuts, const Tied& tied, const std::string& link) {
    const std::int64_t a = cuts.total(tied.a), b = cuts.total(tied.b);
    if (a % b != 0 && b % a != 0)
        return fail(ErrorCode::invalid_value,
                    fmt::format("link '{}' joins {} instances with {}, and neither divides the other", link, a, b),
                    "change a count, or wire each to each", {link});
    const bool ok = a >= b ? align(cuts, tied.a, tied.b, a / b) : align(cuts, tied.b, tied.a, b / a);
    if (!ok) return no_common_split(link);
    return {};
}

/// Digit borders of one axis as digits, outermost first.
std::vector<DigitSpace::Digit> digits_of_axis(int axis, std::int64_t count, const std::set<std::int64_t>& cuts) {
    std::vector<DigitSpace::Digit> digits;
    std::int64_t lower = 1;
    for (const std::int64_t cut : cuts) {
        digits.push_back({axis, lower, cut / lower, 0});
        lower = cut;
    }
    if (count > lower) digits.push_back({axis, lower, count / lower, 0});
    std::reverse(digits.begin(), digits.end());
    return digits;
}

/// Union-find over digit numbers.
class Sets {
public:
    explicit Sets(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }
    int find(int x) {
        while (parent_[std::size_t(x)] != x)
            x = parent_[std::size_t(x)] = parent_[std::size_t(parent_[std::size_t(x)])];
        return x;
    }
    void join(int x, int y) { parent_[std::size_t(find(x))] = find(y); }

private:
    std::vector<int> parent_;
};

/// Builds the digit space once all borders are known.
class Builder {
public:
    Builder(const NetworkImpl& impl, const Cuts& cuts) : impl_(impl) {
        for (std::size_t axis = 0; axis < impl.axis_counts.size(); ++axis) {
            first_.push_back(int(all_.size()));
            for (auto& d : digits_of_axis(int(axis), impl.axis_counts[axis], cuts.of(int(axis)))) all_.push_back(d);
        }
        first_.push_back(int(all_.size()));
    }

    DigitSpace build() {
        std::vector<std::vector<std::pair<int, int>>> equal;
        Sets sets(all_.size());
        for (const GraphEdge& edge : impl_.edges) {
            equal.push_back(equalities(edge));
            for (const auto& [x, y] : equal.back()) sets.join(x, y);
        }
        number_sets(sets);
        DigitSpace space;
        space.set_size = set_size_;
        for (const Vertex& v : impl_.vertices) space.vertex_digits.push_back(digits_of(v.axes));
        for (std::size_t e = 0; e < equal.size(); ++e) space.edges.push_back(edge_digits(impl_.edges[e], equal[e]));
        return space;
    }

private:
    [[nodiscard]] std::vector<int> numbers_of(const Axes& axes) const {
        std::vector<int> numbers;
        for (const int axis : axes)
            for (int d = first_[std::size_t(axis)]; d < first_[std::size_t(axis) + 1]; ++d) numbers.push_back(d);
        return numbers;
    }

    [[nodiscard]] std::vector<DigitSpace::Digit> digits_of(const Axes& axes) const {
        std::vector<DigitSpace::Digit> digits;
        for (const int n : numbers_of(axes)) digits.push_back(all_[std::size_t(n)]);
        return digits;
    }

    /// Digit numbers (of a, of b) that the edge makes equal, shared containers included.
    [[nodiscard]] std::vector<std::pair<int, int>> equalities(const GraphEdge& edge) const {
        const Axes& axes = impl_.vertices[std::size_t(edge.a)].axes;
        std::vector<std::pair<int, int>> result;
        for (const int n : numbers_of(Axes(axes.begin(), axes.begin() + edge.shared))) result.emplace_back(n, n);
        const Tied tied = tied_axes(impl_, edge);
        const auto a = numbers_of(tied.a), b = numbers_of(tied.b);
        // Both lists run outermost first; the innermost digits of the longer index are free.
        for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) result.emplace_back(a[i], b[i]);
        return result;
    }

    void number_sets(Sets& sets) {
        std::vector<int> number(all_.size(), -1);
        for (std::size_t d = 0; d < all_.size(); ++d) {
            int& n = number[std::size_t(sets.find(int(d)))];
            if (n < 0) {
                n = int(set_size_.size());
                set_size_.push_back(all_[d].size);
            }
            all_[d].set = n;
        }
    }

    [[nodiscard]] EdgeDigits edge_digits(const GraphEdge& edge, const std::vector<std::pair<int, int>>& equal) const {
        const auto a = numbers_of(impl_.vertices[std::size_t(edge.a)].axes);
        const auto b = numbers_of(impl_.vertices[std::size_t(edge.b)].axes);
        EdgeDigits result;
        result.from_a.assign(b.size(), -1);
        result.from_b.assign(a.size(), -1);
        for (const auto& [x, y] : equal) {
            const auto i = std::find(a.begin(), a.end(), x) - a.begin();
            const auto j = std::find(b.begin(), b.end(), y) - b.begin();
            result.from_a[std::size_t(j)] = int(i);
            result.from_b[std::size_t(i)] = int(j);
        }
        for (const int n : a) result.sets.push_back(all_[std::size_t(n)].set);
        for (std::size_t j = 0; j < b.size(); ++j)
            if (result.from_a[j] < 0) result.sets.push_back(all_[std::size_t(b[j])].set);
        return result;
    }

    const NetworkImpl& impl_;
    std::vector<DigitSpace::Digit> all_;
    std::vector<int> first_;
    std::vector<std::int64_t> set_size_;
};

/// Two digits of one class in one set would tie a class to itself: no single pair stands for the others then.
Result<void> check_sets(const NetworkImpl& impl, const DigitSpace& space) {
    for (std::size_t v = 0; v < space.vertex_digits.size(); ++v) {
        std::set<int> seen;
        for (const auto& d : space.vertex_digits[v])
            if (!seen.insert(d.set).second)
                return fail(ErrorCode::unsupported,
                            fmt::format("the wiring ties two counts around '{}' to each other", impl.vertices[v].id),
                            "draw these links one by one, or wire each to each", {impl.vertices[v].id});
    }
    return {};
}

}  // namespace

Result<DigitSpace> refine(const NetworkImpl& impl, const std::vector<std::string>& link_ids, const RankCuts& wanted) {
    Cuts cuts(impl.axis_counts);
    if (wanted.vertex >= 0)
        for (const std::int64_t p : wanted.positions)
            if (!cuts.add(impl.vertices[std::size_t(wanted.vertex)].axes, p))
                return fail(ErrorCode::unsupported, "the groups do not follow the drawing's counts");
    for (std::size_t before = std::size_t(-1); before != cuts.size();) {
        before = cuts.size();
        for (const GraphEdge& edge : impl.edges) {
            if (auto ok = check_dragonfly(impl, edge, link_ids[std::size_t(edge.link)]); !ok)
                return tl::unexpected(ok.error());
            const auto aligned = align_edge(cuts, tied_axes(impl, edge), link_ids[std::size_t(edge.link)]);
            if (!aligned) return tl::unexpected(aligned.error());
        }
    }
    DigitSpace space = Builder(impl, cuts).build();
    if (const auto ok = check_sets(impl, space); !ok) return tl::unexpected(ok.error());
    return space;
}

std::vector<std::int64_t> digit_values(const DigitSpace& space, const NetworkImpl& impl, int vertex,
                                       const std::vector<std::int64_t>& axis_index) {
    const auto& axes = impl.vertices[std::size_t(vertex)].axes;
    std::vector<std::int64_t> values;
    for (const auto& d : space.vertex_digits[std::size_t(vertex)]) {
        const auto at = std::find(axes.begin(), axes.end(), d.axis) - axes.begin();
        values.push_back(axis_index[std::size_t(at)] / d.weight % d.size);
    }
    return values;
}

}  // namespace crosspoint
