// The sentences behind the numbers: one operation's formula with its values (private to core/prediction).
#pragma once

#include <string>

#include "core/model/layer_label.hpp"
#include "core/prediction/context.hpp"

namespace crosspoint {

std::string collective_why(const Communication& communication, const CollectiveCost& cost);
/// "dispatch: 32 tokens x 8 experts x 7168 B = 1.84 MB; 75 % leave the domain; ..."
std::string exchange_why(const Communication& communication, const ExchangeCost& cost);
std::string compute_why(const Context& context, const Operation& op, const OperationCost& cost, Seconds time);

}  // namespace crosspoint
