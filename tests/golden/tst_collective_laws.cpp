// What measured machines do, from the catalogue's own figures and drawings: the laws that many tables agree on.
#include <QtTest>

#include <algorithm>
#include <cmath>

#include "core/collective/expert_exchange.hpp"
#include "core/collective/group_fabric.hpp"
#include "core/io/builtin.hpp"
#include "core/units/text.hpp"

using namespace crosspoint;
using namespace crosspoint::literals;

namespace {

using Op = CollectiveOp;

const Catalogue& parts() {
    static const Catalogue catalogue = [] {
        const auto built_in = builtin_catalogue();
        if (!built_in) qFatal("%s", built_in.error().message.c_str());
        Catalogue c = **built_in;
        SwitchPart network = *c.switches.find(PartId("quantum-2-ndr-64"));
        network.id = PartId("network");
        network.radix = 1000;
        c.switches.put(network);
        return c;
    }();
    return catalogue;
}

/// `nodes` machines of eight accelerators in a domain, each with `nics` NICs on one non-blocking network.
struct Machines {
    const char* fabric = "nvlink4";
    FabricKind kind = FabricKind::switched;
    std::int64_t nodes = 1, used = 8, domain = 8;
    const char* network = "infiniband-ndr-400g";
    std::int64_t nics = 8;
};

Topology drawn(const Machines& m) {
    Topology t;
    Interconnect joined;
    joined.kind = m.kind;
    joined.part = PartId(m.fabric);
    const ContainerId node("node"), part("part");
    t.containers.put({node, {}, ContainerKind::node, "Node", m.nodes, joined, {}});
    const std::int64_t shares = std::min(m.domain, m.nics);
    t.containers.put({part, node, ContainerKind::group, "Part", shares, {}, {}});
    const auto device = [&](const char* id, std::optional<ContainerId> in, DeviceKind kind, const char* of,
                            std::int64_t count) {
        t.devices.put({DeviceId(id), std::move(in), kind, PartId(of), id, count, {}, {}});
    };
    device("gpu", part, DeviceKind::accelerator, "nvidia-h100-sxm", m.domain / shares);
    device("nic", part, DeviceKind::nic, "connectx-7-400g", m.nics / shares);
    device("leaf", {}, DeviceKind::network_switch, "network", 1);
    const auto link = [&](const char* id, const char* a, const char* b, const char* of) {
        Link l;
        l.id = LinkId(id);
        l.a = DeviceId(a);
        l.b = DeviceId(b);
        l.part = PartId(of);
        l.wiring = Wiring::each_to_each;
        t.links.put(l);
    };
    link("pcie", "gpu", "nic", "pcie-gen5-x16");
    link("cable", "nic", "leaf", m.network);
    return t;
}

CollectiveCost cost(const Machines& m, Op op, Bytes n, bool engine = false,
                    Algorithm algorithm = Algorithm::automatic) {
    const auto network = compile(drawn(m), parts());
    if (!network) qFatal("%s", network.error().message.c_str());
    const auto routes = route_group(*network, {{{m.used, 1}, {m.nodes, m.domain}}, {}});
    if (!routes) qFatal("%s", routes.error().message.c_str());
    GroupFabric group = group_fabric(*routes, *network, parts(), op);
    if (!engine) group.whole.kernels.reset();
    const auto found = collective_cost(op, n, group, algorithm);
    if (!found) qFatal("%s", found.error().message.c_str());
    return *found;
}

bool within(double a, double b, double share) { return std::abs(a - b) <= share * std::abs(b); }
double bus(const CollectiveCost& c) { return c.bus_bandwidth.si() / 1e9; }

}  // namespace

class TestCollectiveLaws : public QObject {
    Q_OBJECT
private slots:
    /// NVIDIA/dgxc-benchmarking:nccl/README.md, 8 x H100, bytes and us. A straight line misses such tables by 8 % in
    /// the median and up to 74 % between 0.5 and 32 MiB; the two protocols with kappa stay near everywhere.
    void allReduceOfEightH100() {
        const std::pair<double, double> table[] = {
            {8, 13.67},           {512, 16.7},           {4096, 23.59},     {32768, 19.33},     {131072, 19.89},
            {524288, 20.66},      {1048576, 27.37},      {2097152, 42.21},  {4194304, 54.19},   {8388608, 83.04},
            {16777216, 123.8},    {33554432, 199.3},     {67108864, 324.7}, {134217728, 586.4}, {268435456, 1112.5},
            {1073741824, 4029.4}, {17179869184, 62648.0}};
        std::vector<double> errors;
        for (const auto& [bytes, us] : table)
            errors.push_back(std::abs(cost({}, Op::all_reduce, Bytes(bytes)).time.si() * 1e6 / us - 1));
        std::sort(errors.begin(), errors.end());
        QVERIFY(errors[errors.size() / 2] < 0.08);
        QVERIFY(errors.back() < 0.35);
    }

