// Number formats of weights, activations, caches and messages.
#pragma once

#include <optional>
#include <string_view>

#include "core/units/quantity.hpp"

namespace crosspoint {

enum class Dtype { fp32, tf32, bf16, fp16, fp8, int8, fp4, int4 };
inline constexpr Dtype all_dtypes[] = {Dtype::fp32, Dtype::tf32, Dtype::bf16, Dtype::fp16,
                                       Dtype::fp8,  Dtype::int8, Dtype::fp4,  Dtype::int4};

/// Storage of one element: 4, 4, 2, 2, 1, 1, 0.5, 0.5 bytes. Block scales of fp4/fp8 formats are not counted.
constexpr Bytes size_of(Dtype d) {
    switch (d) {
        case Dtype::fp32:
        case Dtype::tf32: return Bytes(4);
        case Dtype::bf16:
        case Dtype::fp16: return Bytes(2);
        case Dtype::fp8:
        case Dtype::int8: return Bytes(1);
        case Dtype::fp4:
        case Dtype::int4: return Bytes(0.5);
    }
    return Bytes(0);
}
std::string_view to_string(Dtype d);
std::optional<Dtype> dtype_from(std::string_view text);

}  // namespace crosspoint
