#include <QCoreApplication>

#include "app/presenters/presenters.hpp"
#include "app/presenters/text.hpp"
#include "widgets/controls/log_slider.hpp"

namespace crosspoint::app {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("Details", text); }

void addPart(ui::MemoryStage& stage, ui::MemoryRole role, const char* label, Bytes bytes) {
    if (bytes.si() > 0) stage.parts.push_back({role, tr(label), bytes.si(), shown(bytes)});
}

ui::MemoryStage present(const StageMemory& memory, const MemoryReport& report) {
    ui::MemoryStage stage;
    stage.label = report.stages.size() == 1 ? tr("every accelerator, %1 layers").arg(memory.layers)
                                            : tr("stage %1, layers %2–%3")
                                                  .arg(memory.stage)
                                                  .arg(memory.first_layer)
                                                  .arg(memory.first_layer + memory.layers - 1);
    addPart(stage, ui::MemoryRole::dense_weights, "dense weights", memory.dense_weights);
    addPart(stage, ui::MemoryRole::expert_weights, "experts", memory.expert_weights);
    addPart(stage, ui::MemoryRole::embeddings, "embeddings", memory.embeddings);
    addPart(stage, ui::MemoryRole::cache, "KV cache", memory.cache);
    addPart(stage, ui::MemoryRole::cache, "gradients", memory.gradients);
    addPart(stage, ui::MemoryRole::reserve, "optimiser", memory.optimiser);
    addPart(stage, ui::MemoryRole::activations, "activations", memory.activations);
    addPart(stage, ui::MemoryRole::buffers, "buffers", memory.buffers);
    stage.total = tr("%1 of %2 usable").arg(shown(memory.used()), shown(report.usable));
    stage.fits = memory.used() <= report.usable;
    return stage;
}

ui::TableCell number(const QString& text, double value) { return {text, value}; }

/// One accelerator's row of the table; times and bytes sort by number.
ui::TableRow present(const OperationResult& result) {
    ui::TableRow row;
    row.id = qs(result.op.id);
    row.tip = qs(result.why);
    const bool communicates = result.op.communication.has_value();
    Bytes sent(0);
    for (const auto& level : result.levels) sent += level.bytes;
    row.cells = {
        {qs(result.op.label), std::nullopt},
        {qs(to_string(result.op.kind)), std::nullopt},
        number(shown(result.time, 4), result.time.si()),
        {qs(to_string(result.bound)), std::nullopt},
        communicates ? ui::TableCell{} : number(shown(result.op.flops), result.op.flops.si()),
        communicates ? ui::TableCell{} : number(shown(result.op.memory_bytes()), result.op.memory_bytes().si()),
        communicates ? number(shown(sent), sent.si()) : ui::TableCell{},
        {qs(to_string(result.confidence)), std::nullopt}};
    return row;
}

ui::WhyData presentDerivation(const QString& title, const QString& value, const Derivation& why) {
    ui::WhyData data{title, value, qs(why.formula), qs(why.substituted), {}, {}, {}};
    for (const DerivationTerm& term : why.terms)
        data.terms.push_back(
            {qs(term.name), qs(term.value), qs(term.source), qs(to_string(term.confidence)), qs(term.object)});
    for (const std::string& note : why.notes) data.notes << qs(note);
    return data;
}

ui::WhyTerm term(const QString& name, const QString& value, Confidence confidence, const QString& object = {}) {
    return {name, value, {}, qs(to_string(confidence)), object};
}

void addComputeTerms(ui::WhyData& data, const OperationResult& result) {
    const OperationCost& cost = result.cost;
    data.terms.push_back(term(tr("compute"), shown(cost.compute), cost.confidence));
    data.terms.push_back(term(tr("memory"), shown(cost.memory), cost.confidence));
    data.terms.push_back(term(tr("launch"), shown(cost.launch), Confidence::assumed));
    data.terms.push_back(term(tr("floating-point work"), shown(result.op.flops), Confidence::exact));
    data.terms.push_back(term(tr("bytes moved from memory"), shown(result.op.memory_bytes()), Confidence::exact));
}

