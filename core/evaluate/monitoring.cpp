// What to watch in production, with the ranges that this design predicts. Metric names are those of a vLLM-style
// server, of NVIDIA's DCGM exporter and of the Prometheus node exporter.
#include <algorithm>

#include "core/evaluate/stages.hpp"
#include "core/review/facts.hpp"

namespace crosspoint::stages {
namespace {

// How far a healthy figure may lie from its prediction; assumed, as wide as the model's own error on serving.
constexpr double below = 0.75, above = 1.25;
constexpr double without_target = 1.5;  ///< alert above this multiple of the prediction where no target is set; assumed

std::string rate(const std::string& metric) { return "rate(" + metric + "[5m])"; }
std::string tail_of(const std::string& histogram) {
    return "histogram_quantile(0.95, sum by (le) (rate(" + histogram + "_bucket[5m])))";
}

/// A time around its prediction, with the target as alert where there is one.
MonitoredMetric timed(const char* id, const char* what, const char* histogram, Seconds predicted,
                      const std::optional<Seconds>& target) {
    MonitoredMetric m{id, what, "s", {}, {}, {}, false, {}, tail_of(histogram)};
    if (predicted > Seconds(0)) {
        m.low = predicted.si() * below;
        m.high = predicted.si() * above;
    }
    m.alert = target                   ? target->si()
              : predicted > Seconds(0) ? std::optional(predicted.si() * without_target)
                                       : std::nullopt;
    m.basis = target ? "prediction; alert at the document's target" : "prediction; alert at 1.5 x, without a target";
    return m;
}

struct Traffic {
    double inside = 0, outside = 0;  ///< bytes of one accelerator in a step
};

Traffic traffic(const Prediction& p) {
    Traffic t;
    review_facts::each_operation(p, [&](const OperationResult& r, double times) {
        const double out = review_facts::bytes_outside(p, r).si() * times;
        t.outside += out;
        t.inside += std::max(0.0, review_facts::bytes_sent(r).si() * times - out);
    });
    return t;
}

MonitoredMetric bytes(const char* id, const char* what, double per_step, Seconds step, const char* counter) {
    MonitoredMetric m{
        id, what, "bytes/s", {}, {}, {}, false, "bytes of one accelerator in a step / step time", rate(counter)};
    if (!(step > Seconds(0))) return m;
    m.low = per_step / step.si() * below;
    m.high = per_step / step.si() * above;
    m.alert = per_step > 0 ? *m.high * without_target : 1e6;  // where nothing should cross, a megabyte a second is news
    return m;
}

void add_latencies(const Scenario& s, const Prediction& p, const Report& report, std::vector<MonitoredMetric>& all) {
    const bool decode = s.workload.phase == Phase::decode;
    const ServingReport* serving = report.serving ? &*report.serving : nullptr;
    const Seconds prefill = serving ? serving->prefill : decode ? Seconds(0) : p.step_time;
    const Seconds queue = serving ? serving->queue : Seconds(0);
    all.push_back(timed("time_to_first_token", "time to first token, 95th percentile",
                        "vllm:time_to_first_token_seconds", prefill + queue, s.targets.first_token));
    MonitoredMetric waiting =
        timed("queue_time", "of it, waiting for a place in the batch", "vllm:request_queue_time_seconds", queue, {});
    waiting.low = serving ? std::optional(0.0) : std::nullopt;
    waiting.alert = serving ? std::optional(std::max(serving->prefill.si(), 2 * queue.si())) : std::nullopt;
    waiting.basis =
        serving ? "Erlang C at the offered load; alert when it exceeds the prefill" : "needs service.offered";
    all.push_back(waiting);
    all.push_back(
        timed("prefill_time", "of it, prefill of the prompt", "vllm:request_prefill_time_seconds", prefill, {}));
    all.push_back(timed("inter_token_latency", "inter-token latency, 95th percentile",
                        "vllm:inter_token_latency_seconds", decode ? p.step_time : Seconds(0), s.targets.inter_token));
    all.push_back(timed("decode_time", "decode of a whole answer", "vllm:request_decode_time_seconds",
                        decode ? p.step_time * double(s.workload.output) : Seconds(0), {}));
}

void add_batches(const Scenario& s, const Report& report, std::vector<MonitoredMetric>& all) {
    MonitoredMetric m{"batch_size",
                      "sequences in flight of one replica: the distribution, not only its mean",
                      "1",
                      {},
                      {},
                      {},
                      true,
                      "needs service.offered; the document's own batch otherwise",
                      "vllm:num_requests_running"};
    if (report.serving && report.serving->batch) {
        m.low = report.serving->batch_low;
        m.high = report.serving->batch_high;
        m.alert = 0.5 * *m.low;
        m.basis =
            "5th to 95th percentile of a Poisson number in flight; alert at half of the low end, where a token costs "
            "most";
    } else {
        m.low = m.high = double(s.workload.batch);
        m.alert = 0.5 * *m.low;
    }
    all.push_back(m);
    all.push_back({"waiting", "requests without a place", "1", 0.0, 0.0, 0.1 * double(s.workload.batch), false,
                   "a tenth of the batch; assumed", "vllm:num_requests_waiting"});
}

void add_memory(const Prediction& p, std::vector<MonitoredMetric>& all) {
    if (p.memory.fullest >= p.memory.stages.size()) return;
    const StageMemory& stage = p.memory.stages[p.memory.fullest];
    const double room = stage.cache.si() + std::max(0.0, p.memory.margin.si());
    const double used = room > 0 ? stage.cache.si() / room : 0;
    all.push_back({"cache_usage", "share of the cache that is used", "1", used * below, std::min(1.0, used * above),
                   0.95, false, "cache of the batch over what memory leaves for it", "vllm:kv_cache_usage_perc"});
}

void add_experts(const Scenario& s, const Prediction& p, std::vector<MonitoredMetric>& all) {
    double hottest = 0;
    review_facts::each_operation(p, [&](const OperationResult& r, double) {
        if (r.op.kind == OpKind::experts) hottest = std::max(hottest, r.op.imbalance);
    });
    if (!(hottest > 0)) return;
    all.push_back({"expert_load", "load of the hottest expert rank over the mean", "1", 1.0, hottest * above,
                   threshold(s, "expert-load.fail"), false,
                   "gamma-Poisson law at the document's spread of popularity; alert at the review's threshold",
                   "max(expert_tokens) / avg(expert_tokens)  # of the engine's expert counters"});
}

}  // namespace

std::vector<MonitoredMetric> monitoring(const Scenario& scenario, const Prediction& prediction, const Report& report) {
    std::vector<MonitoredMetric> all;
    if (scenario.workload.phase == Phase::training) return all;
    add_latencies(scenario, prediction, report, all);
    add_batches(scenario, report, all);
    add_memory(prediction, all);
    const Traffic t = traffic(prediction);
    all.push_back(bytes("in_domain_bytes", "bytes that one accelerator sends inside its domain", t.inside,
                        prediction.step_time, "DCGM_FI_PROF_NVLINK_TX_BYTES"));
    all.push_back(bytes("cross_domain_bytes", "bytes that one accelerator sends out of its domain", t.outside,
                        prediction.step_time, "node_infiniband_port_data_transmitted_bytes_total"));
    add_experts(scenario, prediction, all);
    all.push_back({"throughput", "output tokens a second, all replicas", "tokens/s", prediction.total.si() * below,
                   prediction.total.si() * above, prediction.total.si() * 0.5, true,
                   "prediction at the document's batch; alert at half of it",
                   "sum(" + rate("vllm:generation_tokens_total") + ")"});
    return all;
}

}  // namespace crosspoint::stages
