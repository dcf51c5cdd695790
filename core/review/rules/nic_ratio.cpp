// Rule 15. NICs for the accelerators of a node, and whether rails are consistent.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/review/facts.hpp"
#include "core/review/rules/rules.hpp"
#include "core/units/text.hpp"

namespace crosspoint::review_rules {
namespace {

using namespace review_facts;

constexpr std::string_view least = "nic-ratio.least";

struct Nics {
    std::int64_t nics = 0, accelerators = 0;
    std::set<std::string> parts;
    std::vector<std::string> devices;
    [[nodiscard]] double ratio() const { return accelerators > 0 ? double(nics) / double(accelerators) : 0; }
};

Nics count(const Topology& t) {
    Nics n;
    for (const Device& d : t.devices) {
        if (d.kind == DeviceKind::accelerator) n.accelerators += instances(t, d);
        if (d.kind != DeviceKind::nic || d.state.health == Health::down) continue;
        n.nics += instances(t, d);
        n.parts.insert(d.part.value);
        n.devices.push_back(d.id.value);
    }
    return n;
}

bool is_nic(const Topology& t, const DeviceId& id) {
    const Device* d = t.devices.find(id);
    return d && d->kind == DeviceKind::nic;
}

/// Links of NICs that are wired rail by rail, and those that are not: a mix sends some ranks through the spine.
bool mixed_wiring(const Topology& t) {
    bool rail = false, other = false;
    for (const Link& l : t.links) {
        if (!is_nic(t, l.a) && !is_nic(t, l.b)) continue;
        const Device* far = t.devices.find(is_nic(t, l.a) ? l.b : l.a);
        if (!far || far->kind != DeviceKind::network_switch) continue;
        (l.wiring == Wiring::rail ? rail : other) = true;
    }
    return rail && other;
}

Verdict judge(const ReviewFacts& f) {
    Verdict v;
    v.threshold_name = least;
    v.threshold = threshold(f.scenario, least);
    v.threshold_text = fmt::format(
        "attention below {} NICs an accelerator ({}), with NICs of several kinds, or where only "
        "some are wired as rails",
        shortest(*v.threshold), least);
    v.confidence = Confidence::exact;
    const Nics n = count(*f.scenario.topology);
    if (n.nics == 0 || n.accelerators == 0) {
        v.title = "No NICs are drawn";
        v.explanation = "Nothing leaves a node through a NIC.";
        return v;
    }
    const bool mixed = mixed_wiring(*f.scenario.topology);
    v.value_si = n.ratio();
    v.evidence.objects = n.devices;
    v.figure = fmt::format("{} NICs for {} accelerators ({:.3g} each)", n.nics, n.accelerators, n.ratio());
    const bool few = n.ratio() < *v.threshold;
    v.outcome = few || mixed || n.parts.size() > 1 ? Outcome::attention : Outcome::pass;
    v.title = few                  ? "Accelerators share NICs"
              : mixed              ? "Only some NICs are wired as rails"
              : n.parts.size() > 1 ? "NICs of several kinds"
                                   : "A NIC for every accelerator";
    v.explanation =
        few     ? "Accelerators that share a NIC share its rate: traffic that leaves the node gets that much slower."
        : mixed ? "A rank outside the rails reaches its peers over the spine, and the whole collective waits for it."
        : n.parts.size() > 1
            ? "A collective moves at the rate of its slowest NIC."
            : "Each accelerator has a NIC of its own, so traffic that leaves a node gets the NIC's whole rate.";
    if (const LinkUse* use = busiest_outside(f.prediction))
        v.explanation += fmt::format(" Busiest: {}.", describe_link(f.prediction, use->link));
    return v;
}

}  // namespace

Rule nic_ratio() {
    return {"nic-ratio",
            15,
            "Has every accelerator its NIC, and are the rails consistent?",
            {{least, 1,
              "NICs an accelerator below which the rule asks for attention; one each, as in HGX and MI300X nodes"}},
            judge};
}

}  // namespace crosspoint::review_rules
