// Servers as NCCL, hwloc, nvidia-smi and rocm-smi describe them; every text here is written for the test and holds one
// quirk of real files.
#include <QtTest>

#include <cstdint>

#include "core/importers/exporter.hpp"
#include "core/importers/use_import.hpp"

using namespace crosspoint;

namespace {

Result<Imported> read(const std::string& text, std::map<std::string, std::string> answers = {}) {
    return import_any(text, {nullptr, std::move(answers)});
}

std::int64_t count(const Imported& i, DeviceKind kind) {
    std::int64_t sum = 0;
    for (const Device& d : i.topology.devices)
        if (d.kind == kind) sum += instances(i.topology, d);
    return sum;
}

/// GB/s per accelerator of the only domain; 0 without one.
double domain_gbps(const Imported& i) {
    for (const Container& c : i.topology.containers)
        if (c.interconnect) return i.parts.links.find(c.interconnect->part)->bandwidth.nominal.value.si() / 1e9;
    return 0;
}

const ImportQuestion* question(const Imported& i, const std::string& id) {
    for (const auto& q : i.questions)
        if (q.id == id) return &q;
    return nullptr;
}

bool has_note(const Imported& i, ImportNote::Kind kind, const std::string& words) {
    for (const auto& n : i.notes)
        if (n.kind == kind && n.text.find(words) != std::string::npos) return true;
    return false;
}

std::string pci(int bus, const std::string& pci_class, const std::string& inside, const std::string& more = {}) {
    const std::string id = "0000:" + QString::number(bus, 16).rightJustified(2, '0').toStdString() + ":00.0";
    return "<pci busid=\"" + id + "\" class=\"" + pci_class + "\" " + more +
           " link_speed=\"32.0 GT/s PCIe\" link_width=\"16\">" + inside + "</pci>\n";
}

std::string h100(int bus, int dev, const std::string& links) {
    return pci(bus, "0x030200",
               "<gpu dev=\"" + std::to_string(dev) + "\" sm=\"90\" rank=\"" + std::to_string(dev) + "\" gdr=\"1\">" +
                   links + "</gpu>",
               "vendor=\"0x10de\" device=\"0x2330\"");
}

std::string net(const std::string& name, long long mbps, const std::string& guid, int port = 1) {
    return "<net name=\"" + name + "\" dev=\"0\" speed=\"" + std::to_string(mbps) + "\" port=\"" +
           std::to_string(port) + "\" guid=\"" + guid + "\"/>";
}

std::string cpu(const std::string& inside, int numa = 0) {
    return "<cpu numaid=\"" + std::to_string(numa) +
           "\" affinity=\"ffff\" arch=\"x86_64\" vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"143\">" + inside +
           "</cpu>";
}

std::string system(const std::string& inside, const std::string& version = "1") {
    return "<!-- a comment before the root -->\n<system version=\"" + version + "\">\n" + inside + "</system>\n";
}

const char* const to_switches =
    "<nvlink target=\"0000:e0:00.0\" count=\"9\" tclass=\"0x068000\"/>"
    "<nvlink target=\"0000:e1:00.0\" count=\"9\" tclass=\"0x068000\"/>";

}  // namespace

class TestServerImports : public QObject {
    Q_OBJECT
private slots:
    void domainOfAllGpus();
    void identicalBranchesBecomeCounts();
    void gpusByClassAreAskedFor();
    void twoPortsOfOneCard();
    void unitSlipOfANic();
    void unevenLinksAreDrawnOneByOne();
    void separateMeshes();
    void hiddenSwitch();
    void linksToThemselves();
    void slowUplink();
    void chipToChipAndParts();
    void truncatedAndDeep();
    void matrixOfAnH100Node();
    void matrixQuirks();
    void capabilityMatrixIsRefused();
    void nvlinkStatus();
    void rocmWeights();
    void hwlocCountsPciDevices();
    void damagedTextsAreRefusedOrRead();
    void refusalsSayWhatItIs();
    void answersAreChecked();
    void insertedBesideTheDrawing();
    void writtenForNccl();
    void writtenAsDot();
};

