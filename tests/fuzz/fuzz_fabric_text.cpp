// Any bytes are refused with a message or give a valid drawing, by the importers of fabrics and schedulers.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string_view>

#include "core/importers/importer.hpp"

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace crosspoint;
    if (size == 0) return 0;
    const Importer importers[] = {
        import_ibnetdiscover,       import_iblinkinfo,      import_slurm_topology_conf,
        import_slurm_topology_yaml, import_topograph,       import_astra_network,
        import_simai_topology,      import_calculon_system, import_aiconfigurator_system,
        import_infragraph,
    };
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    const auto imported = importers[data[0] % std::size(importers)](text, {});
    if (!imported) {
        require(!imported.error().message.empty());
        return 0;
    }
    require(validate(imported->topology).has_value());
    require(accelerator_count(imported->topology) >= 0);
    return 0;
}
