// The drawing as arranged, links and domains coloured by their load in the step.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/io/figures.hpp"
#include "core/io/svg.hpp"
#include "core/topology/arrange.hpp"
#include "core/units/text.hpp"

namespace crosspoint {
namespace {

constexpr double margin = 20, heading = 34, legend = 40, widest = 1200, narrowest = 640, tallest = 1600;
constexpr double light_load = 0.4, heavy_load = 0.8;

struct Heat {
    std::string_view color, text_color;
};

Heat heat(double utilisation) {
    if (utilisation > heavy_load) return {svg::vermilion, svg::text_palette[1]};
    if (utilisation > light_load) return {svg::orange, svg::text_palette[3]};
    return {svg::green, svg::text_palette[2]};
}

using Loads = std::map<LinkRef, LinkUse>;

Loads loads_of(const Report& report) {
    Loads loads;
    if (!report.prediction || !report.prediction->network) return loads;
    for (const auto& use : report.prediction->links)
        if (use.link >= 0 && std::size_t(use.link) < report.prediction->network->links.size())
            loads[report.prediction->network->links[std::size_t(use.link)].ref] = use;
    return loads;
}

const LinkUse* load_of(const Loads& loads, LinkRef::Kind kind, const std::string& id) {
    const auto it = loads.find({kind, id});
    return it == loads.end() ? nullptr : &it->second;
}

class Drawing {
public:
    Drawing(svg::Writer& out, const Scenario& scenario, const Report& report)
        : out_(out), scenario_(scenario), report_(report), loads_(loads_of(report)) {}

    void draw(const Arrangement& a) {
        for (const auto& box : a.boxes)
            if (box.what == ArrangedBox::What::container) container(box);
        for (const auto& c : a.cables) cable(c);
        for (const auto& box : a.boxes)
            if (box.what == ArrangedBox::What::container) title(box);
        for (const auto& box : a.boxes) {
            if (box.what == ArrangedBox::What::device) device(box);
            if (box.what == ArrangedBox::What::fabric) fabric(box);
        }
    }

private:
    void stack(const ArrangedBox& box, std::string_view fill) {
        if (box.stands_for <= 1) return;
        for (double d : {6.0, 3.0})
            out_.rect(box.x + d, box.y - d, box.width, box.height, fill, {svg::line_grey, 1, {}}, 5);
    }

    static std::string_view inside(const ArrangedBox& box) { return box.depth % 2 ? svg::white : svg::panel; }

    void container(const ArrangedBox& box) {
        stack(box, svg::panel);
        out_.rect(box.x, box.y, box.width, box.height, inside(box), {svg::line_grey, 1, {}}, 6);
    }

    /// Above the cables, on a ground of its own.
    void title(const ArrangedBox& box) {
        const Container* c = scenario_.topology->containers.find(ContainerId(box.id));
        std::string name = c && !c->name.empty() ? c->name : box.id;
        if (box.stands_for > 1) name += fmt::format(" \u00D7{}", box.stands_for);
        else if (c && box.key != box.id) name = numbered_name(name, box.index + 1);
        const std::string text = svg::shortened(name, box.width - 20, 11.5, true);
        out_.fill(box.x + 7, box.y + box.title_y + 4, svg::text_width(text, 11.5, true) + 6, 16, inside(box), 0.85);
        out_.text({box.x + 10, box.y + box.title_y + 16}, text, {11.5, svg::ink, svg::Anchor::start, true});
    }

    void cable(const ArrangedCable& c) {
        const LinkUse* use = load_of(loads_, LinkRef::Kind::link, c.id.value);
        const Link* link = scenario_.topology->links.find(c.id);
        const bool down = link && link->state.health == Health::down;
        if (!use) {
            out_.line({c.x1, c.y1}, {c.x2, c.y2}, {svg::line_grey, 1, down ? "3 3" : ""});
            return;
        }
        out_.line({c.x1, c.y1}, {c.x2, c.y2}, {heat(use->utilisation).color, 1.2 + 1.6 * use->utilisation, {}});
    }

