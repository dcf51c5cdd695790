// Real logs, where a collection of them is at hand; it is not part of the source tree.
#include <nlohmann/json.hpp>

#include "logs.hpp"

using namespace crosspoint;

namespace {

using Json = nlohmann::json;

/// The folder that CROSSPOINT_CORPUS names: index.jsonl and folders of logs beside it.
QDir collection() { return QDir(qEnvironmentVariable("CROSSPOINT_CORPUS", "nowhere")); }

double peak(const MeasuredTable& t, std::optional<Timing> MeasuredRow::*block) {
    double best = 0;
    for (const MeasuredRow& row : t.rows)
        if (row.*block && (row.*block)->bus_bandwidth) best = std::max(best, (row.*block)->bus_bandwidth->si() / 1e9);
    return best;
}

bool same(const Json& expected, const char* key, double got) {
    if (!expected.contains(key) || !expected.at(key).is_number()) return true;
    if (logs::near(got, expected.at(key).get<double>(), 1e-9)) return true;
    qWarning("%s: got %.15g, expected %.15g", key, got, expected.at(key).get<double>());
    return false;
}

bool section_agrees(const Json& s, const MeasuredTable& t) {
    bool ok =
        same(s, "highest_rank_plus_1", double(t.ranks.value_or(-1))) && same(s, "data_rows", double(t.rows.size()));
    if (s.contains("op")) ok = ok && t.title == s.at("op").get<std::string>();
    if (t.rows.empty()) return ok;
    const auto zero = std::count_if(t.rows.begin(), t.rows.end(), [](const auto& r) { return !(r.size.si() > 0); });
    return ok && same(s, "first_size", t.rows.front().size.si()) && same(s, "last_size", t.rows.back().size.si()) &&
           same(s, "peak_busbw_out_of_place", peak(t, &MeasuredRow::out_of_place)) &&
           same(s, "peak_busbw_in_place", peak(t, &MeasuredRow::in_place)) &&
           same(s, "first_row_time_us", t.rows.front().out_of_place->time.si() * 1e6) &&
           same(s, "zero_size_rows", double(zero));
}

}  // namespace

class TestMeasureCorpus : public QObject {
    Q_OBJECT
private slots:
    void everyFile_data();
    void everyFile();
};

void TestMeasureCorpus::everyFile_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QByteArray>("entry");
    QFile index(collection().filePath("index.jsonl"));
    if (!index.open(QIODevice::ReadOnly)) QSKIP("no collection of real files here");
    while (!index.atEnd()) {
        const QByteArray line = index.readLine();
        const Json entry = Json::parse(line.toStdString());
        const QString path =
            QString::fromStdString(entry.at("kind").get<std::string>() + "/" + entry.at("name").get<std::string>());
        QTest::newRow(qPrintable(path)) << collection().filePath(path) << line;
    }
}

void TestMeasureCorpus::everyFile() {
    QFETCH(QString, path);
    QFETCH(QByteArray, entry);
    const Json json = Json::parse(entry.toStdString());
    const std::string kind = json.at("kind");
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto log = read_measurements(file.readAll().toStdString(), path.toStdString());
    const Json& expected = json.at("expected");
    if (!QString::fromStdString(kind).endsWith("_log")) {
        QVERIFY2(!log, "a file of another format was accepted");
        return;
    }
    if (!log) {  // only a run that failed has nothing to say
        QVERIFY2(log.error().message.starts_with("no measurement"), log.error().message.c_str());
        for (const Json& s : expected.at("sections")) QCOMPARE(s.at("data_rows").get<int>(), 0);
        return;
    }
    if (expected.contains("n_sections")) QCOMPARE(log->tables.size(), expected.at("n_sections").get<std::size_t>());
    if (expected.contains("rows_unique_sizes"))
        QCOMPARE(fit_table(log->first()).points.size(), expected.at("rows_unique_sizes").get<std::size_t>());
    if (expected.contains("sections") && expected.at("sections").is_array())
        for (std::size_t i = 0; i < log->tables.size(); ++i)
            QVERIFY(section_agrees(expected.at("sections").at(i), log->tables[i]));
    for (const MeasuredTable& t : log->tables) {
        const Fit fit = fit_table(t);
        // A table without small messages may hold a spike that no form follows.
        if (fit.worst_relative_error) QVERIFY2(*fit.worst_relative_error < (fit.alpha ? 0.15 : 0.4), qPrintable(path));
        if (expected.contains("alpha_hint_us_median_rows_le_8KiB") && fit.alpha)
            QVERIFY(logs::near(fit.alpha->si() * 1e6, expected.at("alpha_hint_us_median_rows_le_8KiB").get<double>(),
                               0.05));
    }
}

QTEST_APPLESS_MAIN(TestMeasureCorpus)
#include "tst_measure_corpus.moc"
