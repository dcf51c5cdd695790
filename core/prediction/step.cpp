#include "core/prediction/step.hpp"

#include <algorithm>

namespace crosspoint {

namespace {

class StepBuilder {
public:
    StepBuilder(const Context& context, const std::vector<CostedLayer>& layers, const CostedEnds& ends)
        : context_(context), ends_(ends), layer_of_kind_(context.scenario.model->kinds.size()) {
        step_.streams = context.streams;
        step_.stream_busy.assign(context.streams.size(), Seconds(0));
        std::size_t bars = 0;
        for (const CostedLayer& layer : layers) {
            layer_of_kind_[std::size_t(layer.result.kind)] = &layer;
            bars += std::size_t(std::min(layer.result.count, kLayersWithBars)) * layer.result.timeline.bars.size();
        }
        step_.bars.reserve(bars + ends.before.tasks.size() + ends.after.tasks.size() + 1);
    }

    Timeline build() {
        const auto stages = stage_layers(*context_.scenario.model, context_.scenario.layout.pipeline);
        std::int64_t first = 0;
        for (std::size_t s = 0; s < stages.size(); ++s) {
            add_stage(first, stages[s], s == 0, s + 1 == stages.size());
            first += stages[s];
        }
        add_groups();
        add_part({task_of(context_, ends_.overhead.result)});
        return std::move(step_);
    }

private:
    struct Mark {
        Seconds end;
        TimeShares shares;
    };

    void add(const Timeline& timeline, int layer) {
        if (context_.texts() && layer < kLayersWithBars) append(step_, timeline, layer);
        else append_summary(step_, timeline);
    }

    void add_part(const std::vector<Task>& tasks) {
        if (!tasks.empty()) add(schedule(context_.streams, tasks, -1, context_.texts()), -1);
    }

    [[nodiscard]] const CostedLayer& layer(std::int64_t index) const {
        return *layer_of_kind_[std::size_t(context_.scenario.model->layers[std::size_t(index)])];
    }

    void add_layers_in_turn(std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i) add(layer(i).result.timeline, int(i));
    }

    /// Both micro-batches go through the stage together, so that one layer's last message hides under the next.
    void add_layers_interleaved(std::int64_t first, std::int64_t last) {
        const std::int64_t scheduled = std::min(last, first + kLayersWithBars);
        std::vector<LayerTasks> tasks;
        for (std::int64_t i = first; i < scheduled; ++i) tasks.push_back({int(i), &layer(i).tasks});
        const Timeline stage = schedule_interleaved(context_.streams, tasks, context_.micro_batches, context_.texts());
        if (context_.texts() && first < kLayersWithBars) append(step_, stage);
        else append_summary(step_, stage);
        add_layers_in_turn(scheduled, last);
    }

    void add_stage(std::int64_t first, std::int64_t count, bool is_first, bool is_last) {
        const Mark start{step_.end, step_.shares};
        if (is_first) add_part(ends_.before.tasks);
        if (context_.micro_batches == 1) add_layers_in_turn(first, first + count);
        else add_layers_interleaved(first, first + count);
        add_part(is_last ? ends_.after.tasks : ends_.transfer.tasks);
        if (step_.end - start.end <= slowest_.end) return;
        slowest_.end = step_.end - start.end;
        slowest_.shares = {step_.shares.compute - start.shares.compute, step_.shares.hidden - start.shares.hidden,
                           step_.shares.exposed - start.shares.exposed, step_.shares.idle - start.shares.idle};
    }

    /// What the other groups of the pipeline add to the passage of one.
    void add_groups() {
        if (context_.groups <= 1) return;
        if (context_.scenario.workload.phase == Phase::prefill) {
            const double further = context_.groups - 1;
            step_.end += slowest_.end * further;
            step_.shares.compute += slowest_.shares.compute * further;
            step_.shares.hidden += slowest_.shares.hidden * further;
            step_.shares.exposed += slowest_.shares.exposed * further;
            step_.shares.idle += slowest_.shares.idle * further;
            return;
        }
        const Seconds wait = std::max(Seconds(0), slowest_.end * context_.groups - step_.end);
        step_.end += wait;
        step_.shares.idle += wait;
    }

    const Context& context_;
    const CostedEnds& ends_;
    std::vector<const CostedLayer*> layer_of_kind_;
    Timeline step_;
    Mark slowest_{};
};

}  // namespace

Timeline step_timeline(const Context& context, const std::vector<CostedLayer>& layers, const CostedEnds& ends) {
    return StepBuilder(context, layers, ends).build();
}

}  // namespace crosspoint
