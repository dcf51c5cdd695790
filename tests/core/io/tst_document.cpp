// Reading and writing documents: defaults, round trips, unknown fields, versions, files.
#include <sys/stat.h>

#include <QtTest>

#include "core/scenario/edit.hpp"
#include "document_support.hpp"

using namespace document_support;
using namespace crosspoint::literals;

class TestDocument : public QObject {
    Q_OBJECT

private slots:
    void defaultsOfAnEmptyDocument() {
        const auto document = read(with(""));
        QVERIFY(document);
        const Scenario& scenario = document->scenario;
        QVERIFY(scenario == empty_scenario(parts()));
        QCOMPARE(scenario.workload.batch, std::int64_t{32});
        QCOMPARE(scenario.calibration.step_overhead.value, 1.0_ms);
        QVERIFY(scenario.catalogue == parts());
    }

    void valuesOfTheSmallDocument() {
        const auto document = read(small_text());
        QVERIFY(document);
        const Scenario& s = document->scenario;
        QCOMPARE(s.title, std::string("Small"));
        QCOMPARE(accelerator_count(*s.topology), std::int64_t{16});
        const Link* link = s.topology->links.find(LinkId("l2"));
        QVERIFY(link && link->latency && link->wiring == Wiring::one_to_one && link->lanes == 1);
        QCOMPARE(*link->latency, 0.2_us);
        QCOMPARE(s.model->layers, std::vector<int>(4, 0));
        QCOMPARE(s.model->kinds.size(), std::size_t{1});
        QCOMPARE(s.model->kinds[0].attention.kv_heads, std::int64_t{8});
        QCOMPARE(s.workload.batch, std::int64_t{64});
        QCOMPARE(s.thresholds.at("cross-domain.attention"), 0.25);
    }

    void anUnchangedDocumentKeepsItsBytes() {
        const std::string text = small_text();
        const auto document = read(text);
        QVERIFY(document);
        QCOMPARE(write_document(*document), text);
    }

    void undoneChangesKeepTheBytes() {
        auto document = read(small_text());
        QVERIFY(document);
        const auto changed = crosspoint::apply(document->scenario, SetBatch{128});
        QVERIFY(changed);
        const auto back = crosspoint::apply(*changed, SetBatch{64});
        QVERIFY(back);
        document->scenario = *changed;
        QVERIFY(write_document(*document) != small_text());
        document->scenario = *back;
        QCOMPARE(write_document(*document), small_text());
    }

    void aWrittenDocumentReadsBackEqual() {
        auto document = read(small_text());
        QVERIFY(document);
        document->preserved = nullptr;
        const std::string text = write_document(*document);
        const auto again = read(text);
        QVERIFY(again);
        QVERIFY(again->scenario == document->scenario);
        QCOMPARE(write_document(Document{again->scenario, nullptr}), text);
    }

    void theCanonicalFormIsSortedAndOneValueALine() {
        const auto document = read(with("\"title\": \"T\""));
        QVERIFY(document);
        const std::string text = write_document(Document{document->scenario, nullptr});
        QVERIFY(text.starts_with("{\n  \"calibration\": {\n    \"graphs\": true,\n"));
        QVERIFY(text.ends_with("\"phase\": \"decode\"\n  }\n}\n"));
        QVERIFY(text.find("\"next_id\": 1\n") != std::string::npos);
        QVERIFY(text.find("\"version\": \"1.0\"") != std::string::npos);
    }

    static Training every_training_field() {
        return {4,
                Recompute::full,
                PipelineSchedule::dual_pipe,
                3,
                2,
                Optimiser::sgd,
                Dtype::bf16,
                Dtype::bf16,
                false,
                true,
                false,
                true,
                true,
                false,
                3600.0_s,
                30.0_s,
                600.0_s,
                0.75,
                0.5};
    }

