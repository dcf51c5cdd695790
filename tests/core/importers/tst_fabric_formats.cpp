#include <QtTest>

#include "core/importers/ib_fabric.hpp"
#include "core/importers/importer.hpp"
#include "fabric_support.hpp"

using namespace crosspoint;

namespace {

/// Two leaves under one spine, parallel uplinks, an aggregation node, a host with two adapters; every cable twice, the
/// GUID of the header without its leading zero.
const char* const discover = R"(# Topology file
vendid=0x2c9
devid=0xd2f2
sysimgguid=0xa1
switchguid=0xa1(a1)
Switch	65 "S-00000000000000a1"		# "spine-1" enhanced port 0 lid 1 lmc 0
[1]	"S-00000000000000b1"[9]		# "leaf-1" lid 2 4xNDR
[2]	"S-00000000000000b1"[10]		# "leaf-1" lid 2 4xNDR
[3]	"S-00000000000000b2"[9]		# "leaf-2" lid 3 4xNDR
[4]	"S-00000000000000b2"[10]		# "leaf-2" lid 3 4xNDR
[65]	"H-00000000000000c9"[1](c9)		# "Mellanox Technologies Aggregation Node" lid 9 4xNDR

switchguid=0xb1(b1)
Switch	65 "S-00000000000000b1"		# "leaf-1" base port 0 lid 2 lmc 0
[1]	"H-0000000000000011"[1](11)		# "n1 mlx5_0" lid 11 4xNDR
[2]	"H-0000000000000021"[1](21)		# "n2 mlx5_0" lid 21 4xNDR
[9]	"S-00000000000000a1"[1]		# "spine-1" lid 1 4xNDR
[10]	"S-00000000000000a1"[2]		# "spine-1" lid 1 4xNDR

switchguid=0xb2(b2)
Switch	65 "S-00000000000000b2"		# "leaf-2" base port 0 lid 3 lmc 0
[1]	"H-0000000000000012"[1](12)		# "n1 mlx5_1" lid 12 4xNDR
[2]	"H-0000000000000022"[1](22)		# "n2 mlx5_1" lid 22 4xNDR
[9]	"S-00000000000000a1"[3]		# "spine-1" lid 1 4xNDR
[10]	"S-00000000000000a1"[4]		# "spine-1" lid 1 4xNDR

caguid=0x11
Ca	1 "H-0000000000000011"		# "n1 mlx5_0"
[1](11)	"S-00000000000000b1"[1]		# lid 11 lmc 0 "leaf-1" lid 2 4xNDR
)";

/// The same fabric by iblinkinfo, with one port down.
const char* const linkinfo = R"(CA: n1 mlx5_0:
      0x0000000000000011     11    1[  ] ==( 4X     106.25 Gbps Active/  LinkUp)==>       2    1[  ] "leaf-1" ( )
CA: n1 mlx5_1:
      0x0000000000000012     12    1[  ] ==( 4X     106.25 Gbps Active/  LinkUp)==>       3    1[  ] "leaf-2" ( )
Switch: 0x00000000000000b1 leaf-1:
           2    1[  ] ==( 4X     106.25 Gbps Active/  LinkUp)==>      11    1[  ] "n1 mlx5_0" ( )
           2    2[  ] ==( 4X     106.25 Gbps Active/  LinkUp)==>      21    1[  ] "n2 mlx5_0" ( )
           2    3[  ] ==(                Down/ Polling)==>             [  ] "" ( )
           2    9[  ] ==( 4X     106.25 Gbps Active/  LinkUp)==>       1    1[  ] "spine-1" ( )
           2   10[  ] ==( 4X     106.25 Gbps Active/  LinkUp)==>       1    2[  ] "spine-1" ( )
Switch: 0x00000000000000b2 leaf-2:
           3    1[  ] ==( 4X     106.25 Gbps Active/  LinkUp)==>      12    1[  ] "n1 mlx5_1" ( )
           3    2[  ] ==( 4X     106.25 Gbps Active/  LinkUp)==>      22    1[  ] "n2 mlx5_1" ( )
           3    9[  ] ==( 4X     106.25 Gbps Active/  LinkUp)==>       1    3[  ] "spine-1" ( )
           3   10[  ] ==( 4X     106.25 Gbps Active/  LinkUp)==>       1    4[  ] "spine-1" ( )
