#include "core/importers/cabling_draw.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/importers/products.hpp"
#include "core/units/text.hpp"

namespace crosspoint {
namespace {

std::string span(const Folded::Box& box) {
    return box.count > 1 && box.first != box.last ? fmt::format("{} … {}", box.first, box.last) : box.first;
}

class Drawer {
public:
    Drawer(const Cabling& cabling, const CablingParts& parts, Sketch& sketch)
        : cabling_(cabling), parts_(parts), sketch_(sketch), folded_(fold(cabling)) {}

    void run() {
        measure();
        for (const Folded::Box& box : folded_.boxes) add_box(box);
        for (std::size_t d = 0; d < folded_.devices.size(); ++d) add_device(d);
        for (std::size_t b = 0; b < folded_.boxes.size(); ++b)
            if (folded_.boxes[b].kind == Folded::Kind::host) fill_host(int(b));
        for (const Folded::Wire& wire : folded_.wires) add_wire(wire);
        say_left_out();
    }

private:
    /// Ports and rates of the switch models; what each drawn NIC carries.
    void measure() {
        std::map<int, int> ports;
        for (const Cabling::Cable& cable : cabling_.cables) {
            for (const Cabling::End& end : {cable.a, cable.b}) {
                if (end.host >= 0) continue;
                ports[end.index] += cable.lanes;
                Model& model = models_[cabling_.switches[std::size_t(end.index)].model];
                model.radix = std::max(model.radix, ports[end.index]);
                model.port = std::max(model.port, cable.bytes_per_s);
            }
        }
        rate_.resize(folded_.devices.size());
        for (const Folded::Wire& wire : folded_.wires) {
            const bool fan = wire.wiring == Wiring::each_to_each;
            const double far = fan ? double(folded_.devices[std::size_t(wire.b)].members.size()) : 1;
            rate_[std::size_t(wire.a)] += wire.bytes_per_s * wire.lanes * far;
        }
    }

    [[nodiscard]] std::optional<ContainerId> box_id(int box) const {
        return box < 0 ? std::nullopt : std::optional(boxes_[std::size_t(box)]);
    }

    [[nodiscard]] const HostDrawing* host_drawing(int host) const {
        const auto it = parts_.hosts.find(cabling_.hosts[std::size_t(host)].kind);
        return it == parts_.hosts.end() ? nullptr : &it->second;
    }

    void add_box(const Folded::Box& box) {
        Container container;
        container.parent = box_id(box.parent);
        container.count = box.count;
        container.name = span(box);
        std::string stem = "unit";
        if (box.kind == Folded::Kind::host) {
            stem = "node";
            container.kind = ContainerKind::node;
            if (const HostDrawing* host = host_drawing(box.host)) container.interconnect = host->fabric;
        } else if (box.kind == Folded::Kind::domain) {
            stem = "domain";
            container.kind = ContainerKind::rack;
            container.interconnect = parts_.domain;
        } else {
            container.kind = box.tier > 1 ? ContainerKind::pod : ContainerKind::group;
            stem = box.tier > 1 ? "pod" : "unit";
        }
        boxes_.push_back(sketch_.add(stem, std::move(container)));
    }

    void add_device(std::size_t index) {
        const Folded::Device& drawn = folded_.devices[index];
        Device device;
        device.parent = box_id(drawn.box);
        device.count = std::int64_t(drawn.members.size());
        if (drawn.nic) {
            device.kind = DeviceKind::nic;
            device.name = parts_.nic_name;
            constexpr double unconnected = 1e9;  // a NIC without a cable needs some rate
            device.part = parts_.nic(BytesPerSecond(rate_[index] > 0 ? rate_[index] : unconnected));
        } else {
            device.kind = DeviceKind::network_switch;
            const Cabling::Switch& first = cabling_.switches[std::size_t(drawn.members.front())];
            const Cabling::Switch& last = cabling_.switches[std::size_t(drawn.members.back())];
            device.name = device.count > 1 ? fmt::format("{} … {}", first.name, last.name) : first.name;
            const Model model = models_[first.model];
            device.part =
                parts_.network_switch(first.model, std::max(1, model.radix), BytesPerSecond(std::max(1.0, model.port)));
        }
        devices_.push_back(sketch_.add(drawn.nic ? "nic" : device.name, std::move(device)));
    }

    void fill_host(int box) {
        std::vector<std::size_t> nics;
        int all = 0;
        for (std::size_t d = 0; d < folded_.devices.size(); ++d) {
            if (folded_.devices[d].box != box) continue;
            nics.push_back(d);
            all += int(folded_.devices[d].members.size());
        }
        const HostDrawing* host = host_drawing(folded_.boxes[std::size_t(box)].host);
        if (!host || host->accelerators < 1) {
            add_inner(box, nics, DeviceKind::host, sketch_.host("x86 server CPU"), "CPU", 1);
        } else if (host->accelerators == all && nics.size() > 1) {
            for (const std::size_t nic : nics)
                add_inner(box, {nic}, DeviceKind::accelerator, host->accelerator, host->accelerator_name,
                          std::int64_t(folded_.devices[nic].members.size()));
        } else {
            add_inner(box, nics, DeviceKind::accelerator, host->accelerator, host->accelerator_name,
                      host->accelerators);
        }
    }

