#include "core/catalogue/dtype.hpp"

namespace crosspoint {

std::string_view to_string(Dtype d) {
    switch (d) {
        case Dtype::fp32: return "fp32";
        case Dtype::tf32: return "tf32";
        case Dtype::bf16: return "bf16";
        case Dtype::fp16: return "fp16";
        case Dtype::fp8: return "fp8";
        case Dtype::int8: return "int8";
        case Dtype::fp4: return "fp4";
        case Dtype::int4: return "int4";
    }
    return "unknown";
}

std::optional<Dtype> dtype_from(std::string_view text) {
    for (const Dtype d : all_dtypes)
        if (to_string(d) == text) return d;
    return std::nullopt;
}

}  // namespace crosspoint
