#include <algorithm>
#include <cmath>

#include "core/evaluate/stages.hpp"
#include "core/evaluate/sweep_memo.hpp"

namespace crosspoint::stages {
namespace {

constexpr int batches = 40;
constexpr double largest_swept = 1e6;

/// Whole rounds of micro-batches over all data-parallel ranks, up to eight times the present batch.
std::vector<std::int64_t> training_grid(const Scenario& s, const Prediction& p) {
    const double round = double(std::max<std::int64_t>(1, s.layout.attention_data)) *
                         double(std::max<std::int64_t>(1, p.layout.replicas)) * double(s.workload.training.micro_batch);
    const double low = std::min(round, largest_swept),
                 high = std::min(1e9, std::max(8 * low, 8.0 * double(s.workload.batch)));
    std::vector<std::int64_t> grid{s.workload.batch};
    for (int i = 0; i < batches; ++i) {
        const double exact = low * std::pow(high / low, double(i) / (batches - 1));
        grid.push_back(std::llround(std::max(1.0, std::round(exact / round)) * round));
    }
    std::sort(grid.begin(), grid.end());
    grid.erase(std::unique(grid.begin(), grid.end()), grid.end());
    return grid;
}

std::vector<std::int64_t> batch_grid(const Scenario& s, const Prediction& p) {
    if (p.training) return training_grid(s, p);
    const auto ranks = std::max<std::int64_t>(1, s.layout.attention_data);
    const double low = double(std::max<std::int64_t>(1, std::min(s.workload.batch, ranks)));
    const double now = double(std::max<std::int64_t>(1, s.workload.batch));
    const double memory = p.memory.largest_batch > 0 ? 2 * double(p.memory.largest_batch) : 8 * now;
    const double high = std::max({std::min(memory, largest_swept), 2 * now, 2 * low});
    std::vector<std::int64_t> grid{s.workload.batch};
    // Whole sequences a rank, where there are that many: between them the step is a staircase.
    for (int i = 0; i < batches; ++i) {
        const double exact = low * std::pow(high / low, double(i) / (batches - 1));
        const double whole = std::max(1.0, std::round(exact / double(ranks))) * double(ranks);
        grid.push_back(exact < double(ranks) ? std::llround(exact) : std::int64_t(whole));
    }
    if (p.memory.largest_batch > 0 && double(p.memory.largest_batch) <= high) grid.push_back(p.memory.largest_batch);
    std::sort(grid.begin(), grid.end());
    grid.erase(std::unique(grid.begin(), grid.end()), grid.end());
    return grid;
}

BatchPoint point_of(std::int64_t batch, const Prediction& p, Phase phase) {
    BatchPoint point;
    point.batch = batch;
    point.step = p.step_time;
    if (phase == Phase::decode) point.per_user = p.per_user;
    point.per_accelerator = p.per_accelerator;
    point.price = p.unit_price;
    point.fits = p.memory.fits;
    return point;
}

/// Experts follow the tensor ranks; where they do not divide, each expert is cut instead.
std::optional<Parallelism> single_stream_layout(const Scenario& s, std::int64_t degree, std::int64_t accelerators) {
    Parallelism layout;
    layout.tensor = degree;
    layout.sequence_parallel = s.layout.sequence_parallel;
    layout.expert = degree;
    if (validate(layout, *s.model, accelerators)) return layout;
    layout.expert = 1;
    layout.expert_tensor = degree;
    if (validate(layout, *s.model, accelerators)) return layout;
    layout.expert_tensor = 1;
    if (validate(layout, *s.model, accelerators)) return layout;
    return std::nullopt;
}

std::int64_t most_heads(const ModelShape& model) {
    std::int64_t heads = 1;
    for (const auto& kind : model.kinds) heads = std::max(heads, kind.attention.q_heads);
    return heads;
}

struct Terms {
    Seconds weights, communication;
};

void add_terms(Terms& terms, const std::vector<OperationResult>& operations, double times) {
    for (const auto& r : operations) {
        if (r.op.communication) terms.communication += r.time * times;
        else if (r.op.memory_bytes().si() > 0)
            terms.weights += r.cost.memory * (r.op.weight_bytes / r.op.memory_bytes() * times);
    }
}

TensorPoint tensor_point(std::int64_t degree, const Prediction& p) {
    Terms terms;
    for (const auto& layer : p.layers) add_terms(terms, layer.operations, double(layer.count));
    add_terms(terms, p.ends, 1);
    return {degree, p.step_time, terms.weights, terms.communication};
}

std::optional<std::int64_t> turn_over(const std::vector<TensorPoint>& points) {
    const auto best =
        std::min_element(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.step < b.step; });
    if (best == points.end() || best + 1 == points.end()) return std::nullopt;
    return best->degree;
}

bool has_batch(const std::vector<BatchPoint>& points, std::int64_t batch) {
    return std::any_of(points.begin(), points.end(), [=](const auto& p) { return p.batch == batch; });
}

/// What to evaluate next to settle an end of the window that lies between two swept points: itself, or, where the step
/// is a staircase and interpolation creeps along a tread, the middle of the two. Nothing when the end was evaluated.
std::optional<std::int64_t> next_batch(const std::optional<std::int64_t>& end, const std::vector<BatchPoint>& points,
                                       bool halve) {
    if (!end || has_batch(points, *end)) return std::nullopt;
    const auto after = std::find_if(points.begin(), points.end(), [&](const auto& p) { return p.batch > *end; });
    if (!halve || after == points.begin() || after == points.end()) return end;
    return (after - 1)->batch + (after->batch - (after - 1)->batch) / 2;
}

/// Evaluates `batch` where it lies between swept points; true when that added one.
bool add_point(const Scenario& s, SweepMemo& memo, PredictionCache& cache, const std::optional<std::int64_t>& batch,
               std::vector<BatchPoint>& points) {
    if (!batch || has_batch(points, *batch)) return false;
    const auto point = memo.point(s, *batch, cache);
    if (!point) return false;
    const auto at = std::find_if(points.begin(), points.end(), [&](const auto& q) { return q.batch > *batch; });
    points.insert(at, *point);
    return true;
}

}  // namespace