    void everyFieldSurvives() {
        auto document = read(small_text());
        QVERIFY(document);
        const auto changed = crosspoint::apply(
            document->scenario,
            std::vector<Edit>{
                SetPrecision{{Dtype::fp8, Dtype::fp4, Dtype::int8, Dtype::fp16, Dtype::int4, Dtype::tf32}},
                SetParallelism{{2, 2, 2, 1, 2, 3, true, true, 4}}, SetTraining{every_training_field()},
                SetPlacement{{{ParallelDimension::replica, ParallelDimension::pipeline, ParallelDimension::tensor,
                               ParallelDimension::attention_data}}},
                SetPrices{{DollarsPerSecond(2.5 / 3600), "a list"}},
                SetTargets{{20.0_ms, 1.5_s, DollarsPerToken(1.1e-6)}}, SetService{{TokensPerSecond(40e3)}},
                SetTier{"fast", Tier{2, 2.5}}, SetTitle{"\"quoted\" \\ \n \xC3\xA9", "notes\twith a tab"},
                SetExpertCv{0.125}, SetPhase{Phase::prefill}});
        QVERIFY(changed);
        Scenario scenario = *changed;
        Topology topology = *scenario.topology;
        Container node = *topology.containers.find(ContainerId("node"));
        node.interconnect =
            Interconnect{FabricKind::full_mesh, PartId("xgmi-mi300x"), 7, 2, 300_GBps, 2.5_us, {Health::degraded, 0.5}};
        node.interconnect->dimensions = {{4, false}, {4, true}, {2, true}};
        node.interconnect->ports = 7;
        node.interconnect->peer_bandwidth = 48_GBps;
        node.interconnect->uplinks = 2;
        node.interconnect->root_part = PartId("cpu-socket");
        node.interconnect->background = 0.25;
        node.box = CanvasBox{1.5, -2, 300, std::nullopt};
        topology.containers.put(node);
        Link link = *topology.links.find(LinkId("l1"));
        link.bandwidth = 25_GBps;
        link.background = 0.25;
        link.state.health = Health::down;
        link.wiring = Wiring::rail;
        link.lanes = 2;
        link.per_pair = 3;
        topology.links.put(link);
        topology.next_id = 77;
        scenario.topology = std::make_shared<const Topology>(topology);
        scenario.calibration = {{3.0_ms, Confidence::measured, "here", "step"},
                                {2.0_us, Confidence::fitted, "there", "layer"},
                                false,
                                0.75,
                                3_GB,
                                {}};
        const auto again = read(write_document(Document{scenario, nullptr}));
        QVERIFY2(again, again ? "" : describe(again.error()).c_str());
        QVERIFY(*again->scenario.topology == topology);
        QVERIFY(again->scenario == scenario);
    }

    void everyModelFieldSurvives() {
        auto document = read(small_text());
        QVERIFY(document);
        ModelShape model = *document->scenario.model;
        AttentionShape& attention = model.kinds[0].attention;
        attention.window = 128;
        attention.q_bias = attention.kv_bias = attention.o_bias = attention.qk_norm = attention.sinks = true;
        LayerShape other = model.kinds[0];
        other.attention.kind = AttentionKind::latent;
        other.attention.latent = LatentAttention{0, 512, 64, 128, 128};
        other.attention.indexer = IndexerShape{64, 128, 2048};
        other.attention.gate_dim = 128;
        other.feed_forward.width = 0;
        other.feed_forward.gated = false;
        other.feed_forward.bias = true;
        other.feed_forward.experts = ExpertShape{64, 6, 1408, 2816, true, true, true, 8, 3, 512};
        other.norms = 4;
        LayerShape linear;
        linear.attention.kind = AttentionKind::linear;
        linear.attention.state_bytes = 4096;
        linear.feed_forward.width = 8;
        model.kinds.push_back(other);
        linear.feed_forward.linear = true;
        LayerShape recurrent = linear;
        recurrent.attention.recurrent =
            RecurrentShape{RecurrentForm::channel_delta, 2, 4, 8, 16, 4, 8, 128, true, true, Dtype::bf16};
        LayerShape compressed = model.kinds[0];
        compressed.attention.compression = CompressionShape{4, true};
        compressed.attention.value_dim = 64;
        compressed.attention.q_rank = compressed.attention.o_rank = 16;
        compressed.attention.o_groups = 2;
        compressed.attention.chunked = compressed.attention.keys_are_values = compressed.attention.shares_cache = true;
        compressed.attention.qk_norm_wide = true;
        model.kinds.push_back(linear);
        model.kinds.push_back(recurrent);
        model.kinds.push_back(compressed);
        model.head_bias = true;
        model.learned_positions = 1024;
        model.per_layer_input = 16;
        model.residual_streams = 4;
        model.final_norms = 2;
        model.layers = {0, 1, 1, 0, 0, 2, 3, 4};
        model.family = "f";
        model.source = "s";
        model.tied_embeddings = true;
        model.max_context = 4096;
        model.stored = Dtype::fp8;
        model.next_token_modules = 1;
        document->scenario.model = std::make_shared<const ModelShape>(model);
        const auto again = read(write_document(*document));
        QVERIFY2(again, again ? "" : describe(again.error()).c_str());
        QVERIFY(*again->scenario.model == model);
    }