Switch: 0x00000000000000a1 spine-1:
           1    1[  ] ==( 4X     106.25 Gbps Active/  LinkUp)==>       2    9[  ] "leaf-1" ( )
)";

const char* const slurm_tree = R"(# two leaves
SWITCHNAME=s0 Switches=s[1-2] LinkSpeed=100
switchname=s1 nodes=n[01-04] # rack 1
SwitchName=s2 Nodes=n[05-07],\
n08
)";
const char* const slurm_blocks = "BlockName=b1 Nodes=t[001-018]\nblockname=b2 Nodes=t[019-031]\nBlockSizes=18\n";
const char* const slurm_yaml = R"(---
- topology: topo-switch
  cluster_default: true
  tree:
    switches:
      - switch: root
        children: leaf[1-2]
      - switch: leaf1
        nodes: node[01-02]
      - switch: leaf2
        nodes: node[03-04]
- topology: blocks
  block:
    block_sizes: [2]
    blocks:
      - block: b1
        nodes: node[01-02]
      - block: b2
        nodes: node[03-04]
)";
const char* const model = R"(# core over two leaves
switches:
  core:
    labels:
      region: x
    switches:
    - leaf-1
    - leaf-2
blocks:
- switch: leaf-1
  nodes:
  - "n[01-04]"
  annotations:
    accelerator/domain: d1
- switch: leaf-2
  nodes: [n05, "n[06-08]"]
  annotations:
    accelerator/domain: d2
)";
const char* const astra =
    "topology: [ Ring, Switch ]\nnpus_count: [ 4, 2 ]\nbandwidth: [ 100.0, 50.0 ]  # GB/s\n"
    "latency: [ 500.0, 1000.0 ]\nextra: 1\n";
const char* const calculon =
    R"({"matrix": {"float16": {"tflops": 312}}, "vector": {}, "mem1": {"GiB": 80, "GBps": 2048},
 "networks": [{"bandwidth": 300, "efficiency": 0.5, "size": 8, "latency": 0.00001},
 {"bandwidth": 25, "efficiency": 0.8, "size": 64, "latency": 0.00002}]})";
const char* const rack = R"(data_dir: data/gb200
gpu:
  mem_bw: 8000000000000
  mem_capacity: 198674743296
  bfloat16_tc_flops: 2500000000000000
node:
  num_gpus_per_node: 4
  num_gpus_per_rack: 72
  inter_rack_bw: 100000000000
  inter_node_bw: 900000000000
  intra_node_bw: 900000000000
)";

/// 8 GPUs in 2 servers, 2 NVSwitches, 2 leaves, 2 spines with two cables from each leaf.
std::string simai_text() {
    std::string text = "14 4 2 4 24 H100\n8 9 10 11 12 13 \n";  // the second line ends in a blank
    for (int g = 0; g < 8; ++g)
        text += std::to_string(g) + " " + std::to_string(8 + g / 4) + " 2880Gbps 0.000025ms 0\n";
    for (int g = 0; g < 8; ++g) text += std::to_string(g) + " " + std::to_string(10 + g % 2) + " 400Gbps 0.0005ms 0\n";
    for (int leaf = 10; leaf < 12; ++leaf)
        for (int spine = 12; spine < 14; ++spine)
            for (int twice = 0; twice < 2; ++twice)
                text += std::to_string(leaf) + " " + std::to_string(spine) + " 400Gbps 0.0005ms 0\n";
    return text;
}

double override_of(const Topology& t, double GBps) {
    double n = 0;
    for (const Link& l : t.links)
        if (l.bandwidth && qFuzzyCompare(l.bandwidth->si(), GBps * 1e9)) ++n;
    return n;
}

}  // namespace

class TestFabricFormats : public QObject {
    Q_OBJECT
private slots:
    void ibnetdiscoverFabric();
    void ibSpeeds();
    void iblinkinfoFabric();
    void slurmTree();
    void slurmBlocks();
    void slurmYaml();
    void topographModel();
    void astraNetwork();
    void astraRefusals();
    void simaiTopology();
    void calculonSystem();
    void aiconfiguratorRack();
    void registry();
    void mutations();
};