void TestServerImports::domainOfAllGpus() {
    const auto i =
        read(system(cpu(h100(1, 0, to_switches) + h100(2, 1, to_switches)) + cpu(h100(3, 2, to_switches), 1)));
    QVERIFY2(i, i ? "" : i.error().message.c_str());
    QCOMPARE(i->format, std::string("nccl-topology"));
    QCOMPARE(count(*i, DeviceKind::accelerator), 3);
    QCOMPARE(count(*i, DeviceKind::host), 2);
    QCOMPARE(domain_gbps(*i), 450.0);  // 18 links of 25 GB/s: NVIDIA H100 data sheet, half of 900
    QVERIFY(i->questions.empty());     // 10de:2330 is an H100 SXM
    QVERIFY(has_note(*i, ImportNote::Kind::converted, "18 nvlink links"));
}

void TestServerImports::identicalBranchesBecomeCounts() {
    std::string branches;
    for (int b = 0; b < 4; ++b)
        branches +=
            pci(0x10 + b, "0x060400",
                h100(0x20 + 2 * b, 2 * b, to_switches) + h100(0x21 + 2 * b, 2 * b + 1, to_switches) +
                    pci(0x60 + b, "0x020700", "<nic>" + net("mlx5", 400000, "0x" + std::to_string(b + 1)) + "</nic>"));
    const auto i = read(system(cpu(branches)));
    QVERIFY(i);
    QCOMPARE(count(*i, DeviceKind::accelerator), 8);
    QCOMPARE(count(*i, DeviceKind::nic), 4);
    QCOMPARE(i->topology.devices.size(), std::size_t(4));  // CPU, PCIe switch, GPU x 2, NIC, the last three x 4
    QCOMPARE(i->topology.containers.size(), std::size_t(2));
}

void TestServerImports::gpusByClassAreAskedFor() {
    const std::string bare = pci(1, "0x030200", "") + pci(2, "0x030200", "") + pci(3, "0x020700", "");
    const auto i = read(system(cpu(bare)));
    QVERIFY(i);
    QCOMPARE(count(*i, DeviceKind::accelerator), 2);
    QCOMPARE(count(*i, DeviceKind::nic), 1);
    QVERIFY(question(*i, "accelerator") && question(*i, "nic-speed") && question(*i, "scale-up"));
    QCOMPARE(domain_gbps(*i), 450.0);
    const auto answered =
        read(system(cpu(bare)), {{"accelerator", "NVIDIA A100 SXM 80 GB"}, {"scale-up", "no, PCIe only"}});
    QVERIFY(!answered || domain_gbps(*answered) == 0.0);
}

void TestServerImports::twoPortsOfOneCard() {
    const auto card = [](int second) {
        return system(cpu(h100(1, 0, "") + pci(2, "0x020000",
                                               "<nic>" + net("mlx5_0", 200000, "0xabc") +
                                                   net("mlx5_1", 200000, "0xabc", second) + "</nic>")));
    };
    const auto dual = read(card(2));
    QVERIFY(dual);
    QCOMPARE(count(*dual, DeviceKind::nic), 1);
    QCOMPARE(dual->parts.nics.begin()->bandwidth.nominal.value.si(), 50e9);
    const auto twice = read(card(1));
    QVERIFY(twice);
    QCOMPARE(twice->parts.nics.begin()->bandwidth.nominal.value.si(), 25e9);
    QCOMPARE(question(*twice, "bonded-ports")->answer, std::string("count once"));
}

void TestServerImports::unitSlipOfANic() {
    const auto i = read(system(cpu(h100(1, 0, "") + "<nic>" + net("cxi0", 200000000, "0x1") + "</nic>")));
    QVERIFY(i);
    QVERIFY(question(*i, "net-speed-unit"));
    QCOMPARE(i->parts.nics.begin()->bandwidth.nominal.value.si(), 25e9);
}

