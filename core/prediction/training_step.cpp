#include "core/prediction/training_step.hpp"

#include <algorithm>

#include "core/cost/memory_parts.hpp"
#include "core/prediction/texts.hpp"

namespace crosspoint {
namespace {

using Operations = std::vector<TrainingOperation>;

/// A piece of the model with its prices: a layer kind, or an end.
struct Priced {
    std::vector<OperationResult> results;
    std::vector<PricedOperation> operations;
    PieceTime time;
    Bytes sent, crossing;
};

void price_compute(const Context& context, const TrainingOperation& work, OperationResult& result) {
    const Training& training = context.scenario.workload.training;
    result.cost = training_cost(work.op, work.pass, *context.part, training, context.texts(), work.share);
    result.time = std::max(result.cost.compute, result.cost.memory) / context.speed + result.cost.launch;
    result.bound = result.cost.bound;
    result.confidence = result.cost.confidence;
    if (context.texts()) result.why = compute_why(context, work.op, result.cost, result.time);
}

Result<Costed> price(Context& context, const TrainingOperation& work, const LayerShape* layer, int kind) {
    if (work.op.communication) return cost_operation(context, work.op, layer, kind);
    Costed costed;
    costed.result.op = work.op;
    costed.result.kind = kind;
    price_compute(context, work, costed.result);
    return costed;
}

Result<Priced> price_all(Context& context, const Operations& operations, const LayerShape* layer, int kind) {
    Priced priced;
    for (const TrainingOperation& work : operations) {
        auto costed = price(context, work, layer, kind);
        if (!costed) return tl::unexpected(costed.error());
        priced.operations.push_back({work, costed->result.time, Seconds(0)});
        priced.sent += costed->sent;
        priced.crossing += costed->crossing;
        priced.results.push_back(std::move(costed->result));
    }
    priced.time = settle(priced.operations, context.scenario.workload.training);
    return priced;
}

/// Overhead per layer belongs to each pass: half of it forward, all of it backward (twice the kernels).
void add_overhead(const Context& context, PieceTime& time) {
    const Seconds overhead = context.scenario.calibration.layer_overhead.value;
    time.forward.compute += overhead;
    time.backward.compute += overhead * 2.0;
}

/// One layer, forward then backward: a message that hides starts so much earlier.
Timeline layer_timeline(const Context& context, const Priced& priced, int layer) {
    Timeline t;
    t.streams = context.streams;
    t.stream_busy.assign(context.streams.size(), Seconds(0));
    Seconds now{0};
    for (std::size_t i = 0; i < priced.results.size(); ++i) {
        const OperationResult& result = priced.results[i];
        const Seconds hidden = std::min(priced.operations[i].hidden, now);
        const Seconds start = result.op.communication ? now - hidden : now;
        for (const Task::Piece& piece : task_of(context, result).pieces) {
            if (!(piece.length.si() > 0)) continue;
            Bar bar{result.op.id, result.op.label, piece.stream, layer,       0,
                    start,        piece.length,    piece.bytes,  result.bound};
            t.stream_busy[std::size_t(piece.stream)] += piece.length;
            t.bars.push_back(std::move(bar));
        }
        now = std::max(now, start + result.time);
    }
    std::stable_sort(t.bars.begin(), t.bars.end(), [](const Bar& a, const Bar& b) {
        return a.start != b.start ? a.start < b.start : a.stream < b.stream;
    });
    t.end = now;
    t.shares = time_shares(t);
    return t;
}

struct Pieces {
    std::vector<Priced> kinds;  ///< by kind; empty where no layer is of it
    Priced embedding, head, transfer;
};

Result<Pieces> price_pieces(Context& context) {
    const Scenario& s = context.scenario;
    Pieces pieces;
    pieces.kinds.resize(s.model->kinds.size());
    for (std::size_t k = 0; k < s.model->kinds.size(); ++k) {
        if (std::find(s.model->layers.begin(), s.model->layers.end(), int(k)) == s.model->layers.end()) continue;
        const LayerShape& layer = s.model->kinds[k];
        auto priced = price_all(context, training_layer(s, layer), &layer, int(k));
        if (!priced) return tl::unexpected(priced.error());
        add_overhead(context, priced->time);
        pieces.kinds[k] = std::move(*priced);
    }
    auto embedding = price_all(context, training_embedding(s), nullptr, -1);
    if (!embedding) return tl::unexpected(embedding.error());
    auto head = price_all(context, training_head(s), nullptr, -1);
    if (!head) return tl::unexpected(head.error());
    pieces.embedding = std::move(*embedding);
    pieces.head = std::move(*head);
    if (s.layout.pipeline <= 1) return pieces;
    auto transfer = price_all(context, {{stage_transfer(s), Pass::forward, false, 1, false}}, nullptr, -1);
    if (!transfer) return tl::unexpected(transfer.error());
    pieces.transfer = std::move(*transfer);
    return pieces;
}

/// Data-parallel messages and optimiser of every stage; the results of the slowest one are kept for the report.
struct Tail {
    std::vector<StagePrices> stages;
    std::vector<OperationResult> shown;
    Bytes sent, crossing;
    Seconds longest{0};
};

Result<void> add_messages(Context& context, const std::vector<Operation>& messages, Seconds& sum,
                          std::vector<Costed>& all) {
    for (const Operation& op : messages) {
        auto costed = cost_operation(context, op, nullptr, -1);
        if (!costed) return tl::unexpected(costed.error());
        sum += costed->result.time;
        all.push_back(std::move(*costed));
    }
    return {};
}

Result<void> add_stage_tail(Context& context, std::int64_t stage, StagePrices& prices, Tail& tail) {
    const Scenario& s = context.scenario;
    const HeldWeights held = held_weights(s, stage);
    const DataMessages messages = data_messages(s, held, context.facts.replicas);
    std::vector<Costed> costed;
    if (auto ok = add_messages(context, messages.gradients, prices.gradients, costed); !ok) return ok;
    if (auto ok = add_messages(context, messages.weights, prices.weights, costed); !ok) return ok;
    const TrainingOperation optimiser{optimiser_operation(s, held, context.facts.replicas), Pass::forward, false,
                                      false};
    Costed last;
    last.result.op = optimiser.op;
    price_compute(context, optimiser, last.result);
    prices.optimiser = last.result.time;
    const Seconds total = prices.gradients + prices.weights + prices.optimiser;
    if (total < tail.longest) return {};
    tail.longest = total;
    tail.sent = tail.crossing = Bytes(0);
    tail.shown.clear();
    for (Costed& c : costed) {
        tail.sent += c.sent;
        tail.crossing += c.crossing;
        tail.shown.push_back(std::move(c.result));
    }
    tail.shown.push_back(std::move(last.result));
    return {};
}

Result<Tail> stage_prices(Context& context, const Pieces& pieces) {
    const Scenario& s = context.scenario;
    Tail tail;
    const auto plans = memory::stage_plans(*s.model, s.layout.pipeline);
    for (std::size_t i = 0; i < plans.size(); ++i) {
        StagePrices prices;
        for (std::size_t k = 0; k < pieces.kinds.size(); ++k)
            prices.layers += pieces.kinds[k].time * double(plans[i].kind_counts[k]);
        if (plans[i].first) prices.layers += pieces.embedding.time;
        if (plans[i].last) prices.layers += pieces.head.time;
        if (auto ok = add_stage_tail(context, std::int64_t(i), prices, tail); !ok) return tl::unexpected(ok.error());
        tail.stages.push_back(prices);
    }
    return tail;
}

/// What one accelerator of a mean stage sends in a step.
void add_bytes(Prediction& p, const Context& context, const Pieces& pieces, const Tail& tail) {
    const Scenario& s = context.scenario;
    const double stages = double(std::max<std::int64_t>(s.layout.pipeline, 1));
    const double m = double(p.training->micro_batches);
    Bytes crossing = tail.crossing;
    p.bytes_sent = tail.sent;
    for (const int kind : s.model->layers) {
        p.bytes_sent += pieces.kinds[std::size_t(kind)].sent * (m / stages);
        crossing += pieces.kinds[std::size_t(kind)].crossing * (m / stages);
    }
    const double transfers = m * 2 * (stages - 1) / stages;
    p.bytes_sent += pieces.transfer.sent * transfers;
    crossing += pieces.transfer.crossing * transfers;
    p.cross_domain = p.bytes_sent.si() > 0 ? std::clamp(crossing / p.bytes_sent, 0.0, 1.0) : 0.0;
}

void add_link_sums(std::vector<LinkUse>& sums, const std::vector<OperationResult>& results, double times) {
    for (const OperationResult& result : results)
        for (const LinkUse& use : result.links) {
            sums[std::size_t(use.link)].bytes += use.bytes * times;
            sums[std::size_t(use.link)].busy += use.busy * times;
        }
}

void add_links(Prediction& p, const Context& context, const Pieces& pieces, const Tail& tail) {
    std::vector<LinkUse> sums(context.network->links.size());
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i].link = int(i);
    const Scenario& s = context.scenario;
    const double stages = double(std::max<std::int64_t>(s.layout.pipeline, 1));
    const double m = double(p.training->micro_batches);
    for (const int kind : s.model->layers) add_link_sums(sums, pieces.kinds[std::size_t(kind)].results, m / stages);
    add_link_sums(sums, pieces.transfer.results, 2 * m);
    add_link_sums(sums, tail.shown, 1);
    for (LinkUse& use : sums) {
        if (!(use.bytes.si() > 0)) continue;
        use.utilisation = p.step_time.si() > 0 ? std::min(1.0, use.busy / p.step_time) : 0;
        p.links.push_back(use);
    }
}

void add_layers(Prediction& p, const Context& context, Pieces& pieces) {
    const ModelShape& model = *context.scenario.model;
    for (std::size_t k = 0; k < pieces.kinds.size(); ++k) {
        const auto first = std::find(model.layers.begin(), model.layers.end(), int(k));
        if (first == model.layers.end()) continue;
        LayerResult layer;
        layer.kind = int(k);
        layer.count = std::count(model.layers.begin(), model.layers.end(), int(k));
        layer.first = first - model.layers.begin();
        if (context.texts()) {
            layer.label = layer_label(model.kinds[k]);
            layer.timeline = layer_timeline(context, pieces.kinds[k], int(layer.first));
        }
        for (const OperationResult& r : pieces.kinds[k].results) p.confidence = weaker(p.confidence, r.confidence);
        layer.operations = std::move(pieces.kinds[k].results);
        p.layers.push_back(std::move(layer));
    }
}

void add_rates(Prediction& p, const Context& context) {
    const Workload& w = context.scenario.workload;
    const Tokens tokens(double(w.batch) * double(w.context));
    if (!(p.step_time.si() > 0)) return;
    p.total = tokens / p.step_time;
    p.per_replica = p.total / double(std::max<std::int64_t>(p.layout.replicas, 1));
    p.per_accelerator = p.per_replica / double(std::max<std::int64_t>(p.layout.replica_size, 1));
    p.per_user = p.per_replica;
    p.communication_share = (p.step.shares.hidden + p.step.shares.exposed) / p.step_time;
    p.exposed_share = p.step.shares.exposed / p.step_time;
}

Seconds transfer_time(const Pieces& pieces) {
    return pieces.transfer.results.empty() ? Seconds(0) : pieces.transfer.results.front().time;
}

}  // namespace