void TestFabricFormats::ibnetdiscoverFabric() {
    const auto read = read_ibnetdiscover(discover);
    QVERIFY(read.has_value());
    QCOMPARE(read->port_lines, 14);
    QCOMPARE(read->cables.size(), std::size_t(9));  // four to hosts, four uplinks, the aggregation node
    const auto imported = import_ibnetdiscover(discover, {});
    QVERIFY(imported.has_value());
    const Topology& t = imported->topology;
    QCOMPARE(total(t, DeviceKind::network_switch), 3);
    QCOMPARE(total(t, DeviceKind::nic), 4);
    QCOMPARE(total(t, ContainerKind::node), 2);
    QCOMPARE(t.containers.size(), std::size_t(1));   // both hosts are one box
    QCOMPARE(total(t, DeviceKind::accelerator), 4);  // one an adapter, by default
    QVERIFY(has_note(*imported, ImportNote::Kind::converted, "4xNDR is 50.0 GB/s"));
    QVERIFY(has_note(*imported, ImportNote::Kind::ignored, "aggregation"));
    QVERIFY(question(*imported, "accelerators-per-host") && !question(*imported, "accelerators-per-host")->answered);
    ImportOptions options;
    options.answers["accelerators-per-host"] = "8";
    QCOMPARE(total(import_ibnetdiscover(discover, options)->topology, DeviceKind::accelerator), 16);
    const auto unreachable = import_ibnetdiscover("vendid=0x2c9\ncaguid=0x1\nCa\t1 \"H-01\"\t\t# \"n1 HCA-1\"\n", {});
    QVERIFY(!unreachable && unreachable.error().message.find("could not be reached") != std::string::npos);
}

/// 4 lanes: EDR 100, HDR 200, NDR 400, XDR 800 Gb/s; up to QDR a fifth is line coding.
void TestFabricFormats::ibSpeeds() {
    QCOMPARE(ib_lane_of_word("edr").value() * 4, 12.5e9);
    QCOMPARE(ib_lane_of_word("XDR").value() * 4, 100e9);
    QCOMPARE(ib_lane_of_signalling(25.78125).value() * 4, 12.5e9);
    QCOMPARE(ib_lane_of_signalling(53.125).value() * 4, 25e9);
    QCOMPARE(ib_lane_of_signalling(100).value() * 4, 50e9);
    QCOMPARE(ib_lane_of_signalling(10).value() * 4, 4e9);
    QVERIFY(!ib_lane_of_word("ZDR") && !ib_lane_of_signalling(77));
    QCOMPARE(ib_host_name("n1 mlx5_0"), std::string("n1"));
    QCOMPARE(ib_host_name("dgx-01 HCA-3"), std::string("dgx-01"));
    QCOMPARE(ib_host_name("MT4129 ConnectX7   Mellanox Technologies"), std::string());
}

void TestFabricFormats::iblinkinfoFabric() {
    const auto imported = import_iblinkinfo(linkinfo, {});
    QVERIFY(imported.has_value());
    const Topology& t = imported->topology;
    QCOMPARE(total(t, DeviceKind::network_switch), 3);
    QCOMPARE(total(t, DeviceKind::nic), 4);
    QCOMPARE(total(t, ContainerKind::node), 2);
    QVERIFY(has_note(*imported, ImportNote::Kind::converted, "4X 106.25 Gbps is 50.0 GB/s"));
}

void TestFabricFormats::slurmTree() {
    const auto imported = import_slurm_topology_conf(slurm_tree, {});
    QVERIFY(imported.has_value());
    const Topology& t = imported->topology;
    QCOMPARE(total(t, ContainerKind::node), 8);
    QCOMPARE(total(t, DeviceKind::network_switch), 3);
    QCOMPARE(t.containers.size(), std::size_t(2));  // a unit of a leaf and 4 nodes, twice
    QCOMPARE(total(t, DeviceKind::accelerator), 64);
    QVERIFY(has_note(*imported, ImportNote::Kind::ignored, "LinkSpeed"));
    for (const char* id : {"network", "accelerator", "accelerators-per-host", "uplinks"})
        QVERIFY(question(*imported, id));
    const auto ring = import_slurm_topology_conf("RingName=r Nodes=n[1-4]\n", {});
    QVERIFY(!ring && ring.error().code == ErrorCode::unsupported);
}

