// One readable report a sample document. A change of any shown number is a line of a diff to be reviewed.
// CROSSPOINT_UPDATE_GOLDENS=1 writes them anew.
#include <QtTest>

#include "core/evaluate/report.hpp"
#include "core/io/builtin.hpp"
#include "core/io/document.hpp"
#include "core/io/report_writers.hpp"

using namespace crosspoint;

namespace {

std::string golden_path(std::string_view name) {
    return qEnvironmentVariable("CROSSPOINT_SOURCE_DIR").toStdString() + "/tests/golden/reports/" + std::string(name) +
           ".txt";
}

std::string evaluated(const Sample& sample) {
    const auto catalogue = builtin_catalogue();
    if (!catalogue) return describe(catalogue.error());
    const auto document = parse_document(sample.text, sample.name, *catalogue);
    if (!document) return describe(document.error());
    Evaluator evaluator;
    return report_text(document->scenario, evaluator.evaluate(document->scenario));
}

/// First line that differs, for the failure's message.
std::string difference(const std::string& expected, const std::string& actual) {
    const auto a = QString::fromStdString(expected).split('\n'), b = QString::fromStdString(actual).split('\n');
    for (qsizetype i = 0; i < std::max(a.size(), b.size()); ++i)
        if (a.value(i) != b.value(i))
            return QString("line %1\n  golden: %2\n  now:    %3").arg(i + 1).arg(a.value(i), b.value(i)).toStdString();
    return {};
}

}  // namespace

class SampleReportsTest : public QObject {
    Q_OBJECT
private slots:
    void thereAreAtLeastSix() { QVERIFY(builtin_samples().size() >= 6); }
    void report_data() {
        QTest::addColumn<int>("index");
        for (int i = 0; i < int(builtin_samples().size()); ++i)
            QTest::newRow(std::string(builtin_samples()[std::size_t(i)].name).c_str()) << i;
    }
    void report() {
        QFETCH(int, index);
        const Sample& sample = builtin_samples()[std::size_t(index)];
        const std::string actual = evaluated(sample), path = golden_path(sample.name);
        if (qEnvironmentVariableIsSet("CROSSPOINT_UPDATE_GOLDENS")) QVERIFY(write_file(path, actual).has_value());
        const auto expected = read_file(path);
        QVERIFY2(expected.has_value(), path.c_str());
        QVERIFY2(*expected == actual, difference(*expected, actual).c_str());
    }
    void linesFitATerminal() {
        for (const auto& sample : builtin_samples())
            for (const auto& line : QString::fromStdString(evaluated(sample)).split('\n'))
                QVERIFY2(line.size() <= 100, qPrintable(line));
    }
};

QTEST_APPLESS_MAIN(SampleReportsTest)
#include "tst_sample_reports.moc"
