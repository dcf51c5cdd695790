// From a log to the prediction: a measurement of this machine takes the place of the catalogue's figures.
#include <QtTest>

#include "core/evaluate/report.hpp"
#include "core/io/builtin.hpp"
#include "core/io/document.hpp"
#include "core/measure/calibration.hpp"
#include "core/units/text.hpp"

using namespace crosspoint;

namespace {

Scenario sample(std::string_view name) {
    for (const Sample& s : builtin_samples())
        if (s.name == name) return parse_document(s.text, name, builtin_catalogue().value())->scenario;
    return {};
}

/// All-reduce of eight over NVLink: 30 us + n / 120 GB/s, which no part of the catalogue has.
PathCalibration plain() {
    return {"nvlink4",          CollectiveOp::all_reduce, 8, Seconds(30e-6), BytesPerSecond(120e9), 0, {},
            Confidence::fitted, "measured on node 17"};
}

const OperationResult* first_all_reduce(const Report& report) {
    if (!report.prediction) return nullptr;
    for (const LayerResult& layer : report.prediction->layers)
        for (const OperationResult& r : layer.operations)
            if (r.collective && r.collective->op == CollectiveOp::all_reduce) return &r;
    return nullptr;
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(b); }

}  // namespace

class TestCalibration : public QObject {
    Q_OBJECT
private slots:
    void winsOverTheCatalogue();
    void otherRanksKeepTheBusBandwidth();
    void tableIsInterpolated();
    void unknownAlphaIsTheCatalogues();
    void levelNamesCountToo();
    void otherOperationsStay();
    void isSavedAndRead();
    void isCheckedAndReplaced();
    void fromALog();
};

void TestCalibration::winsOverTheCatalogue() {
    const Scenario before = sample("llama-70b-hgx-h100");
    const auto after = crosspoint::apply(before, SetPathCalibration{plain()});
    QVERIFY(after.has_value());
    const Report report = Evaluator().evaluate(*after);
    const OperationResult* r = first_all_reduce(report);
    QVERIFY(r != nullptr);
    const double n = r->op.communication->bytes.si();
    QVERIFY(near(r->collective->time.si(), 30e-6 + n / 120e9));
    QVERIFY(r->time == r->collective->time);
    QVERIFY(r->why.find("calibrated: all-reduce over 'nvlink4' of 8 ranks, measured on node 17") != std::string::npos);
    QVERIFY(r->why.find("by the catalogue") != std::string::npos);
    QCOMPARE(r->collective->confidence, Confidence::fitted);
    QVERIFY(report.prediction->step_time != Evaluator().evaluate(before).prediction->step_time);
    const auto curve = std::find_if(report.curves.begin(), report.curves.end(), [](const CrossoverCurve& c) {
        return c.source.find("measured on node 17") != std::string::npos;
    });
    QVERIFY(curve != report.curves.end());
    QVERIFY(near(curve->link.beta.si(), 210e9));  // the bus bandwidth, over the bytes that a rank sends
    const bool listed = std::any_of(report.assumptions.begin(), report.assumptions.end(),
                                    [](const Assumption& a) { return a.source == "measured on node 17"; });
    QVERIFY(listed);
}

void TestCalibration::otherRanksKeepTheBusBandwidth() {
    Scenario s = sample("llama-70b-hgx-h100");
    s.layout.tensor = 4;
    const auto after = crosspoint::apply(s, SetPathCalibration{plain()});
    const Report report = Evaluator().evaluate(*after);
    const OperationResult* r = first_all_reduce(report);
    QVERIFY(r != nullptr);
    // 2 x 3/4 against 2 x 7/8 of the tensor over each link.
    QVERIFY(near(r->collective->time.si(), 30e-6 + r->op.communication->bytes.si() * 1.5 / 1.75 / 120e9));
    QVERIFY(r->why.find("used for 4 ranks at the same bus bandwidth") != std::string::npos);
}

void TestCalibration::tableIsInterpolated() {
    PathCalibration path = plain();
    path.table = {{Bytes(1024), Seconds(10e-6)}, {Bytes(1048576), Seconds(40e-6)}, {Bytes(4194304), Seconds(80e-6)}};
    QVERIFY(validate(path).has_value());
    QVERIFY(near(table_time(path, Bytes(8)).si(), 10e-6));
    QVERIFY(near(table_time(path, Bytes(32768)).si(), 20e-6));  // half way in log size: the geometric mean
    QVERIFY(near(table_time(path, Bytes(4194304)).si(), 80e-6));
    QVERIFY(near(table_time(path, Bytes(41943040)).si(), 800e-6));  // at the last rate
    const auto after = crosspoint::apply(sample("llama-70b-hgx-h100"), SetPathCalibration{path});
    const Report report = Evaluator().evaluate(*after);
    const OperationResult* r = first_all_reduce(report);
    QVERIFY(near(r->collective->time.si(), table_time(path, r->op.communication->bytes).si()));
    QVERIFY(r->why.find("measured table") != std::string::npos);
}

void TestCalibration::unknownAlphaIsTheCatalogues() {
    const Scenario before = sample("llama-70b-hgx-h100");
    PathCalibration path = plain();
    path.alpha.reset();
    const Report old = Evaluator().evaluate(before),
                 now = Evaluator().evaluate(*crosspoint::apply(before, SetPathCalibration{path}));
    QCOMPARE(first_all_reduce(now)->collective->latency, first_all_reduce(old)->collective->latency);
    QVERIFY(near(first_all_reduce(now)->collective->bandwidth.si(),
                 first_all_reduce(now)->op.communication->bytes.si() / 120e9));
}

