#include <nlohmann/json.hpp>

#include "core/io/report_writers.hpp"

namespace crosspoint {
namespace {

using Json = nlohmann::ordered_json;

std::string dumped(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

Json error_json(const Error& e) {
    Json j{{"message", e.message}};
    if (!e.hint.empty()) j["hint"] = e.hint;
    if (!e.objects.empty()) j["objects"] = e.objects;
    return j;
}

template <class T>
Json slot(const Result<T>& result, Json (*write)(const T&)) {
    return result ? write(*result) : Json{{"error", error_json(result.error())}};
}

Json training_workload_json(const Training& t) {
    return {{"micro_batch", t.micro_batch},
            {"recompute", to_string(t.recompute)},
            {"schedule", to_string(t.schedule)},
            {"interleave", t.interleave},
            {"sharding", t.sharding},
            {"optimiser", to_string(t.optimiser)},
            {"gradients", to_string(t.gradients)},
            {"master", to_string(t.master)}};
}

Json workload_json(const Workload& w) {
    Json j{{"phase", to_string(w.phase)},
           {"batch", w.batch},
           {"context_tokens", w.context},
           {"output_tokens", w.output},
           {"expert_cv", w.expert_cv}};
    if (w.phase == Phase::training) j["training"] = training_workload_json(w.training);
    return j;
}

Json training_json(const TrainingStep& t) {
    return {{"micro_batches", t.micro_batches},
            {"bubble_s", t.bubble.si()},
            {"published_bubble_s", t.published_bubble.si()},
            {"data_exposed_s", t.data_exposed.si()},
            {"data_hidden_s", t.data_hidden.si()},
            {"optimiser_s", t.optimiser.si()},
            {"flops_per_token_weights", t.flops.weights.si()},
            {"flops_per_token_full_attention", t.flops.full().si()},
            {"flops_per_token_causal_attention", t.flops.causal().si()},
            {"flops_per_token_computed", t.computed.si()},
            {"peak_flops_per_s", t.peak.si()},
            {"peak_dtype", to_string(t.peak_dtype)},
            {"mfu", t.mfu},
            {"mfu_causal", t.mfu_causal},
            {"mfu_weights", t.mfu_weights},
            {"hfu", t.hfu},
            {"goodput", t.goodput.share},
            {"checkpoint_interval_s", t.goodput.interval.si()}};
}

Json optimum_json(const Optimum& o) { return {{"parameters", o.parameters}, {"tokens", o.tokens}}; }

Json data_json(const DataPlan& d) {
    Json fits = Json::array();
    for (const auto& f : d.fits)
        fits.push_back({{"fit", f.fit},
                        {"source", f.source},
                        {"uncertainty", f.uncertainty},
                        {"loss", f.loss},
                        {"compute_optimal", optimum_json(f.same_compute)},
                        {"equal_loss", optimum_json(f.same_loss)},
                        {"serving_ratio", f.serving_ratio}});
    return {{"parameters_active", d.active},
            {"parameters_total", d.total},
            {"tokens", d.tokens},
            {"compute_flops", d.compute.si()},
            {"multiple_active", d.multiple_active},
            {"multiple_total", d.multiple_total},
            {"optimal_tokens", d.optimal_tokens},
            {"fits", fits},
            {"time_s", d.run.time.si()},
            {"accelerator_hours", d.run.accelerator_hours},
            {"cost_usd", d.run.money.si()},
            {"energy_j", d.run.energy.si()},
            {"basis", d.basis},
            {"confidence", to_string(d.confidence)}};
}

Json model_json(const ModelSummary& m) {
    const auto& p = m.parameters;
    return {{"parameters_total", p.total},
            {"parameters_active", p.active},
            {"parameters_embedding", p.embedding},
            {"parameters_head", p.head},
            {"parameters_attention", p.attention},
            {"parameters_dense_feed_forward", p.dense_feed_forward},
            {"parameters_routed_experts", p.routed_experts},
            {"parameters_shared_experts", p.shared_experts},
            {"kv_bytes_per_token", m.kv_per_token.si()},
            {"weights_bytes", m.weights.si()}};
}

Json layout_json(const LayoutFacts& l) {
    return {{"accelerators", l.accelerators},
            {"replica_size", l.replica_size},
            {"replicas", l.replicas},
            {"idle", l.idle},
            {"message", l.message}};
}

Json link_use_json(const Network& network, const LinkUse& use) {
    Json j;
    if (use.link >= 0 && std::size_t(use.link) < network.links.size()) {
        const auto& link = network.links[std::size_t(use.link)];
        j = {{link.ref.kind == LinkRef::Kind::link ? "link" : "domain", link.ref.id},
             {"name", link.name},
             {"level", network.levels[std::size_t(link.level)].name},
             {"capacity_bytes_per_s", link.capacity.value.si()},
             {"confidence", to_string(link.capacity.confidence)}};
    }
    j["bytes"] = use.bytes.si();
    j["busy_s"] = use.busy.si();
    j["utilisation"] = use.utilisation;
    return j;
}

Json communication_json(const OperationResult& r) {
    Json j{{"op", to_string(r.op.communication->op)}, {"group", to_string(r.op.communication->group)}};
    if (r.collective) {
        j["algorithm"] = to_string(r.collective->algorithm);
        j["latency_s"] = r.collective->latency.si();
        j["bandwidth_s"] = r.collective->bandwidth.si();
        j["sent_bytes"] = r.collective->sent_per_rank.si();
    }
    if (r.exchange) {
        j["algorithm"] = r.exchange->algorithm;
        j["latency_s"] = r.exchange->latency.si();
        j["bandwidth_s"] = r.exchange->bandwidth.si();
        j["sent_bytes"] = r.exchange->sent_per_rank.si();
        j["remote_share"] = r.exchange->remote_share;
    }
    j["levels"] = Json::array();
    for (const auto& at : r.levels)
        j["levels"].push_back({{"level", at.level}, {"bytes", at.bytes.si()}, {"time_s", at.time.si()}});
    return j;
}

Json operation_json(const OperationResult& r) {
    Json j{{"id", r.op.id},
           {"label", r.op.label},
           {"kind", to_string(r.op.kind)},
           {"time_s", r.time.si()},
           {"bound", to_string(r.bound)},
           {"flops", r.op.flops.si()},
           {"memory_bytes", r.op.memory_bytes().si()},
           {"why", r.why},
           {"confidence", to_string(r.confidence)}};
    if (r.op.communication) j["communication"] = communication_json(r);
    return j;
}

Json operations_json(const std::vector<OperationResult>& operations) {
    Json all = Json::array();
    for (const auto& r : operations) all.push_back(operation_json(r));
    return all;
}

Json shares_json(const TimeShares& s) {
    return {{"compute_s", s.compute.si()},
            {"hidden_s", s.hidden.si()},
            {"exposed_s", s.exposed.si()},
            {"idle_s", s.idle.si()}};
}

Json layer_json(const LayerResult& l) {
    return {{"label", l.label},
            {"count", l.count},
            {"first", l.first},
            {"time_s", l.timeline.end.si()},
            {"shares", shares_json(l.timeline.shares)},
            {"operations", operations_json(l.operations)}};
}

Json memory_json(const MemoryReport& m) {
    Json j{{"capacity_bytes", m.capacity.si()},
           {"usable_bytes", m.usable.si()},
           {"margin_bytes", m.margin.si()},
           {"fits", m.fits},
           {"fullest_stage", m.fullest},
           {"largest_batch", m.largest_batch},
           {"longest_context_tokens", m.longest_context},
           {"stages", Json::array()}};
    for (const auto& s : m.stages) {
        j["stages"].push_back({{"stage", s.stage},
                               {"first_layer", s.first_layer},
                               {"layers", s.layers},
                               {"dense_weights_bytes", s.dense_weights.si()},
                               {"expert_weights_bytes", s.expert_weights.si()},
                               {"embeddings_bytes", s.embeddings.si()},
                               {"cache_bytes", s.cache.si()},
                               {"activations_bytes", s.activations.si()},
                               {"buffers_bytes", s.buffers.si()},
                               {"reserve_bytes", s.reserve.si()},
                               {"used_bytes", s.used().si()}});
        if (!(s.optimiser.si() > 0)) continue;
        j["stages"].back()["gradients_bytes"] = s.gradients.si();
        j["stages"].back()["optimiser_bytes"] = s.optimiser.si();
    }
    return j;
}

Json prediction_json(const Prediction& p) {
    Json j{{"step_time_s", p.step_time.si()},
           {"tokens_per_s_per_user", p.per_user.si()},
           {"tokens_per_s_per_replica", p.per_replica.si()},
           {"tokens_per_s_per_accelerator", p.per_accelerator.si()},
           {"tokens_per_s", p.total.si()},
           {"price_usd_per_s", p.price.si()},
           {"unit_price_usd_per_token", p.unit_price.si()},
           {"communication_share", p.communication_share},
           {"exposed_share", p.exposed_share},
           {"cross_domain_ratio", p.cross_domain},
           {"sent_bytes", p.bytes_sent.si()},
           {"shares", shares_json(p.step.shares)},
           {"confidence", to_string(p.confidence)},
           {"accelerator", p.accelerator ? p.accelerator->id.value : ""},
           {"accelerators", p.network->accelerators},
           {"domain_size", p.network->domain_size}};
    j["links"] = Json::array();
    for (const auto& use : p.links) j["links"].push_back(link_use_json(*p.network, use));
    j["layers"] = Json::array();
    for (const auto& l : p.layers) j["layers"].push_back(layer_json(l));
    j["ends"] = operations_json(p.ends);
    j["memory"] = memory_json(p.memory);
    if (p.training) j["training"] = training_json(*p.training);
    return j;
}

Json figures_json(const Report& report) {
    Json j = Json::object();
    for (const auto& f : report.figures) j[f.key] = f.value_si;
    return j;
}

Json derivations_json(const Report& report) {
    Json all = Json::object();
    for (const auto& f : report.figures) {
        Json terms = Json::array();
        for (const auto& t : f.why.terms)
            terms.push_back({{"name", t.name},
                             {"value", t.value},
                             {"source", t.source},
                             {"confidence", to_string(t.confidence)},
                             {"object", t.object}});
        all[f.id] = {{"text", f.text},
                     {"note", f.note},
                     {"confidence", to_string(f.confidence)},
                     {"formula", f.why.formula},
                     {"substituted", f.why.substituted},
                     {"terms", terms},
                     {"notes", f.why.notes}};
    }
    return all;
}

Json crossovers_json(const Report& report) {
    Json all = Json::array();
    for (const auto& c : report.curves)
        all.push_back({{"name", c.name},
                       {"part", c.part.value},
                       {"use", c.use},
                       {"level", c.level},
                       {"alpha_s", c.link.alpha.si()},
                       {"bandwidth_bytes_per_s", c.link.beta.si()},
                       {"kappa", c.link.kappa},
                       {"crossover_bytes", c.crossover.si()},
                       {"half_bandwidth_bytes", c.half_bandwidth.si()},
                       {"confidence", to_string(c.confidence)},
                       {"source", c.source}});
    return all;
}

Json messages_json(const Report& report) {
    Json all = Json::array();
    for (const auto& m : report.messages)
        all.push_back(
            {{"op", m.op}, {"label", m.label}, {"curve", m.curve}, {"bytes", m.bytes.si()}, {"time_s", m.time.si()}});
    return all;
}

Json batch_sweep_json(const Report& report) {
    Json all = Json::array();
    for (const auto& p : report.batch_sweep)
        all.push_back({{"batch", p.batch},
                       {"step_time_s", p.step.si()},
                       {"tokens_per_s_per_user", p.per_user.si()},
                       {"tokens_per_s_per_accelerator", p.per_accelerator.si()},
                       {"unit_price_usd_per_token", p.price.si()},
                       {"fits", p.fits}});
    return all;
}

Json optional_json(const std::optional<std::int64_t>& v) { return v ? Json(*v) : Json(nullptr); }

Json window_json(const BatchWindow& w) {
    return {{"smallest", optional_json(w.smallest)},
            {"largest", optional_json(w.largest)},
            {"empty", w.empty},
            {"low_reason", w.low_reason},
            {"high_reason", w.high_reason},
            {"finding", w.finding}};
}

Json tensor_sweep_json(const TensorSweep& sweep) {
    Json points = Json::array();
    for (const auto& p : sweep.points)
        points.push_back({{"degree", p.degree},
                          {"step_time_s", p.step.si()},
                          {"weights_s", p.weights.si()},
                          {"communication_s", p.communication.si()}});
    return {{"points", points}, {"turns_over_at", optional_json(sweep.turns_over_at)}};
}

Json serving_json(const ServingReport& s) {
    return {{"offered_tokens_per_s", s.offered.si()},
            {"requests_per_s", s.requests_per_s},
            {"replicas", s.replicas},
            {"largest_batch", s.largest},
            {"effective_batch", s.batch ? Json(*s.batch) : Json(nullptr)},
            {"batch_p5", s.batch_low},
            {"batch_p95", s.batch_high},
            {"inter_token_latency_s", s.step.si()},
            {"queue_s", s.queue.si()},
            {"prefill_s", s.prefill.si()},
            {"decode_s", s.decode.si()},
            {"waiting_probability", s.waiting},
            {"utilisation", s.utilisation},
            {"output_price_usd_per_token", s.output_price.si()},
            {"low_batch_price_usd_per_token", s.low_batch_price.si()},
            {"input_price_usd_per_token", s.input_price.si()},
            {"replicas_needed", s.replicas_needed},
            {"accelerators_needed", s.accelerators_needed},
            {"finding", s.finding}};
}

Json tiers_json(const Report& report) {
    Json points = Json::array(), promised = Json::array();
    for (const TierPoint& p : report.tier_points)
        points.push_back({{"name", p.name},
                          {"batch", p.batch},
                          {"tokens_per_s_per_user", p.per_user.si()},
                          {"unit_price_usd_per_token", p.price.si()},
                          {"speed_ratio", p.speed_ratio},
                          {"price_ratio", p.price_ratio}});
    for (const TierJudgement& j : report.tiers)
        promised.push_back({{"name", j.name},
                            {"price", j.price},
                            {"speed", j.speed},
                            {"fastest", j.fastest},
                            {"batch", j.batch ? Json(*j.batch) : Json(nullptr)},
                            {"cost", j.cost},
                            {"kept", j.kind == TierJudgement::Kind::kept},
                            {"false_promise", j.kind == TierJudgement::Kind::false_promise},
                            {"finding", j.finding}});
    return {{"policies", points}, {"promised", promised}};
}

Json impairments_json(const Report& report) {
    Json all = Json::array();
    for (const Impairment& i : report.impairments)
        all.push_back({{"what", i.what},
                       {i.link.kind == LinkRef::Kind::link ? "link" : "domain", i.link.id},
                       {"cut", i.cut},
                       {"step_time_s", i.cut ? Json(nullptr) : Json(i.step.si())}});
    return all;
}

Json suggestion_json(const Suggestion& s) {
    Json edits = Json::array();
    for (const auto& edit : s.edits) edits.push_back(describe(edit));
    Json j{{"text", s.text}, {"edits", edits}};
    if (!s.before_si || !s.after_si) return j;
    j["metric"] = s.metric;
    j["before_si"] = *s.before_si;
    j["after_si"] = *s.after_si;
    j["before"] = s.before;
    j["after"] = s.after;
    return j;
}

Json evidence_json(const VerdictEvidence& e) {
    Json links = Json::array();
    for (const auto& ref : e.links) links.push_back({{ref.kind == LinkRef::Kind::link ? "link" : "domain", ref.id}});
    return {{"operations", e.operations}, {"links", links}, {"objects", e.objects}};
}

Json verdict_json(const Verdict& v) {
    Json j{{"rule", v.rule},   {"number", v.number},     {"outcome", to_string(v.outcome)},
           {"title", v.title}, {"question", v.question}, {"figure", v.figure}};
    if (v.value_si) j["value"] = *v.value_si;
    if (v.threshold) j["threshold"] = *v.threshold;
    if (!v.threshold_name.empty()) j["threshold_name"] = v.threshold_name;
    j["threshold_text"] = v.threshold_text;
    j["explanation"] = v.explanation;
    j["confidence"] = to_string(v.confidence);
    j["evidence"] = evidence_json(v.evidence);
    j["suggestions"] = Json::array();
    for (const auto& s : v.suggestions) j["suggestions"].push_back(suggestion_json(s));
    return j;
}

Json verdict_array(const Report& report) {
    Json all = Json::array();
    for (const auto& v : report.verdicts) all.push_back(verdict_json(v));
    return all;
}

Json counts_json(const Report& report) {
    return {{"fail", report.count(Outcome::fail)},
            {"attention", report.count(Outcome::attention)},
            {"pass", report.count(Outcome::pass)},
            {"not_applicable", report.count(Outcome::not_applicable)}};
}

Json assumptions_json(const Report& report) {
    Json all = Json::array();
    for (const auto& a : report.assumptions)
        all.push_back({{"what", a.what}, {"source", a.source}, {"confidence", to_string(a.confidence)}});
    return all;
}

}  // namespace

std::string report_json(const Scenario& scenario, const Report& report) {
    Json model = slot(report.model, model_json);
    if (scenario.model) {
        model["name"] = scenario.model->name;
        model["layers"] = scenario.model->layers.size();
    }
    Json j{{"title", report.title},
           {"version", report.version},
           {"workload", workload_json(report.workload)},
           {"model", model},
           {"layout", slot(report.layout, layout_json)},
           {"figures", figures_json(report)},
           {"derivations", derivations_json(report)},
           {"prediction", slot(report.prediction, prediction_json)},
           {"crossovers", crossovers_json(report)},
           {"messages", messages_json(report)},
           {"batch_sweep", batch_sweep_json(report)},
           {"batch_window", window_json(report.window)},
           {"serving", report.serving ? serving_json(*report.serving) : Json(nullptr)},
           {"tiers", tiers_json(report)},
           {"impairments", impairments_json(report)},
           {"tensor_sweep", tensor_sweep_json(report.tensor_sweep)},
           {"counts", counts_json(report)},
           {"verdicts", verdict_array(report)},
           {"assumptions", assumptions_json(report)},
           {"warnings", report.warnings}};
    if (report.data) j["data"] = data_json(*report.data);
    return dumped(j);
}

std::string verdicts_json(const Report& report) {
    const Json j{{"title", report.title},
                 {"counts", counts_json(report)},
                 {"verdicts", verdict_array(report)},
                 {"warnings", report.warnings}};
    return dumped(j);
}

}  // namespace crosspoint
