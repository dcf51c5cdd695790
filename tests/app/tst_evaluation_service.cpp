// The worker: the newest scenario always arrives, older ones never after it, and a burst costs few evaluations.
#include <QSignalSpy>
#include <QtTest>

#include "app/evaluation/evaluation_service.hpp"
#include "core/io/builtin.hpp"
#include "core/io/document.hpp"

using namespace crosspoint;

class TestEvaluationService : public QObject {
    Q_OBJECT
private:
    Scenario sample() const {
        const auto catalogue = builtin_catalogue();
        for (const auto& s : builtin_samples())
            if (s.name == "nvl72-deepseek-v3") return parse_document(s.text, "sample", *catalogue)->scenario;
        return {};
    }

private Q_SLOTS:
    void theLastOfABurstArrives() {
        app::EvaluationService service;
        std::vector<quint64> generations;
        std::int64_t lastBatch = 0;
        connect(&service, &app::EvaluationService::evaluated, this, [&](const auto& result) {
            generations.push_back(result->generation);
            lastBatch = result->scenario.workload.batch;
        });
        Scenario scenario = sample();
        for (quint64 generation = 1; generation <= 500; ++generation) {
            scenario.workload.batch = std::int64_t(generation) * 64;
            service.request(generation, scenario, true);
        }
        QTRY_COMPARE_WITH_TIMEOUT(lastBatch, std::int64_t(500 * 64), 20000);
        QVERIFY(std::is_sorted(generations.begin(), generations.end()));
        QVERIFY(service.finishedCount() < 500);
        QVERIFY(service.idle());
    }

    void theResultIsThatOfTheCore() {
        app::EvaluationService service;
        std::shared_ptr<const app::Evaluation> got;
        connect(&service, &app::EvaluationService::evaluated, this, [&](const auto& result) { got = result; });
        const Scenario scenario = sample();
        service.request(1, scenario);
        QTRY_VERIFY_WITH_TIMEOUT(got, 20000);
        Evaluator evaluator;
        const Report expected = evaluator.evaluate(scenario);
        QVERIFY(got->report.prediction);
        QCOMPARE(got->report.prediction->step_time.si(), expected.prediction->step_time.si());
        QCOMPARE(got->report.verdicts.size(), expected.verdicts.size());
        QVERIFY(got->complete);
    }

    void closingWhileBusyDoesNotHang() {
        auto service = std::make_unique<app::EvaluationService>();
        service->request(1, sample());
        service.reset();
    }
};

QTEST_GUILESS_MAIN(TestEvaluationService)
#include "tst_evaluation_service.moc"
