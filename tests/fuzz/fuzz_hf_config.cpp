// Any bytes are refused with a message or give a shape that passes its own check and can be counted.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/io/hf_config.hpp"

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace crosspoint;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto imported = import_hf_config(text, "config.json");
    if (!imported) {
        require(!imported.error().message.empty() && imported.error().file == "config.json");
        return 0;
    }
    const ModelShape& model = imported->model;
    require(validate(model).has_value());
    const ParameterCount count = count_parameters(model);
    require(count.total > 0 && count.active >= 0 && count.active <= count.total);
    require(kv_bytes_per_token(model, Dtype::bf16).si() >= growing_kv_bytes_per_token(model, Dtype::bf16).si());
    const CacheBytes cache = cache_bytes(model, 1000, Dtype::bf16);
    require(cache.full.si() >= 0 && cache.windowed.si() >= 0 && cache.constant.si() >= 0 && cache.index.si() >= 0);
    return 0;
}
