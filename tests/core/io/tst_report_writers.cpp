// Reports in every form: complete, escaped, the same numbers in each, and honest about what was not computed.
#include <QtTest>

#include <QXmlStreamReader>

#include <nlohmann/json.hpp>

#include "core/io/builtin.hpp"
#include "core/io/document.hpp"
#include "core/io/report_writers.hpp"

using namespace crosspoint;

namespace {

struct Evaluated {
    Scenario scenario;
    Report report;
};

Scenario sample_scenario(std::string_view name) {
    const auto catalogue = builtin_catalogue();
    if (!catalogue) qFatal("%s", describe(catalogue.error()).c_str());
    for (const auto& s : builtin_samples())
        if (s.name == name) {
            auto document = parse_document(s.text, s.name, *catalogue);
            if (!document) qFatal("%s", describe(document.error()).c_str());
            return document->scenario;
        }
    qFatal("no such sample");
}

Evaluated evaluated(Scenario s) {
    Evaluator evaluator;
    Report r = evaluator.evaluate(s);
    return {std::move(s), std::move(r)};
}

const Evaluated& mistake() {
    static const Evaluated e = evaluated(sample_scenario("llama-70b-tp16-two-nodes"));
    return e;
}

Evaluated broken() {
    Scenario s = sample_scenario("llama-70b-tp16-two-nodes");
    s.layout.tensor = 3;
    return evaluated(std::move(s));
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

class ReportWritersTest : public QObject {
    Q_OBJECT
private slots:
    void everyFormShowsTheSameFigures() {
        const auto& e = mistake();
        const std::string forms[] = {report_text(e.scenario, e.report), report_markdown(e.scenario, e.report),
                                     report_html(e.scenario, e.report)};
        for (const auto& form : forms)
            for (const auto& f : e.report.figures) QVERIFY2(has(form, f.text), f.text.c_str());
    }
    void everyFormHasTheVerdicts() {
        const auto& e = mistake();
        for (const auto& form : {report_text(e.scenario, e.report), report_markdown(e.scenario, e.report),
                                 report_html(e.scenario, e.report), verdicts_text(e.report), verdicts_json(e.report)})
            for (const auto& v : e.report.verdicts) QVERIFY2(has(form, v.title), v.title.c_str());
    }
    void pageHasAllSections() {
        const auto& e = mistake();
        const auto page = report_html(e.scenario, e.report);
        for (const char* section : {"Verdicts", "Timeline", "Plots", "Model and layout", "Memory of one accelerator",
                                    "Operations", "Why these numbers", "Assumptions and sources"})
            QVERIFY2(has(page, section), section);
        std::size_t drawings = 0;
        for (std::size_t at = page.find("<svg"); at != std::string::npos; at = page.find("<svg", at + 1)) ++drawings;
        QCOMPARE(drawings, std::size_t(6));
        QVERIFY(!has(page, "src=\"http") && !has(page, "href=\"http"));
    }
    void namesAreEscaped() {
        Scenario s = mistake().scenario;
        s.title = "<script>alert(1)</script> | \"a\" & b";
        const auto e = evaluated(s);
        QVERIFY(!has(report_html(e.scenario, e.report), "<script>"));
        QVERIFY(has(report_html(e.scenario, e.report), "&lt;script&gt;"));
        QVERIFY(has(report_markdown(e.scenario, e.report), "\\| \"a\""));
        QCOMPARE(nlohmann::json::parse(report_json(e.scenario, e.report)).at("title").get<std::string>(), s.title);
    }
    void brokenTextIsReplacedNotThrown() {
        Scenario s = mistake().scenario;
        s.title = "bad \xFF byte";
        const auto e = evaluated(s);
        QVERIFY(!nlohmann::json::parse(report_json(e.scenario, e.report), nullptr, false).is_discarded());
    }
    void jsonIsInBaseUnits() {
        const auto& e = mistake();
        const auto j = nlohmann::json::parse(report_json(e.scenario, e.report));
        QCOMPARE(j.at("figures").at("inter_token_latency_s").get<double>(), e.report.prediction->step_time.si());
        QCOMPARE(j.at("prediction").at("memory").at("usable_bytes").get<double>(),
                 e.report.prediction->memory.usable.si());
        QCOMPARE(j.at("batch_sweep").size(), e.report.batch_sweep.size());
        QCOMPARE(j.at("crossovers").size(), e.report.curves.size());
        const auto shares = j.at("prediction").at("shares");
        const double sum = shares.at("compute_s").get<double>() + shares.at("hidden_s").get<double>() +
                           shares.at("exposed_s").get<double>() + shares.at("idle_s").get<double>();
        QVERIFY(std::abs(sum / e.report.prediction->step_time.si() - 1) < 1e-9);
    }
    void figuresAreLinkedOnlyWithAPrefix() {
        const auto& e = mistake();
        QVERIFY(has(report_markdown(e.scenario, e.report, "x-"), "(x-diagram.svg)"));
        QVERIFY(!has(report_markdown(e.scenario, e.report), ".svg"));
    }
    void errorsAreSaidInEveryForm() {
        const auto e = broken();
        const std::string message = e.report.prediction.error().message;
        QVERIFY(has(verdicts_text(e.report), "tensor"));
        QVERIFY(has(report_html(e.scenario, e.report), "class=\"error\""));
        QVERIFY(has(report_markdown(e.scenario, e.report), "Not computed"));
        QVERIFY(has(report_text(e.scenario, e.report), "Not computed"));
        const auto j = nlohmann::json::parse(report_json(e.scenario, e.report));
        QCOMPARE(j.at("prediction").at("error").at("message").get<std::string>(), message);
    }
};

QTEST_APPLESS_MAIN(ReportWritersTest)
#include "tst_report_writers.moc"
