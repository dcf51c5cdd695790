// Drawings written as files of other tools: one file a format.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/importers/importer.hpp"
#include "core/scenario/scenario.hpp"

namespace crosspoint {

struct Exported {
    std::string text;
    std::vector<ImportNote> notes;  ///< what the format cannot say, what was converted
};

using Exporter = Result<Exported> (*)(const Scenario& scenario);

struct ExportFormat {
    std::string_view id;      ///< "nccl-xml", "dot", "infragraph", "astra-sim"
    std::string_view label;   ///< "NCCL topology XML"
    std::string_view ending;  ///< usual ending of such a file: ".xml"
    Exporter exporter;
};

const std::vector<ExportFormat>& export_formats();
/// Fails with the list of formats when there is no such one.
Result<const ExportFormat*> find_export_format(std::string_view id);

Result<Exported> export_nccl_topology(const Scenario& scenario);
Result<Exported> export_dot(const Scenario& scenario);
Result<Exported> export_infragraph(const Scenario& scenario);
Result<Exported> export_astra_network(const Scenario& scenario);

}  // namespace crosspoint
