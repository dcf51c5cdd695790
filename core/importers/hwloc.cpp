// hwloc XML, schema 2.x and 3.0, read directly: the GPUs, NICs and bridges below each package, and the NVLink bandwidth
// matrix. One GPU appears as up to four OS devices, so PCI devices are counted.
#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include <fmt/format.h>
#include <pugixml.hpp>

#include "core/importers/gpu_questions.hpp"
#include "core/importers/text_probe.hpp"
#include "core/importers/xml_text.hpp"
#include "core/units/text.hpp"

namespace crosspoint {
namespace {

constexpr std::size_t matrix_limit = 1024;
constexpr double giga = 1e9, mega = 1e6;

std::string type_of(const pugi::xml_node& object) { return object.attribute("type").value(); }

std::string info(const pugi::xml_node& object, std::string_view name) {
    for (const auto& i : object.children("info"))
        if (name == i.attribute("name").value()) return i.attribute("value").value();
    return {};
}

/// "0302 [10de:1db8] [10de:131d] a1"
struct PciType {
    unsigned code = 0, vendor = 0, device = 0;
};
PciType pci_type(std::string_view text) {
    PciType type;
    const auto read = [&](std::size_t at, unsigned& value) {
        if (at + 4 <= text.size()) std::from_chars(text.data() + at, text.data() + at + 4, value, 16);
    };
    read(0, type.code);
    const auto bracket = text.find('[');
    if (bracket == std::string_view::npos) return type;
    read(bracket + 1, type.vendor);
    read(bracket + 6, type.device);
    return type;
}

bool is_gpu(const PciType& t) {
    constexpr unsigned nvidia = 0x10de, amd = 0x1002, habana = 0x1da3, intel = 0x8086;
    const bool maker = t.vendor == nvidia || t.vendor == amd || t.vendor == habana;
    if (t.code == 0x0302 || t.code == 0x1200 || t.code == 0x0380) return maker || t.vendor == intel;
    return t.code == 0x0300 && maker && product_by_pci(t.vendor, t.device);
}

class Reader {
public:
    Reader(Sketch& sketch, const XmlText& xml) : sketch_(sketch), xml_(xml) {}

    Result<Machine> run() {
        const auto machine = xml_.root().child("object");
        if (type_of(machine) != "Machine")
            return fail(ErrorCode::schema, "the first object is no Machine", "take the XML that lstopo writes");
        machine_.name = info(machine, "DMIProductName").empty() ? "Node" : info(machine, "DMIProductName");
        find_fast_nics(machine);
        walk(machine, nullptr, -1);
        for (auto& cpu : machine_.cpus) finish_nics(cpu);
        if (management_ > 0)
            sketch_.ignored(
                fmt::format("{} Ethernet devices beside the InfiniBand ones: taken as management", management_));
        read_nvlink();
        if (machine_.cpus.empty()) add_plain_cpu("CPU", {});
        return std::move(machine_);
    }
    [[nodiscard]] int gpus() const { return gpus_; }

private:
    std::size_t add_plain_cpu(const std::string& name, const pugi::xml_node& at) {
        MachineNode cpu;
        cpu.kind = MachineNode::Kind::cpu;
        cpu.name = name;
        if (at) cpu.where = xml_.where(at);
        cpu.part = sketch_.host("x86 server CPU");
        machine_.cpus.push_back(std::move(cpu));
        return machine_.cpus.size() - 1;
    }

    /// InfiniBand or other verbs devices anywhere: then plain Ethernet ports are management.
    void find_fast_nics(const pugi::xml_node& object) {
        if (type_of(object) == "PCIDev" && pci_type(object.attribute("pci_type").value()).code == 0x0207)
            fabric_ = true;
        for (const auto& child : object.children("object")) find_fast_nics(child);
    }

    /// `parent` is where PCI things go; null above the first bridge. Depth is limited by XmlText.
    void walk(const pugi::xml_node& object, MachineNode* parent, int cpu) {
        for (const auto& child : object.children("object")) {
            const std::string type = type_of(child);
            if (type == "Package") {
                const auto number = add_plain_cpu(fmt::format("CPU {}", child.attribute("os_index").value()), child);
                walk(child, nullptr, int(number));
                close(int(number));
            } else if (type == "Bridge") take_bridge(child, parent, cpu);
            else if (type == "PCIDev") take_device(child, parent, cpu);
            else if (type != "OSDev" && type != "Misc") walk(child, parent, cpu);
        }
    }

