// Figures: the makers' data sheets (dense, no structured sparsity; links one direction). Device numbers: the PCI ID
// repository (pci-ids.ucw.cz).
#include "core/importers/products.hpp"

#include <algorithm>

#include "core/importers/text_probe.hpp"

namespace crosspoint {
namespace {

struct Entry {
    Product product;
    std::string_view must;      ///< words that a name must hold, all of them
    std::string_view must_not;  ///< words of which it must hold none
    int sm = 0;                 ///< NVIDIA compute capability
    int gfx = 0;                ///< AMD, as RCCL writes it (90a -> 910, 942)
    std::vector<unsigned> devices;
};

constexpr std::string_view nv = "NVIDIA", amd = "AMD", intel = "Intel";

/// The more telling name comes first; within one capability the more common product.
const std::vector<Entry>& entries() {
    static const std::vector<Entry> all{
        {{"NVIDIA GB300 (one GPU)", nv, "nvidia-gb300", 288, 8000, 2500, 900, "NVIDIA GB300 NVL72 data sheet"},
         "gb300",
         "",
         103,
         0,
         {0x31c2}},
        {{"NVIDIA GB200 (one GPU)", nv, "nvidia-gb200", 186, 8000, 2500, 900, "NVIDIA GB200 NVL72 data sheet"},
         "gb200",
         "",
         100,
         0,
         {0x2941}},
        {{"NVIDIA B300 SXM 288 GB", nv, "nvidia-b300-sxm", 288, 8000, 2250, 900, "NVIDIA HGX B300 data sheet"},
         "b300",
         "gb300",
         103,
         0,
         {0x3182}},
        {{"NVIDIA B200 SXM 180 GB", nv, "nvidia-b200-sxm", 180, 8000, 2250, 900, "NVIDIA HGX B200 data sheet"},
         "b200",
         "gb200",
         100,
         0,
         {0x2901}},
        {{"NVIDIA GH200 96 GB", nv, "", 96, 4000, 989, 450, "NVIDIA GH200 data sheet"}, "gh200", "", 90, 0, {0x2342}},
        {{"NVIDIA H200 SXM 141 GB", nv, "nvidia-h200-sxm", 141, 4800, 989, 450, "NVIDIA H200 data sheet"},
         "h200",
         "gh200 nvl",
         90,
         0,
         {0x2335}},
        {{"NVIDIA H200 NVL", nv, "", 141, 4800, 835, 450, "NVIDIA H200 data sheet"}, "h200 nvl", "", 90, 0, {0x233b}},
        {{"NVIDIA H800 SXM 80 GB", nv, "nvidia-h800-sxm", 80, 3350, 989, 200, "DeepSeek-AI, arXiv 2505.09343"},
         "h800",
         "pcie",
         90,
         0,
         {0x2324}},
        {{"NVIDIA H20", nv, "", 96, 4000, 148, 450, "NVIDIA H20 product brief"}, "h20", "h200", 90, 0, {0x2329}},
        {{"NVIDIA H100 PCIe", nv, "", 80, 2000, 756, 300, "NVIDIA H100 data sheet"}, "h100 pcie", "", 90, 0, {0x2331}},
        {{"NVIDIA H100 NVL", nv, "", 94, 3900, 835, 300, "NVIDIA H100 NVL product brief"},
         "h100 nvl",
         "",
         90,
         0,
         {0x2321}},
        {{"NVIDIA H100 SXM 80 GB", nv, "nvidia-h100-sxm", 80, 3350, 989, 450, "NVIDIA H100 data sheet"},
         "h100",
         "pcie nvl",
         90,
         0,
         {0x2330}},
        {{"NVIDIA A100 PCIe 80 GB", nv, "nvidia-a100-pcie-80gb", 80, 1935, 312, 300, "NVIDIA A100 data sheet"},
         "a100 pcie 80gb",
         "",
         80,
         0,
         {0x20b5}},
        {{"NVIDIA A100 PCIe 40 GB", nv, "", 40, 1555, 312, 300, "NVIDIA A100 data sheet"},
         "a100 pcie",
         "80gb",
         80,
         0,
         {0x20f1}},
        {{"NVIDIA A100 SXM 40 GB", nv, "", 40, 1555, 312, 300, "NVIDIA A100 data sheet"},
         "a100 40gb",
         "pcie",
         80,
         0,
         {0x20b0}},
        {{"NVIDIA A100 SXM 80 GB", nv, "nvidia-a100-sxm-80gb", 80, 2039, 312, 300, "NVIDIA A100 data sheet"},
         "a100",
         "pcie 40gb",
         80,
         0,
         {0x20b2}},
        {{"NVIDIA A800 SXM 80 GB", nv, "", 80, 2039, 312, 200, "NVIDIA A800 data sheet"}, "a800", "", 80, 0, {0x20f3}},
        {{"NVIDIA V100 SXM 32 GB", nv, "", 32, 900, 125, 150, "NVIDIA V100 data sheet"},
         "v100 32gb",
         "pcie",
         70,
         0,
         {0x1db5, 0x1db8}},
        {{"NVIDIA V100 SXM 16 GB", nv, "", 16, 900, 125, 150, "NVIDIA V100 data sheet"},
         "v100",
         "pcie",
         70,
         0,
         {0x1db1}},
        {{"NVIDIA V100 PCIe", nv, "", 16, 900, 112, 0, "NVIDIA V100 data sheet"},
         "v100 pcie",
         "",
         70,
         0,
         {0x1db4, 0x1db6}},
        {{"NVIDIA P100 SXM 16 GB", nv, "", 16, 732, 21.2, 80, "NVIDIA P100 data sheet"}, "p100", "", 60, 0, {0x15f9}},
        {{"NVIDIA L40S", nv, "", 48, 864, 362, 0, "NVIDIA L40S data sheet"}, "l40s", "", 89, 0, {0x26b9}},
        {{"NVIDIA L4", nv, "", 24, 300, 121, 0, "NVIDIA L4 data sheet"}, "l4", "l40", 89, 0, {0x27b8}},
        {{"NVIDIA RTX 4090", nv, "", 24, 1008, 165, 0, "NVIDIA Ada whitepaper"}, "4090", "", 89, 0, {0x2684}},
        {{"NVIDIA RTX 5090", nv, "", 32, 1792, 209, 0, "NVIDIA Blackwell whitepaper"}, "5090", "", 120, 0, {0x2b85}},
        {{"NVIDIA A10G", nv, "", 24, 600, 70, 0, "AWS G5 page; NVIDIA A10G data sheet"}, "a10g", "", 86, 0, {0x2237}},
        {{"NVIDIA RTX A6000", nv, "", 48, 768, 155, 56.25, "NVIDIA RTX A6000 data sheet"},
         "a6000",
         "",
         86,
         0,
         {0x2230}},
        {{"NVIDIA A40", nv, "", 48, 696, 150, 56.25, "NVIDIA A40 data sheet"}, "a40", "a400", 86, 0, {0x2235}},
        {{"NVIDIA T4", nv, "", 16, 320, 65, 0, "NVIDIA T4 data sheet"}, "t4", "", 75, 0, {0x1eb8}},
        {{"AMD Instinct MI355X", amd, "amd-mi355x", 288, 8000, 2500, 535.5, "AMD MI355X data sheet"},
         "mi355x",
         "",
         0,
         950,
         {0x75a3}},
        {{"AMD Instinct MI325X", amd, "amd-mi325x", 256, 6000, 1307, 448, "AMD MI325X data sheet"},
         "mi325x",
         "",
         0,
         0,
         {0x74a5, 0x74b9}},
        {{"AMD Instinct MI300X", amd, "amd-mi300x", 192, 5300, 1307, 448, "AMD MI300X data sheet"},
         "mi300x",
         "",
         0,
         942,
         {0x74a1, 0x74b5, 0x74a9}},
        {{"AMD Instinct MI300A", amd, "", 128, 5300, 980, 384, "AMD MI300A data sheet"},
         "mi300a",
         "",
         0,
         940,
         {0x74a0}},
        {{"AMD Instinct MI250X (one GCD)", amd, "", 64, 1638, 191.5, 150, "AMD MI250X data sheet, halved"},
         "mi250",
         "",
         0,
         910,
         {0x7408, 0x740c}},
        {{"AMD Instinct MI210", amd, "", 64, 1638, 181, 150, "AMD MI210 data sheet"}, "mi210", "", 0, 0, {0x740f}},
        {{"AMD Instinct MI100", amd, "", 32, 1229, 184.6, 138, "AMD MI100 data sheet"},
         "mi100",
         "",
         0,
         908,
         {0x738c, 0x738e}},
        {{"AMD Radeon Instinct MI50", amd, "", 32, 1024, 26.5, 92, "AMD Radeon Instinct MI50 data sheet"},
         "mi50",
         "",
         0,
         906,
         {0x66a0, 0x66a1, 0x66af}},
        {{"Intel Gaudi 3", intel, "intel-gaudi3", 128, 3700, 1835, 525, "Intel Gaudi 3 white paper"},
         "gaudi3",
         "",
         0,
         0,
         {0x1060}},
    };
    return all;
}

/// Lower case; all that is no letter or digit becomes a blank, "80 gb" becomes "80gb".
std::string normal(std::string_view text) {
    std::string result;
    for (const char c : lower(text.substr(0, 200))) {
        const bool word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        result += word ? c : ' ';
    }
    for (auto at = result.find(" gb"); at != std::string::npos; at = result.find(" gb", at + 1))
        if (at > 0 && result[at - 1] >= '0' && result[at - 1] <= '9' &&
            (at + 3 == result.size() || result[at + 3] == ' '))
            result.erase(at, 1);
    return result;
}

bool holds(std::string_view text, std::string_view word) {
    // Short names such as "l4" and "t4" have to be whole words; "h100" may be glued ("a100-sxm4").
    constexpr std::size_t telling = 4;
    if (word.size() >= telling) return text.find(word) != std::string_view::npos;
    const auto words = words_of(text);
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool names(const Entry& e, std::string_view text) {
    const auto in_text = [&](std::string_view w) { return holds(text, w); };
    const auto must = words_of(e.must), not_in = words_of(e.must_not);
    return std::all_of(must.begin(), must.end(), in_text) && std::none_of(not_in.begin(), not_in.end(), in_text);
}

std::vector<const Product*> products_of(int Entry::*field, int value) {
    std::vector<const Product*> result;
    for (const Entry& e : entries())
        if (value > 0 && e.*field == value) result.push_back(&e.product);
    const auto builtin = [](const Product* p) { return !p->part.empty(); };
    std::stable_partition(result.begin(), result.end(), builtin);
    return result;
}

}  // namespace

const Product* product_by_name(std::string_view text) {
    const std::string name = normal(text);
    for (const Entry& e : entries())
        if (names(e, name)) return &e.product;
    return nullptr;
}

const Product* product_by_pci(unsigned vendor, unsigned device) {
    constexpr unsigned makers[] = {0x10de, 0x1002, 0x1da3};
    if (std::find(std::begin(makers), std::end(makers), vendor) == std::end(makers)) return nullptr;
    for (const Entry& e : entries())
        if (std::find(e.devices.begin(), e.devices.end(), device) != e.devices.end()) return &e.product;
    return nullptr;
}

std::vector<const Product*> products_by_sm(int sm) { return products_of(&Entry::sm, sm); }
std::vector<const Product*> products_by_gfx(int gfx) { return products_of(&Entry::gfx, gfx); }

ProductNumbers numbers_of(const Product& product) {
    constexpr unsigned nvidia = 0x10de, amd_id = 0x1002, intel_id = 0x1da3;
    for (const Entry& e : entries())
        if (&e.product == &product)
            return {product.vendor == nv    ? nvidia
                    : product.vendor == amd ? amd_id
                                            : intel_id,
                    e.devices.empty() ? 0 : e.devices.front(), e.sm, e.gfx};
    return {};
}

std::vector<const Product*> common_products() {
    std::vector<const Product*> result;
    for (const Entry& e : entries()) result.push_back(&e.product);
    const auto builtin = [](const Product* p) { return !p->part.empty(); };
    std::stable_partition(result.begin(), result.end(), builtin);
    return result;
}

}  // namespace crosspoint
