#include <algorithm>
#include <cctype>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "core/io/hf_config_shape.hpp"

namespace crosspoint::hf {
namespace {

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// A bit width as a number format of floats or whole numbers.
std::optional<Dtype> of_width(std::int64_t bits, bool whole) {
    if (bits <= 0) return std::nullopt;
    if (bits <= 4) return whole ? Dtype::int4 : Dtype::fp4;
    return bits <= 8 ? std::optional(whole ? Dtype::int8 : Dtype::fp8) : std::nullopt;
}

/// The weights of the first group (compressed-tensors, ModelOpt).
std::optional<Dtype> of_groups(Fields& fields) {
    constexpr std::string_view bits[] = {"quantization_config.config_groups.group_0.weights.num_bits"};
    const std::string type = fields.text("quantization_config.config_groups.group_0.weights.type").value_or("float");
    return of_width(fields.count(bits).value_or(0), type == "int");
}

/// From the names of the method and the algorithm ("mxfp4", "NVFP4", "FP8") or from a bit width.
std::optional<Dtype> quantised(Fields& fields) {
    const std::string method = lower(fields.text("quantization_config.quant_method").value_or(""));
    const std::string algorithm = lower(fields.text("quantization_config.quant_algo").value_or(""));
    const std::string format = lower(fields.text("quantization_config.format").value_or(""));
    const std::string names = method + " " + algorithm + " " + format;
    if (contains(names, "fp4") || contains(lower(fields.text("expert_dtype").value_or("")), "fp4")) return Dtype::fp4;
    if (contains(names, "fp8") || contains(names, "float-quantized")) return Dtype::fp8;
    if (contains(names, "awq") || contains(names, "gptq")) {
        constexpr std::string_view bits[] = {"quantization_config.bits", "quantization_config.w_bit"};
        return fields.count(bits).value_or(4) >= 8 ? Dtype::int8 : Dtype::int4;
    }
    if (contains(names, "bitsandbytes") || contains(names, "bnb"))
        return fields.flag("quantization_config.load_in_8bit").value_or(false) ? Dtype::int8 : Dtype::int4;
    if (const auto group = of_groups(fields)) return group;
    return of_width(fields.count("quantization.bits").value_or(0), true);  // MLX
}

/// Parts that stay in 16 bits, and the cache's own format, are said: one number format stands for the weights here.
void remark(Fields& fields, const std::optional<Dtype>& quantisation) {
    if (!quantisation) return;
    const auto lists = {"quantization_config.modules_to_not_convert", "quantization_config.ignore",
                        "quantization_config.exclude_modules"};
    for (const std::string_view key : lists)
        if (fields.is_list(key) && !fields.node(key)->items.empty())
            fields.assume(fmt::format("{} parts are left unquantised by {}: stored as {} stands for the rest",
                                      fields.node(key)->items.size(), key, to_string(*quantisation)));
    if (const auto cache = fields.text("quantization_config.kv_cache_quant_algo"))
        fields.assume(
            fmt::format("The file asks for a cache in {}: set the cache's number format in the scenario", *cache));
}

}  // namespace

Dtype read_storage(Fields& fields) {
    const auto quantisation = quantised(fields);
    remark(fields, quantisation);
    const std::string torch = fields.text("torch_dtype").value_or("");
    const std::string stated = torch.empty() ? fields.text("dtype").value_or("") : torch;
    if (quantisation) return *quantisation;
    if (stated == "float16") return Dtype::fp16;
    if (stated == "float32") return Dtype::fp32;
    if (contains(stated, "float8") || stated == "fp8") return Dtype::fp8;
    if (stated.empty()) fields.assume("torch_dtype is absent: bf16");
    return Dtype::bf16;
}

}  // namespace crosspoint::hf
