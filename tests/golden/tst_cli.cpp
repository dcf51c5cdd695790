// crosspoint-cli as people run it: output, keys and exit codes.
#include <QtTest>

#include <QProcess>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

namespace {

struct Ran {
    int code = -1;
    std::string out, err;
    [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(out, nullptr, false); }
};

Ran cli(const QStringList& arguments) {
    QProcess process;
    process.start(qEnvironmentVariable("CROSSPOINT_BINARY_DIR") + "/app/crosspoint-cli", arguments);
    if (!process.waitForFinished(120000) || process.exitStatus() != QProcess::NormalExit) return {};
    return {process.exitCode(), process.readAllStandardOutput().toStdString(),
            process.readAllStandardError().toStdString()};
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

constexpr auto sample = "sample:llama-70b-tp16-two-nodes";

}  // namespace

class CliTest : public QObject {
    Q_OBJECT
private slots:
    // Numbers: cost model section 1.
    void crossover() {
        const auto r = cli({"crossover", "--alpha", "5us", "--bandwidth", "400GB/s", "--hidden", "8192", "--dtype",
                            "bf16", "--layers", "80", "--collectives-per-layer", "2", "--json"});
        QCOMPARE(r.code, 0);
        const auto j = r.json();
        QVERIFY(std::abs(j.at("crossover_bytes").get<double>() - 2e6) < 1);
        QVERIFY(std::abs(j.at("crossover_batch").get<double>() - 122.07) < 0.005);
        QVERIFY(std::abs(j.at("floor_s").get<double>() - 0.8e-3) < 1e-9);
        QVERIFY(std::abs(j.at("tokens_per_s_cap").get<double>() - 1250) < 1e-6);
    }
    void crossoverForPeople() {
        const auto r = cli({"crossover", "--alpha", "5us", "--bandwidth", "400GB/s", "--hidden", "8192"});
        QCOMPARE(r.code, 0);
        QVERIFY2(has(r.out, "2.00 MB") && has(r.out, "122.07"), r.out.c_str());
    }
    // Section 3: ring, 2(K-1) alpha + 2(K-1)/K n/beta = 70 us + 71.68 ns; bus bandwidth 2(K-1)/K n/t.
    void collective() {
        const auto r = cli({"collective", "--op", "all-reduce", "--ranks", "8", "--bytes", "16KiB", "--alpha", "5us",
                            "--bandwidth", "400GB/s", "--algorithm", "ring", "--json"});
        QCOMPARE(r.code, 0);
        const auto j = r.json();
        QCOMPARE(j.at("algorithm").get<std::string>(), std::string("ring"));
        QVERIFY(std::abs(j.at("latency_s").get<double>() - 70e-6) < 1e-12);
        QVERIFY(std::abs(j.at("bandwidth_s").get<double>() - 71.68e-9) < 1e-12);
        QVERIFY(std::abs(j.at("time_s").get<double>() - 70.07168e-6) < 1e-12);
        QVERIFY(std::abs(j.at("bus_bandwidth_bytes_per_s").get<double>() - 1.75 * 16384 / 70.07168e-6) < 1);
    }
    void automaticIsNeverSlower() {
        const auto r = cli(
            {"collective", "--ranks", "8", "--bytes", "16KiB", "--alpha", "5us", "--bandwidth", "400GB/s", "--json"});
        QCOMPARE(r.code, 0);
        QVERIFY(r.json().at("time_s").get<double>() < 70e-6);
        QVERIFY(r.json().at("alternatives").size() > 1);
    }
    // Source: config.json of Llama-3.1-8B; the published total 8,030,261,248.
    void model() {
        QTemporaryDir dir;
        QFile file(dir.filePath("config.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"model_type":"llama","hidden_size":4096,"num_hidden_layers":32,"num_attention_heads":32,
            "num_key_value_heads":8,"intermediate_size":14336,"vocab_size":128256,"tie_word_embeddings":false,
            "max_position_embeddings":131072,"torch_dtype":"bfloat16"})");
        file.close();
        const auto r = cli({"model", file.fileName(), "--json"});
        QVERIFY2(r.code == 0, r.err.c_str());
        const auto j = r.json();
        QCOMPARE(j.at("parameters_total").get<std::int64_t>(), std::int64_t(8030261248));
        QCOMPARE(j.at("kv_bytes_per_token").get<double>(), 131072.0);
        QCOMPARE(j.at("layers").get<int>(), 32);
    }
    void evaluate() {
        const auto r = cli({"evaluate", sample, "--json"});
        QVERIFY2(r.code == 0, r.err.c_str());
        const auto j = r.json();
        for (const char* key : {"title", "version", "workload", "model", "layout", "figures", "derivations",
                                "prediction", "crossovers", "messages", "batch_sweep", "batch_window", "tensor_sweep",
                                "counts", "verdicts", "assumptions", "warnings"})
            QVERIFY2(j.contains(key), key);
        QVERIFY(j.at("figures").at("inter_token_latency_s").get<double>() > 0);
    }
    void settingsChangeTheScenario() {
        const auto r =
            cli({"evaluate", sample, "--set", "workload.batch=64", "--set", "workload.context=1024", "--json"});
        QVERIFY2(r.code == 0, r.err.c_str());
        QCOMPARE(r.json().at("workload").at("batch").get<int>(), 64);
        QCOMPARE(r.json().at("workload").at("context_tokens").get<int>(), 1024);
    }
    void checkSpeaksToOtherTools() {
        const auto verdicts = cli({"check", sample, "--json"}).json().at("verdicts");
        const auto table = cli({"check", sample, "--format", "markdown"});
        QCOMPARE(table.code, 1);
        QVERIFY(has(table.out, verdicts[0].at("title").get<std::string>()));
        const auto junit = cli({"check", sample, "--format", "junit"});
        QCOMPARE(junit.code, 1);
        QVERIFY(has(junit.out, "<?xml"));
        const auto sarif = cli({"check", sample, "--format", "sarif"});
        QCOMPARE(sarif.code, 1);
        QCOMPARE(sarif.json().at("version").get<std::string>(), std::string("2.1.0"));
        const auto results = sarif.json().at("runs").at(0).at("results");
        QCOMPARE(results.size(), verdicts.size());
        int errors = 0;
        for (std::size_t i = 0; i < results.size(); ++i) {
            QCOMPARE(results[i].at("ruleId"), verdicts[i].at("rule"));
            QCOMPARE(results[i].at("level") == "error", verdicts[i].at("outcome") == "fail");
            errors += results[i].at("level") == "error";
        }
        QVERIFY(errors > 0);
        QCOMPARE(QByteArray::fromStdString(junit.out).count("<failure "), errors);
        QCOMPARE(cli({"check", sample, "--format", "pdf"}).code, 2);
    }
    void checkFailsWithAFailedVerdict() {
        const auto r = cli({"check", sample, "--json"});
        QCOMPARE(r.code, 1);
        QVERIFY(r.json().at("counts").at("fail").get<int>() >= 1);
        QCOMPARE(cli({"check", "sample:llama-70b-hgx-h100"}).code, 0);
    }
    void report_data() {
        QTest::addColumn<QString>("ending");
        QTest::addColumn<QString>("begins");
        QTest::newRow("html") << "html"
                              << "<!DOCTYPE html>";
        QTest::newRow("md") << "md"
                            << "# ";
        QTest::newRow("json") << "json"
                              << "{";
        QTest::newRow("txt") << "txt"
                             << "Llama";
        QTest::newRow("svg") << "svg"
                             << "<svg";
    }
    void report() {
        QFETCH(QString, ending);
        QFETCH(QString, begins);
        QTemporaryDir dir;
        const QString path = dir.filePath("out." + ending);
        const auto r = cli({"report", sample, "-o", path});
        QVERIFY2(r.code == 0, r.err.c_str());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(QString::fromUtf8(file.readAll()).startsWith(begins));
        QCOMPARE(QFile::exists(dir.filePath("out-diagram.svg")), ending == "md");
    }
    void samplesAreListedAndWritten() {
        const auto list = cli({"samples"});
        QCOMPARE(list.code, 0);
        QVERIFY(has(list.out, "nvl72-deepseek-v3"));
        QTemporaryDir dir;
        const QString path = dir.filePath("copy.crosspoint.json");
        QCOMPARE(cli({"samples", "--write", "nvl72-deepseek-v3", path}).code, 0);
        QCOMPARE(cli({"evaluate", path, "--json"}).code, 0);
    }
    void version() {
        const auto r = cli({"--version"});
        QCOMPARE(r.code, 0);
        QVERIFY(r.out.starts_with("crosspoint-cli "));
    }
    void numbersOutOfRangeAreUsage_data() {
        QTest::addColumn<QStringList>("arguments");
        const QStringList link{"--alpha", "5us", "--bandwidth", "400GB/s"};
        QTest::newRow("part of a rank") << QStringList{"collective", "--ranks", "7.5", "--bytes", "1MB"} + link;
        QTest::newRow("ranks not a number") << QStringList{"collective", "--ranks", "nan", "--bytes", "1MB"} + link;
        QTest::newRow("hidden not a number") << QStringList{"crossover", "--hidden", "nan"} + link;
        QTest::newRow("hidden without end") << QStringList{"crossover", "--hidden", "inf"} + link;
        QTest::newRow("kappa not a number")
            << QStringList{"collective", "--ranks", "8", "--bytes", "1MB", "--kappa", "nan"} + link;
    }
    void numbersOutOfRangeAreUsage() {
        QFETCH(QStringList, arguments);
        const auto r = cli(arguments + QStringList{"--json"});
        QCOMPARE(r.code, 2);
        QCOMPARE(r.json().at("error").at("code").get<std::string>(), std::string("usage"));
        QVERIFY2(has(r.err, "number from"), r.err.c_str());
    }
    void errorsOfTheEvaluationSayWhere_data() {
        QTest::addColumn<QString>("setting");
        QTest::addColumn<QString>("pointer");
        QTest::newRow("layout") << "layout.pipeline=200"
                                << "/layout";
        QTest::newRow("part of a link") << "topology.links.nic-leaf.part=nonsense"
                                        << "/topology/links/nic-leaf";
        QTest::newRow("part of a domain") << "topology.containers.node.interconnect.part=nonsense"
                                          << "/topology/containers/node";
    }
    void errorsOfTheEvaluationSayWhere() {
        QFETCH(QString, setting);
        QFETCH(QString, pointer);
        const auto r = cli({"check", sample, "--set", setting, "--json"});
        QCOMPARE(r.code, 3);
        QCOMPARE(r.json().at("error").at("pointer").get<std::string>(), pointer.toStdString());
    }
    void aMisspeltCommandIsNamed() {
        const auto r = cli({"evalute", sample});
        QCOMPARE(r.code, 2);
        QVERIFY2(has(r.err, "'evalute'") && has(r.err, "evaluate"), r.err.c_str());
    }
    void usageErrors_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("nothing") << QStringList{};
        QTest::newRow("unknown command") << QStringList{"fly"};
        QTest::newRow("missing option") << QStringList{"crossover", "--alpha", "5us"};
        QTest::newRow("unknown option") << QStringList{"check", sample, "--colour"};
        QTest::newRow("not a number") << QStringList{"collective", "--ranks", "many",        "--bytes", "1KiB",
                                                     "--alpha",    "5us",     "--bandwidth", "1GB/s"};
    }
    void usageErrors() {
        QFETCH(QStringList, arguments);
        QCOMPARE(cli(arguments).code, 2);
    }
    void badInput_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("says");
        QTest::newRow("bare number") << QStringList{"crossover", "--alpha", "5", "--bandwidth", "400GB/s"} << "--alpha";
        QTest::newRow("wrong unit") << QStringList{"crossover", "--alpha", "5us", "--bandwidth", "5us"}
                                    << "--bandwidth";
        QTest::newRow("zero") << QStringList{"crossover", "--alpha", "5us", "--bandwidth", "0 GB/s"} << "not positive";
        QTest::newRow("algorithm") << QStringList{"collective", "--ranks",     "8",    "--bytes",
                                                  "1KiB",       "--alpha",     "5us",  "--bandwidth",
                                                  "1GB/s",      "--algorithm", "magic"}
                                   << "magic";
        QTest::newRow("no file") << QStringList{"check", "/nowhere/x.crosspoint.json"} << "/nowhere/x.crosspoint.json";
        QTest::newRow("no sample") << QStringList{"check", "sample:none"} << "nvl72-deepseek-v3";
        QTest::newRow("no field") << QStringList{"check", sample, "--set", "workload.bach=1"} << "batch";
        QTest::newRow("no equals") << QStringList{"check", sample, "--set", "workload.batch"} << "'='";
        QTest::newRow("layout") << QStringList{"check", sample, "--set", "layout.tensor=3"} << "tensor";
        QTest::newRow("ending") << QStringList{"report", sample, "-o", "/tmp/x.docx"} << ".html";
    }
    void badInput() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, says);
        const auto r = cli(arguments);
        QCOMPARE(r.code, 3);
        QVERIFY2(has(r.err, says.toStdString()), r.err.c_str());
        QVERIFY(r.out.empty());
        const auto j = cli(arguments + QStringList{"--json"});
        QCOMPARE(j.code, 3);
        QVERIFY(!j.json().at("error").at("message").get<std::string>().empty());
    }
};

QTEST_GUILESS_MAIN(CliTest)
#include "tst_cli.moc"
