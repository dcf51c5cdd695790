// Laws of apply(), over random sequences of edits. RC_PARAMS overrides the seed.
#include <rapidcheck.h>

#include <QtTest>
#include <set>

#include "core/scenario/edit.hpp"
#include "core/topology/arrange.hpp"

using namespace crosspoint;

namespace {

/// One random decision; what it means depends on the scenario it meets, so that any sequence can be shrunk.
struct Step {
    unsigned kind = 0, first = 0, second = 0;
    int value = 0;
};

void showValue(const Step& s, std::ostream& out) {
    out << "{" << s.kind << ", " << s.first << ", " << s.second << ", " << s.value << "}";
}

rc::Gen<Step> any_step() {
    return rc::gen::build<Step>(
        rc::gen::set(&Step::kind, rc::gen::inRange(0u, 16u)), rc::gen::set(&Step::first, rc::gen::inRange(0u, 40u)),
        rc::gen::set(&Step::second, rc::gen::inRange(0u, 40u)), rc::gen::set(&Step::value, rc::gen::inRange(-2, 12)));
}

std::shared_ptr<const Catalogue> catalogue() {
    auto parts = std::make_shared<Catalogue>();
    AcceleratorPart accelerator;
    accelerator.id = PartId("part");
    parts->accelerators.put(accelerator);
    LinkPart link;
    link.id = PartId("part");
    parts->links.put(link);
    parts->nics.put({PartId("part"), {}, {}, {}});
    SwitchPart network_switch;
    network_switch.id = PartId("part");
    parts->switches.put(network_switch);
    parts->hosts.put({PartId("part"), {}, {}});
    return parts;
}

/// One of the rows' ids, or now and then one that does not exist.
template <class Row>
decltype(Row::id) pick(const Table<Row>& rows, unsigned choice) {
    if (rows.empty() || choice % 13 == 12) return decltype(Row::id)("gone");
    return (rows.begin() + choice % rows.size())->id;
}

std::string fresh(const Topology& t, const char* stem) {
    Topology copy = t;
    return new_id(copy, stem);
}

/// The id of a row to replace, or a fresh one.
template <class Row>
decltype(Row::id) put_id(const Topology& t, const Table<Row>& rows, const Step& s, const char* stem) {
    const bool replace = s.value % 2 != 0 && !rows.empty();
    return replace ? (rows.begin() + s.second % rows.size())->id : decltype(Row::id)(fresh(t, stem));
}

std::optional<ContainerId> pick_parent(const Topology& t, unsigned choice) {
    if (choice % 3 == 0) return std::nullopt;
    return pick(t.containers, choice);
}

Edit put_container(const Topology& t, const Step& s) {
    Container c;
    c.id = put_id(t, t.containers, s, "c");
    c.parent = pick_parent(t, s.first);
    c.count = s.value;
    if (s.first % 2) c.interconnect = Interconnect{FabricKind::switched, PartId("part"), s.value, 0, {}, {}, {}};
    return PutContainer{c};
}

Edit put_device(const Topology& t, const Step& s) {
    Device d;
    d.id = put_id(t, t.devices, s, "d");
    d.parent = pick_parent(t, s.first);
    d.kind = DeviceKind(s.second % 4);
    d.part = PartId(s.first == 7 ? "gone" : "part");
    d.count = s.value;
    return PutDevice{d};
}

Edit put_link(const Topology& t, const Step& s) {
    Link l;
    l.id = LinkId(fresh(t, "l"));
    l.a = pick(t.devices, s.first);
    l.b = pick(t.devices, s.second);
    l.part = PartId("part");
    l.wiring = Wiring(s.first % 3);
    l.lanes = s.value;
    return PutLink{l};
}

Edit edit_of(const Scenario& scenario, const Step& s) {
    const Topology& t = *scenario.topology;
    Parallelism layout;
    layout.tensor = s.value;
    switch (s.kind) {
        case 0: return SetBatch{s.value};
        case 1: return SetParallelism{layout};
        case 2:
            return SetThreshold{s.first % 2 ? "a" : "b", s.value > 3 ? std::optional<double>(s.value) : std::nullopt};
        case 3:
        case 4:
        case 5: return put_container(t, s);
        case 6:
        case 7:
        case 8: return put_device(t, s);
        case 9:
        case 10: return put_link(t, s);
        case 11: return RemoveObjects{{pick(t.containers, s.first)}, {}, {}};
        case 12: return RemoveObjects{{}, {pick(t.devices, s.first)}, {}};
        case 13: return MoveObjects{{{pick(t.devices, s.first).value, {double(s.value), 0, {}, {}}}}};
        case 14: return DuplicateObjects{{pick(t.containers, s.first)}, {pick(t.devices, s.second)}};
        default:
            return s.first == 3 ? Edit(SetTopology{std::make_shared<const Topology>()}) : Edit(SetContext{s.value});
    }
}

/// A copy that shares nothing, so that a change in place would show.
Scenario deep_copy(const Scenario& scenario) {
    Scenario copy = scenario;
    copy.topology = std::make_shared<const Topology>(*scenario.topology);
    copy.catalogue = std::make_shared<const Catalogue>(*scenario.catalogue);
    return copy;
}

template <class Row>
void add_ids(const Table<Row>& rows, std::set<std::string>& ids) {
    for (const Row& row : rows) ids.insert(row.id.value);
}

std::set<std::string> ids_of(const Topology& t) {
    std::set<std::string> ids;
    add_ids(t.containers, ids);
    add_ids(t.devices, ids);
    add_ids(t.links, ids);
    return ids;
}

/// Applies the steps; calls `check(before, edit, result)` after each.
template <class Check>
Scenario play(const std::vector<Step>& steps, const Check& check) {
    Scenario scenario = empty_scenario(catalogue());
    for (const Step& step : steps) {
        if (scenario.topology->devices.size() > 60) break;  // duplication doubles
        const Edit edit = edit_of(scenario, step);
        const Result<Scenario> result = crosspoint::apply(scenario, edit);
        check(scenario, edit, result);
        if (result) scenario = *result;
    }
    return scenario;
}

const auto any_steps = [] { return *rc::gen::scale(2.0, rc::gen::container<std::vector<Step>>(any_step())); };

}  // namespace