    /// Half of the plateau of 480 GB/s is reached between 16 and 32 MiB (same table: 237 GB/s at 16 MiB), far above
    /// n* = alpha beta = 3.6 MB of the fitted line.
    void halfOfThePlateauIsFarAboveTheCrossover() {
        QVERIFY(bus(cost({}, Op::all_reduce, 8_MiB)) < 240);
        QVERIFY(bus(cost({}, Op::all_reduce, 32_MiB)) > 240);
        QVERIFY(within(bus(cost({}, Op::all_reduce, 16_GiB)), 480, 0.05));
    }

    /// stas00/ml-engineering:network/README.md, 8 GiB on K of 8 x H200: the switch reduces above four devices, and the
    /// gain over the ring grows with K because (K+1)/K of the tensor moves instead of 2(K-1)/K.
    void inSwitchReductionAboveFourDevices() {
        const std::pair<std::int64_t, double> table[] = {{4, 363.3}, {5, 414.2}, {6, 435.6}, {7, 460.0}, {8, 473.1}};
        for (const auto& [used, measured] : table) {
            Machines m;
            m.used = used;
            const CollectiveCost c = cost(m, Op::all_reduce, 8_GiB);
            QCOMPARE(c.algorithm, used > 4 ? Algorithm::in_switch : Algorithm::ring);
            QVERIFY(within(bus(c), measured, 0.05));
        }
        const double gain =
            bus(cost({}, Op::all_reduce, 8_GiB)) / bus(cost({}, Op::all_reduce, 8_GiB, false, Algorithm::ring));
        QVERIFY(gain > 1.23 && gain < 1.35);  // measured 1.23-1.31, not the algebraic 1.56
    }

    /// Cross-domain all-to-all: bus bandwidth = NIC rate (n-1)/(n-g): 91.8 GB/s on 2 nodes, 50.7 GB/s on 10 nodes
    /// (cost-model section 2).
    void allToAllBetweenDomains() {
        Machines m;
        for (const auto& [nodes, measured] : {std::pair{2, 91.8}, {10, 50.7}}) {
            m.nodes = nodes;
            QVERIFY(within(bus(cost(m, Op::all_to_all, Bytes(1e12))), measured, 0.07));
        }
    }

    /// stas00/ml-engineering:network/README.md: 4 GiB on 2 and on 8 x MI300X of one mesh: 47.7 and 312.9 GB/s.
    void onePeerOfADirectMesh() {
        Machines m{"xgmi-mi300x", FabricKind::full_mesh};
        QVERIFY(within(bus(cost(m, Op::all_reduce, 4_GiB)), 312.9, 0.05));
        m.used = 2;
        QVERIFY(within(bus(cost(m, Op::all_reduce, 4_GiB)), 47.7, 0.1));
    }

    /// Two nodes carry the tensor once over the wire: 16 GiB on 2 x 8 H100 reach 487 GB/s of bus bandwidth over 400
    /// GB/s of NICs a node (aws-samples/awsome-distributed-training: 66132 us).
    void twoNodesExceedTheNicRate() {
        Machines m;
        m.nodes = 2;
        m.network = "efa-v2-100g";
        m.nics = 32;
        const CollectiveCost c = cost(m, Op::all_reduce, 16_GiB);
        QVERIFY(bus(c) > 400);
        QVERIFY(within(c.time.si() * 1e6, 66132, 0.15));
    }

    /// alpha between nodes is the software stack's: small all-reduces of 16 H100 take 69 us over EFA v2 and 123 us over
    /// TCPXO (same wires a node within a factor of two), 16 A100 165 us over EFA v1 (published tables as above). The
    /// two protocols of EFA v2 fit its 256 KiB to 16 GiB better than its smallest messages.
    void alphaBelongsToTheFabric() {
        Machines m;
        m.nodes = 2;
        m.network = "efa-v2-100g";
        m.nics = 32;
        QVERIFY(within(cost(m, Op::all_reduce, 1_KiB).time.si(), 69.2e-6, 0.45));
        m.network = "tcpxo-200g";
        m.nics = 8;
        QVERIFY(within(cost(m, Op::all_reduce, 1_KiB).time.si(), 123e-6, 0.2));
        m = {"nvlink3", FabricKind::switched, 2, 8, 8, "efa-v1-100g", 4};
        QVERIFY(within(cost(m, Op::all_reduce, 1_KiB).time.si(), 165e-6, 0.25));
    }

    /// Engines' own kernels take a third of a library's call at decode sizes: 8 x B200, 16 KiB 5.93 us (TensorRT-LLM,
    /// ai-dynamo/aiconfigurator) against 27 us (NCCL).
    void engineKernelsAtDecodeSizes() {
        Machines m;
        m.fabric = "nvlink5";
        const CollectiveCost own = cost(m, Op::all_reduce, 16_KiB, true);
        QCOMPARE(own.algorithm, Algorithm::one_shot);
        QVERIFY(within(own.time.si(), 5.93e-6, 0.2));
        QVERIFY(cost(m, Op::all_reduce, 16_KiB).time > own.time * 2.5);
        QVERIFY(cost(m, Op::all_reduce, 1_GiB, true).algorithm == Algorithm::in_switch);
    }
};

QTEST_APPLESS_MAIN(TestCollectiveLaws)
#include "tst_collective_laws.moc"
