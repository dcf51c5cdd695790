// The samples that ship: canonical, complete, and what their notes say they are.
#include <QtTest>

#include "core/model/model.hpp"
#include "core/network/network.hpp"
#include "document_support.hpp"

using namespace document_support;

namespace {

const Sample* find(std::string_view name) {
    for (const Sample& sample : builtin_samples())
        if (sample.name == name) return &sample;
    return nullptr;
}

Scenario scenario_of(std::string_view name) {
    const Sample* sample = find(name);
    if (!sample) QTest::qFail(("no sample " + std::string(name)).c_str(), __FILE__, __LINE__);
    return sample ? parse_document(sample->text, name, parts())->scenario : Scenario{};
}

}  // namespace

class TestSamples : public QObject {
    Q_OBJECT

private slots:
    void all_data() {
        QTest::addColumn<QString>("name");
        for (const Sample& sample : builtin_samples()) {
            const QString name = QString::fromUtf8(sample.name.data(), qsizetype(sample.name.size()));
            QTest::newRow(qPrintable(name)) << name;
        }
    }
    void all() {
        QFETCH(QString, name);
        const Sample& sample = *find(name.toStdString());
        const auto document = parse_document(sample.text, sample.name, parts());
        QVERIFY2(document, document ? "" : describe(document.error()).c_str());
        const Scenario& s = document->scenario;
        QCOMPARE(write_document(Document{s, nullptr}), std::string(sample.text));
        QVERIFY(!s.title.empty() && s.title == sample.title);
        QVERIFY(s.notes.size() > 80);
        QVERIFY(s.model && !s.model->source.empty());
        QVERIFY(s.targets.inter_token && s.targets.first_token);
        QVERIFY(!s.prices.accelerator || !s.prices.source.empty());
        const auto network = compile(*s.topology, *s.catalogue);
        QVERIFY2(network, network ? "" : describe(network.error()).c_str());
        const auto facts = layout_facts(s.layout, *s.model, network->accelerators);
        QVERIFY2(facts, facts ? "" : describe(facts.error()).c_str());
    }

    void thereAreSix() { QCOMPARE(builtin_samples().size(), std::size_t{6}); }

    void sizes_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<qint64>("accelerators");
        QTest::addColumn<qint64>("domain");
        QTest::addColumn<qint64>("replicas");
        QTest::addColumn<qint64>("idle");
        QTest::newRow("rack") << "nvl72-deepseek-v3" << qint64(72) << qint64(72) << qint64(1) << qint64(8);
        QTest::newRow("four nodes") << "hgx-h100-x4-deepseek-v3" << qint64(32) << qint64(8) << qint64(1) << qint64(0);
        QTest::newRow("one node") << "llama-70b-hgx-h100" << qint64(8) << qint64(8) << qint64(1) << qint64(0);
        QTest::newRow("two nodes") << "llama-70b-tp16-two-nodes" << qint64(16) << qint64(8) << qint64(1) << qint64(0);
        QTest::newRow("box") << "mixtral-pcie-box" << qint64(8) << qint64(1) << qint64(1) << qint64(0);
        QTest::newRow("pod") << "rail-pod-64-nodes" << qint64(512) << qint64(8) << qint64(8) << qint64(0);
    }
    void sizes() {
        QFETCH(QString, name);
        QFETCH(qint64, accelerators);
        QFETCH(qint64, domain);
        QFETCH(qint64, replicas);
        QFETCH(qint64, idle);
        const Scenario s = scenario_of(name.toStdString());
        const auto network = compile(*s.topology, *s.catalogue);
        QVERIFY(network);
        QCOMPARE(qint64(network->accelerators), accelerators);
        QCOMPARE(qint64(network->domain_size), domain);
        const auto facts = layout_facts(s.layout, *s.model, network->accelerators);
        QVERIFY(facts);
        QCOMPARE(qint64(facts->replicas), replicas);
        QCOMPARE(qint64(facts->idle), idle);
    }

    // Published totals: DeepSeek-V3 671 B (technical report), Llama-3.1-70B 70.6 B, Mixtral-8x7B 46.7 B (model cards).
    void modelsHaveTheirPublishedSize() {
        const auto billions = [](std::string_view name) {
            return double(count_parameters(*scenario_of(name).model).total) / 1e9;
        };
        QVERIFY(std::abs(billions("nvl72-deepseek-v3") - 671) < 0.5);
        QVERIFY(std::abs(billions("llama-70b-hgx-h100") - 70.6) < 0.05);
        QVERIFY(std::abs(billions("mixtral-pcie-box") - 46.7) < 0.05);
        QCOMPARE(count_parameters(*scenario_of("rail-pod-64-nodes").model).total,
                 count_parameters(*scenario_of("hgx-h100-x4-deepseek-v3").model).total);
    }

    void spinesOfThePodAreOversubscribedTwice() {
        const Scenario s = scenario_of("rail-pod-64-nodes");
        const auto& t = *s.topology;
        const auto nodes = t.containers.find(ContainerId("node"))->count;
        const auto spines = t.devices.find(DeviceId("spine"))->count;
        const auto lanes = t.links.find(LinkId("leaf-spine"))->lanes;
        QCOMPARE(nodes, 2 * spines * lanes);  // ports of a leaf: one down a node, `lanes` up a spine
        const SwitchPart* leaf = s.catalogue->switches.find(t.devices.find(DeviceId("leaf"))->part);
        QVERIFY(leaf && nodes + spines * lanes <= leaf->radix);
        const auto leaves = t.devices.find(DeviceId("leaf"))->count * t.containers.find(ContainerId("unit"))->count;
        QVERIFY(leaves * lanes <= s.catalogue->switches.find(t.devices.find(DeviceId("spine"))->part)->radix);
    }
};

QTEST_APPLESS_MAIN(TestSamples)
#include "tst_samples.moc"