void TestServerImports::unevenLinksAreDrawnOneByOne() {
    const auto link = [](int bus, int links) {
        return "<xgmi target=\"0000:0" + std::to_string(bus) + ":00.0\" count=\"" + std::to_string(links) +
               "\" tclass=\"0x038000\"/>";
    };
    const auto gpu = [](int bus, const std::string& links) {
        return pci(bus, "0x038000",
                   "<gpu dev=\"0\" sm=\"104\" gcn=\"910\" arch=\"1\" rank=\"0\" gdr=\"1\">" + links + "</gpu>",
                   "vendor=\"0x1002\" device=\"0x7408\"");
    };
    const auto i = read(system(cpu(gpu(1, link(2, 4) + link(3, 1)) + gpu(2, link(1, 4)) + gpu(3, link(1, 1))), "2"));
    QVERIFY2(i, i ? "" : i.error().message.c_str());
    QCOMPARE(count(*i, DeviceKind::accelerator), 3);
    QCOMPARE(domain_gbps(*i), 0.0);
    int lanes = 0;
    for (const Link& l : i->topology.links)
        if (i->parts.links.find(l.part)->family == "xgmi") lanes += l.lanes;
    QCOMPARE(lanes, 5);
}

void TestServerImports::separateMeshes() {
    std::string gpus;
    for (int g = 0; g < 4; ++g) {
        const int peer = g ^ 1;
        gpus +=
            h100(g + 1, g,
                 "<nvlink target=\"0000:0" + std::to_string(peer + 1) + ":00.0\" count=\"4\" tclass=\"0x030200\"/>");
    }
    const auto i = read(system(cpu(gpus)));
    QVERIFY(i);
    int domains = 0;
    for (const Container& c : i->topology.containers) domains += c.interconnect ? 1 : 0;
    QCOMPARE(domains, 2);
    QCOMPARE(domain_gbps(*i), 100.0);
    QCOMPARE(count(*i, DeviceKind::accelerator), 4);
}

void TestServerImports::hiddenSwitch() {
    const std::string hidden = "<nvlink target=\"fffffff:ff:ff.0\" count=\"18\" tclass=\"0x068000\"/>";
    const auto i = read(system(cpu(h100(1, 0, hidden) + h100(2, 1, hidden))));
    QVERIFY(i);
    QCOMPARE(domain_gbps(*i), 450.0);
    QVERIFY(has_note(*i, ImportNote::Kind::assumed, "cannot see"));
}

void TestServerImports::linksToThemselves() {
    const auto self = [](int bus) {
        return "<nvlink target=\"0000:0" + std::to_string(bus) + ":00.0\" count=\"12\" tclass=\"0x030200\"/>";
    };
    const std::string text = system(cpu(h100(1, 0, self(1)) + h100(2, 1, self(2))));
    const auto i = read(text);
    QVERIFY(i);
    QVERIFY(question(*i, "self-links"));
    QCOMPARE(domain_gbps(*i), 0.0);
    const auto pairs = read(text, {{"self-links", "neighbouring pairs of GPUs"}});
    QVERIFY(pairs);
    QCOMPARE(domain_gbps(*pairs), 300.0);
}

void TestServerImports::slowUplink() {
    std::string text = system(cpu(pci(9, "0x060400", h100(1, 0, "") + h100(2, 1, ""))));
    const auto at = text.find("32.0 GT/s PCIe");
    text.replace(at, 14, "5.0 GT/s PCIe");
    const auto i = read(text);
    QVERIFY(i);
    QCOMPARE(question(*i, "slow-uplinks")->answer, std::string("full speed"));
    text.replace(text.find("5.0 GT/s PCIe"), 13, "");
    const auto empty = read(text);
    QVERIFY(empty);
    QVERIFY(has_note(*empty, ImportNote::Kind::assumed, "Gen3"));
}

void TestServerImports::chipToChipAndParts() {
    const auto i = read(system(
        cpu(h100(1, 0, "<c2c bw=\"45000\" count=\"10\"/>") +
            pci(2, "0x030200", "<gpu dev=\"1\" sm=\"100\" mlopart=\"0\"/><gpu dev=\"2\" sm=\"100\" mlopart=\"1\"/>"))));
    QVERIFY(i);
    QCOMPARE(count(*i, DeviceKind::accelerator), 3);
    double c2c = 0;
    for (const Link& l : i->topology.links)
        if (const LinkPart* p = i->parts.links.find(l.part); p->family == "nvlink-c2c")
            c2c = p->bandwidth.nominal.value.si();
    QCOMPARE(c2c, 450e9);
}

