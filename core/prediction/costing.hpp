// From operations to times, bytes by level and loads of links (private to core/prediction).
#pragma once

#include "core/prediction/context.hpp"

namespace crosspoint {

/// An operation's result with the two sums that the step needs and no view shows.
struct Costed {
    OperationResult result;
    Bytes sent;      ///< leaving one accelerator
    Bytes crossing;  ///< of these, over links outside a scale-up domain
};

/// `layer` is what the operation is part of; null for the ends of the step.
Result<Costed> cost_operation(Context& context, const Operation& op, const LayerShape* layer, int kind);

/// Work without a formula of its own: scheduler, framework, sampling.
Costed overhead(const std::string& id, const std::string& label, const Figure<Seconds>& time, int kind);

/// What the operation occupies; streams by level, or the compute stream.
Task task_of(const Context& context, const OperationResult& result);

/// Adds the traffic of `bytes` a rank over a route to an operation: by level, by link, and what crosses domains.
void add_traffic(Costed& costed, const Route& route, Bytes bytes, bool with_links);

}  // namespace crosspoint