class TestEditLaws : public QObject {
    Q_OBJECT
private slots:
    void generator_builds_something() {
        // Guards the laws below against holding only because every edit fails.
        int applied = 0, refused = 0;
        std::size_t most_links = 0;
        QVERIFY(rc::check("edits are applied and refused", [&] {
            play(any_steps(), [&](const Scenario&, const Edit&, const Result<Scenario>& result) {
                ++(result ? applied : refused);
                if (result) most_links = std::max(most_links, result->topology->links.size());
            });
        }));
        QVERIFY(applied > 500);
        QVERIFY(refused > 500);
        QVERIFY(most_links >= 3);
    }
    void drawings_stay_valid() {
        QVERIFY(rc::check("the drawing is valid after every edit", [] {
            play(any_steps(), [](const Scenario&, const Edit&, const Result<Scenario>& result) {
                if (result) RC_ASSERT(bool(validate(*result->topology)));
                else RC_ASSERT(!result.error().message.empty() && !result.error().hint.empty());
            });
        }));
    }
    void apply_is_pure() {
        QVERIFY(rc::check("apply leaves its input alone and repeats itself", [] {
            Scenario scenario = empty_scenario(catalogue());
            for (const Step& step : any_steps()) {
                if (scenario.topology->devices.size() > 60) break;
                const Edit edit = edit_of(scenario, step);
                const Scenario before = deep_copy(scenario);
                const auto first = crosspoint::apply(scenario, edit), second = crosspoint::apply(scenario, edit);
                RC_ASSERT(scenario == before);
                RC_ASSERT(first.has_value() == second.has_value());
                if (!first) RC_ASSERT(first.error() == second.error());
                if (!first) continue;
                RC_ASSERT(*first == *second);
                scenario = *first;
            }
        }));
    }
    void a_failing_list_leaves_nothing() {
        QVERIFY(rc::check("a list with a failing member fails as a whole", [] {
            std::vector<Edit> edits;
            play(any_steps(), [&](const Scenario&, const Edit& edit, const Result<Scenario>& result) {
                if (result) edits.push_back(edit);
            });
            const Scenario start = empty_scenario(catalogue());
            RC_ASSERT(crosspoint::apply(start, edits).has_value());
            edits.insert(edits.begin() + *rc::gen::inRange<std::size_t>(0, edits.size() + 1), SetBatch{0});
            RC_ASSERT(!crosspoint::apply(start, edits));
        }));
    }
    void ids_are_never_reused() {
        QVERIFY(rc::check("an id that left the drawing does not come back", [] {
            std::set<std::string> gone;
            play(any_steps(), [&](const Scenario& before, const Edit&, const Result<Scenario>& result) {
                if (!result) return;
                RC_ASSERT(result->topology->next_id >= before.topology->next_id);
                const std::set<std::string> now = ids_of(*result->topology);
                for (const std::string& id : now) RC_ASSERT(!gone.count(id));
                for (const std::string& id : ids_of(*before.topology))
                    if (!now.count(id)) gone.insert(id);
            });
        }));
    }
    void every_drawing_can_be_arranged() {
        QVERIFY(rc::check("boxes lie inside their parents", [] {
            const Scenario scenario = play(any_steps(), [](const auto&...) {});
            const Arrangement arranged = arrange(*scenario.topology);
            std::map<std::string, ArrangedBox> seen;
            for (const ArrangedBox& box : arranged.boxes) {
                RC_ASSERT(seen.emplace(box.key, box).second);
                if (box.parent.empty()) continue;
                const ArrangedBox& parent = seen.at(box.parent);
                RC_ASSERT(box.x >= parent.x && box.y >= parent.y);
                RC_ASSERT(box.x + box.width <= parent.x + parent.width + 1e-9);
                RC_ASSERT(box.y + box.height <= parent.y + parent.height + 1e-9);
            }
        }));
    }
};

int main(int argc, char** argv) {
    if (!qEnvironmentVariableIsSet("RC_PARAMS")) qputenv("RC_PARAMS", "seed=20250601 max_success=200");
    TestEditLaws tests;
    return QTest::qExec(&tests, argc, argv);
}
#include "tst_edits.moc"
