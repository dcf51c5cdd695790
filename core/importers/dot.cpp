// Graphviz DOT: containers as clusters, devices as boxes with their counts, links as edges.
#include <map>

#include <fmt/format.h>

#include "core/importers/exporter.hpp"
#include "core/units/text.hpp"

namespace crosspoint {
namespace {

/// A quoted DOT string.
std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        if (c == '\n' || c == '\r') result += "\\n";
        else result += c;
    }
    return result + "\"";
}

std::string label(std::string_view name, std::string_view id, std::int64_t count) {
    const std::string shown(name.empty() ? id : name);
    return count == 1 ? shown : fmt::format("{} x {}", count, shown);
}

class Writer {
public:
    explicit Writer(const Scenario& scenario)
        : scenario_(scenario),
          topology_(*scenario.topology),
          parts_(scenario.catalogue ? *scenario.catalogue : none_) {}

    std::string run() {
        for (const Container& c : topology_.containers) containers_[c.parent].push_back(&c);
        for (const Device& d : topology_.devices) devices_[d.parent].push_back(&d);
        text_ = fmt::format("graph {} {{\n  compound=true;\n  node [shape=box];\n",
                            quoted(scenario_.title.empty() ? "drawing" : scenario_.title));
        write_inside(std::nullopt, 1);
        for (const Link& link : topology_.links) write_link(link);
        return text_ + "}\n";
    }

private:
    void write_inside(const std::optional<ContainerId>& parent, std::size_t depth) {
        const std::string indent(depth * 2, ' ');
        for (const Device* d : devices_[parent])
            text_ += fmt::format("{}{} [label={}, class={}];\n", indent, quoted(d->id.value),
                                 quoted(label(d->name, d->id.value, d->count) + "\n" + d->part.value),
                                 quoted(to_string(d->kind)));
        for (const Container* c : containers_[parent]) {
            text_ += fmt::format("{}subgraph {} {{\n{}  label={};\n", indent, quoted("cluster_" + c->id.value), indent,
                                 quoted(cluster_label(*c)));
            write_inside(c->id, depth + 1);
            text_ += indent + "}\n";
        }
    }

    [[nodiscard]] std::string cluster_label(const Container& c) const {
        std::string text = label(c.name, c.id.value, c.count);
        if (!c.interconnect) return text;
        const LinkPart* part = parts_.links.find(c.interconnect->part);
        text += "\n" + std::string(to_string(c.interconnect->kind)) + ", " +
                (part ? part->name : c.interconnect->part.value);
        if (const auto bandwidth = rate(c.interconnect->bandwidth, part, 1); bandwidth.si() > 0)
            text += ", " + crosspoint::format(bandwidth) + " a GPU and direction";
        return text;
    }

    static BytesPerSecond rate(const std::optional<BytesPerSecond>& entered, const LinkPart* part, int lanes) {
        if (entered) return *entered * lanes;
        return part ? part->bandwidth.nominal.value * lanes : BytesPerSecond();
    }

    void write_link(const Link& link) {
        const LinkPart* part = parts_.links.find(link.part);
        std::string text = part ? part->name : link.part.value;
        if (const auto bandwidth = rate(link.bandwidth, part, link.lanes); bandwidth.si() > 0)
            text += "\n" + crosspoint::format(bandwidth) + " one way";
        if (link.lanes != 1) text += fmt::format(" over {} lanes", link.lanes);
        text_ += fmt::format("  {} -- {} [label={}, wiring={}{}];\n", quoted(link.a.value), quoted(link.b.value),
                             quoted(text), quoted(to_string(link.wiring)),
                             link.state.health == Health::up ? "" : ", style=dashed");
    }

    static inline const Catalogue none_;
    const Scenario& scenario_;
    const Topology& topology_;
    const Catalogue& parts_;
    std::map<std::optional<ContainerId>, std::vector<const Container*>> containers_;
    std::map<std::optional<ContainerId>, std::vector<const Device*>> devices_;
    std::string text_;
};

}  // namespace

Result<Exported> export_dot(const Scenario& scenario) {
    if (!scenario.topology || scenario.topology->devices.empty())
        return fail(ErrorCode::invalid_value, "there is nothing drawn", "draw something first");
    Exported result{Writer(scenario).run(), {}};
    result.notes.push_back(
        {ImportNote::Kind::converted, "boxes that stand for several carry their count in the label", {}});
    return result;
}

}  // namespace crosspoint