void TestFabricFormats::slurmBlocks() {
    const auto imported = import_slurm_topology_conf(slurm_blocks, {});
    QVERIFY(imported.has_value());
    const Topology& t = imported->topology;
    QCOMPARE(total(t, ContainerKind::rack), 2);  // uneven: 18 and 13 trays
    QCOMPARE(total(t, DeviceKind::accelerator), (18 + 13) * 4);
    ImportOptions options;
    options.answers["scale-up-domain"] = "the nodes are only close to each other";
    const auto apart = import_slurm_topology_conf(slurm_blocks, options);
    QCOMPARE(total(apart->topology, ContainerKind::rack), 0);
    QCOMPARE(total(apart->topology, ContainerKind::node), 31);
}

void TestFabricFormats::slurmYaml() {
    QVERIFY(is_slurm_topology_yaml(slurm_yaml));
    const auto imported = import_slurm_topology_yaml(slurm_yaml, {});
    QVERIFY(imported.has_value());
    QCOMPARE(question(*imported, "topology")->answer, std::string("topo-switch"));
    QCOMPARE(total(imported->topology, ContainerKind::node), 4);
    QCOMPARE(total(imported->topology, DeviceKind::network_switch), 3);
    ImportOptions options;
    options.answers["topology"] = "blocks";
    QCOMPARE(total(import_slurm_topology_yaml(slurm_yaml, options)->topology, ContainerKind::rack), 2);
    const auto flat = import_slurm_topology_yaml("- topology: f\n  flat: true\n", {});
    QVERIFY(!flat && flat.error().line == 2);
}

void TestFabricFormats::topographModel() {
    QVERIFY(is_topograph(model) && !is_slurm_topology_yaml(model));
    const auto imported = import_topograph(model, {});
    QVERIFY(imported.has_value());
    QCOMPARE(total(imported->topology, ContainerKind::node), 8);
    QCOMPARE(total(imported->topology, ContainerKind::rack), 2);
    QCOMPARE(total(imported->topology, DeviceKind::network_switch), 3);
    const char* request = "provider:\n  name: aws\nengine:\n  name: slurm\nnodes:\n- region: x\n";
    QVERIFY(is_topograph(request));
    QVERIFY(import_topograph(request, {}).error().message.find("request payload") != std::string::npos);
}

void TestFabricFormats::astraNetwork() {
    const auto imported = import_astra_network(astra, {});
    QVERIFY(imported.has_value());
    const Topology& t = imported->topology;
    QCOMPARE(accelerator_count(t), 8);
    const Container& node = *t.containers.find(ContainerId("node"));
    QCOMPARE(node.interconnect->kind, FabricKind::ring);
    QCOMPARE(node.interconnect->bandwidth->si(), 200e9);  // two links of 100 GB/s
    QCOMPARE(node.interconnect->step->si(), 500e-9);
    QCOMPARE(override_of(t, 50), 2.0);
    QVERIFY(has_note(*imported, ImportNote::Kind::ignored, "'extra'"));
    ImportOptions options;
    options.answers["bandwidth-means"] = "both directions together";
    QCOMPARE(import_astra_network(astra, options)
                 ->topology.containers.find(ContainerId("node"))
                 ->interconnect->bandwidth->si(),
             100e9);
    const auto torus =
        import_astra_network("topology: [Ring, Ring]\nnpus_count: [4, 4]\nbandwidth: [50, 50]\nlatency: [1, 1]\n", {});
    QCOMPARE(torus->topology.containers.find(ContainerId("node"))->interconnect->dimensions.size(), std::size_t(2));
    QVERIFY(has_note(*torus, ImportNote::Kind::warning, "microseconds"));
}

void TestFabricFormats::astraRefusals() {
    const auto tbd = import_astra_network("topology: [Ring]\nnpus_count: [2]\nbandwidth: [tbd]\nlatency: [tbd]\n", {});
    QVERIFY(!tbd && tbd.error().line == 3);
    QVERIFY(tbd.error().message.find("'tbd'") != std::string::npos);
    const auto short_list =
        import_astra_network("topology: [Ring, Ring]\nnpus_count: [2]\nbandwidth: [1]\nlatency: [1]\n", {});
    QVERIFY(!short_list && short_list.error().line == 2);
    QVERIFY(!import_astra_network("topology: [Mesh]\nnpus_count: [2]\nbandwidth: [1]\nlatency: [1]\n", {}));
}

