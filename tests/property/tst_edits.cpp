// Laws of apply(), over random sequences of edits. RC_PARAMS overrides the seed.
#include <rapidcheck.h>

#include <QtTest>
#include <set>

#include "core/scenario/edit.hpp"
#include "core/topology/arrange.hpp"
#include "support/random_edits.hpp"

using namespace crosspoint;
using namespace crosspoint::random_edits;

namespace {

rc::Gen<Step> any_step() {
    return rc::gen::build<Step>(
        rc::gen::set(&Step::kind, rc::gen::inRange(0u, 16u)), rc::gen::set(&Step::first, rc::gen::inRange(0u, 40u)),
        rc::gen::set(&Step::second, rc::gen::inRange(0u, 40u)), rc::gen::set(&Step::value, rc::gen::inRange(-2, 12)));
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
