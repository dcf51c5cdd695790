#include <algorithm>
#include <cctype>
#include <optional>
#include <string>

#include "core/io/hf_config_shape.hpp"

namespace crosspoint::hf {
namespace {

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// From the names of the method and the algorithm ("mxfp4", "NVFP4", "FP8") or from a bit width.
std::optional<Dtype> quantised(Fields& fields) {
    const std::string method = lower(fields.text("quantization_config.quant_method").value_or(""));
    const std::string algorithm = lower(fields.text("quantization_config.quant_algo").value_or(""));
    const std::string format = lower(fields.text("quantization_config.format").value_or(""));
    const std::string names = method + " " + algorithm + " " + format;
    if (contains(names, "fp4")) return Dtype::fp4;
    if (contains(names, "fp8") || contains(names, "float-quantized")) return Dtype::fp8;
    if (contains(names, "awq") || contains(names, "gptq")) {
        constexpr std::string_view bits[] = {"quantization_config.bits", "quantization_config.w_bit"};
        return fields.count(bits).value_or(4) >= 8 ? Dtype::int8 : Dtype::int4;
    }
    return std::nullopt;
}

}  // namespace

Dtype read_storage(Fields& fields) {
    const auto quantisation = quantised(fields);
    const std::string torch = fields.text("torch_dtype").value_or("");
    const std::string stated = torch.empty() ? fields.text("dtype").value_or("") : torch;
    if (quantisation) return *quantisation;
    if (stated == "float16") return Dtype::fp16;
    if (stated == "float32") return Dtype::fp32;
    if (contains(stated, "float8")) return Dtype::fp8;
    if (stated.empty()) fields.assume("torch_dtype is absent: bf16");
    return Dtype::bf16;
}

}  // namespace crosspoint::hf