/// 2880 Gb/s are 360 GB/s one direction.
void TestFabricFormats::simaiTopology() {
    const std::string text = simai_text();
    QVERIFY(is_simai_topology(text));
    const auto imported = import_simai_topology(text, {});
    QVERIFY2(imported.has_value(), imported ? "" : imported.error().message.c_str());
    const Topology& t = imported->topology;
    QCOMPARE(accelerator_count(t), 8);
    QCOMPARE(total(t, ContainerKind::node), 2);
    QCOMPARE(total(t, DeviceKind::network_switch), 4);
    QCOMPARE(t.containers.begin()->interconnect->bandwidth->si(), 360e9);
    QVERIFY(override_of(t, 50) > 0);
    QVERIFY(has_note(*imported, ImportNote::Kind::converted, "360 GB/s"));
    std::string cut = text.substr(0, text.rfind("11 13"));
    const auto refused = import_simai_topology(cut, {});
    QVERIFY(!refused && refused.error().message.find("cables") != std::string::npos);
}

void TestFabricFormats::calculonSystem() {
    QVERIFY(is_calculon_system(calculon));
    const auto imported = import_calculon_system(calculon, {});
    QVERIFY(imported.has_value());
    const Topology& t = imported->topology;
    QCOMPARE(accelerator_count(t), 64);
    QCOMPARE(t.containers.find(ContainerId("node"))->interconnect->bandwidth->si(), 150e9);  // 300 x 0.5
    QCOMPARE(override_of(t, 20), 2.0);                                                       // 25 x 0.8
    QCOMPARE(imported->parts.accelerators.begin()->memory.value.si(), 80 * 1073741824.0);
}

void TestFabricFormats::aiconfiguratorRack() {
    QVERIFY(is_aiconfigurator_system(rack));
    const auto imported = import_aiconfigurator_system(rack, {});
    QVERIFY(imported.has_value());
    const Topology& t = imported->topology;
    QCOMPARE(accelerator_count(t), 72 * 4);
    QCOMPARE(total(t, ContainerKind::node), 18 * 4);
    QVERIFY(t.containers.find(ContainerId("rack"))->interconnect);
    QVERIFY(question(*imported, "racks"));
    const auto gb = import_aiconfigurator_system(
        "gpu:\n  mem_bw: 1\n  mem_capacity: 1\nnode:\n  num_gpus_per_node: 8\n"
        "  intra_node_bw: 450\n",
        {});
    QVERIFY(!gb && gb.error().line == 6);
}

void TestFabricFormats::registry() {
    const std::pair<std::string, const char*> all[] = {{discover, "ibnetdiscover"},
                                                       {linkinfo, "iblinkinfo"},
                                                       {slurm_tree, "slurm-topology-conf"},
                                                       {slurm_blocks, "slurm-topology-conf"},
                                                       {slurm_yaml, "slurm-topology-yaml"},
                                                       {model, "topograph"},
                                                       {astra, "astra-network"},
                                                       {simai_text(), "simai-topology"},
                                                       {calculon, "calculon-system"},
                                                       {rack, "aiconfigurator-system"}};
    for (const auto& [text, id] : all) {
        const ImportFormat* format = recognise(text);
        QVERIFY2(format, id);
        QCOMPARE(std::string(format->id), std::string(id));
        const auto imported = import_any(text, {});
        QVERIFY(imported.has_value());
        QCOMPARE(imported->format, std::string(id));
    }
}

void TestFabricFormats::mutations() {
    survive_mutations(discover, import_ibnetdiscover);
    survive_mutations(linkinfo, import_iblinkinfo);
    survive_mutations(slurm_tree, import_slurm_topology_conf);
    survive_mutations(slurm_yaml, import_slurm_topology_yaml);
    survive_mutations(model, import_topograph);
    survive_mutations(astra, import_astra_network);
    survive_mutations(simai_text(), import_simai_topology);
    survive_mutations(calculon, import_calculon_system);
    survive_mutations(rack, import_aiconfigurator_system);
}

QTEST_APPLESS_MAIN(TestFabricFormats)
#include "tst_fabric_formats.moc"
