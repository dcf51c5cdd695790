// NCCL and RCCL topology XML: system > cpu > pci ... > gpu > nvlink, nic > net. What NCCL does with each attribute is
// in its src/graph/xml.cc and topo.cc.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>
#include <pugixml.hpp>

#include "core/importers/gpu_questions.hpp"
#include "core/importers/nccl_ports.hpp"
#include "core/importers/text_probe.hpp"
#include "core/importers/xml_text.hpp"
#include "core/units/text.hpp"

namespace crosspoint {
namespace {

constexpr std::size_t gpu_limit = 1024;
constexpr double mbit = 1e6 / 8;

/// A GPU or NIC as read; its part is known only when all have been seen.
struct Found {
    MachineNode* node = nullptr;
    unsigned vendor = 0, device = 0;
    int sm = 0, gfx = 0;
    long long mbps = 0;  ///< NIC: all its ports together; 0 = not stated
};

class Reader {
public:
    Reader(Sketch& sketch, const XmlText& xml) : sketch_(sketch), xml_(xml), ports_(sketch, xml) {}

    Result<Machine> run() {
        machine_.name = "Node";
        if (const std::string name = xml_.root().attribute("name").value(); !name.empty()) machine_.name = name;
        check_version();
        for (const auto& cpu : xml_.root().children("cpu")) machine_.cpus.push_back(read_cpu(cpu));
        if (xml_.root().child("pci")) sketch_.warn("<pci> outside of a <cpu> is left out", xml_.where(xml_.root()));
        ask_about_untyped();
        // The tree stands still from here on: pointers into it are safe.
        for (auto& cpu : machine_.cpus) index(cpu);
        if (gpus_.size() > gpu_limit)
            return fail(ErrorCode::unsupported,
                        fmt::format("{} GPUs in one machine; at most {} are read", gpus_.size(), gpu_limit));
        if (gpus_.empty() && nics_.empty())
            return fail(ErrorCode::schema, "the topology has neither a GPU nor a NIC", "take the file of a GPU server");
        name_gpus();
        rate_nics();
        rate_peers();
        return std::move(machine_);
    }

private:
    void check_version() {
        const std::string version = xml_.root().attribute("version").value();
        if (version == "2") sketch_.converted("version 2: a file of RCCL");
        else if (version != "1")
            sketch_.warn(fmt::format("version '{}' is not one that NCCL reads (1; RCCL writes 2)", version));
    }

    MachineNode read_cpu(const pugi::xml_node& cpu) {
        MachineNode node;
        node.kind = MachineNode::Kind::cpu;
        node.where = xml_.where(cpu);
        node.name = fmt::format("CPU {}", cpu.attribute("numaid").value());
        const std::string arch = cpu.attribute("arch").value();
        node.part = sketch_.host(arch == "arm64" || arch == "aarch64" ? "NVIDIA Grace CPU" : "x86 server CPU");
        read_children(cpu, node);
        for (const auto& nic : cpu.children("nic")) read_nic(nic, node, 0, 0);
        return node;
    }

    void read_children(const pugi::xml_node& from, MachineNode& to) {
        for (const auto& pci : from.children("pci")) read_pci(pci, to);
    }

    enum class Class { bridge, gpu, nic, nvswitch, unknown };
    static Class class_of(const pugi::xml_node& pci) {
        const std::string text = pci.attribute("class").value();
        if (pci.child("gpu")) return Class::gpu;
        if (pci.child("nic")) return Class::nic;
        const auto starts = [&](std::initializer_list<const char*> codes) {
            return std::any_of(codes.begin(), codes.end(), [&](const char* c) { return text.starts_with(c); });
        };
        if (starts({"0x0300", "0x0302", "0x0380", "0x1200"})) return Class::gpu;
        if (starts({"0x02"})) return Class::nic;
        if (starts({"0x0680"})) return Class::nvswitch;
        return starts({"0x0604"}) || pci.child("pci") ? Class::bridge : Class::unknown;
    }