std::optional<BatchPoint> batch_point(const Scenario& scenario, std::int64_t batch, PredictionCache& cache) {
    Scenario changed = scenario;
    changed.workload.batch = batch;
    const auto p = predict(changed, cache, Detail::figures);
    if (!p) return std::nullopt;
    return point_of(batch, *p, scenario.workload.phase);
}

BatchWindow refined_window(const Scenario& scenario, SweepMemo& memo, PredictionCache& cache,
                           std::vector<BatchPoint>& points) {
    // The gap around an end is halved in every second round, and no gap is wider than the largest batch swept.
    constexpr int rounds = 2 * 40;
    BatchWindow window = batch_window(points, scenario.targets, scenario.workload.phase);
    for (int i = 0; i < rounds; ++i) {
        const bool halve = i % 2 == 1;
        const bool low = add_point(scenario, memo, cache, next_batch(window.smallest, points, halve), points);
        const bool high = add_point(scenario, memo, cache, next_batch(window.largest, points, halve), points);
        if (!low && !high) break;
        window = batch_window(points, scenario.targets, scenario.workload.phase);
    }
    return window;
}

std::vector<BatchPoint> batch_sweep(const Scenario& scenario, const Prediction& prediction, SweepMemo& memo,
                                    PredictionCache& cache) {
    std::vector<BatchPoint> points;
    for (const std::int64_t batch : batch_grid(scenario, prediction))
        if (const auto point = memo.point(scenario, batch, cache)) points.push_back(*point);
    return points;
}

TensorSweep tensor_sweep(const Scenario& scenario, const Prediction& prediction, PredictionCache& cache) {
    TensorSweep sweep;
    const std::int64_t accelerators = prediction.network->accelerators;
    const std::int64_t heads = most_heads(*scenario.model);
    Scenario changed = scenario;
    changed.workload.batch = 1;
    changed.workload.phase = Phase::decode;
    for (std::int64_t degree = 1; degree <= std::min(accelerators, heads); ++degree) {
        if (heads % degree != 0) continue;
        const auto layout = single_stream_layout(scenario, degree, accelerators);
        if (!layout) continue;
        changed.layout = *layout;
        if (const auto p = predict(changed, cache, Detail::figures)) sweep.points.push_back(tensor_point(degree, *p));
    }
    sweep.turns_over_at = turn_over(sweep.points);
    return sweep;
}

}  // namespace crosspoint::stages