    void ownPartsAreLaidOverTheBuiltIn() {
        const std::string own = R"("parts": {"hosts": {"x86-socket": {"name": "mine", "hop": {"value": "2 us",
            "confidence": "measured", "source": "my test"}}}})";
        const auto document = read(with(own));
        QVERIFY(document);
        const HostPart* host = document->scenario.catalogue->hosts.find(PartId("x86-socket"));
        QVERIFY(host);
        QCOMPARE(host->hop.value, 2.0_us);
        QVERIFY(document->scenario.catalogue->links.contains(PartId("nvlink4")));
        const auto again = read(write_document(Document{document->scenario, nullptr}));
        QVERIFY(again && again->scenario == document->scenario);
    }

    void aFigureMayBeAPlainValue() {
        const auto document = read(with(R"("calibration": {"step_overhead": "2 ms"})"));
        QVERIFY(document);
        const auto& overhead = document->scenario.calibration.step_overhead;
        QCOMPARE(overhead.value, 2.0_ms);
        QCOMPARE(overhead.confidence, Confidence::assumed);
        QCOMPARE(overhead.source, std::string("entered by hand"));
    }

    void unknownFieldsStayAtTheirPlace() {
        std::string text =
            replaced(small_text(), "\"workload\": {",
                     "\"future\": [1, {\"b\": 1.50, \"a\": null}],\n \"workload\": {\"burst\": 1e400000, ");
        text = replaced(text, "1e400000", "12345678901234567890");
        text = replaced(text, "\"l1\": {", "\"l1\": {\"colour\": \"red\", ");
        auto document = read(text);
        QVERIFY2(document, document ? "" : describe(document.error()).c_str());
        const auto changed = crosspoint::apply(document->scenario, SetBatch{65});
        QVERIFY(changed);
        document->scenario = *changed;
        const std::string written = write_document(*document);
        QVERIFY(written.find("\"burst\": 12345678901234567890") != std::string::npos);
        QVERIFY(written.find("\"future\": [\n    1,\n    {\n      \"a\": null,\n      \"b\": 1.50\n    }\n  ]") !=
                std::string::npos);
        QVERIFY(written.find("\"b\": \"nic\",\n        \"colour\": \"red\"") != std::string::npos);
        const auto without = crosspoint::apply(document->scenario, RemoveObjects{{}, {}, {LinkId("l1")}});
        QVERIFY(without);
        document->scenario = *without;
        QVERIFY(write_document(*document).find("colour") == std::string::npos);
    }

    void anAbsentOptionalIsNotResurrected() {
        auto document = read(small_text());
        QVERIFY(document);
        Link link = *document->scenario.topology->links.find(LinkId("l2"));
        link.latency.reset();
        const auto changed = crosspoint::apply(document->scenario, PutLink{link});
        QVERIFY(changed);
        document->scenario = *changed;
        QVERIFY(write_document(*document).find("latency") == std::string::npos);
    }

    void aNewerMinorVersionOpensAndStays() {
        auto document = read(replaced(small_text(), "\"1.0\"", "\"1.7\""));
        QVERIFY(document);
        document->scenario = crosspoint::apply(document->scenario, SetBatch{65}).value();
        QVERIFY(write_document(*document).find("\"version\": \"1.7\"") != std::string::npos);
    }

    void aNewerMajorVersionIsRefused() {
        const Error error = error_of(replaced(small_text(), "\"1.0\"", "\"2.0\""));
        QCOMPARE(error.code, ErrorCode::version);
        QCOMPARE(error.message,
                 std::string("written by a newer Crosspoint (document version 2.0); this one reads 1.x"));
        QCOMPARE(error.pointer, std::string("/version"));
        QCOMPARE(error.line, 3);
        QCOMPARE(error.column, 14);
    }

    void byteOrderMarkAndCarriageReturnsAreRead() {
        std::string text = small_text(), crlf = "\xEF\xBB\xBF";
        for (const char c : text) crlf += c == '\n' ? "\r\n" : std::string(1, c);
        const auto document = read(crlf);
        QVERIFY(document);
        QVERIFY(document->scenario == read(text)->scenario);
        QCOMPARE(write_document(*document), crlf);
    }

    void savesAtomicallyAndKeepsPermissions() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("a.crosspoint.json").toStdString();
        const auto document = read(small_text());
        QVERIFY(document && save_document(*document, path));
        QCOMPARE(::chmod(path.c_str(), 0640), 0);
        QVERIFY(save_document(*document, path));
        struct stat info {};
        QCOMPARE(::stat(path.c_str(), &info), 0);
        QCOMPARE(info.st_mode & 0777U, 0640U);
        const auto again = load_document(path, parts());
        QVERIFY(again && again->scenario == document->scenario);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 1);
    }

    void savingThroughALinkKeepsTheLink() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("a.json").toStdString(),
                          link = folder.filePath("b.json").toStdString();
        QVERIFY(write_file(path, "old"));
        QCOMPARE(::symlink(path.c_str(), link.c_str()), 0);
        QVERIFY(write_file(link, "new"));
        QCOMPARE(read_file(path).value(), std::string("new"));
        QVERIFY(QFileInfo(QString::fromStdString(link)).isSymLink());
    }

    void aFailedSaveLeavesTheOldFile() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("taken").toStdString();
        QVERIFY(QDir(folder.path()).mkpath("taken/inside"));
        const auto saved = write_file(path, "text");  // the target is a folder that is not empty
        QVERIFY(!saved);
        QCOMPARE(saved.error().code, ErrorCode::io);
        QCOMPARE(saved.error().file, path);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 0);
        const auto missing = write_file(folder.filePath("no/such/folder").toStdString(), "text");
        QVERIFY(!missing && missing.error().message.find("cannot write") != std::string::npos);
    }

    void aMissingFileIsNamed() {
        const auto document = load_document("/no/such/file", parts());
        QVERIFY(!document);
        QCOMPARE(document.error().code, ErrorCode::io);
        QCOMPARE(document.error().message, std::string("cannot open '/no/such/file': No such file or directory"));
    }
};

QTEST_APPLESS_MAIN(TestDocument)
#include "tst_document.moc"