    void read_pci(const pugi::xml_node& pci, MachineNode& parent) {
        MachineNode node;
        node.key = pci.attribute("busid").value();
        node.where = xml_.where(pci);
        const Class kind = class_of(pci);
        if (kind == Class::nvswitch) {
            sketch_.ignored("NVSwitches in the PCIe tree: they are part of the domain", node.where);
            return;
        }
        if (kind == Class::unknown && pci.attribute("class").empty()) untyped_.insert(node.key);
        else if (kind == Class::unknown) {
            sketch_.ignored(fmt::format("PCI device {} of class {}", node.key, pci.attribute("class").value()),
                            node.where);
            return;
        }
        if (pci.attribute("link_speed"))
            node.up = pcie_bandwidth(sketch_, pci.attribute("link_speed").value(), pci.attribute("link_width").as_int(),
                                     node.where);
        switch (kind) {
            case Class::gpu: read_gpus(pci, std::move(node), parent); return;
            case Class::nic: read_nic_card(pci, std::move(node), parent); return;
            default: break;
        }
        read_children(pci, node);
        parent.children.push_back(std::move(node));
    }

    static unsigned hex(const pugi::xml_node& node, const char* name) {
        const auto value = whole_number(node.attribute(name).value());
        return value && *value >= 0 && *value <= 0xffff ? unsigned(*value) : 0;
    }

    void read_gpus(const pugi::xml_node& pci, MachineNode slot, MachineNode& parent) {
        slot.kind = MachineNode::Kind::gpu;
        const auto gpus = pci.children("gpu");
        const auto count = std::distance(gpus.begin(), gpus.end());
        if (count <= 1) {
            read_gpu(pci, pci.child("gpu"), slot);
            parent.children.push_back(std::move(slot));
            return;
        }
        sketch_.converted(fmt::format("{} GPUs behind one PCIe function share its link", count), slot.where);
        MachineNode shared = slot;
        shared.kind = MachineNode::Kind::bridge;
        for (const auto& gpu : gpus) {
            MachineNode part = slot;
            const std::string which = gpu.attribute("mlopart").value();
            part.key += fmt::format("#{}", which.empty() ? gpu.attribute("dev").value() : which.c_str());
            part.where = xml_.where(gpu);
            read_gpu(pci, gpu, part);
            shared.children.push_back(std::move(part));
        }
        parent.children.push_back(std::move(shared));
    }

    void read_gpu(const pugi::xml_node& pci, const pugi::xml_node& gpu, MachineNode& node) {
        Found found;
        found.vendor = hex(pci, "vendor");
        found.device = hex(pci, "device");
        if (gpu.attribute("gcn")) found.gfx = gpu.attribute("gcn").as_int();
        else found.sm = gpu.attribute("sm").as_int();
        node.name = "GPU";
        for (const auto& c2c : gpu.children("c2c"))  // NCCL: bw in MB/s, times count
            node.c2c += c2c.attribute("bw").as_double() * c2c.attribute("count").as_double(1) * 1e6;
        if (!(node.c2c > 0 && node.c2c < 1e14)) node.c2c = 0;
        for (const char* kind : {"nvlink", "xgmi"})
            for (const auto& link : gpu.children(kind)) read_peer(link, node);
        facts_[node.key] = found;
    }

    void read_peer(const pugi::xml_node& link, const MachineNode& gpu) {
        PeerLink peer{gpu.key, link.attribute("target").value(), link.attribute("count").as_int(1), false};
        if (peer.count < 1 || peer.count > 1000) {
            sketch_.warn(fmt::format("a link count of {} is left out", peer.count), xml_.where(link));
            return;
        }
        const std::string tclass = link.attribute("tclass").value();
        if (peer.to == gpu.key) {
            self_links_ += peer.count;
            return;
        }
        const bool hidden = peer.to.starts_with("ffffff") || peer.to == "-1";
        peer.to_switch = hidden || tclass.starts_with("0x0680");
        if (hidden) {
            peer.to = "hidden";
            sketch_.assumed("links whose other end the machine cannot see lead to one shared switch", xml_.where(link));
        }
        if (tclass.starts_with("0x0604") || tclass.starts_with("0x06000")) {
            sketch_.ignored("NVLinks to a CPU", xml_.where(link));
            return;
        }
        machine_.peers.push_back(std::move(peer));
    }

