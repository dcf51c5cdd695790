#include <fmt/format.h>

#include "core/importers/exporter.hpp"

namespace crosspoint {

const std::vector<ExportFormat>& export_formats() {
    static const std::vector<ExportFormat> formats{
        {"nccl-xml", "NCCL topology XML", ".xml", export_nccl_topology},
        {"dot", "Graphviz DOT", ".dot", export_dot},
        {"infragraph", "InfraGraph", ".yaml", export_infragraph},
        {"astra-sim", "ASTRA-sim network.yml", ".yml", export_astra_network},
    };
    return formats;
}

Result<const ExportFormat*> find_export_format(std::string_view id) {
    std::string ids;
    for (const ExportFormat& format : export_formats()) {
        if (format.id == id) return &format;
        ids += (ids.empty() ? "" : ", ") + std::string(format.id);
    }
    return fail(ErrorCode::invalid_value, fmt::format("there is no export format '{}'", id), "one of " + ids);
}

}  // namespace crosspoint
