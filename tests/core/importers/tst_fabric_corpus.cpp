// Real fabric files, where a collection of them is at hand; it is not part of the source tree.
#include <QtTest>
#include <nlohmann/json.hpp>

#include "core/importers/importer.hpp"

using namespace crosspoint;

namespace {

QDir collection() { return QDir(qEnvironmentVariable("CROSSPOINT_CORPUS", "nowhere")); }

std::string read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

using ImportFunction = Result<Imported> (*)(std::string_view, const ImportOptions&);
using RecogniseFunction = bool (*)(std::string_view);

struct Reader {
    const char* kind;
    RecogniseFunction recognise;
    ImportFunction import;
};

const Reader readers[] = {
    {"ibnetdiscover", is_ibnetdiscover, import_ibnetdiscover},
    {"slurm_topology_conf", is_slurm_topology_conf, import_slurm_topology_conf},
    {"topograph_model", is_topograph, import_topograph},
    {"astra_network_yml", is_astra_network, import_astra_network},
    {"simai_topology", is_simai_topology, import_simai_topology},
    {"calculon_system", is_calculon_system, import_calculon_system},
    {"aiconfigurator_system", is_aiconfigurator_system, import_aiconfigurator_system},
    {"infragraph_yaml", is_infragraph, import_infragraph},
};

std::int64_t count(const Topology& topology, DeviceKind kind) {
    std::int64_t sum = 0;
    for (const Device& d : topology.devices)
        if (d.kind == kind) sum += instances(topology, d);
    return sum;
}

/// Instances of containers of a kind: their counts times those around them.
std::int64_t count(const Topology& topology, ContainerKind kind) {
    std::int64_t sum = 0;
    for (const Container& c : topology.containers) {
        if (c.kind != kind) continue;
        std::int64_t n = c.count;
        for (auto p = c.parent; p; p = topology.containers.find(*p)->parent) n *= topology.containers.find(*p)->count;
        sum += n;
    }
    return sum;
}

}  // namespace

class TestFabricCorpus : public QObject {
    Q_OBJECT
private slots:
    void everyFile_data();
    void everyFile();
    void nobodyElseTakesIt_data() { everyFile_data(); }
    void nobodyElseTakesIt();
};

void TestFabricCorpus::everyFile_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QByteArray>("entry");
    QFile index(collection().filePath("index.jsonl"));
    if (!index.open(QIODevice::ReadOnly)) QSKIP("no collection of real files here");
    while (!index.atEnd()) {
        const QByteArray line = index.readLine();
        const auto entry = nlohmann::json::parse(line.toStdString());
        const QString path =
            QString::fromStdString(entry.at("kind").get<std::string>() + "/" + entry.at("name").get<std::string>());
        QTest::newRow(qPrintable(path)) << collection().filePath(path) << line;
    }
}

void TestFabricCorpus::everyFile() {
    QFETCH(QString, path);
    QFETCH(QByteArray, entry);
    const auto json = nlohmann::json::parse(entry.toStdString());
    const std::string kind = json.at("kind"), text = read(path);
    const auto& expected = json.at("expected");
    const auto reader =
        std::find_if(std::begin(readers), std::end(readers), [&](const Reader& r) { return r.kind == kind; });
    if (reader == std::end(readers)) return;
    QVERIFY(reader->recognise(text));
    const auto imported = reader->import(text, {});
    if (!imported) {
        const std::string message = imported.error().message;
        QVERIFY2(path.contains("bad-ibnet") || path.contains("dgx_v100_8gpu") || path.contains("cx5"), message.c_str());
        return;
    }
    QVERIFY(!path.contains("bad-ibnet") && !path.contains("dgx_v100_8gpu") && !path.contains("cx5"));
    const Topology& t = imported->topology;
    QVERIFY(validate(t).has_value());
    QVERIFY(!imported->notes.empty());
    const auto same = [&](const char* key, double got) {
        if (!expected.contains(key) || expected.at(key).get<double>() == got) return true;
        qWarning("%s: got %.15g, expected %.15g", key, got, expected.at(key).get<double>());
        return false;
    };
    if (kind == "ibnetdiscover") {
        QVERIFY(same("switches", double(count(t, DeviceKind::network_switch))));
        QVERIFY(same("channel_adapters", double(count(t, DeviceKind::nic))));
    } else if (kind == "slurm_topology_conf") {
        QVERIFY(same("blocks", double(count(t, ContainerKind::rack))));
        QVERIFY(same("nodes", double(count(t, ContainerKind::node))));
    } else if (kind == "topograph_model") {
        QVERIFY(same("nodes", double(count(t, ContainerKind::node))));
    } else if (kind == "astra_network_yml") {
        QVERIFY(same("npus", double(accelerator_count(t))));
    } else if (kind == "simai_topology") {
        const double nodes = double(accelerator_count(t) + count(t, DeviceKind::network_switch));
        QCOMPARE(nodes + expected.at("nv_switches").get<double>(), expected.at("nodes").get<double>());
        QCOMPARE(double(count(t, ContainerKind::node)) * expected.at("gpus_per_server").get<double>(),
                 double(accelerator_count(t)));
    } else if (kind == "aiconfigurator_system") {
        QVERIFY(same("gpus_per_node", double(t.devices.find(DeviceId("accelerator"))->count)));
    }
}

/// Each file is taken by the importer of its own kind and by none of the others here.
void TestFabricCorpus::nobodyElseTakesIt() {
    QFETCH(QString, path);
    QFETCH(QByteArray, entry);
    const auto json = nlohmann::json::parse(entry.toStdString());
    const std::string kind = json.at("kind"), text = read(path);
    for (const Reader& r : readers)
        if (r.kind != kind && r.recognise(text)) QFAIL(qPrintable(QString("taken by ") + r.kind));
    if (is_iblinkinfo(text) || is_slurm_topology_yaml(text)) QFAIL("taken by iblinkinfo or topology.yaml");
}

QTEST_APPLESS_MAIN(TestFabricCorpus)
#include "tst_fabric_corpus.moc"