    void device(const ArrangedBox& box) {
        const Device* d = scenario_.topology->devices.find(DeviceId(box.id));
        const bool accelerator = d && d->kind == DeviceKind::accelerator;
        stack(box, svg::white);
        out_.rect(box.x, box.y, box.width, box.height, svg::white,
                  {d && d->state.health != Health::up ? svg::vermilion : svg::ink, 1, {}}, 4,
                  d ? d->part.value : box.id);
        std::string name = d && !d->name.empty() ? d->name : box.id;
        if (accelerator)
            name = box.stands_for > 1 ? fmt::format("\u00D7{}", box.stands_for) : std::to_string(box.number);
        else if (box.stands_for > 1) name += fmt::format(" \u00D7{}", box.stands_for);
        else if (d && box.key != box.id) name = numbered_name(name, box.index + 1);
        if (box.height < 14) return;
        out_.text({box.x + box.width / 2, box.y + box.height / 2 + 4}, svg::shortened(name, box.width - 6, 10.5),
                  {10.5, svg::ink, svg::Anchor::middle});
    }

    [[nodiscard]] const NetworkLink* network_link(const ArrangedBox& box) const {
        const auto* network = report_.prediction ? report_.prediction->network.get() : nullptr;
        return network ? network->find({LinkRef::Kind::domain, box.id}) : nullptr;
    }

    [[nodiscard]] std::string fabric_part(const ArrangedBox& box) const {
        const Container* c = scenario_.topology->containers.find(ContainerId(box.id));
        if (!c || !c->interconnect) return box.id;
        const LinkPart* part = scenario_.catalogue ? scenario_.catalogue->links.find(c->interconnect->part) : nullptr;
        return part ? part->name : c->interconnect->part.value;
    }

    void fabric(const ArrangedBox& box) {
        const LinkUse* use = load_of(loads_, LinkRef::Kind::domain, box.id);
        const std::string_view fill = use ? heat(use->utilisation).color : svg::grid;
        std::string load;
        if (const NetworkLink* link = network_link(box)) load = format(link->capacity.value);
        if (use) load += fmt::format(", {} busy", format_percent(use->utilisation));
        const std::string part = fabric_part(box);
        const std::string full = load.empty() ? part : part + ", " + load;
        const bool fits = load.empty() || svg::text_width(full, 10.5) <= box.width - 8;
        out_.rect(box.x, box.y, box.width, box.height, fill, {svg::white, 0, {}}, 4, full);
        out_.text({box.x + box.width / 2, box.y + box.height / 2 + 4},
                  svg::shortened(fits ? full : load, box.width - 8, 10.5),
                  {10.5, svg::text_on(fill), svg::Anchor::middle});
    }

    svg::Writer& out_;
    const Scenario& scenario_;
    const Report& report_;
    Loads loads_;
};

void draw_legend(svg::Writer& out, double y) {
    double x = margin;
    const auto entry = [&](std::string_view color, std::string_view text) {
        out.line({x, y - 4}, {x + 24, y - 4}, {color, 4, {}});
        out.text({x + 30, y}, text, {11, svg::muted});
        x += 54 + svg::text_width(text, 11);
    };
    entry(svg::green, "< 40 %");
    entry(svg::orange, "40\u201380 %");
    entry(svg::vermilion, "> 80 % of usable, over the step");
    entry(svg::line_grey, "no traffic");
}

std::string busiest(const Report& report) {
    if (!report.prediction || report.prediction->links.empty()) return "no traffic between accelerators";
    const auto& links = report.prediction->links;
    const auto most =
        std::max_element(links.begin(), links.end(), [](const auto& a, const auto& b) { return a.busy < b.busy; });
    const NetworkLink& link = report.prediction->network->links[std::size_t(most->link)];
    return fmt::format("busiest: {}, {} usable ({}), {} of the step", link.name, format(link.capacity.value),
                       to_string(link.capacity.confidence), format_percent(most->utilisation));
}

}  // namespace

std::string diagram_svg(const Scenario& scenario, const Report& report) {
    constexpr std::string_view title = "Hardware and the load of its links";
    if (!scenario.topology || scenario.topology->devices.empty())
        return svg::empty_figure(title, "Nothing is drawn yet.");
    const Arrangement a = arrange(*scenario.topology);
    const double scale =
        std::min({1.0, (widest - 2 * margin) / std::max(1.0, a.width), tallest / std::max(1.0, a.height)});
    const double width = std::max(narrowest, a.width * scale + 2 * margin + 8);
    const double height = heading + a.height * scale + legend + margin;
    svg::Writer out(width, height, title);
    out.text({margin, 22}, svg::shortened(busiest(report), width - 2 * margin, 12), {12, svg::ink});
    out.open((width - a.width * scale) / 2 - a.left * scale, heading + 8 - a.top * scale, scale);
    Drawing(out, scenario, report).draw(a);
    out.close();
    draw_legend(out, height - 16);
    return std::move(out).finish();
}

}  // namespace crosspoint