    void read_nic_card(const pugi::xml_node& pci, MachineNode card, MachineNode& parent) {
        if (!pci.child("nic")) {
            add_nic(std::move(card), {}, hex(pci, "vendor"), hex(pci, "device"), parent);
            return;
        }
        for (const auto& nic : pci.children("nic")) {
            const auto ports = ports_.read(nic);
            add_nic(card, ports, hex(pci, "vendor"), hex(pci, "device"), parent);
        }
    }

    void read_nic(const pugi::xml_node& nic, MachineNode& cpu, unsigned vendor, unsigned device) {
        MachineNode node;
        node.key = nic.child("net").attribute("name").value();
        node.where = xml_.where(nic);
        add_nic(std::move(node), ports_.read(nic), vendor, device, cpu);
    }

    void add_nic(MachineNode node, const std::vector<NcclPort>& ports, unsigned vendor, unsigned device,
                 MachineNode& parent) {
        node.kind = MachineNode::Kind::nic;
        node.name = ports.empty() ? "NIC" : ports.front().name;
        Found found;
        found.vendor = vendor;
        found.device = device;
        found.mbps = ports_.mbps_of(ports);
        if (node.key.empty()) node.key = node.name;
        while (facts_.contains(node.key)) node.key += "'";
        facts_[node.key] = found;
        parent.children.push_back(std::move(node));
    }

    void ask_about_untyped() {
        if (untyped_.empty()) return;
        const std::string answer = sketch_.ask(
            "untyped", fmt::format("{} PCI devices have neither class nor content. What are they?", untyped_.size()),
            {"GPUs", "NICs", "ignore"}, "GPUs");
        for (auto& cpu : machine_.cpus) type_untyped(cpu, answer);
    }

    void type_untyped(MachineNode& node, const std::string& answer) {
        for (auto& child : node.children) {
            type_untyped(child, answer);
            if (!untyped_.contains(child.key) || !child.children.empty() || answer == "ignore") continue;
            child.kind = answer == "GPUs" ? MachineNode::Kind::gpu : MachineNode::Kind::nic;
            child.name = answer == "GPUs" ? "GPU" : "NIC";
            facts_.try_emplace(child.key);
        }
    }

    void index(MachineNode& node) {
        for (auto& child : node.children) {
            if (child.kind == MachineNode::Kind::gpu || child.kind == MachineNode::Kind::nic) {
                Found found = facts_[child.key];
                found.node = &child;
                (child.kind == MachineNode::Kind::gpu ? gpus_ : nics_).push_back(found);
            }
            index(child);
        }
    }

    /// Product of every GPU: by its PCI numbers, else by its architecture, else by a question. One answer for all.
    void name_gpus() {
        for (Found& gpu : gpus_) {
            const Product* product = product_by_pci(gpu.vendor, gpu.device);
            if (!product) product = ask_once(gpu);
            if (!product_) product_ = product;
            gpu.node->part = sketch_.accelerator(product->name);
            gpu.node->name = product->name;
        }
    }

    const Product* ask_once(const Found& gpu) {
        if (asked_) return asked_;
        auto likely = gpu.gfx ? products_by_gfx(gpu.gfx) : products_by_sm(gpu.sm);
        std::string evidence = gpu.gfx  ? fmt::format("The GPUs are AMD gfx {}", gpu.gfx)
                               : gpu.sm ? fmt::format("The GPUs have compute capability {}", gpu.sm)
                                        : std::string("The file does not tell its GPUs");
        if (likely.empty()) {
            likely = common_products();
            const bool gen4 = gpu.node->up > 0 && gpu.node->up < pcie_x16(5) / 2;
            if (gen4)
                std::stable_partition(likely.begin(), likely.end(),
                                      [](const Product* p) { return p->part == "nvidia-a100-sxm-80gb"; });
            else
                std::stable_partition(likely.begin(), likely.end(),
                                      [](const Product* p) { return p->part == "nvidia-h100-sxm"; });
        }
        return asked_ = ask_product(sketch_, evidence, likely);
    }