void TestServerImports::truncatedAndDeep() {
    const std::string whole = system(cpu(h100(1, 0, to_switches)));
    const auto cut = read(whole.substr(0, whole.size() - 30));
    QVERIFY(!cut);
    QCOMPARE(cut.error().code, ErrorCode::syntax);
    QVERIFY(cut.error().line > 0);
    for (std::size_t n = 0; n < whole.size(); n += 7) (void)read(whole.substr(0, n));
    std::string deep = "<system version=\"1\"><cpu>";
    for (int d = 0; d < 5000; ++d) deep += "<pci busid=\"a\" class=\"0x060400\">";
    for (int d = 0; d < 5000; ++d) deep += "</pci>";
    const auto nested = read(deep + "</cpu></system>");
    QVERIFY(!nested && nested.error().line == 1);
}

void TestServerImports::matrixOfAnH100Node() {
    std::string text = "\x1b[4m\tGPU0\tGPU1\tNIC0\tNIC1\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\x1b[0m\n";
    text += "GPU0\t X \tNV18\tPIX\tSYS\t0-55\t0\t\tN/A\nGPU1\tNV18\t X \tSYS\tPXB\t56-111\t1\t\tN/A\n";
    text += "NIC0\tPIX\tSYS\t X \tSYS\nNIC1\tSYS\tPXB\tSYS\t X \n\nNIC Legend:\n\n  NIC0: mlx5_0\n  NIC1: mlx5_4\n";
    const auto i = read(text);
    QVERIFY2(i, i ? "" : i.error().message.c_str());
    QCOMPARE(i->format, std::string("nvidia-smi-topo"));
    QCOMPARE(count(*i, DeviceKind::accelerator), 2);
    QCOMPARE(count(*i, DeviceKind::nic), 2);
    QCOMPARE(count(*i, DeviceKind::host), 2);
    QVERIFY(question(*i, "accelerator"));
    QCOMPARE(domain_gbps(*i), 450.0);
    QVERIFY(has_note(*i, ImportNote::Kind::assumed, "may span more"));
}

void TestServerImports::matrixQuirks() {
    // Blanks for tabs, a prompt, glued cells, old SOC, device names for NICs, an elided row, no NUMA column.
    std::string text = "$ nvidia-smi topo -m\n  GPU0 GPU1 GPU2 mlx5_0 CPU Affinity\n";
    text += "GPU0 X PIXSOC PHB 0-9\nGPU1 PIX X SOC PHB 0-9\nGPU2 SOC ...\nmlx5_0 PHB PHB SOC X\n";
    const auto i = read(text);
    QVERIFY2(i, i ? "" : i.error().message.c_str());
    QCOMPARE(count(*i, DeviceKind::accelerator), 3);
    QCOMPARE(count(*i, DeviceKind::nic), 1);
    QCOMPARE(count(*i, DeviceKind::host), 2);
    QCOMPARE(domain_gbps(*i), 0.0);
    QVERIFY(has_note(*i, ImportNote::Kind::converted, "glued"));
    QVERIFY(has_note(*i, ImportNote::Kind::warning, "GPU2"));
}

void TestServerImports::capabilityMatrixIsRefused() {
    const auto i = read("       GPU0  GPU1\n GPU0  X     OK\n GPU1  OK    X\n");
    QVERIFY(!i);
    QCOMPARE(i.error().code, ErrorCode::unsupported);
    QVERIFY(i.error().message.find("-p2p") != std::string::npos);
}

void TestServerImports::nvlinkStatus() {
    std::string text;
    for (int g = 0; g < 2; ++g) {
        text += "GPU " + std::to_string(g) + ": NVIDIA H100 80GB HBM3 (UUID: GPU-1)\n";
        for (int l = 0; l < 18; ++l) text += "\t Link " + std::to_string(l) + ": 26.562 GB/s\n";
    }
    const auto i = read(text);
    QVERIFY2(i, i ? "" : i.error().message.c_str());
    QCOMPARE(i->format, std::string("nvidia-smi-nvlink"));
    QCOMPARE(domain_gbps(*i), 450.0);
    QVERIFY(has_note(*i, ImportNote::Kind::converted, "signalling"));
}