    /// Accelerators (or the CPU) of a host, each joined to the NICs: one to one where there are as many.
    void add_inner(int box, const std::vector<std::size_t>& nics, DeviceKind kind, const PartId& part,
                   const std::string& name, std::int64_t count) {
        Device device;
        device.parent = box_id(box);
        device.kind = kind;
        device.part = part;
        device.name = name;
        device.count = count;
        const DeviceId id = sketch_.add(kind == DeviceKind::accelerator ? "accelerator" : "cpu", std::move(device));
        for (const std::size_t nic : nics) {
            const auto others = std::int64_t(folded_.devices[nic].members.size());
            Link link;
            link.a = id;
            link.b = devices_[nic];
            link.part = pcie_for(rate_[nic]);
            link.wiring = count == others ? Wiring::one_to_one : Wiring::each_to_each;
            sketch_.add("pcie", std::move(link));
        }
    }

    /// The slowest x16 slot that does not hold the NIC back.
    PartId pcie_for(double nic_rate) {
        struct Slot {
            std::string_view name;
            double bytes_per_s;
        };
        constexpr Slot slots[] = {{"PCIe Gen4 x16", 31e9}, {"PCIe Gen5 x16", 63e9}, {"PCIe Gen6 x16", 126e9}};
        constexpr double usable = 0.8;  // of the payload rate, at least
        const Slot* slot = &slots[0];
        for (const Slot& s : slots)
            if (slot->bytes_per_s * usable < nic_rate) slot = &s;
        sketch_.assumed(fmt::format("the NICs sit in {} slots, which the file does not state", slot->name));
        return sketch_.link("pcie", slot->name, BytesPerSecond(slot->bytes_per_s), "PCI-SIG, payload of 16 lanes");
    }

    void add_wire(const Folded::Wire& wire) {
        Link link;
        link.a = devices_[std::size_t(wire.a)];
        link.b = devices_[std::size_t(wire.b)];
        link.part = parts_.cable(BytesPerSecond(wire.bytes_per_s));
        link.wiring = wire.wiring;
        link.lanes = wire.lanes;
        if (parts_.exact) link.bandwidth = BytesPerSecond(wire.bytes_per_s);
        if (wire.latency_s > 0) link.latency = Seconds(wire.latency_s);
        sketch_.add("cable", std::move(link));
    }

    void say_left_out() {
        if (folded_.unreached_switches > 0)
            sketch_.ignored(fmt::format("{} switches that no host reaches", folded_.unreached_switches));
        if (folded_.host_to_host > 0)
            sketch_.ignored(fmt::format("{} cables straight from host to host", folded_.host_to_host));
    }

    struct Model {
        int radix = 1;
        double port = 0;
    };
    const Cabling& cabling_;
    const CablingParts& parts_;
    Sketch& sketch_;
    Folded folded_;
    std::map<std::string, Model> models_;
    std::vector<double> rate_;  ///< per drawn device: what its cables to the next tier carry together
    std::vector<ContainerId> boxes_;
    std::vector<DeviceId> devices_;
};

}  // namespace

void draw(const Cabling& cabling, const CablingParts& parts, Sketch& sketch) { Drawer(cabling, parts, sketch).run(); }

std::optional<Interconnect> scale_up_of(std::string_view accelerator, Sketch& sketch) {
    const Product* product = product_by_name(accelerator);
    if (!product || product->nvlink_gbps <= 0) return std::nullopt;
    constexpr double giga = 1e9;
    const bool nvidia = product->vendor == "NVIDIA", amd = product->vendor == "AMD";
    Interconnect fabric;
    fabric.kind = nvidia ? FabricKind::switched : FabricKind::full_mesh;
    fabric.part = sketch.link(nvidia ? "nvlink"
                              : amd  ? "xgmi"
                                     : "ethernet",
                              fmt::format("Scale-up of {}", product->name), BytesPerSecond(product->nvlink_gbps * giga),
                              product->source);
    sketch.assumed(fmt::format("the accelerators are joined by {} at {} one direction each, as {} has it",
                               nvidia ? "NVLink and switches" : "direct links",
                               format(BytesPerSecond(product->nvlink_gbps * giga)), product->name));
    return fabric;
}

HostDrawing ask_host(const ImportOptions& options, const HostQuestion& question, Sketch& sketch) {
    std::vector<std::string> counts, names;
    for (const int n : {1, 2, 3, 4, 6, 8, 16, 72}) counts.push_back(fmt::format("{}", n));
    const std::string usual = fmt::format("{}", question.accelerators);
    if (std::find(counts.begin(), counts.end(), usual) == counts.end()) counts.push_back(usual);
    const std::string count = sketch.ask(
        "accelerators-per-host", fmt::format("How many accelerators has a host? ({})", question.why), counts, usual);
    if (options.catalogue)
        for (const AcceleratorPart& part : options.catalogue->accelerators) names.push_back(part.name);
    const std::string fallback(question.accelerator);
    if (std::find(names.begin(), names.end(), fallback) == names.end()) names.push_back(fallback);
    HostDrawing host;
    host.accelerator_name =
        sketch.ask("accelerator", "Which accelerator is in the hosts? The file does not say.", names, fallback);
    host.accelerator = sketch.accelerator(host.accelerator_name);
    host.accelerators = int(parse_number(count).value_or(question.accelerators));
    if (!options.answers.contains("accelerators-per-host") || !options.answers.contains("accelerator"))
        sketch.assumed(fmt::format("a host holds {} x {} ({}); the file does not say", count, host.accelerator_name,
                                   question.why));
    return host;
}

}  // namespace crosspoint
