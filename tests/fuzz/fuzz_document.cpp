// Any bytes are refused or read; what is read survives being written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/io/builtin.hpp"
#include "core/io/document.hpp"

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace crosspoint;
    static const auto parts = builtin_catalogue().value();
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto first = parse_document(text, "input", parts);
    if (!first) {
        require(!first.error().message.empty() && first.error().line > 0);
        return 0;
    }
    require(write_document(*first) == text);
    const std::string canonical = write_document(Document{first->scenario, nullptr});
    const auto second = parse_document(canonical, "canonical", parts);
    require(second.has_value());
    require(second->scenario == first->scenario);
    require(write_document(Document{second->scenario, nullptr}) == canonical);
    return 0;
}
