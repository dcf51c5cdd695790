// The fields of a document. Private to core/io; docs/file-format.md describes them for people.
#pragma once

#include "core/io/catalogue_fields.hpp"
#include "core/io/json_fields.hpp"
#include "core/scenario/scenario.hpp"

namespace crosspoint::json {

// ---- topology ----

template <class Io>
void fields(Io& io, Of<Io, State>& state) {
    io.may("health", state.health);
    io.brief("factor", state.factor, 1.0);
}

template <class Io>
void fields(Io& io, Of<Io, CanvasBox>& box) {
    io.must("x", box.x);
    io.must("y", box.y);
    io.may("width", box.width);
    io.may("height", box.height);
    io.brief("pinned", box.pinned, false);
}

template <class Io>
void fields(Io& io, Of<Io, FabricDimension>& dimension) {
    io.must("size", dimension.size);
    io.brief("wrap", dimension.wrap, true);
}

template <class Io>
void fields(Io& io, Of<Io, Interconnect>& fabric) {
    io.may("kind", fabric.kind);
    io.must("part", fabric.part);
    io.may("planes", fabric.planes);
    io.brief("planes_down", fabric.planes_down, 0);
    io.may("bandwidth", fabric.bandwidth);
    io.may("step", fabric.step);
    io.brief("dimensions", fabric.dimensions, {});
    io.brief("ports", fabric.ports, 0);
    io.may("peer_bandwidth", fabric.peer_bandwidth);
    io.brief("uplinks", fabric.uplinks, 1);
    io.may("root_part", fabric.root_part);
    io.brief("background", fabric.background, 0.0);
    io.brief("state", fabric.state, {});
}

template <class Io>
void fields(Io& io, Of<Io, Container>& container) {
    io.may("parent", container.parent);
    io.may("kind", container.kind);
    io.brief("name", container.name, {});
    io.may("count", container.count);
    io.may("interconnect", container.interconnect);
    io.may("box", container.box);
    io.brief("collapsed", container.collapsed, false);
}

template <class Io>
void fields(Io& io, Of<Io, Device>& device) {
    io.may("parent", device.parent);
    io.must("kind", device.kind);
    io.must("part", device.part);
    io.brief("name", device.name, {});
    io.may("count", device.count);
    io.brief("state", device.state, {});
    io.may("box", device.box);
}

template <class Io>
void fields(Io& io, Of<Io, Link>& link) {
    io.must("a", link.a);
    io.must("b", link.b);
    io.must("part", link.part);
    io.may("wiring", link.wiring);
    io.may("lanes", link.lanes);
    io.brief("per_pair", link.per_pair, 1);
    io.may("bandwidth", link.bandwidth);
    io.may("latency", link.latency);
    io.brief("background", link.background, 0.0);
    io.brief("state", link.state, {});
}

template <class Io>
void fields(Io& io, Of<Io, Topology>& topology) {
    io.may("containers", topology.containers);
    io.may("devices", topology.devices);
    io.may("links", topology.links);
    io.may("next_id", topology.next_id);
}

// ---- model ----

template <class Io>
void fields(Io& io, Of<Io, LatentAttention>& latent) {
    io.may("q_rank", latent.q_rank);
    io.must("kv_rank", latent.kv_rank);
    io.must("rope_dim", latent.rope_dim);
    io.must("nope_dim", latent.nope_dim);
    io.must("value_dim", latent.value_dim);
}

template <class Io>
void fields(Io& io, Of<Io, IndexerShape>& indexer) {
    io.must("heads", indexer.heads);
    io.must("head_dim", indexer.head_dim);
    io.must("top_k", indexer.top_k);
}

template <class Io>
void fields(Io& io, Of<Io, CompressionShape>& compression) {
    io.must("ratio", compression.ratio);
    io.brief("overlap", compression.overlap, false);
}

template <class Io>
void fields(Io& io, Of<Io, RecurrentShape>& recurrent) {
    io.must("form", recurrent.form);
    io.must("key_heads", recurrent.key_heads);
    io.must("value_heads", recurrent.value_heads);
    io.must("key_dim", recurrent.key_dim);
    io.must("value_dim", recurrent.value_dim);
    io.brief("convolution", recurrent.convolution, 0);
    io.brief("rank", recurrent.rank, 0);
    io.brief("chunk", recurrent.chunk, 64);
    io.brief("convolution_bias", recurrent.convolution_bias, false);
    io.brief("inner_norms", recurrent.inner_norms, false);
    io.brief("state", recurrent.state, Dtype::fp32);
}

template <class Io>
void fields(Io& io, Of<Io, AttentionShape>& attention) {
    io.must("kind", attention.kind);
    io.brief("q_heads", attention.q_heads, 0);
    io.brief("kv_heads", attention.kv_heads, 0);
    io.brief("head_dim", attention.head_dim, 0);
    io.brief("value_dim", attention.value_dim, 0);
    io.may("latent", attention.latent);
    io.may("indexer", attention.indexer);
    io.may("compression", attention.compression);
    io.may("recurrent", attention.recurrent);
    io.may("window", attention.window);
    io.brief("chunked", attention.chunked, false);
    io.brief("keys_are_values", attention.keys_are_values, false);
    io.brief("shares_cache", attention.shares_cache, false);
    io.brief("q_rank", attention.q_rank, 0);
    io.brief("o_rank", attention.o_rank, 0);
    io.brief("o_groups", attention.o_groups, 1);
    io.brief("gate_dim", attention.gate_dim, 0);
    io.brief("q_bias", attention.q_bias, false);
    io.brief("kv_bias", attention.kv_bias, false);
    io.brief("o_bias", attention.o_bias, false);
    io.brief("qk_norm", attention.qk_norm, false);
    io.brief("qk_norm_wide", attention.qk_norm_wide, false);
    io.brief("sinks", attention.sinks, false);
    io.brief("state_bytes", attention.state_bytes, 0);
}

template <class Io>
void fields(Io& io, Of<Io, ExpertShape>& experts) {
    io.must("experts", experts.experts);
    io.must("top_k", experts.top_k);
    io.must("width", experts.width);
    io.brief("shared_width", experts.shared_width, 0);
    io.brief("shared_gate", experts.shared_gate, false);
    io.brief("router_bias", experts.router_bias, false);
    io.brief("expert_bias", experts.expert_bias, false);
    io.brief("groups", experts.groups, 1);
    io.brief("group_limit", experts.group_limit, 1);
    io.brief("latent", experts.latent, 0);
}

template <class Io>
void fields(Io& io, Of<Io, FeedForwardShape>& feed_forward) {
    io.brief("width", feed_forward.width, 0);
    io.may("gated", feed_forward.gated);
    io.brief("bias", feed_forward.bias, false);
    io.brief("linear", feed_forward.linear, false);
    io.may("experts", feed_forward.experts);
}

template <class Io>
void fields(Io& io, Of<Io, LayerShape>& layer) {
    io.must("attention", layer.attention);
    io.must("feed_forward", layer.feed_forward);
    io.may("norms", layer.norms);
}

/// `count` layers of one kind in a row.
struct LayerRun {
    int kind = 0;
    std::int64_t count = 1;
};
inline constexpr std::int64_t most_layers = 16384;  // as validate(ModelShape)

template <class Io>
void fields(Io& io, Of<Io, LayerRun>& run) {
    io.must("kind", run.kind);
    io.must("count", run.count);
}

std::vector<LayerRun> runs_of(const std::vector<int>& layers);

inline void layer_list(Writer& io, const std::vector<int>& layers) { io.must("layers", runs_of(layers)); }
void layer_list(Reader& io, std::vector<int>& layers);

template <class Io>
void fields(Io& io, Of<Io, ModelShape>& model) {
    io.must("name", model.name);
    io.brief("family", model.family, {});
    io.brief("source", model.source, {});
    io.must("hidden", model.hidden);
    io.must("vocabulary", model.vocabulary);
    io.may("tied_embeddings", model.tied_embeddings);
    io.brief("head_bias", model.head_bias, false);
    io.brief("learned_positions", model.learned_positions, 0);
    io.brief("per_layer_input", model.per_layer_input, 0);
    io.brief("residual_streams", model.residual_streams, 1);
    io.brief("final_norms", model.final_norms, 1);
    io.brief("max_context", model.max_context, 0);
    io.must("kinds", model.kinds);
    layer_list(io, model.layers);
    io.may("stored", model.stored);
    io.brief("next_token_modules", model.next_token_modules, 0);
    io.brief("training_tokens", model.training_tokens, 0);
}

// ---- settings ----

template <class Io>
void fields(Io& io, Of<Io, Training>& training) {
    io.may("micro_batch", training.micro_batch);
    io.may("recompute", training.recompute);
    io.may("schedule", training.schedule);
    io.may("interleave", training.interleave);
    io.may("sharding", training.sharding);
    io.may("optimiser", training.optimiser);
    io.may("gradients", training.gradients);
    io.may("master", training.master);
    io.may("fused_attention", training.fused_attention);
    io.may("dropout", training.dropout);
    io.may("overlap_data", training.overlap_data);
    io.may("overlap_tensor", training.overlap_tensor);
    io.may("overlap_expert", training.overlap_expert);
    io.may("overlap_pipeline", training.overlap_pipeline);
    io.may("time_between_failures", training.time_between_failures);
    io.may("checkpoint_time", training.checkpoint_time);
    io.may("restart_time", training.restart_time);
    io.may("product_share", training.product_share);
    io.may("assumed_mfu", training.assumed_mfu);
}

template <class Io>
void fields(Io& io, Of<Io, Workload>& workload) {
    io.may("phase", workload.phase);
    io.may("batch", workload.batch);
    io.may("context", workload.context);
    io.may("output", workload.output);
    io.may("expert_cv", workload.expert_cv);
    io.brief("training", workload.training, {});
}

template <class Io>
void fields(Io& io, Of<Io, Precision>& precision) {
    io.may("weights", precision.weights);
    io.may("experts", precision.experts);
    io.may("activations", precision.activations);
    io.may("cache", precision.cache);
    io.may("dispatch", precision.dispatch);
    io.may("combine", precision.combine);
}

template <class Io>
void fields(Io& io, Of<Io, Parallelism>& layout) {
    io.may("tensor", layout.tensor);
    io.may("pipeline", layout.pipeline);
    io.brief("context", layout.context, 1);
    io.may("attention_data", layout.attention_data);
    io.may("expert", layout.expert);
    io.may("expert_tensor", layout.expert_tensor);
    io.may("replicas", layout.replicas);
    io.may("sequence_parallel", layout.sequence_parallel);
    io.may("two_batch_overlap", layout.two_batch_overlap);
}

inline void fields(Writer& io, const Placement& placement) {
    io.must("order", std::vector<ParallelDimension>(placement.order.begin(), placement.order.end()));
}
void fields(Reader& io, Placement& placement);

template <class Io>
void fields(Io& io, Of<Io, MeasuredTime>& point) {
    io.must("size", point.size);
    io.must("time", point.time);
}

template <class Io>
void fields(Io& io, Of<Io, PathCalibration>& path) {
    io.must("link", path.link);
    io.must("operation", path.operation);
    io.must("ranks", path.ranks);
    io.may("alpha", path.alpha);
    io.must("bandwidth", path.bandwidth);
    io.brief("kappa", path.kappa, 0.0);
    io.brief("table", path.table, {});
    io.may("confidence", path.confidence);
    io.must("source", path.source);
}

template <class Io>
void fields(Io& io, Of<Io, Calibration>& calibration) {
    io.may("step_overhead", calibration.step_overhead);
    io.may("layer_overhead", calibration.layer_overhead);
    io.may("graphs", calibration.graphs);
    io.may("memory_fraction", calibration.memory_fraction);
    io.may("runtime_reserve", calibration.runtime_reserve);
    io.brief("paths", calibration.paths, {});
}

template <class Io>
void fields(Io& io, Of<Io, Prices>& prices) {
    io.may("accelerator", prices.accelerator);
    io.brief("source", prices.source, {});
}

template <class Io>
void fields(Io& io, Of<Io, Targets>& targets) {
    io.may("inter_token", targets.inter_token);
    io.may("first_token", targets.first_token);
    io.may("output_price", targets.output_price);
}

template <class Io>
void fields(Io& io, Of<Io, Service>& service) {
    io.may("offered", service.offered);
}

template <class Io>
void fields(Io& io, Of<Io, Tier>& tier) {
    io.must("price", tier.price);
    io.must("speed", tier.speed);
}

// ---- the document ----

/// A scenario with its tables held by value while it is read.
struct Draft {
    std::string schema, version;
    Scenario scenario;
    Topology topology;
    std::optional<ModelShape> model;
    Catalogue parts;
};

template <class Io>
void fields(Io& io, Of<Io, Draft>& draft) {
    io.must("schema", draft.schema);
    io.must("version", draft.version);
    io.may("title", draft.scenario.title);
    io.may("notes", draft.scenario.notes);
    io.may("topology", draft.topology);
    io.may("model", draft.model);
    io.may("workload", draft.scenario.workload);
    io.may("precision", draft.scenario.precision);
    io.may("layout", draft.scenario.layout);
    io.may("placement", draft.scenario.placement);
    io.may("calibration", draft.scenario.calibration);
    io.may("prices", draft.scenario.prices);
    io.may("targets", draft.scenario.targets);
    io.brief("service", draft.scenario.service, {});
    io.brief("tiers", draft.scenario.tiers, {});
    io.brief("thresholds", draft.scenario.thresholds, {});
    io.brief("parts", draft.parts, {});
}

}  // namespace crosspoint::json
