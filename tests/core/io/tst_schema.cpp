// The published JSON schema describes what the program writes.
#include <QProcess>
#include <QStandardPaths>
#include <QtTest>
#include <nlohmann/json.hpp>

#include "core/io/embedded.hpp"
#include "document_support.hpp"

using namespace document_support;
using nlohmann::json;

namespace {

constexpr const char* schema_path = "resources/schema/crosspoint-1.schema.json";

json schema() {
    for (const EmbeddedFile& file : embedded_files())
        if (file.path == schema_path) return json::parse(file.text);
    return {};
}

/// Follows $ref and takes the object form of a figure.
const json& resolved(const json& root, const json& at) {
    if (at.contains("$ref")) return resolved(root, root["$defs"][at["$ref"].get<std::string>().substr(8)]);
    return at;
}
const json& object_form(const json& root, const json& at) {
    const json& found = resolved(root, at);
    if (!found.contains("oneOf")) return found;
    for (const json& choice : found["oneOf"])
        if (resolved(root, choice).value("type", "") == "object") return resolved(root, choice);
    return found;
}

/// Every key of `value` that the schema does not describe, by its path.
void undescribed(const json& root, const json& at, const json& value, const std::string& path, QStringList& out) {
    const json& here = value.is_object() ? object_form(root, at) : resolved(root, at);
    if (value.is_array()) {
        for (const json& item : value)
            if (item.is_structured()) undescribed(root, here.at("items"), item, path + "/*", out);
        return;
    }
    for (const auto& [key, child] : value.items()) {
        const std::string place = path + "/" + key;
        const bool named = here.contains("properties") && here["properties"].contains(key);
        const bool free = here.contains("additionalProperties");
        if (!named && !free) out << QString::fromStdString(place);
        else if (child.is_structured())
            undescribed(root, named ? here["properties"][key] : here["additionalProperties"], child, place, out);
    }
}

/// No model has all of them.
AttentionShape every_attention_field() {
    AttentionShape a;
    a.kind = AttentionKind::latent;
    a.q_heads = a.kv_heads = 8;
    a.head_dim = 128;
    a.value_dim = a.q_rank = a.o_rank = a.o_groups = a.gate_dim = 4;
    a.latent = LatentAttention{1, 2, 3, 4, 5};
    a.indexer = IndexerShape{1, 2, 3};
    a.compression = CompressionShape{4, true};
    a.recurrent = RecurrentShape{RecurrentForm::mamba1, 1, 2, 3, 4, 5, 6, 7, true, true, Dtype::bf16};
    a.window = 128;
    a.chunked = a.keys_are_values = a.shares_cache = true;
    a.q_bias = a.kv_bias = a.o_bias = a.qk_norm = a.qk_norm_wide = a.sinks = true;
    a.state_bytes = 9;
    return a;
}

std::string complete_document() {
    Scenario scenario = read(small_text())->scenario;
    scenario.own_parts = parts();
    scenario.prices = {DollarsPerSecond(1), "x"};
    scenario.targets = {Seconds(1), Seconds(1), DollarsPerToken(1)};
    Topology topology = *scenario.topology;
    Container node = *topology.containers.find(ContainerId("node"));
    const State degraded{Health::degraded, 0.5};
    node.interconnect =
        Interconnect{FabricKind::torus, PartId("nvlink4"), 4, 1, BytesPerSecond(1), Seconds(1), degraded};
    node.interconnect->dimensions = {{4, true}, {2, false}};
    node.interconnect->ports = 6;
    node.interconnect->peer_bandwidth = BytesPerSecond(1);
    node.interconnect->uplinks = 2;
    node.interconnect->root_part = PartId("pcie");
    node.interconnect->background = 0.5;
    node.box = CanvasBox{1, 2, 3, 4};
    node.name = "n";
    topology.containers.put(node);
    Device gpu = *topology.devices.find(DeviceId("gpu"));
    gpu.state = degraded;
    gpu.box = node.box;
    gpu.name = "g";
    topology.devices.put(gpu);
    Link link = *topology.links.find(LinkId("l2"));
    link.bandwidth = BytesPerSecond(1);
    link.background = 0.5;
    link.per_pair = 2;
    link.state = degraded;
    topology.links.put(link);
    scenario.topology = std::make_shared<const Topology>(topology);
    ModelShape model = *scenario.model;
    model.kinds[0].attention = every_attention_field();
    model.kinds[0].feed_forward.bias = model.kinds[0].feed_forward.linear = true;
    model.kinds[0].feed_forward.experts = ExpertShape{8, 2, 4, 4, true, true, true, 4, 2, 16};
    model.head_bias = true;
    model.learned_positions = model.per_layer_input = model.residual_streams = model.final_norms = 2;
    model.family = model.source = "x";
    model.max_context = model.next_token_modules = model.training_tokens = 1;
    scenario.workload.training.micro_batch = 2;
    scenario.workload.training.product_share = 0.5;
    scenario.layout.context = 2;
    scenario.calibration.paths = {{"nvlink4",
                                   CollectiveOp::all_reduce,
                                   8,
                                   Seconds(1),
                                   BytesPerSecond(1),
                                   0.5,
                                   {{Bytes(1), Seconds(1)}},
                                   Confidence::measured,
                                   "x"}};
    scenario.model = std::make_shared<const ModelShape>(model);
    return write_document(Document{scenario, nullptr});
}

/// Runs the reference validator on all files; its output, or nothing when it is not installed.
struct Validated {
    bool available = false;
    int exit_code = -1;
    QString output;
};
Validated validate_with_python(const QStringList& files) {
    const QString python = QStandardPaths::findExecutable("python3");
    QProcess process;
    if (python.isEmpty()) return {};
    process.start(python, {"-c", "import jsonschema"});
    if (!process.waitForFinished() || process.exitCode() != 0) return {};
    const QString code =
        "import json, sys, jsonschema\n"
        "schema = json.load(open(sys.argv[1]))\n"
        "jsonschema.Draft202012Validator.check_schema(schema)\n"
        "validator = jsonschema.Draft202012Validator(schema)\n"
        "errors = [(f, e.json_path, e.message) for f in sys.argv[2:] for e in "
        "validator.iter_errors(json.load(open(f)))]\n"
        "print(errors)\n"
        "sys.exit(1 if errors else 0)\n";
    process.start(python, QStringList{"-c", code} + files);
    process.waitForFinished(60000);
    return {true, process.exitCode(), QString::fromUtf8(process.readAll())};
}

}  // namespace

