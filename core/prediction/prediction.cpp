#include "core/prediction/prediction.hpp"

#include <algorithm>

#include "core/prediction/step.hpp"
#include "core/prediction/training_step.hpp"

namespace crosspoint {

namespace {

/// Sums of the step over what one accelerator does in it.
struct Totals {
    Bytes sent, crossing;
    Confidence confidence = Confidence::exact;
    std::vector<LinkUse> links;  ///< by link index, without utilisation
};

void add_links(Totals& totals, const std::vector<OperationResult>& operations, double times) {
    for (const OperationResult& result : operations) {
        totals.confidence = weaker(totals.confidence, result.confidence);
        for (const LinkUse& use : result.links) {
            LinkUse& sum = totals.links[std::size_t(use.link)];
            sum.bytes += use.bytes * times;
            sum.busy += use.busy * times;
        }
    }
}

void add_part(Totals& totals, const CostedPart& part, double times, double of_accelerators) {
    totals.sent += part.sent * (times * of_accelerators);
    totals.crossing += part.crossing * (times * of_accelerators);
    add_links(totals, part.operations, times);
}

/// Layers are spread over the stages, so an accelerator sees its stage's part of them, once per group.
Totals totals_of(const Context& context, const std::vector<CostedLayer>& layers, const CostedEnds& ends) {
    Totals totals;
    totals.links.resize(context.network->links.size());
    for (std::size_t i = 0; i < totals.links.size(); ++i) totals.links[i].link = int(i);
    const double stages = double(std::max<std::int64_t>(context.scenario.layout.pipeline, 1));
    for (const CostedLayer& layer : layers) {
        const double times = double(layer.result.count) * context.micro_batches * context.groups / stages;
        totals.sent += layer.sent * times;
        totals.crossing += layer.crossing * times;
        add_links(totals, layer.result.operations, times);
    }
    add_part(totals, ends.before, context.groups, 1 / stages);
    add_part(totals, ends.after, context.groups, 1 / stages);
    add_part(totals, ends.transfer, context.groups, (stages - 1) / stages);
    totals.confidence = weaker(totals.confidence, ends.overhead.result.confidence);
    totals.confidence = weaker(totals.confidence, context.scenario.calibration.layer_overhead.confidence);
    return totals;
}

void add_totals(Prediction& p, Totals totals) {
    p.bytes_sent = totals.sent;
    p.cross_domain = totals.sent.si() > 0 ? std::clamp(totals.crossing / totals.sent, 0.0, 1.0) : 0.0;
    p.confidence = totals.confidence;
    for (LinkUse& use : totals.links) {
        if (!(use.bytes.si() > 0)) continue;
        use.utilisation = p.step_time.si() > 0 ? std::min(1.0, use.busy / p.step_time) : 0.0;
        p.links.push_back(use);
    }
}

/// `amount` tokens in every step.
TokensPerSecond rate(double amount, Seconds time) { return time.si() > 0 ? Tokens(amount) / time : TokensPerSecond(0); }

void add_rates(Prediction& p, const Workload& workload) {
    const double each = workload.phase == Phase::prefill ? double(workload.context) : 1.0;
    p.per_user = rate(each, p.step_time);
    p.per_replica = rate(each * double(workload.batch), p.step_time);
    p.per_accelerator = p.per_replica / double(std::max<std::int64_t>(p.layout.replica_size, 1));
    p.total = p.per_replica * double(p.layout.replicas);
}

void add_price(Prediction& p, const Prices& prices) {
    if (prices.accelerator) {
        p.price = *prices.accelerator;
        p.price_source = prices.source.empty() ? "entered" : prices.source;
        p.price_confidence = Confidence::exact;
    } else if (p.accelerator->price) {
        p.price = p.accelerator->price->value;
        p.price_source = p.accelerator->price->source;
        p.price_confidence = p.accelerator->price->confidence;
    } else {
        p.price_source = "no price in the catalogue";
    }
    // Only accelerators that a replica uses are paid for here; idle ones are a finding of the review.
    if (p.total.si() > 0)
        p.unit_price = unit_price(double(p.layout.replica_size * p.layout.replicas), p.price, p.total);
}

void add_step(Prediction& p, Timeline step) {
    p.step = std::move(step);
    p.step_time = p.step.end;
    if (!(p.step_time.si() > 0)) return;
    p.communication_share = (p.step.shares.hidden + p.step.shares.exposed) / p.step_time;
    p.exposed_share = p.step.shares.exposed / p.step_time;
}

void add_memory(Prediction& p, const Context& context) {
    const Scenario& s = context.scenario;
    const auto report = context.texts() ? memory_report : memory_use;
    p.memory = report(*s.model, s.layout, s.precision, s.workload, s.calibration, *context.part);
}

void move_operations(Prediction& p, std::vector<CostedLayer> layers, CostedEnds ends) {
    for (CostedLayer& layer : layers) p.layers.push_back(std::move(layer.result));
    for (CostedPart* part : {&ends.before, &ends.after, &ends.transfer}) {
        for (OperationResult& result : part->operations) p.ends.push_back(std::move(result));
    }
    if (ends.overhead.result.time.si() > 0) p.ends.push_back(std::move(ends.overhead.result));
}

}  // namespace

Result<Prediction> predict(const Scenario& scenario, PredictionCache& cache, Detail detail) {
    auto context = make_context(scenario, cache, detail);
    if (!context) return tl::unexpected(context.error());
    if (scenario.workload.phase == Phase::training) {
        auto training = predict_training(*context);
        if (training) add_price(*training, scenario.prices);
        return training;
    }
    auto layers = cost_layers(*context);
    if (!layers) return tl::unexpected(layers.error());
    auto ends = cost_ends(*context);
    if (!ends) return tl::unexpected(ends.error());
    Prediction p;
    p.network = context->network;
    p.layout = context->facts;
    p.accelerator = context->part;
    add_step(p, step_timeline(*context, *layers, *ends));
    add_totals(p, totals_of(*context, *layers, *ends));
    add_rates(p, scenario.workload);
    add_price(p, scenario.prices);
    add_memory(p, *context);
    move_operations(p, std::move(*layers), std::move(*ends));
    return p;
}

}  // namespace crosspoint
