#include "core/importers/nccl_ports.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <pugixml.hpp>

#include "core/importers/machine.hpp"
#include "core/importers/text_probe.hpp"
#include "core/units/text.hpp"

namespace crosspoint {
namespace {

constexpr double mbit = 1e6 / 8;

}  // namespace

std::vector<NcclPort> NcclPorts::read(const pugi::xml_node& nic) const {
    std::vector<NcclPort> ports;
    for (const auto& net : nic.children("net"))
        ports.push_back({net.attribute("name").value(), net.attribute("guid").value(), net.attribute("port").value(),
                         xml_.where(net), std::max(0LL, net.attribute("speed").as_llong())});
    return ports;
}

long long NcclPorts::mbps_of(const std::vector<NcclPort>& ports) {
    constexpr long long most = 1'000'000'000'000;  // beyond any card; keeps the sum from overflowing
    long long sum = 0;
    std::vector<const NcclPort*> firsts;
    for (const NcclPort& p : ports) {
        const bool known = !p.guid.empty() && whole_number(p.guid).value_or(1) != 0;
        const auto first =
            std::find_if(firsts.begin(), firsts.end(), [&](const NcclPort* f) { return f->guid == p.guid; });
        const bool again = known && first != firsts.end();
        if (!again) firsts.push_back(&p);
        if (known && !again) warn_of_second_card(p);
        if (!again || add_up(**first, p)) sum = std::min(most, sum + std::min(most, corrected(p)));
    }
    return sum;
}

/// One card may show up under two PCIe domains (small unified-memory machines): then its rate would count twice.
void NcclPorts::warn_of_second_card(const NcclPort& port) {
    constexpr long long invented = 0xffff;  // hand-written files number their guids
    const auto number = whole_number(port.guid);
    if (number && *number >= 0 && *number <= invented) return;
    const auto [seen, fresh] = cards_.emplace(port.guid, port.name);
    if (!fresh)
        sketch_.warn(fmt::format("{} and {} are two PCI devices of one guid: if they are one card, take one away",
                                 seen->second, port.name),
                     port.where);
}

/// Two <net> of one card with one guid: two ports, or one bond seen twice.
bool NcclPorts::add_up(const NcclPort& first, const NcclPort& port) {
    const std::string together = "add up", once = "count once";
    if (bond_answer_.empty()) {
        bond_answer_ =
            sketch_.ask("bonded-ports",
                        fmt::format("Several <net> share one guid ({} and {} at {}). Do their speeds add up, "
                                    "or is it one port seen twice?",
                                    first.name, port.name, port.where),
                        {together, once}, first.port != port.port ? together : once);
        sketch_.converted(fmt::format("<net> elements of one guid are one NIC; their speeds {}", bond_answer_));
    }
    return bond_answer_ == together;
}

/// In Mbit/s. Above 1.6 Tb/s it is a slip of the unit, or a question.
long long NcclPorts::corrected(const NcclPort& p) {
    constexpr long long fastest = 1'600'000, slip = 1000, fallback = 1000;
    if (p.mbps == fallback)
        sketch_.assumed("a NIC of 1000 Mbit/s: NCCL writes this when the system tells no speed", p.where);
    if (p.mbps <= fastest) return p.mbps;
    const double stated = double(p.mbps) * mbit;
    const std::string divided = format_bits(BytesPerSecond(stated / double(slip)));
    if (speed_answer_.empty())
        speed_answer_ =
            sketch_.ask("net-speed-unit",
                        fmt::format("A NIC speed of {} Mbit/s would be {}. Is it a slip of the unit by 1000?", p.mbps,
                                    format_bits(BytesPerSecond(stated))),
                        {divided, "as stated"}, divided);
    if (speed_answer_ == "as stated") return p.mbps;
    sketch_.converted(fmt::format("NIC speed {} Mbit/s read as {}", p.mbps, divided), p.where);
    return p.mbps / slip;
}

int usual_nic_gbit(unsigned vendor, unsigned device, double pcie) {
    struct Card {
        unsigned vendor, device;
        int gbit;
    };
    // ConnectX-5 to 8, BlueField-2 and 3, AWS EFA 1 to 3 (PCI ID repository; makers' product pages).
    constexpr Card cards[] = {{0x15b3, 0x1017, 100}, {0x15b3, 0x101b, 200}, {0x15b3, 0x101d, 200},
                              {0x15b3, 0x1021, 400}, {0x15b3, 0x1023, 800}, {0x15b3, 0xa2d6, 200},
                              {0x15b3, 0xa2dc, 400}, {0x1d0f, 0xefa0, 100}, {0x1d0f, 0xefa1, 100},
                              {0x1d0f, 0xefa2, 200}};
    for (const Card& c : cards)
        if (c.vendor == vendor && c.device == device) return c.gbit;
    constexpr int fast = 400, middle = 200, slow = 100;
    return pcie >= pcie_x16(5) ? fast : pcie >= pcie_x16(4) ? middle : slow;
}

}  // namespace crosspoint