void TestServerImports::rocmWeights() {
    const std::string head =
        "======= ROCm System Management Interface =======\n====== Weight between two GPUs ======\n";
    const std::string rows =
        "       GPU0  GPU1  GPU2\nGPU0   0     15    30\nGPU1   15    0     15\nGPU2   30    15    0\n";
    const std::string types =
        "====== Link Type between two GPUs ======\n       GPU0  GPU1  GPU2\nGPU0   0     XGMI  XGMI\n"
        "GPU1   XGMI  0     XGMI\nGPU2   XGMI  XGMI  0\n";
    const auto i = read(head + rows + types +
                        "====== Numa Nodes ======\nGPU[0] : (Topology) Numa Node: 0\n"
                        "GPU[1] : (Topology) Numa Node: 0\nGPU[2] : (Topology) Numa Node: 1\n");
    QVERIFY2(i, i ? "" : i.error().message.c_str());
    QCOMPARE(i->format, std::string("rocm-smi-topo"));
    QCOMPARE(count(*i, DeviceKind::accelerator), 3);
    QCOMPARE(count(*i, DeviceKind::host), 2);
    int links = 0;
    for (const Link& l : i->topology.links) links += i->parts.links.find(l.part)->family == "xgmi" ? 1 : 0;
    QCOMPARE(links, 2);  // the pair of weight 30 is two links apart
}

void TestServerImports::hwlocCountsPciDevices() {
    const std::string gpu =
        "<object type=\"PCIDev\" gp_index=\"G\" pci_busid=\"0000:0G:00.0\" pci_type=\"0302 [10de:1db8] [10de:131d] "
        "a1\" "
        "pci_link_speed=\"15.753846\"><object type=\"OSDev\" gp_index=\"8G\" name=\"nvml\" osdev_type=\"12\"/>"
        "<object type=\"OSDev\" gp_index=\"7G\" name=\"card\" osdev_type=\"1\"/></object>";
    std::string text =
        "<?xml version=\"1.0\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n<topology version=\"3.0\">"
        "<object type=\"Machine\" gp_index=\"1\"><object type=\"Package\" os_index=\"0\" gp_index=\"2\">"
        "<object type=\"Bridge\" bridge_type=\"0-1\" gp_index=\"3\">";
    for (const char g : {'4', '5'}) text += QString::fromStdString(gpu).replace('G', g).toStdString();
    text +=
        "</object></object></object><distances2hetero nbobjs=\"3\" kind=\"25\" name=\"NVLinkBandwidth\">"
        "<indexes length=\"9\">OSDev:84 OSDev:85 PCIDev:9 </indexes><u64values length=\"9\">1000000 0 150000 "
        "</u64values>"
        "<u64values length=\"9\">0 1000000 150000 150000 150000 0 </u64values></distances2hetero></topology>";
    text.replace(
        text.find("</object></object></object>"), 0,
        "<object type=\"PCIDev\" gp_index=\"9\" pci_busid=\"0000:09:00.0\" pci_type=\"0680 [10de:1ac2] [0:0] a1\"/>");
    const auto i = read(text);
    QVERIFY2(i, i ? "" : i.error().message.c_str());
    QCOMPARE(i->format, std::string("hwloc"));
    QCOMPARE(count(*i, DeviceKind::accelerator), 2);
    QCOMPARE(domain_gbps(*i), 150.0);  // six links of 25,000 MB/s
}