void addLinkTerms(ui::WhyData& data, const Report& report, const OperationResult& result) {
    const Network& network = *report.prediction->network;
    for (const LinkUse& use : result.links) {
        const NetworkLink& link = network.links[std::size_t(use.link)];
        data.terms.push_back(
            {qs(link.name),
             tr("%1 at %2 usable, busy %3").arg(shown(use.bytes), shown(link.capacity.value), percent(use.utilisation)),
             qs(link.capacity.source), qs(to_string(link.capacity.confidence)), qs(link.ref.id)});
    }
}

ui::WhyData presentOperation(const Report& report, const OperationResult& result) {
    ui::WhyData data{qs(result.op.label), shown(result.time, 4), qs(result.op.formula), qs(result.why), {}, {}, {}};
    if (result.collective) {
        data.formula = qs(result.collective->formula);
        data.notes
            << tr("Algorithm: %1. %2").arg(qs(to_string(result.collective->algorithm)), qs(result.collective->reason));
    } else if (result.exchange) {
        data.formula = qs(result.exchange->formula);
        data.notes << tr("Algorithm: %1. %2").arg(qs(result.exchange->algorithm), qs(result.exchange->reason));
    } else {
        addComputeTerms(data, result);
        data.notes << tr("Bound by %1.").arg(qs(to_string(result.bound)));
    }
    addLinkTerms(data, report, result);
    return data;
}

}  // namespace

ui::MemoryBarsData presentMemory(const Report& report) {
    ui::MemoryBarsData data;
    if (!report.prediction) {
        data.empty_text = missingText(report);
        return data;
    }
    const MemoryReport& memory = report.prediction->memory;
    for (const StageMemory& stage : memory.stages) data.stages.push_back(present(stage, memory));
    data.capacity = memory.capacity.si();
    data.usable = memory.usable.si();
    data.capacity_text = shown(memory.capacity);
    data.usable_text = tr("usable %1").arg(shown(memory.usable));
    const QString fit =
        memory.fits ? tr("%1 free").arg(shown(memory.margin)) : tr("%1 too much").arg(shown(-memory.margin));
    data.note = tr("%1; largest batch %2 at this context; longest context %3 tokens at this batch")
                    .arg(fit, ui::grouped_number(double(memory.largest_batch)),
                         ui::grouped_number(double(memory.longest_context)));
    return data;
}

ui::TableData presentOperations(const Report& report, const ViewState& view) {
    ui::TableData data;
    data.columns = {{tr("Operation"), {}, false},
                    {tr("Kind"), {}, false},
                    {tr("Time"), tr("on its slowest stream"), true},
                    {tr("Bound by"), {}, false},
                    {tr("Work"), tr("floating-point operations on one accelerator"), true},
                    {tr("Memory"), tr("bytes moved from the accelerator's memory"), true},
                    {tr("Sent"), tr("bytes sent by one accelerator, summed over levels"), true},
                    {tr("Sure"), tr("how sure the time is"), false}};
    const LayerResult* layer = shownLayer(report, view);
    if (!layer) {
        data.empty_text = missingText(report);
        return data;
    }
    for (const OperationResult& result : layer->operations) data.rows.push_back(present(result));
    for (const OperationResult& result : report.prediction->ends) data.rows.push_back(present(result));
    return data;
}

ui::WhyData presentWhy(const Report& report, const ViewState& view) {
    ui::WhyData data;
    data.empty_text = tr("Click a figure, a bar or a verdict to see where its number comes from.");
    for (const ShownFigure& figure : report.figures)
        if (qs(figure.id) == view.derivation) return presentDerivation(qs(figure.label), qs(figure.text), figure.why);
    for (const Verdict& verdict : report.verdicts)
        if (qs(verdict.rule) == view.derivation) {
            data = {qs(verdict.title), qs(verdict.figure), qs(verdict.question), qs(verdict.explanation), {}, {}, {}};
            data.notes << qs(verdict.threshold_text);
            return data;
        }
    if (const OperationResult* result = findOperation(report, view)) return presentOperation(report, *result);
    if (!report.figures.empty()) {
        const ShownFigure& first = report.figures.front();
        return presentDerivation(qs(first.label), qs(first.text), first.why);
    }
    return data;
}

}  // namespace crosspoint::app