class TestSchema : public QObject {
    Q_OBJECT

private slots:
    void everyKeyWrittenIsDescribed() {
        const json root = schema();
        QVERIFY(root.contains("$defs"));
        QStringList missing;
        undescribed(root, root, json::parse(complete_document()), "", missing);
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(", ")));
    }

    void aKeyThatIsNotDescribedIsFound() {
        const json root = schema();
        QStringList missing;
        undescribed(root, root, json::parse(R"({"topology": {"links": {"l": {"colour": 1}}}})"), "", missing);
        QCOMPARE(missing, QStringList{"/topology/links/l/colour"});
    }

    void wordsOfTheSchemaAreThoseOfTheProgram() {
        const json root = schema();
        for (const json& word : root["$defs"]["dtype"]["enum"]) QVERIFY(dtype_from(word.get<std::string>()));
        QCOMPARE(root["$defs"]["dtype"]["enum"].size(), std::size_t{8});
        const json& ops = root["$defs"]["link_part"]["properties"]["collectives"]["propertyNames"]["enum"];
        for (const json& word : ops) QVERIFY(collective_op_from(word.get<std::string>()));
        QCOMPARE(ops.size(), std::size_t(CollectiveOp::expert_combine) + 1);
    }

    void samplesAndACompleteDocumentAreValid() {
        const QString source = qEnvironmentVariable("CROSSPOINT_SOURCE_DIR");
        if (source.isEmpty()) QSKIP("CROSSPOINT_SOURCE_DIR is not set");
        QTemporaryDir folder;
        QStringList files{source + "/" + schema_path};
        for (const Sample& sample : builtin_samples())
            files << source + "/sample_topologies/" +
                         QString::fromUtf8(sample.name.data(), qsizetype(sample.name.size())) + ".crosspoint.json";
        const std::string complete = folder.filePath("complete.json").toStdString();
        QVERIFY(write_file(complete, complete_document()));
        files << QString::fromStdString(complete);
        const Validated validated = validate_with_python(files);
        if (!validated.available) QSKIP("python3 with jsonschema is not installed");
        QVERIFY2(validated.exit_code == 0, qPrintable(validated.output));
    }

    void theSchemaRefusesWhatTheProgramRefuses() {
        const QString source = qEnvironmentVariable("CROSSPOINT_SOURCE_DIR");
        if (source.isEmpty()) QSKIP("CROSSPOINT_SOURCE_DIR is not set");
        QTemporaryDir folder;
        for (const char* inside :
             {"\"targets\": {\"inter_token\": 20}", "\"targets\": {\"inter_token\": \"20\"}",
              "\"workload\": {\"batch\": 0}", "\"layout\": {\"tensor\": 1.5}",
              "\"placement\": {\"order\": [\"tensor\"]}", "\"workload\": {\"phase\": \"train\"}"}) {
            QVERIFY2(!read(with(inside)), inside);
            const std::string path = folder.filePath("bad.json").toStdString();
            QVERIFY(write_file(path, with(inside)));
            const Validated validated =
                validate_with_python({source + "/" + schema_path, QString::fromStdString(path)});
            if (!validated.available) QSKIP("python3 with jsonschema is not installed");
            QVERIFY2(validated.exit_code == 1, inside);
        }
    }
};

QTEST_APPLESS_MAIN(TestSchema)
#include "tst_schema.moc"