    void rate_nics() {
        double answer = 0;
        for (Found& nic : nics_) {
            if (nic.mbps > 0) {
                nic.node->part = nic_of_speed(sketch_, double(nic.mbps) * mbit, "net speed of the imported file",
                                              Confidence::datasheet);
                continue;
            }
            if (answer <= 0)
                answer = ask_nic_speed(sketch_, "The file gives no speed of its NICs",
                                       usual_nic_gbit(nic.vendor, nic.device, nic.node->up));
            nic.node->part = nic_of_speed(sketch_, answer, "answer to the import's question", Confidence::assumed);
        }
    }

    void rate_peers() {
        if (!product_) return;
        const bool amd = product_->vendor == "AMD";
        machine_.family = amd ? "xgmi" : "nvlink";
        machine_.per_link = amd ? xgmi_rate(*product_) : nvlink_rate(gpus_.front().sm);
        machine_.rate_source = amd ? "AMD data sheet: one xGMI link, one direction"
                                   : "NVIDIA data sheet: one NVLink, one direction, payload";
        if (self_links_ > 0) ask_about_self_links();
        if (machine_.peers.empty() && no_gpu_elements()) ask_domain(sketch_, machine_, *product_);
        if (!machine_.peers.empty() && machine_.per_link <= 0) {
            constexpr double usual = 25e9;
            machine_.per_link = usual;
            sketch_.assumed("25 GB/s a link and direction, as the architecture is unknown");
        }
    }

    [[nodiscard]] bool no_gpu_elements() const {
        return std::all_of(gpus_.begin(), gpus_.end(), [](const Found& g) { return g.sm == 0 && g.gfx == 0; });
    }

    /// Links whose target is the GPU itself, as in some hand-written files: the peer is not known.
    void ask_about_self_links() {
        const std::string answer = sketch_.ask(
            "self-links", fmt::format("{} links name their own GPU as the other end. What is meant?", self_links_),
            {"ignore them", "neighbouring pairs of GPUs"}, "ignore them");
        if (answer == "ignore them") {
            sketch_.ignored(fmt::format("{} links from a GPU to itself", self_links_));
            return;
        }
        const int each = std::max(1, self_links_ / int(gpus_.size()));
        for (std::size_t i = 0; i + 1 < gpus_.size(); i += 2)
            machine_.peers.push_back({gpus_[i].node->key, gpus_[i + 1].node->key, each, false});
    }

    Sketch& sketch_;
    const XmlText& xml_;
    NcclPorts ports_;
    Machine machine_;
    std::map<std::string, Found> facts_;
    std::set<std::string> untyped_;
    std::vector<Found> gpus_, nics_;
    const Product* product_ = nullptr;
    const Product* asked_ = nullptr;
    int self_links_ = 0;
};

}  // namespace

bool is_nccl_topology(std::string_view text) { return xml_root(text) == "system"; }

Result<Imported> import_nccl_topology(std::string_view text, const ImportOptions& options) {
    const auto xml = XmlText::parse(text);
    if (!xml) return tl::unexpected(xml.error());
    Sketch sketch(options, "nccl-topology", "Imported NCCL topology");
    if (!xml->root().child("cpu"))
        return fail(ErrorCode::schema, "<system> has no <cpu>: this is no NCCL topology",
                    "NCCL writes one with NCCL_TOPO_DUMP_FILE");
    auto machine = Reader(sketch, *xml).run();
    if (!machine) return tl::unexpected(machine.error());
    draw(sketch, std::move(*machine));
    return sketch.finish();
}

}  // namespace crosspoint
