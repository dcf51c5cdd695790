// Files of other tools read as drawings: one file a format, found by content and never by name.
//
// An importer takes the whole text and gives a drawing, the parts that it needs beyond the built-in ones, and what it
// took for granted. Bandwidths in the result are one direction, payload, per accelerator, port or lane as drawn; every
// conversion is a note. What the text leaves open is a question with a default, never a silent guess: the caller may
// run the same import again with answers.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/catalogue/parts.hpp"
#include "core/topology/topology.hpp"

namespace crosspoint {

struct ImportNote {
    enum class Kind { assumed, converted, ignored, warning };
    Kind kind = Kind::assumed;
    std::string text;   ///< one sentence
    std::string where;  ///< "line 12", "cpu 1", "GPU3"; empty for the whole file
    bool operator==(const ImportNote&) const = default;
};
std::string_view to_string(ImportNote::Kind kind);

struct ImportQuestion {
    std::string id;  ///< stable: "accelerator", "nic-speed"
    std::string text;
    std::vector<std::string> choices;
    std::string fallback;   ///< the choice taken when nobody answers
    std::string answer;     ///< the choice that was taken
    bool answered = false;  ///< by ImportOptions::answers; else `answer` is the fallback
    bool operator==(const ImportQuestion&) const = default;
};

struct ImportOptions {
    std::shared_ptr<const Catalogue> catalogue;  ///< the built-in parts; may be null: then every part is the import's
    std::map<std::string, std::string> answers;  ///< question id -> choice
};

struct Imported {
    std::string format;  ///< id of the format: "nccl-topology"
    std::string name;    ///< title for the drawing
    Topology topology;
    Catalogue parts;  ///< the document's own parts; all other part ids are built-in ones
    std::vector<ImportNote> notes;
    std::vector<ImportQuestion> questions;
};

using Importer = Result<Imported> (*)(std::string_view text, const ImportOptions& options);

struct ImportFormat {
    std::string_view id;     ///< "nvidia-smi-topo"
    std::string_view label;  ///< "nvidia-smi topo -m"
    bool (*recognise)(std::string_view text);
    Importer importer;
};

constexpr std::size_t import_limit = 50'000'000;       ///< bytes of a file
constexpr std::size_t import_element_limit = 200'000;  ///< devices and links of the resulting drawing

/// All formats, most telling evidence first.
const std::vector<ImportFormat>& import_formats();
/// The first format that recognises the text; null when none does.
const ImportFormat* recognise(std::string_view text);
/// What a text is that no importer reads: "an MSCCL algorithm (XML)"; empty when unknown.
std::string describe_other(std::string_view text);

/// Recognises and imports. Errors: `unsupported` for a text that is not of any format (the message says what it is,
/// where that is known), `syntax` or `schema` with the line for a broken one, `invalid_value` for an answer to a
/// question that is not asked or that is not one of its choices.
Result<Imported> import_any(std::string_view text, const ImportOptions& options);

// One importer a format; each is in the file of its name.
bool is_nccl_topology(std::string_view text);
Result<Imported> import_nccl_topology(std::string_view text, const ImportOptions& options);
bool is_nvidia_smi_topo(std::string_view text);
Result<Imported> import_nvidia_smi_topo(std::string_view text, const ImportOptions& options);
bool is_nvidia_smi_nvlink(std::string_view text);
Result<Imported> import_nvidia_smi_nvlink(std::string_view text, const ImportOptions& options);
bool is_rocm_smi_topo(std::string_view text);
Result<Imported> import_rocm_smi_topo(std::string_view text, const ImportOptions& options);
bool is_hwloc(std::string_view text);
Result<Imported> import_hwloc(std::string_view text, const ImportOptions& options);
bool is_ibnetdiscover(std::string_view text);
Result<Imported> import_ibnetdiscover(std::string_view text, const ImportOptions& options);
bool is_iblinkinfo(std::string_view text);
Result<Imported> import_iblinkinfo(std::string_view text, const ImportOptions& options);
bool is_slurm_topology_conf(std::string_view text);
Result<Imported> import_slurm_topology_conf(std::string_view text, const ImportOptions& options);
bool is_slurm_topology_yaml(std::string_view text);
Result<Imported> import_slurm_topology_yaml(std::string_view text, const ImportOptions& options);
bool is_topograph(std::string_view text);
Result<Imported> import_topograph(std::string_view text, const ImportOptions& options);
bool is_infragraph(std::string_view text);
Result<Imported> import_infragraph(std::string_view text, const ImportOptions& options);
bool is_astra_network(std::string_view text);
Result<Imported> import_astra_network(std::string_view text, const ImportOptions& options);
bool is_simai_topology(std::string_view text);
Result<Imported> import_simai_topology(std::string_view text, const ImportOptions& options);
bool is_calculon_system(std::string_view text);
Result<Imported> import_calculon_system(std::string_view text, const ImportOptions& options);
bool is_aiconfigurator_system(std::string_view text);
Result<Imported> import_aiconfigurator_system(std::string_view text, const ImportOptions& options);

}  // namespace crosspoint
