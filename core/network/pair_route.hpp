// Private to core/network: shortest paths of one representative pair over states instead of instances.
//
// A state is a vertex class whose digits are each "the value both ranks share", "the source's", "the target's" or
// "any other". Equal-cost next hops share the traffic evenly at every hop, instance by instance, as switches that
// hash flows over equal-cost ports do in the mean.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/network/fabric_graph.hpp"
#include "core/network/route.hpp"

namespace crosspoint {

/// What the pair has on one digit set. `none`: neither rank's class has it.
enum class Relation : char { none, same, differ, source_only, target_only };
enum class Atom : char { same, source, target, other };

struct PairClass {
    int from = 0, to = 0;            ///< accelerator vertices
    std::vector<Relation> relation;  ///< per digit set
    auto operator<=>(const PairClass&) const = default;
};

/// Traffic of one unit sent by the pair over all instances of a link that are in one state.
struct Flow {
    int edge = 0;
    bool forward = true;      ///< from end a to end b
    std::vector<Atom> atoms;  ///< per coordinate of the edge (EdgeDigits::sets)
    double amount = 0;
};

struct PairRoute {
    std::vector<Flow> flows;
    Path path;                        ///< one of the equal-cost paths; from and to are not filled
    std::vector<double> level_share;  ///< per level: share of the unit that crosses it
    double outside_share = 0;         ///< share that crosses links outside a scale-up domain
    int top_level = 0;                ///< also path.level
};

/// Values of a set that an atom stands for.
std::int64_t values_of(Atom atom, Relation relation, std::int64_t size);

class TargetSearch;

/// Routes pairs over one digit space; what was searched around a target is kept for its other sources.
class PairRouter {
public:
    PairRouter(const Network& network, const DigitSpace& space);
    ~PairRouter();
    PairRouter(const PairRouter&) = delete;
    PairRouter& operator=(const PairRouter&) = delete;

    /// Fails with `unreachable` (the ends are named by the caller) or `unsupported` where the drawing is too deep.
    Result<PairRoute> route(const PairClass& pair);

private:
    const Network& network_;
    const DigitSpace& space_;
    std::map<std::pair<int, std::vector<Relation>>, std::unique_ptr<TargetSearch>> searches_;
};

}  // namespace crosspoint