/// The fuzzer's seeds with bytes changed, removed and repeated, through every importer.
void TestServerImports::damagedTextsAreRefusedOrRead() {
    const QDir seeds(qEnvironmentVariable("CROSSPOINT_SOURCE_DIR", ".") + "/tests/fuzz/corpus/importers");
    const auto names = seeds.entryList(QDir::Files);
    QVERIFY(names.size() >= 5);
    std::uint32_t state = 1;
    const auto random = [&](std::size_t below) {
        state = state * 1664525u + 1013904223u;  // Numerical Recipes' generator: the same damage on every run
        return std::size_t(state >> 8) % std::max<std::size_t>(1, below);
    };
    for (const QString& name : names) {
        QFile file(seeds.filePath(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const std::string seed = file.readAll().toStdString();
        QVERIFY2(recognise(seed), qPrintable(name));
        for (int round = 0; round < 100; ++round) {
            std::string text = seed;
            for (std::size_t hits = random(4) + 1; hits > 0 && !text.empty(); --hits) {
                const std::size_t at = random(text.size());
                switch (random(4)) {
                    case 0: text[at] = char(random(256)); break;
                    case 1: text.erase(at, random(20)); break;
                    case 2: text.insert(at, text.substr(random(text.size()), random(60))); break;
                    default: text.insert(at, "99999999999"); break;
                }
            }
            for (const ImportFormat& format : import_formats())
                if (const auto i = format.importer(text, {}); i) QVERIFY(validate(i->topology));
            const auto i = import_any(text, {});
            QVERIFY(i || !i.error().message.empty());
        }
    }
}

void TestServerImports::refusalsSayWhatItIs() {
    const std::pair<const char*, const char*> cases[] = {
        {"<algo name=\"ring\" nchunksperloop=\"8\"></algo>", "MSCCL algorithm"},
        {"<graphs version=\"1\"><graph id=\"0\"/></graphs>", "NCCL graph"},
        {"{\"model_type\": \"llama\", \"hidden_size\": 4096}", "Hugging Face"},
        {"# nThread 1 nGpus 8 minBytes 8\n", "nccl-tests"},
        {"{\"provider\": {\"name\": \"test\"}, \"nodes\": []}", "topograph request"},
        {"", "empty"},
    };
    for (const auto& [text, words] : cases) {
        const auto i = read(text);
        QVERIFY2(!i, text);
        QCOMPARE(i.error().code, ErrorCode::unsupported);
        QVERIFY2(i.error().message.find(words) != std::string::npos, i.error().message.c_str());
    }
    QVERIFY(!read(std::string("\0\1\2", 3)));
}

void TestServerImports::answersAreChecked() {
    const std::string text = system(cpu(pci(1, "0x030200", "")));
    QVERIFY(!read(text, {{"accelerator", "a toaster"}}));
    QVERIFY(!read(text, {{"colour", "blue"}}));
}

void TestServerImports::insertedBesideTheDrawing() {
    const auto i = read(system(cpu(h100(1, 0, to_switches) + h100(2, 1, to_switches))));
    QVERIFY(i);
    Scenario scenario = scenario_of(*i, nullptr);
    QCOMPARE(accelerator_count(*scenario.topology), 2);
    const auto insertion = insertion_of(*i, scenario);
    const auto twice = crosspoint::apply(scenario, insertion.edits);
    QVERIFY2(twice, twice ? "" : twice.error().message.c_str());
    QCOMPARE(accelerator_count(*twice->topology), 4);
    QCOMPARE(twice->own_parts->links.size(), scenario.own_parts->links.size());
    QCOMPARE(insertion.objects.size(), std::size_t(1));
    QVERIFY(*crosspoint::apply(empty_scenario(nullptr), insertion_of(*i, empty_scenario(nullptr)).edits)->topology ==
            i->topology);
}

void TestServerImports::writtenForNccl() {
    const auto i = read(system(cpu(h100(1, 0, to_switches) + h100(2, 1, to_switches) +
                                   pci(3, "0x020700", "<nic>" + net("mlx5_0", 400000, "0x1") + "</nic>"))));
    QVERIFY(i);
    const auto file = export_nccl_topology(scenario_of(*i, nullptr));
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    QVERIFY(file->text.starts_with("<system version=\"1\">"));
    for (const char* bad : {"\t", "<?", "&", "  busid"}) QVERIFY2(file->text.find(bad) == std::string::npos, bad);
    const auto again = read(file->text);
    QVERIFY2(again, again ? "" : again.error().message.c_str());
    QCOMPARE(count(*again, DeviceKind::accelerator), 2);
    QCOMPARE(count(*again, DeviceKind::nic), 1);
    QCOMPARE(domain_gbps(*again), 450.0);
    QVERIFY(again->questions.empty());
    QVERIFY(!export_nccl_topology(empty_scenario(nullptr)));
}

void TestServerImports::writtenAsDot() {
    const auto i = read(system(cpu(h100(1, 0, to_switches) + h100(2, 1, to_switches))));
    QVERIFY(i);
    Scenario scenario = scenario_of(*i, nullptr);
    scenario.title = "a \"quoted\" title";
    const auto file = export_dot(scenario);
    QVERIFY(file);
    QVERIFY(file->text.find("graph \"a \\\"quoted\\\" title\"") == 0);
    QVERIFY(file->text.find("2 x NVIDIA H100") != std::string::npos);
    QVERIFY(file->text.find(" -- ") != std::string::npos);
}

QTEST_APPLESS_MAIN(TestServerImports)
#include "tst_server_imports.moc"
