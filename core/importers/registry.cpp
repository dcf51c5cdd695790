#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/importers/importer.hpp"

namespace crosspoint {
namespace {

/// A byte that no text holds: the file is binary.
bool is_binary(std::string_view text) { return text.substr(0, 4096).find('\0') != std::string_view::npos; }

tl::unexpected<Error> refusal(std::string_view text) {
    const std::string other = is_binary(text) ? "a binary file" : describe_other(text);
    std::string labels;
    for (const auto& f : import_formats()) labels += (labels.empty() ? "" : ", ") + std::string(f.label);
    return fail(ErrorCode::unsupported,
                other.empty() ? "this is none of the formats that can be imported" : "this is " + other,
                "drawings are read from: " + labels);
}

Result<void> check_answers(const Imported& imported, const ImportOptions& options) {
    for (const auto& [id, answer] : options.answers) {
        const auto question = std::find_if(imported.questions.begin(), imported.questions.end(),
                                           [&](const ImportQuestion& q) { return q.id == id; });
        if (question == imported.questions.end())
            return fail(ErrorCode::invalid_value, fmt::format("this file raises no question '{}'", id),
                        "import it without answers to see what is asked");
        if (std::find(question->choices.begin(), question->choices.end(), answer) == question->choices.end())
            return fail(ErrorCode::invalid_value, fmt::format("'{}' is no answer to '{}'", answer, id),
                        fmt::format("one of {}", fmt::join(question->choices, ", ")));
    }
    return {};
}

}  // namespace

std::string_view to_string(ImportNote::Kind kind) {
    switch (kind) {
        case ImportNote::Kind::assumed: return "assumed";
        case ImportNote::Kind::converted: return "converted";
        case ImportNote::Kind::ignored: return "ignored";
        case ImportNote::Kind::warning: return "warning";
    }
    return "unknown";
}

const std::vector<ImportFormat>& import_formats() {
    static const std::vector<ImportFormat> formats{
        {"nccl-topology", "NCCL or RCCL topology XML", is_nccl_topology, import_nccl_topology},
        {"hwloc", "hwloc XML (lstopo)", is_hwloc, import_hwloc},
        {"nvidia-smi-nvlink", "nvidia-smi nvlink -s or -R", is_nvidia_smi_nvlink, import_nvidia_smi_nvlink},
        {"rocm-smi-topo", "rocm-smi --showtopo", is_rocm_smi_topo, import_rocm_smi_topo},
        {"nvidia-smi-topo", "nvidia-smi topo -m", is_nvidia_smi_topo, import_nvidia_smi_topo},
        {"ibnetdiscover", "ibnetdiscover", is_ibnetdiscover, import_ibnetdiscover},
        {"iblinkinfo", "iblinkinfo", is_iblinkinfo, import_iblinkinfo},
        {"simai-topology", "SimAI topology", is_simai_topology, import_simai_topology},
        {"slurm-topology-conf", "Slurm topology.conf", is_slurm_topology_conf, import_slurm_topology_conf},
        {"calculon-system", "Calculon system", is_calculon_system, import_calculon_system},
        {"astra-network", "ASTRA-sim network.yml", is_astra_network, import_astra_network},
        {"aiconfigurator-system", "aiconfigurator system", is_aiconfigurator_system, import_aiconfigurator_system},
        {"infragraph", "InfraGraph", is_infragraph, import_infragraph},
        {"slurm-topology-yaml", "Slurm topology.yaml", is_slurm_topology_yaml, import_slurm_topology_yaml},
        {"topograph", "topograph model", is_topograph, import_topograph},
    };
    return formats;
}

const ImportFormat* recognise(std::string_view text) {
    if (is_binary(text)) return nullptr;
    for (const ImportFormat& format : import_formats())
        if (format.recognise(text)) return &format;
    return nullptr;
}

namespace {

/// Bytes that are no UTF-8 as '?': names go into documents, which are text.
std::string as_utf8(std::string_view text) {
    std::string out(text);
    for (std::size_t i = 0; i < out.size();) {
        const auto lead = static_cast<unsigned char>(out[i]);
        const std::size_t length = lead < 0x80                   ? 1
                                   : lead >= 0xC2 && lead < 0xE0 ? 2
                                   : (lead & 0xF0) == 0xE0       ? 3
                                   : lead >= 0xF0 && lead < 0xF5 ? 4
                                                                 : 0;
        bool good = length > 0 && i + length <= out.size();
        for (std::size_t k = 1; good && k < length; ++k) good = (static_cast<unsigned char>(out[i + k]) & 0xC0) == 0x80;
        if (good && length >= 3) {
            const auto second = static_cast<unsigned char>(out[i + 1]);
            // overlong forms, surrogates and what lies beyond Unicode
            good = !((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
                     (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F));
        }
        if (!good) out[i] = '?';
        i += good ? length : 1;
    }
    return out;
}

}  // namespace

Result<Imported> import_any(std::string_view bytes, const ImportOptions& options) {
    const std::string clean = as_utf8(bytes);
    std::string_view text = clean;
    if (text.size() > import_limit)
        return fail(ErrorCode::unsupported,
                    fmt::format("the file has {} MB; at most {} MB are read", text.size() / 1'000'000,
                                import_limit / 1'000'000),
                    "cut it to the part that describes the hardware");
    if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);
    const ImportFormat* format = recognise(text);
    if (!format) return refusal(text);
    auto imported = format->importer(text, options);
    if (!imported) return imported;
    if (auto ok = check_answers(*imported, options); !ok) return tl::unexpected(ok.error());
    return imported;
}

}  // namespace crosspoint
