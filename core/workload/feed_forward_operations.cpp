#include <fmt/format.h>

#include "core/workload/operation_list.hpp"

namespace crosspoint {

void linear_feed_forward_operations(OperationList& list, const Shard& shard) {
    list.norm("ffn.norm", shard.norm_tokens());
    list.gather_over_tensor("ffn.gather");
    list.product("ffn.linear", "linear", {shard.tokens(), shard.hidden() / shard.tensor(), shard.hidden()});
    list.reduce_over_tensor("ffn.reduce");
}

void dense_feed_forward_operations(OperationList& list, const Shard& shard, const FeedForwardShape& f, bool own_norm) {
    const double width = static_cast<double>(f.width) / shard.tensor();
    const double inputs = f.gated ? 2 : 1;
    if (own_norm) {
        list.norm("ffn.norm", shard.norm_tokens());
        list.gather_over_tensor("ffn.gather");
    }
    list.product("ffn.up", f.gated ? "gate, up" : "up",
                 {shard.tokens(), shard.hidden(), inputs * width, 1, f.bias ? inputs * width : 0});
    const double numbers = shard.tokens() * width * (inputs + 1);
    list.elementwise("ffn.activation", "activation", numbers, 0,
                     fmt::format("{} x {} x {} numbers", number(inputs + 1), number(shard.tokens()), number(width)));
    list.product("ffn.down", "down", {shard.tokens(), width, shard.hidden(), 1, f.bias ? shard.hidden() : 0});
    list.reduce_over_tensor("ffn.reduce");
}

}  // namespace crosspoint