    /// Things found directly below a package or the machine wait here until the CPU list stands still.
    std::vector<MachineNode>& waiting(int cpu) { return waiting_[std::max(cpu, 0)]; }
    void close(int cpu) {
        auto& nodes = waiting(cpu);
        auto& children = machine_.cpus[std::size_t(cpu)].children;
        std::move(nodes.begin(), nodes.end(), std::back_inserter(children));
        nodes.clear();
    }
    void place(MachineNode node, MachineNode* parent, int cpu) {
        if (parent) parent->children.push_back(std::move(node));
        else if (cpu >= 0) waiting(cpu).push_back(std::move(node));
        else {
            if (machine_.cpus.empty()) add_plain_cpu("CPU", {});
            machine_.cpus.front().children.push_back(std::move(node));
        }
    }

    void take_bridge(const pugi::xml_node& bridge, MachineNode* parent, int cpu) {
        MachineNode node;
        node.key = bridge.attribute("pci_busid").value();
        node.where = xml_.where(bridge);
        node.up = bandwidth(bridge);
        // A host bridge is the CPU itself: what is below hangs on the CPU.
        const bool host = std::string_view(bridge.attribute("bridge_type").value()).starts_with("0-");
        walk(bridge, &node, cpu);
        if (!host) {
            place(std::move(node), parent, cpu);
            return;
        }
        for (auto& child : node.children) place(std::move(child), parent, cpu);
    }

    static double bandwidth(const pugi::xml_node& object) {
        const auto speed = parse_number(object.attribute("pci_link_speed").value());
        return speed && *speed > 0 && *speed < 1e4 ? *speed * giga : 0;
    }

    void take_device(const pugi::xml_node& device, MachineNode* parent, int cpu) {
        const PciType type = pci_type(device.attribute("pci_type").value());
        MachineNode node;
        node.key = device.attribute("pci_busid").value();
        node.where = xml_.where(device);
        node.up = bandwidth(device);
        for (const auto& os : device.children("object")) owner_[os.attribute("gp_index").value()] = node.key;
        pci_key_[device.attribute("gp_index").value()] = node.key;
        if (is_gpu(type)) take_gpu(device, type, std::move(node), parent, cpu);
        else if ((type.code >> 8) == 0x02) take_nic(device, type, std::move(node), parent, cpu);
    }

    void take_gpu(const pugi::xml_node& device, const PciType& type, MachineNode node, MachineNode* parent, int cpu) {
        node.kind = MachineNode::Kind::gpu;
        std::string model = info(device, "PCIDevice");
        for (const auto& os : device.children("object"))
            for (const char* key : {"GPUModel", "CoProcModel"})
                if (model.empty()) model = info(os, key);
        const Product* product = product_by_pci(type.vendor, type.device);
        if (!product) product = product_by_name(model);
        if (model.empty()) model = fmt::format("GPU {:04x}:{:04x}", type.vendor, type.device);
        node.name = product ? std::string(product->name) : model;
        node.part = sketch_.accelerator(node.name);
        if (product && !product_) product_ = product;
        gpu_keys_.insert(node.key);
        ++gpus_;
        place(std::move(node), parent, cpu);
    }

    void take_nic(const pugi::xml_node& device, const PciType& type, MachineNode node, MachineNode* parent, int cpu) {
        constexpr unsigned infiniband = 0x0207;
        if (fabric_ && type.code != infiniband) {
            ++management_;
            return;
        }
        node.kind = MachineNode::Kind::nic;
        node.name = device.child("object") ? device.child("object").attribute("name").value() : "NIC";
        place(std::move(node), parent, cpu);
    }

    void finish_nics(MachineNode& node) {
        for (auto& child : node.children) {
            finish_nics(child);
            if (child.kind != MachineNode::Kind::nic) continue;
            if (nic_speed_ <= 0)
                nic_speed_ = ask_nic_speed(sketch_, "hwloc does not record the speed of NICs", fabric_ ? 100 : 25);
            child.part = nic_of_speed(sketch_, nic_speed_, "answer to the import's question", Confidence::assumed);
        }
    }

