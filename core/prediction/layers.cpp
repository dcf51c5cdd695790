#include "core/prediction/layers.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "core/prediction/texts.hpp"
#include "core/units/text.hpp"

namespace crosspoint {

namespace {

std::vector<int> all_before(std::size_t count) {
    std::vector<int> indices(count);
    std::iota(indices.begin(), indices.end(), 0);
    return indices;
}

void add_layer_overhead(const Context& context, CostedPart& part, int kind) {
    const auto& figure = context.scenario.calibration.layer_overhead;
    if (!(figure.value.si() > 0)) return;
    Costed costed = overhead("layer.overhead", "overhead", figure, kind);
    costed.result.op.after = all_before(part.operations.size());
    part.add(context, std::move(costed));
    // Once per layer, so each micro-batch waits for its share of it.
    for (Task::Piece& piece : part.tasks.back().pieces) piece.length = piece.length / double(context.micro_batches);
}

Result<CostedPart> cost_kind(Context& context, int kind) {
    const Scenario& s = context.scenario;
    const LayerShape& layer = s.model->kinds[std::size_t(kind)];
    CostedPart part;
    for (const Operation& op :
         layer_operations(*s.model, layer, s.layout, s.precision, s.workload, context.shape(context.micro_batches))) {
        auto costed = cost_operation(context, op, &layer, kind);
        if (!costed) return tl::unexpected(costed.error());
        part.add(context, std::move(*costed));
    }
    add_layer_overhead(context, part, kind);
    return part;
}

Timeline layer_timeline(const Context& context, const std::vector<Task>& tasks, int layer) {
    if (context.micro_batches == 1) return schedule(context.streams, tasks, layer, context.texts());
    return schedule_interleaved(context.streams, {{layer, &tasks}}, context.micro_batches, context.texts());
}

CostedLayer finish_layer(const Context& context, CostedPart part, int kind, std::int64_t count, std::int64_t first) {
    CostedLayer layer;
    layer.result.kind = kind;
    layer.result.count = count;
    layer.result.first = first;
    if (context.texts()) layer.result.label = layer_label(context.scenario.model->kinds[std::size_t(kind)]);
    layer.result.timeline = layer_timeline(context, part.tasks, int(first));
    layer.result.operations = std::move(part.operations);
    layer.tasks = std::move(part.tasks);
    layer.sent = part.sent;
    layer.crossing = part.crossing;
    return layer;
}

bool is_before_layers(const Operation& op) { return op.id == "head.embedding"; }

/// One tensor of a group's hidden states; each tensor rank sends its share to its peer in the next stage.
Operation transfer_operation(const Context& context) {
    const Scenario& s = context.scenario;
    const double tokens = context.shape(1).tokens();
    const double tensor = double(std::max<std::int64_t>(s.layout.tensor, 1));
    // Hidden states travel in at least 16 bits, as they do between layers.
    const Bytes element = std::max(size_of(s.precision.activations), size_of(Dtype::bf16));
    Operation op;
    op.id = "pipeline.transfer";
    op.label = "to next stage";
    op.kind = OpKind::communication;
    op.communication = Communication{CollectiveOp::point_to_point, GroupKind::pipeline,
                                     tokens * double(s.model->hidden) / tensor * element};
    if (context.texts()) {
        op.formula = fmt::format("{} tokens x {} hidden x {} B / {} tensor ranks", shortest(tokens), s.model->hidden,
                                 shortest(element.si()), shortest(tensor));
    }
    return op;
}

Result<void> add_transfer(Context& context, CostedEnds& ends) {
    if (!context.group(GroupKind::pipeline)) return {};
    auto costed = cost_operation(context, transfer_operation(context), nullptr, -1);
    if (!costed) return tl::unexpected(costed.error());
    ends.transfer.add(context, std::move(*costed));
    return {};
}

/// The operations of the ends count `after` over both; tasks of the later part drop what lies in the earlier.
void renumber(CostedPart& part, std::size_t removed) {
    for (Task& task : part.tasks) {
        std::vector<int> kept;
        for (const int index : task.after) {
            if (index >= int(removed)) kept.push_back(index - int(removed));
        }
        task.after = std::move(kept);
    }
}

}  // namespace

void CostedPart::add(const Context& context, Costed costed) {
    tasks.push_back(task_of(context, costed.result));
    operations.push_back(std::move(costed.result));
    sent += costed.sent;
    crossing += costed.crossing;
}

Result<std::vector<CostedLayer>> cost_layers(Context& context) {
    const ModelShape& model = *context.scenario.model;
    std::vector<std::int64_t> counts(model.kinds.size(), 0), firsts(model.kinds.size(), 0);
    for (std::size_t i = model.layers.size(); i-- > 0;) {
        const auto kind = std::size_t(model.layers[i]);
        ++counts[kind];
        firsts[kind] = std::int64_t(i);
    }
    std::vector<CostedLayer> layers;
    for (std::size_t kind = 0; kind < model.kinds.size(); ++kind) {
        if (counts[kind] == 0) continue;
        auto part = cost_kind(context, int(kind));
        if (!part) return tl::unexpected(part.error());
        layers.push_back(finish_layer(context, std::move(*part), int(kind), counts[kind], firsts[kind]));
    }
    return layers;
}

Result<CostedEnds> cost_ends(Context& context) {
    const Scenario& s = context.scenario;
    CostedEnds ends;
    for (const Operation& op : head_operations(*s.model, s.layout, s.precision, context.shape(1))) {
        auto costed = cost_operation(context, op, nullptr, -1);
        if (!costed) return tl::unexpected(costed.error());
        const bool before = is_before_layers(op) && ends.after.operations.empty();
        (before ? ends.before : ends.after).add(context, std::move(*costed));
    }
    renumber(ends.after, ends.before.tasks.size());
    if (auto done = add_transfer(context, ends); !done) return tl::unexpected(done.error());
    ends.overhead = overhead("step.overhead", "step overhead", s.calibration.step_overhead, -1);
    return ends;
}

}  // namespace crosspoint
