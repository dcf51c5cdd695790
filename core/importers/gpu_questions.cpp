#include "core/importers/gpu_questions.hpp"

#include <fmt/format.h>

#include "core/units/text.hpp"

namespace crosspoint {
namespace {

constexpr double giga = 1e9;
constexpr double bits = 8;

}  // namespace

const Product* ask_product(Sketch& sketch, std::string_view evidence, const std::vector<const Product*>& likely) {
    if (likely.size() == 1) {
        sketch.assumed(fmt::format("{}: {}", evidence, likely[0]->name));
        return likely[0];
    }
    std::vector<const Product*> offered = likely;
    if (offered.empty()) offered = common_products();
    std::vector<std::string> names;
    for (const Product* p : offered) names.emplace_back(p->name);
    const std::string answer =
        sketch.ask("accelerator", fmt::format("{}. Which accelerator is it?", evidence), names, names.front());
    for (const Product* p : offered)
        if (p->name == answer) return p;
    return offered.front();
}

double ask_nic_speed(Sketch& sketch, std::string_view evidence, int gbit) {
    const std::string fallback = fmt::format("{} Gb/s", gbit);
    const std::string answer =
        sketch.ask("nic-speed", fmt::format("{}. How fast is one NIC, one direction?", evidence),
                   {"25 Gb/s", "50 Gb/s", "100 Gb/s", "200 Gb/s", "400 Gb/s", "800 Gb/s"}, fallback);
    const auto speed = parse<BytesPerSecond>(answer);
    return speed ? speed.value->si() : gbit * giga / bits;
}

PartId nic_of_speed(Sketch& sketch, double bytes_per_s, std::string_view source, Confidence confidence) {
    constexpr double gbit = giga / bits;
    const auto is = [&](double g) { return bytes_per_s > (g * 0.99) * gbit && bytes_per_s < (g * 1.01) * gbit; };
    const BytesPerSecond rate(bytes_per_s);
    if (is(200)) return sketch.nic("ConnectX-6 200G", rate, source, confidence);
    if (is(400)) return sketch.nic("ConnectX-7 400G", rate, source, confidence);
    if (is(800)) return sketch.nic("ConnectX-8 800G", rate, source, confidence);
    return sketch.nic(fmt::format("NIC {}", format_bits(rate)), rate, source, confidence);
}

void ask_domain(Sketch& sketch, Machine& machine, const Product& product) {
    const bool amd = product.vendor == "AMD";
    machine.family = amd ? "xgmi" : "nvlink";
    if (product.nvlink_gbps <= 0 || gpus_of(machine).size() < 2) return;
    const std::string domain =
        fmt::format("{} per GPU and direction", format(BytesPerSecond(product.nvlink_gbps * giga)));
    const std::string answer =
        sketch.ask("scale-up",
                   fmt::format("The file lists no links between its GPUs. Are all {} joined by {}?",
                               gpus_of(machine).size(), amd ? "xGMI" : "NVLink"),
                   {domain, "no, PCIe only"}, domain);
    if (answer != domain) return;
    machine.domain = product.nvlink_gbps * giga;
    machine.domain_source = product.source;
}

double nvlink_rate(int sm) {
    // Payload of one link and direction by generation: NVLink 1 20, 2 and 3 and 4 25, 5 50 GB/s (NVIDIA data sheets);
    // SM 86 and 89 workstation bridges 14.0625 (112.5 GB/s both ways over four links).
    if (sm >= 100) return 50 * giga;
    if (sm == 86 || sm == 89) return 14.0625 * giga;
    if (sm == 60 || sm == 61) return 20 * giga;
    return sm >= 70 ? 25 * giga : 0;
}

double xgmi_rate(const Product& product) {
    struct Rate {
        std::string_view product;
        double gbps;
    };
    // AMD data sheets: one Infinity Fabric link, one direction.
    constexpr Rate rates[] = {{"MI355X", 76.5}, {"MI325X", 64}, {"MI300X", 64}, {"MI300A", 64},
                              {"MI250X", 50},   {"MI210", 50},  {"MI100", 46},  {"MI50", 46}};
    for (const Rate& r : rates)
        if (product.name.find(r.product) != std::string_view::npos) return r.gbps * giga;
    constexpr double usual = 50;
    return usual * giga;
}

}  // namespace crosspoint