    static std::vector<std::string> chunks(const pugi::xml_node& distances, const char* name) {
        std::vector<std::string> all;
        for (const auto& chunk : distances.children(name))
            for (const auto word : words_of(chunk.text().get())) all.emplace_back(word);
        return all;
    }

    /// Bus id of a member "OSDev:802" or "PCIDev:449" of a matrix; empty for other kinds.
    [[nodiscard]] std::string member(const std::string& text) const {
        const auto colon = text.find(':');
        const std::string index = colon == std::string::npos ? text : text.substr(colon + 1);
        if (const auto it = owner_.find(index); it != owner_.end()) return it->second;
        const auto it = pci_key_.find(index);
        return it == pci_key_.end() ? std::string() : it->second;
    }

    void read_nvlink() {
        for (const char* kind : {"distances2hetero", "distances2"})
            for (const auto& d : xml_.root().children(kind)) {
                const std::string_view name = d.attribute("name").value();
                if (name == "NVLinkBandwidth") take_matrix(d);
                else if (name == "XGMIBandwidth") machine_.family = "xgmi", take_matrix(d);
            }
        if (machine_.peers.empty() && product_) ask_domain(sketch_, machine_, *product_);
    }

    void take_matrix(const pugi::xml_node& distances) {
        const auto members = chunks(distances, "indexes");
        const auto values = chunks(distances, "u64values");
        if (members.size() > matrix_limit || values.size() != members.size() * members.size()) {
            sketch_.warn(fmt::format("the bandwidth matrix has {} members and {} values; it is left out",
                                     members.size(), values.size()),
                         xml_.where(distances));
            return;
        }
        const double per_link = machine_.family == "xgmi" && product_ ? xgmi_rate(*product_) : 25'000 * mega;
        machine_.per_link = per_link;
        machine_.rate_source = "hwloc's bandwidth matrix, one direction";
        for (std::size_t i = 0; i < members.size(); ++i)
            for (std::size_t j = 0; j < members.size(); ++j)
                if (i != j)
                    take_pair(member(members[i]), member(members[j]),
                              parse_number(values[i * members.size() + j]).value_or(0) * mega);
        sketch_.converted(fmt::format("{}: MB/s, one direction, read as links of {}",
                                      distances.attribute("name").value(), format(BytesPerSecond(per_link))));
    }

    void take_pair(const std::string& from, const std::string& to, double bandwidth) {
        if (bandwidth <= 0 || !gpu_keys_.contains(from) || from == to) return;
        const double links = bandwidth / machine_.per_link;
        if (links > 1000) return;  // hwloc's placeholder for "the same device"
        const int count = std::max(1, int(links + 0.5));
        if (gpu_keys_.contains(to)) machine_.peers.push_back({from, to, count, false});
        else if (!to.empty()) machine_.peers.push_back({from, to, count, true});
        else sketch_.ignored("NVLinks to a CPU");
    }

    Sketch& sketch_;
    const XmlText& xml_;
    Machine machine_;
    std::map<int, std::vector<MachineNode>> waiting_;
    std::map<std::string, std::string> owner_, pci_key_;
    std::set<std::string> gpu_keys_;
    const Product* product_ = nullptr;
    bool fabric_ = false;
    int management_ = 0, gpus_ = 0;
    double nic_speed_ = 0;
};

}  // namespace

bool is_hwloc(std::string_view text) { return xml_root(text) == "topology"; }

Result<Imported> import_hwloc(std::string_view text, const ImportOptions& options) {
    const auto xml = XmlText::parse(text);
    if (!xml) return tl::unexpected(xml.error());
    Sketch sketch(options, "hwloc", "Imported hwloc topology");
    const std::string version = xml->root().attribute("version").value();
    if (version.empty())
        return fail(ErrorCode::version, "the file is of hwloc 1.x or is no hwloc XML: <topology> has no version",
                    "write it again with lstopo of hwloc 2 or 3");
    if (!version.starts_with("2.") && !version.starts_with("3."))
        sketch.warn(fmt::format("schema {} is newer than what is known (2.x and 3.0)", version));
    Reader reader(sketch, *xml);
    auto machine = reader.run();
    if (!machine) return tl::unexpected(machine.error());
    if (reader.gpus() == 0) sketch.warn("the machine has no accelerator: add them before it can be evaluated");
    draw(sketch, std::move(*machine));
    return sketch.finish();
}

}  // namespace crosspoint
