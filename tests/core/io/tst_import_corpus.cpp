// Real topology files, where a collection of them is at hand; it is not part of the source tree.
#include <QtTest>
#include <nlohmann/json.hpp>

#include "core/importers/exporter.hpp"
#include "core/importers/use_import.hpp"
#include "core/io/builtin.hpp"
#include "core/io/document.hpp"
#include "core/network/network.hpp"

using namespace crosspoint;

namespace {

/// The folder that CROSSPOINT_CORPUS names: index.jsonl and a folder for each kind beside it.
QDir collection() { return QDir(qEnvironmentVariable("CROSSPOINT_CORPUS", "nowhere")); }

std::int64_t count(const Topology& t, DeviceKind kind) {
    std::int64_t sum = 0;
    for (const Device& d : t.devices)
        if (d.kind == kind) sum += instances(t, d);
    return sum;
}

const std::map<std::string, std::string>& formats_of_kinds() {
    static const std::map<std::string, std::string> formats{{"nccl_topo_xml", "nccl-topology"}, {"hwloc_xml", "hwloc"}};
    return formats;
}

const QStringList& refused_kinds() {
    static const QStringList kinds{"hf_config",      "hf_config_negative",     "hf_quant_config",
                                   "imb_log",        "msccl_algo_xml",         "nccl_graph_xml",
                                   "nccl_tests_log", "nvbandwidth_log",        "osu_log",
                                   "perftest_log",   "astra_logical_topology", "astra_system_json",
                                   "calculon_model", "calculon_execution",     "nvidia_smi_topo"};
    return kinds;
}

}  // namespace

class TestImportCorpus : public QObject {
    Q_OBJECT
private slots:
    void everyFile_data();
    void everyFile();

private:
    void compare(const Imported& imported, const nlohmann::json& expected);
    void isUsable(const Imported& imported);
};

void TestImportCorpus::everyFile_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QByteArray>("entry");
    QFile index(collection().filePath("index.jsonl"));
    if (!index.open(QIODevice::ReadOnly)) QSKIP("no collection of real files here");
    while (!index.atEnd()) {
        const QByteArray line = index.readLine();
        const auto entry = nlohmann::json::parse(line.toStdString());
        const std::string kind = entry.at("kind").get<std::string>();
        if (!formats_of_kinds().contains(kind) && !refused_kinds().contains(QString::fromStdString(kind))) continue;
        const QString path = QString::fromStdString(kind + "/" + entry.at("name").get<std::string>());
        QTest::newRow(qPrintable(path)) << collection().filePath(path) << line;
    }
}

void TestImportCorpus::compare(const Imported& imported, const nlohmann::json& expected) {
    const auto number = [&](const char* key) { return expected.value(key, std::int64_t(-1)); };
    if (number("pci_gpu_class") >= 0)
        QCOMPARE(count(imported.topology, DeviceKind::accelerator), number("pci_gpu_class"));
    if (number("pci_nic_class") >= 0) QVERIFY(count(imported.topology, DeviceKind::nic) >= number("pci_nic_class"));
    if (expected.contains("gpus_per_numa"))
        QVERIFY(count(imported.topology, DeviceKind::host) >= std::int64_t(expected.at("gpus_per_numa").size()));
    if (expected.contains("object_counts")) QVERIFY(count(imported.topology, DeviceKind::host) >= 1);
}

void TestImportCorpus::isUsable(const Imported& imported) {
    const auto parts = builtin_catalogue().value();
    const Scenario scenario = scenario_of(imported, parts);
    const auto again = parse_document(write_document({scenario, nullptr}), "import", parts);
    QVERIFY2(again, again ? "" : describe(again.error()).c_str());
    QVERIFY(again->scenario == scenario);
    if (accelerator_count(imported.topology) == 0) return;
    const auto network = compile(imported.topology, *scenario.catalogue);
    QVERIFY2(network, network ? "" : describe(network.error()).c_str());
    const auto exported = export_nccl_topology(scenario);
    QVERIFY2(exported, exported ? "" : describe(exported.error()).c_str());
    const auto back = import_any(exported->text, {parts, {}});
    QVERIFY2(back, back ? "" : describe(back.error()).c_str());
    QCOMPARE(count(back->topology, DeviceKind::accelerator), count(imported.topology, DeviceKind::accelerator));
    QCOMPARE(count(back->topology, DeviceKind::nic), count(imported.topology, DeviceKind::nic));
}

void TestImportCorpus::everyFile() {
    QFETCH(QString, path);
    QFETCH(QByteArray, entry);
    const auto json = nlohmann::json::parse(entry.toStdString());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto imported = import_any(file.readAll().toStdString(), {builtin_catalogue().value(), {}});
    const auto format = formats_of_kinds().find(json.at("kind").get<std::string>());
    if (format == formats_of_kinds().end()) {
        QVERIFY2(!imported, "a file of another format was accepted");
        QCOMPARE(imported.error().code, ErrorCode::unsupported);
        QVERIFY2(imported.error().message.find("this is ") == 0, imported.error().message.c_str());
        QVERIFY2(imported.error().message.find("none of") == std::string::npos, imported.error().message.c_str());
        return;
    }
    QVERIFY2(imported, imported ? "" : describe(imported.error()).c_str());
    QCOMPARE(imported->format, format->second);
    compare(*imported, json.at("expected"));
    isUsable(*imported);
}

QTEST_APPLESS_MAIN(TestImportCorpus)
#include "tst_import_corpus.moc"
