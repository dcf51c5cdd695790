#include "accuracy/training_setup.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "accuracy/hardware.hpp"
#include "accuracy/models.hpp"
#include "core/training/kernels.hpp"

namespace crosspoint::accuracy {
namespace {

bool has(const std::string& text, const char* word) { return text.find(word) != std::string::npos; }

/// Runs whose layout a record leaves to its publication, as that publication states it: Korthikanti et al. 2022
/// (arXiv 2205.05198, table 3); DeepSeek-V3 technical report (2412.19437, sections 3.2 and 4.2).
struct PublishedRun {
    const char *model, *source;  ///< words of the plain model name and of the source or notes, lower case
    std::int64_t tensor, pipeline, interleave, expert, micro_batch, batch, sequence;
};
constexpr PublishedRun published_runs[] = {
    {"gpt22b", "megatron-lm readme", 8, 1, 1, 0, 4, 4, 2048},
    {"gpt175b", "megatron-lm readme", 8, 8, 3, 0, 1, 64, 2048},
    {"gpt530b", "megatron-lm readme", 8, 35, 3, 0, 1, 280, 2048},
    {"gpt1t", "megatron-lm readme", 8, 64, 1, 0, 1, 512, 2048},
    {"deepseekv3", "deepseek", 1, 16, 1, 64, 1, 15360, 4096},
};

struct Degrees {
    std::int64_t accelerators = 0, tensor = 1, pipeline = 1, context = 1, expert = 1, expert_tensor = 1;
    std::int64_t interleave = 1, micro_batch = 0, batch = 0, sequence = 0, fsdp = 0, data = 0;
    bool published = false;
};

Degrees degrees_of(const Record& r) {
    const Config& c = r.config;
    Degrees d;
    d.accelerators = c.count("gpus", c.count("chips", c.count("accelerators")));
    d.tensor = std::max<std::int64_t>(1, c.count("tp", 1));
    d.pipeline = std::max<std::int64_t>(1, c.count("pp", 1));
    d.context = std::max<std::int64_t>(1, c.count("cp", 1));
    d.expert = std::max<std::int64_t>(1, c.count("ep", 1));
    d.expert_tensor = std::max<std::int64_t>(1, c.count("etp", 1));
    d.interleave = std::max<std::int64_t>(1, c.count("virtual_pp", c.count("interleave", 1)));
    d.micro_batch = c.count("micro_batch", c.count("mbs"));
    d.batch = c.count("global_batch", c.count("gbs"));
    d.sequence = c.count("sequence", c.count("seq", c.count("seq_len")));
    d.fsdp = c.count("fsdp");
    d.data = c.count("dp");
    const std::string model = plain_name(c.text("model")), source = lower(r.source);
    for (const PublishedRun& run : published_runs) {
        if (!has(model, run.model) || !has(source, run.source)) continue;
        if (c.has("tp") || (c.has("global_batch") && c.has("sequence"))) break;
        d.tensor = run.tensor;
        d.pipeline = run.pipeline;
        d.interleave = run.interleave;
        d.expert = std::max<std::int64_t>(run.expert, 1);
        d.micro_batch = run.micro_batch;
        d.batch = run.batch;
        d.sequence = run.sequence;
        d.published = true;
        break;
    }
    return d;
}

bool any_experts(const ModelShape& m) {
    return std::any_of(m.kinds.begin(), m.kinds.end(), [](const auto& k) { return bool(k.feed_forward.experts); });
}

tl::expected<Parallelism, std::string> layout_of(const Degrees& d, const ModelShape& model) {
    Parallelism p;
    p.tensor = d.tensor;
    p.pipeline = d.pipeline;
    p.context = d.context;
    std::int64_t stage = d.tensor * d.context;
    if (any_experts(model)) {
        p.expert = d.expert;
        p.expert_tensor = d.expert_tensor;
        const std::int64_t experts = d.expert * d.expert_tensor;
        if (experts % stage != 0 && stage % experts != 0)
            return tl::unexpected(fmt::format("{} expert ranks on stages of {}", experts, stage));
        if (experts < stage) p.expert_tensor = stage / d.expert;  // experts are cut over the rest of the stage
        p.attention_data = std::max<std::int64_t>(1, experts / stage);
        stage *= p.attention_data;
    }
    const std::int64_t replica = stage * d.pipeline;
    if (d.accelerators < 1 || d.accelerators % replica != 0)
        return tl::unexpected(
            fmt::format("{} accelerators are no multiple of a replica's {}", d.accelerators, replica));
    p.replicas = d.accelerators / replica;
    p.sequence_parallel = d.tensor > 1;
    return p;
}

/// Sequences of a step over all replicas.
std::int64_t batch_of(const Record& r, const Degrees& d, const Parallelism& p) {
    const std::int64_t data = p.attention_data * p.replicas;
    if (d.batch > 0) return d.batch;
    const Config& c = r.config;
    if (c.count("batch_per_dp") > 0) return c.count("batch_per_dp") * std::max<std::int64_t>(1, d.data);
    if (c.count("local_batch") > 0) return c.count("local_batch") * data;
    if (c.count("micro_batches") > 0) return c.count("micro_batches") * std::max<std::int64_t>(1, d.micro_batch) * data;
    if (c.count("grad_accum") > 0) return c.count("grad_accum") * std::max<std::int64_t>(1, d.micro_batch) * data;
    const double tokens = c.number_or("tokens_per_gpu", 0) * double(d.accelerators);
    if (tokens > 0 && d.sequence > 0) return std::llround(tokens / double(d.sequence));
    return 0;
}

/// GPT and MT-NLG on A100: kernels that keep the scores, dropout, one copy of everything on each data-parallel rank.
bool of_first_megatron(const Record& r, const Degrees&) {
    const std::string model = plain_name(r.config.text("model"));
    const bool gpt = has(model, "gpt") || has(model, "mtnlg");
    return gpt && !has(model, "oss") && has(r.config.lower("hardware"), "a100") && !r.config.has("system");
}

Recompute recompute_of(const Record& r, bool first) {
    std::string text = r.config.lower("recompute") + r.config.lower("activation_recompute");
    const std::string checkpointing = r.config.lower("activation_checkpointing");
    if (has(text, "full") || checkpointing == "true") return Recompute::full;
    if (has(text, "none") || checkpointing == "false") return Recompute::none;
    if (has(text, "selective")) return Recompute::selective;
    return first && text.empty() ? Recompute::full : Recompute::selective;
}

Dtype products_of(const Record& r) {
    const std::string p = r.config.lower("precision");
    if (has(p, "fp4")) return Dtype::fp4;
    if (has(p, "fp8")) return Dtype::fp8;
    if (has(p, "fp16")) return Dtype::fp16;
    if (has(p, "fp32")) return Dtype::fp32;
    return Dtype::bf16;
}

/// Recipes of NVIDIA's own frameworks overlap tensor-parallel messages with their products and reduce in 16 bits.
bool tuned_by_vendor(const Record& r) {
    const std::string source = lower(r.source), system = r.config.lower("system");
    return has(source, "nvidia") || has(source, "mlcommons") || system == "megascale" ||
           has(r.config.lower("submitter"), "nvidia");
}

Training training_of(const Record& r, const Degrees& d, const Parallelism& p, std::int64_t batch) {
    const bool first = of_first_megatron(r, d);
    const std::string schedule = r.config.lower("schedule");
    Training t;
    t.recompute = recompute_of(r, first);
    t.interleave = d.interleave;
    if (has(schedule, "interleaved") && t.interleave == 1) t.interleave = 2;
    // Its publication says interleaved, one layer a chunk is assumed.
    if (has(lower(r.source), "llama 3 herd")) t.interleave = std::max<std::int64_t>(1, 126 / p.pipeline);
    if (has(schedule, "zero") || has(schedule, "zb")) t.schedule = PipelineSchedule::zero_bubble;
    if (has(schedule, "dualpipe") || (d.published && d.expert > 1)) t.schedule = PipelineSchedule::dual_pipe;
    if (t.schedule == PipelineSchedule::dual_pipe) t.overlap_expert = true;
    t.fused_attention = !first;
    t.dropout = first;
    const std::string sharding = r.config.lower("sharding") + r.config.lower("dp") + r.config.lower("scheme");
    const bool fully = d.fsdp > 1 || has(sharding, "fsdp") || has(sharding, "zero-3") || has(sharding, "zero3");
    t.sharding = first ? 0 : fully ? (p.pipeline > 1 ? 2 : 3) : 1;
    t.overlap_tensor = tuned_by_vendor(r) && !first;
    t.gradients = fully || (tuned_by_vendor(r) && !first) ? Dtype::bf16 : Dtype::fp32;
    t.micro_batch = d.micro_batch;
    if (t.micro_batch > 0) return t;
    // Not stated: all of a rank's sequences at once where there is no pipeline and they are few, else one.
    const std::int64_t each = batch / std::max<std::int64_t>(1, p.attention_data * p.replicas);
    t.micro_batch = p.pipeline == 1 && each >= 1 && each <= 4 ? each : 1;
    return t;
}

Precision precision_of(const Record& r) {
    Precision p;
    p.weights = p.experts = products_of(r);
    const bool deepseek =
        has(plain_name(r.config.text("model")), "deepseekv3") && has(r.config.lower("hardware"), "h800");
    if (deepseek && !r.config.has("precision")) p.weights = p.experts = Dtype::fp8;  // as its report says
    if (p.weights == Dtype::fp8 && has(plain_name(r.config.text("model")), "deepseek") &&
        has(r.config.lower("hardware"), "h800"))
        p.dispatch = Dtype::fp8;
    return p;
}

/// Frameworks other than the vendor's own run without its fused kernels: their products reach a lower share of the
/// class's (fitted on llm-foundry and SimuMax).
void use_open_stack(Scenario& s, const std::string& hardware) {
    const auto id = accelerator_of(hardware);
    const AcceleratorPart* part = id ? s.catalogue->accelerators.find(*id) : nullptr;
    if (!part) return;
    const TrainingShares& shares = training_shares(*part);
    const Dtype d = s.precision.weights;
    const double share = d == Dtype::fp4 ? shares.fp4 : d == Dtype::fp8 ? shares.fp8 : shares.bf16;
    s.workload.training.product_share = share * 0.85;
}

tl::expected<Machine, std::string> machine_for(const Record& r, const Degrees& d, const Catalogue& catalogue) {
    MachineRequest request;
    request.hardware = r.config.text("hardware");
    request.scale_out = r.config.text("hardware");
    if (r.config.has("scale_out")) request.scale_out = r.config.text("scale_out");
    request.ranks = d.accelerators;
    const auto up = scale_up_of(request.hardware, "");
    std::int64_t domain = up ? up->domain : 8;
    if (domain > 8 && d.accelerators > domain) {  // racks of 72 are used in powers of two
        domain = 64;
        while (domain > 1 && d.accelerators % domain != 0) domain /= 2;
        request.domain = domain;
    }
    while (domain > 1 && d.accelerators > domain && d.accelerators % domain != 0) domain /= 2;
    request.nodes = std::max<std::int64_t>(1, d.accelerators / domain);
    if (request.nodes == 1) request.domain = std::max<std::int64_t>(d.accelerators, 1);
    return machine_of(request, catalogue);
}

}  // namespace

tl::expected<TrainingSetup, std::string> training_setup(const Record& r, const Catalogue& catalogue) {
    auto model = model_of(r.config);
    if (!model) return tl::unexpected(model.error());
    const Degrees d = degrees_of(r);
    if (d.accelerators < 1) return tl::unexpected(std::string("no number of accelerators is stated"));
    const auto layout = layout_of(d, **model);
    if (!layout) return tl::unexpected(layout.error());
    const std::int64_t batch = batch_of(r, d, *layout);
    if (batch < 1) return tl::unexpected(std::string("no batch is stated"));
    auto machine = machine_for(r, d, catalogue);
    if (!machine) return tl::unexpected(machine.error());
    TrainingSetup setup;
    Scenario& s = setup.scenario;
    s = empty_scenario(std::make_shared<const Catalogue>(catalogue));
    s.topology = std::make_shared<const Topology>(std::move(machine->topology));
    s.model = *model;
    s.layout = *layout;
    s.precision = precision_of(r);
    s.workload.phase = Phase::training;
    s.workload.batch = batch;
    s.workload.context = d.sequence > 0 ? d.sequence : 2048;
    s.workload.training = training_of(r, d, *layout, batch);
    if (of_first_megatron(r, d) && !has(r.config.lower("recompute"), "sequence")) s.layout.sequence_parallel = false;
    if (!tuned_by_vendor(r) && !of_first_megatron(r, d)) use_open_stack(s, r.config.text("hardware"));
    setup.accelerators = double(d.accelerators);
    setup.how =
        fmt::format("{}; TP {} CP {} PP {} x {} EP {} replicas {}, batch {} x {}, {}, recompute {}, sharding {}",
                    machine->how, s.layout.tensor, s.layout.context, s.layout.pipeline, s.workload.training.interleave,
                    s.layout.expert, s.layout.replicas, batch, s.workload.context, to_string(s.precision.weights),
                    to_string(s.workload.training.recompute), s.workload.training.sharding);
    return setup;
}

}  // namespace crosspoint::accuracy