Result<Prediction> predict_training(Context& context) {
    const Scenario& s = context.scenario;
    auto pieces = price_pieces(context);
    if (!pieces) return tl::unexpected(pieces.error());
    auto tail = stage_prices(context, *pieces);
    if (!tail) return tl::unexpected(tail.error());
    Prediction p;
    p.network = context.network;
    p.layout = context.facts;
    p.accelerator = context.part;
    p.confidence = Confidence::exact;
    p.training =
        assemble_step(s, context.facts.replicas, *context.part, tail->stages, transfer_time(*pieces), context.texts());
    p.step = p.training->timeline;
    p.step_time = p.training->step_time;
    add_rates(p, context);
    p.memory = training_memory(s, context.facts.replicas, *context.part, context.texts());
    add_bytes(p, context, *pieces, *tail);
    if (context.texts()) add_links(p, context, *pieces, *tail);
    add_layers(p, context, *pieces);
    for (Priced* end : {&pieces->embedding, &pieces->head, &pieces->transfer})
        for (OperationResult& r : end->results) p.ends.push_back(std::move(r));
    for (OperationResult& r : tail->shown) {
        p.confidence = weaker(p.confidence, r.confidence);
        p.ends.push_back(std::move(r));
    }
    return p;
}

}  // namespace crosspoint
