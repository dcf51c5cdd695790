// Small hand-made catalogues, drawings and models for the tests of the prediction.
#pragma once

#include <memory>

#include "core/prediction/prediction.hpp"
#include "core/units/text.hpp"

namespace crosspoint::testing {

using namespace crosspoint::literals;

template <class Q>
Figure<Q> measured(Q value) {
    return {value, Confidence::measured, "test", ""};
}

/// No limits at all: what is left of a step is what the drawing and the calibration put there.
inline AcceleratorPart ideal_accelerator() {
    AcceleratorPart p;
    p.id = PartId("ideal");
    p.name = "Ideal";
    p.memory = measured(Bytes(1e15));
    p.memory_bandwidth = measured(BytesPerSecond(1e21));
    p.memory_efficiency = measured(1.0);
    for (const Dtype d : {Dtype::bf16, Dtype::fp8}) p.dense_peak[d] = measured(FlopsPerSecond(1e27));
    p.compute_efficiency_evidence = measured(1.0);
    p.launch = p.graph_launch = measured(Seconds(0));
    p.price = Figure<DollarsPerSecond>{DollarsPerSecond(2.0 / 3600), Confidence::measured, "test price", ""};
    return p;
}

/// Only memory limits: 3.35 TB/s, all of it usable.
inline AcceleratorPart memory_bound_accelerator() {
    AcceleratorPart p = ideal_accelerator();
    p.id = PartId("memory-bound");
    p.memory_bandwidth = measured(BytesPerSecond(3.35e12));
    return p;
}

/// Dense peaks and nominal bandwidth: H100 data sheet. Memory efficiency: the share that decode kernels of these parts
/// reach (0.65 with block fp8, 0.81 in bf16; aiconfigurator tables). Efficiency curve: the same tables.
inline AcceleratorPart hopper(std::string id, double memory_efficiency) {
    AcceleratorPart p = ideal_accelerator();
    p.id = PartId(std::move(id));
    p.memory = measured(80_GB);
    p.memory_bandwidth = measured(BytesPerSecond(3.35e12));
    p.memory_efficiency = measured(memory_efficiency);
    p.dense_peak[Dtype::bf16] = measured(FlopsPerSecond(989e12));
    p.dense_peak[Dtype::fp8] = measured(FlopsPerSecond(1979e12));
    p.compute_efficiency = {{1, 0.0096}, {16, 0.1512}, {64, 0.4464}, {128, 0.5472}, {1024, 0.6624}, {8192, 0.72}};
    p.graph_launch = measured(1.3_us);
    return p;
}

inline LinkPart link_part(std::string id, BytesPerSecond bandwidth, Seconds software, Seconds endpoint) {
    LinkPart p;
    p.id = PartId(std::move(id));
    p.name = p.id.value;
    p.bandwidth.nominal = measured(bandwidth);
    p.bandwidth.usable = measured(bandwidth);
    p.software = measured(software);
    p.endpoint = measured(endpoint);
    p.hop = measured(Seconds(0));
    return p;
}

inline void add_figures(LinkPart& part, CollectiveOp op, BytesPerSecond bandwidth, Seconds software) {
    CollectiveFigures f;
    f.bandwidth = measured(bandwidth);
    f.software = measured(software);
    part.collectives[op] = f;
}

inline std::shared_ptr<const Catalogue> catalogue() {
    auto c = std::make_shared<Catalogue>();
    c->accelerators.put(ideal_accelerator());
    c->accelerators.put(memory_bound_accelerator());
    c->accelerators.put(hopper("h100", 0.81));
    c->accelerators.put(hopper("h800", 0.65));
    c->links.put(link_part("bare", 1000_GBps, Seconds(0), Seconds(0)));
    // All-reduce of H100 over NVLink: 17.5 us at a few KB (aiconfigurator tables, NCCL 2.29.2).
    LinkPart nvlink = link_part("nvlink4", 367_GBps, 9.4_us, 0.936_us);
    add_figures(nvlink, CollectiveOp::all_reduce, 367_GBps, 13.6_us);
    c->links.put(nvlink);
    // H800: 160 GB/s of NVLink; dispatch and combine in one node (DeepEP, aiconfigurator tables).
    LinkPart h800 = link_part("nvlink4-h800", 160_GBps, 9.4_us, 0.936_us);
    add_figures(h800, CollectiveOp::expert_dispatch, 125_GBps, 13_us);
    add_figures(h800, CollectiveOp::expert_combine, 140_GBps, 10_us);
    c->links.put(h800);
    // DeepEP over 400 Gb/s InfiniBand: alpha 19.6 to 27.2 us, 45.3 to 46.6 GB/s (aiconfigurator tables).
    LinkPart ndr = link_part("ndr", 46_GBps, 18.6_us, 2.25_us);
    add_figures(ndr, CollectiveOp::expert_dispatch, 45.3_GBps, 16.7_us);
    add_figures(ndr, CollectiveOp::expert_combine, 45.3_GBps, 16.7_us);
    c->links.put(ndr);
    c->links.put(link_part("pcie", 52_GBps, Seconds(0), 0.3_us));
    NicPart nic;
    nic.id = PartId("nic");
    nic.bandwidth.nominal = measured(50_GBps);
    nic.endpoint = measured(Seconds(0));
    c->nics.put(nic);
    SwitchPart leaf;
    leaf.id = PartId("leaf");
    leaf.radix = 64;
    leaf.port_bandwidth = measured(50_GBps);
    leaf.hop = measured(0.35_us);
    c->switches.put(leaf);
    return c;
}

inline Device device(std::string id, std::optional<std::string> parent, DeviceKind kind, std::string part,
                     std::int64_t count) {
    Device d;
    d.id = DeviceId(std::move(id));
    if (parent) d.parent = ContainerId(*parent);
    d.kind = kind;
    d.part = PartId(std::move(part));
    d.count = count;
    return d;
}

inline Link joined(std::string id, std::string a, std::string b, std::string part, Wiring wiring) {
    Link l;
    l.id = LinkId(std::move(id));
    l.a = DeviceId(std::move(a));
    l.b = DeviceId(std::move(b));
    l.part = PartId(std::move(part));
    l.wiring = wiring;
    return l;
}

/// `nodes` scale-up domains of eight accelerators with a NIC each; the NICs' leaves appear with a second node.
inline Topology nodes_of_eight(std::int64_t nodes, const std::string& accelerator, const std::string& fabric) {
    Topology t;
    Container node;
    node.id = ContainerId("node");
    node.kind = ContainerKind::node;
    node.count = nodes;
    node.interconnect = Interconnect{FabricKind::switched, PartId(fabric), 1, 0, {}, {}, {}};
    t.containers.put(node);
    t.devices.put(device("gpu", "node", DeviceKind::accelerator, accelerator, 8));
    if (nodes == 1) return t;
    t.devices.put(device("nic", "node", DeviceKind::nic, "nic", 8));
    t.devices.put(device("leaf", std::nullopt, DeviceKind::network_switch, "leaf", 8));
    t.links.put(joined("gpu-nic", "gpu", "nic", "pcie", Wiring::one_to_one));
    t.links.put(joined("nic-leaf", "nic", "leaf", "ndr", Wiring::rail));
    t.devices.put(device("spine", std::nullopt, DeviceKind::network_switch, "leaf", 4));
    Link up = joined("leaf-spine", "leaf", "spine", "ndr", Wiring::each_to_each);
    up.lanes = int(nodes + 3) / 4;  // as much capacity up as down: each leaf has a port for every node
    t.links.put(up);
    return t;
}

inline ModelShape uniform(std::string name, std::int64_t hidden, std::int64_t vocabulary, LayerShape layer,
                          int layers) {
    ModelShape m;
    m.name = std::move(name);
    m.hidden = hidden;
    m.vocabulary = vocabulary;
    m.kinds = {std::move(layer)};
    m.layers.assign(std::size_t(layers), 0);
    return m;
}

inline LayerShape grouped_layer(std::int64_t heads, std::int64_t kv_heads, std::int64_t head_dim, std::int64_t width) {
    LayerShape layer;
    layer.attention.q_heads = heads;
    layer.attention.kv_heads = kv_heads;
    layer.attention.head_dim = head_dim;
    layer.feed_forward.width = width;
    return layer;
}

/// 80 layers so small that nothing but latency is left.
inline ModelShape tiny() { return uniform("tiny", 64, 64, grouped_layer(8, 8, 8, 64), 80); }
/// Sources: config.json of meta-llama/Llama-3.1-70B and meta-llama/Llama-2-70b-hf.
inline ModelShape llama_3_70b() { return uniform("Llama-3.1-70B", 8192, 128256, grouped_layer(64, 8, 128, 28672), 80); }
inline ModelShape llama_2_70b() { return uniform("Llama-2-70B", 8192, 32000, grouped_layer(64, 8, 128, 28672), 80); }

/// Source: deepseek-ai/DeepSeek-V3 config.json.
inline ModelShape deepseek_v3() {
    LayerShape dense;
    dense.attention.kind = AttentionKind::latent;
    dense.attention.q_heads = dense.attention.kv_heads = 128;
    dense.attention.latent = LatentAttention{1536, 512, 64, 128, 128};
    dense.feed_forward.width = 18432;
    LayerShape sparse = dense;
    sparse.feed_forward.width = 0;
    sparse.feed_forward.experts = ExpertShape{256, 8, 2048, 2048, false, true, false, 8, 4};
    ModelShape m = uniform("DeepSeek-V3", 7168, 129280, dense, 61);
    m.kinds.push_back(sparse);
    for (std::size_t i = 3; i < m.layers.size(); ++i) m.layers[i] = 1;
    return m;
}

inline Scenario scenario(Topology topology, ModelShape model) {
    static const auto parts = catalogue();
    Scenario s;
    s.topology = std::make_shared<const Topology>(std::move(topology));
    s.model = std::make_shared<const ModelShape>(std::move(model));
    s.catalogue = parts;
    s.own_parts = std::make_shared<const Catalogue>();
    s.calibration.step_overhead = measured(Seconds(0));
    s.calibration.layer_overhead = measured(Seconds(0));
    return s;
}

/// Expert parallel over `nodes` H800 nodes, two overlapped half batches, number formats of the published deployment.
inline Scenario deepseek_on_h800(std::int64_t nodes, std::int64_t batch_per_accelerator) {
    Scenario s = scenario(nodes_of_eight(nodes, "h800", "nvlink4-h800"), deepseek_v3());
    s.layout.attention_data = s.layout.expert = 8 * nodes;
    s.layout.two_batch_overlap = true;
    s.workload.batch = 8 * nodes * batch_per_accelerator;
    s.precision.weights = s.precision.experts = s.precision.activations = s.precision.dispatch = Dtype::fp8;
    return s;
}

}  // namespace crosspoint::testing
