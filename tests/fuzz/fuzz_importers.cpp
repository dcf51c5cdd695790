// Any bytes are refused with a message or give a drawing that is valid, becomes a document, and can be exported.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/importers/exporter.hpp"
#include "core/importers/use_import.hpp"
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
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const ImportOptions options{parts, {}};
    // Each importer has to refuse what its recogniser let through by mistake.
    for (const ImportFormat& format : import_formats()) (void)format.importer(text, options);
    const auto imported = import_any(text, options);
    if (!imported) {
        require(!imported.error().message.empty());
        return 0;
    }
    require(validate(imported->topology).has_value());
    const Scenario scenario = scenario_of(*imported, parts);
    const std::string written = write_document({scenario, nullptr});
    const auto again = parse_document(written, "import", parts);
    require(again.has_value() && again->scenario == scenario);
    for (const ExportFormat& format : export_formats()) (void)format.exporter(scenario);
    return 0;
}