void TestCalibration::levelNamesCountToo() {
    const Scenario s = sample("llama-70b-hgx-h100");
    const Report old = Evaluator().evaluate(s);
    const Network& network = *old.prediction->network;
    PathCalibration path = plain();
    path.link = network.levels.front().name;
    const Report now = Evaluator().evaluate(*crosspoint::apply(s, SetPathCalibration{path}));
    QVERIFY(first_all_reduce(now)->why.find("calibrated") != std::string::npos);
}

void TestCalibration::otherOperationsStay() {
    PathCalibration path = plain();
    path.operation = CollectiveOp::broadcast;
    const Scenario s = sample("llama-70b-hgx-h100");
    const Report old = Evaluator().evaluate(s),
                 now = Evaluator().evaluate(*crosspoint::apply(s, SetPathCalibration{path}));
    QCOMPARE(now.prediction->step_time, old.prediction->step_time);
}

void TestCalibration::isSavedAndRead() {
    PathCalibration path = plain();
    path.kappa = 1.25;
    path.table = {{Bytes(1024), Seconds(10e-6)}, {Bytes(1048576), Seconds(40e-6)}};
    const Scenario s = *crosspoint::apply(sample("llama-70b-hgx-h100"), SetPathCalibration{path});
    const std::string text = write_document(Document{s, nullptr});
    QVERIFY(text.find("\"paths\"") != std::string::npos);
    const auto read = parse_document(text, "x", builtin_catalogue().value());
    QVERIFY(read.has_value());
    QVERIFY(read->scenario == s);
    QCOMPARE(write_document(Document{read->scenario, nullptr}), text);
    const std::string plain_text = write_document(Document{sample("llama-70b-hgx-h100"), nullptr});
    QVERIFY(plain_text.find("\"paths\"") == std::string::npos);
}

void TestCalibration::isCheckedAndReplaced() {
    const Scenario s = sample("llama-70b-hgx-h100");
    PathCalibration path = plain();
    const Scenario once = *crosspoint::apply(s, SetPathCalibration{path});
    path.bandwidth = BytesPerSecond(99e9);
    const Scenario twice = *crosspoint::apply(once, SetPathCalibration{path});
    QCOMPARE(twice.calibration.paths.size(), std::size_t(1));
    QCOMPARE(twice.calibration.paths[0].bandwidth, BytesPerSecond(99e9));
    const auto removed = crosspoint::apply(twice, RemovePathCalibration{"nvlink4", CollectiveOp::all_reduce});
    QVERIFY(removed.has_value() && *removed == s);
    QVERIFY(!crosspoint::apply(s, RemovePathCalibration{"nvlink4", CollectiveOp::all_reduce}));
    QCOMPARE(describe(Edit(SetPathCalibration{path})), std::string("calibrate all-reduce over nvlink4"));
    const auto refused = [&](auto change) {
        PathCalibration bad = plain();
        change(bad);
        return !crosspoint::apply(s, SetPathCalibration{bad});
    };
    QVERIFY(refused([](PathCalibration& p) { p.link.clear(); }));
    QVERIFY(refused([](PathCalibration& p) { p.ranks = 1; }));
    QVERIFY(refused([](PathCalibration& p) { p.bandwidth = BytesPerSecond(0); }));
    QVERIFY(refused([](PathCalibration& p) { p.alpha = Seconds(-1); }));
    QVERIFY(refused([](PathCalibration& p) { p.source.clear(); }));
    QVERIFY(refused([](PathCalibration& p) { p.operation = CollectiveOp::expert_dispatch; }));
    QVERIFY(refused([](PathCalibration& p) { p.table = {{Bytes(2), Seconds(1)}, {Bytes(1), Seconds(1)}}; }));
    Scenario doubled = once;
    doubled.calibration.paths.push_back(plain());
    QVERIFY(!crosspoint::apply(s, SetCalibration{doubled.calibration}));
}

void TestCalibration::fromALog() {
    std::string text =
        "# Collective test starting: all_reduce_perf\n# nThread 1 nGpus 8 minBytes 8 maxBytes 1073741824\n";
    for (int i = 0; i < 8; ++i)
        text += "#  Rank  " + std::to_string(i) + " Group  0 Pid 1 on a device  0 [0x1b] NVIDIA H100\n";
    for (double n = 8; n <= 1073741824; n *= 2) {
        const double us = 25 + n / 250e3;
        text += std::to_string(std::int64_t(n)) + " " + std::to_string(std::int64_t(n / 4)) + " float sum -1 " +
                shortest(us) + " " + shortest(n / us / 1e3) + " " + shortest(1.75 * n / us / 1e3) + " 0\n";
    }
    const auto log = read_measurements(text, "log");
    QVERIFY(log.has_value());
    const Fit fit = fit_table(log->first());
    QCOMPARE(suggested_kind(fit), CalibrationKind::constants);
    const auto path = calibration_from(log->first(), fit, log->format,
                                       {"nvlink4", CollectiveOp::all_reduce, 8, CalibrationKind::constants});
    QVERIFY(path.has_value());
    QVERIFY(std::abs(path->alpha->si() / 25e-6 - 1) < 1e-3 && std::abs(path->bandwidth.si() / 250e9 - 1) < 1e-3);
    QVERIFY(path->source.find("nccl-tests log, all_reduce_perf, NVIDIA H100") != std::string::npos);
    const auto table = calibration_from(log->first(), fit, log->format,
                                        {"nvlink4", CollectiveOp::all_reduce, 8, CalibrationKind::table});
    QCOMPARE(table->table.size(), fit.points.size());
    QCOMPARE(table->confidence, Confidence::measured);
    Fit refused = fit;
    refused.refused = "time falls with size";
    QVERIFY(!calibration_from(log->first(), refused, log->format, {"nvlink4", CollectiveOp::all_reduce, 8, {}}));
}

QTEST_APPLESS_MAIN(TestCalibration)
#include "tst_calibration.moc"
