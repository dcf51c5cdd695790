// Training steps: time, tokens/s, utilisation and GPU-hours as publications state them.
#include <fmt/format.h>

#include "accuracy/kinds.hpp"
#include "accuracy/training_setup.hpp"
#include "core/prediction/prediction.hpp"

namespace crosspoint::accuracy {
namespace {

bool has(const std::string& text, const char* word) { return text.find(word) != std::string::npos; }

/// "10^9 tokens", "TFLOP/s", "tok/s" and "H800 GPU-h" are units of counts here, not of SI.
Predicted as_number(const Record& record, double value, std::string how) {
    const std::string unit = lower(record.unit);
    if (has(unit, "10^9")) value /= 1e9;
    else if (has(unit, "pflop")) value /= 1e15;
    else if (has(unit, "tflop")) value /= 1e12;
    else if (has(unit, "%")) value *= 100;
    return Prediction{value, std::move(how)};
}

/// DeepSeek states its utilisation against the 16-bit peak whatever the products run in.
double against_16_bit(const crosspoint::Prediction& p, double mfu) {
    const auto it = p.accelerator->dense_peak.find(Dtype::bf16);
    if (it == p.accelerator->dense_peak.end()) return mfu;
    return mfu * p.training->peak.si() / it->second.value.si();
}

Predicted utilisation(const Record& record, const crosspoint::Prediction& p, const std::string& metric,
                      std::string how) {
    const TrainingStep& t = *p.training;
    if (has(metric, "causal")) return as_number(record, against_16_bit(p, t.mfu_causal), std::move(how));
    if (has(metric, "hfu") || has(metric, "hardware")) return as_number(record, t.hfu, std::move(how));
    return as_number(record, t.mfu, std::move(how));
}

Predicted as_metric(const Record& record, const TrainingSetup& setup, const crosspoint::Prediction& p) {
    const std::string metric = lower(record.metric);
    const TrainingStep& t = *p.training;
    std::string how = fmt::format("{}; bubble {:.1f} %, exposed {:.1f} %, MFU {:.1f} %", setup.how,
                                  100 * (t.bubble / t.step_time), 100 * p.exposed_share, 100 * t.mfu);
    if (has(metric, "flop")) {
        const Flops each = has(metric, "hardware") ? t.computed : t.flops.full();
        return as_number(record, each.si() * p.per_accelerator.si(), std::move(how));
    }
    if (has(metric, "mfu") || has(metric, "hfu") || has(metric, "utili"))
        return utilisation(record, p, metric, std::move(how));
    if (has(metric, "gpu-hours") || has(metric, "gpu hours")) {
        const double tokens = has(metric, "per trillion") ? 1e12 : record.config.number_or("tokens", 0);
        if (!(tokens > 0)) return tl::unexpected(std::string("no number of tokens is stated"));
        return as_number(record, tokens / p.per_accelerator.si() / 3600, std::move(how));
    }
    if (has(metric, "per day")) return as_number(record, p.total.si() * 86400, std::move(how));
    if (has(metric, "per gpu") || has(metric, "per chip") || has(metric, "per accelerator"))
        return as_number(record, p.per_accelerator.si(), std::move(how));
    if (has(metric, "tokens/s") || has(metric, "throughput")) return as_number(record, p.total.si(), std::move(how));
    if (has(metric, "time")) return in_unit_of(record, p.step_time.si(), std::move(how));
    return tl::unexpected(fmt::format("the metric '{}' is not known", record.metric));
}

}  // namespace

Predicted predict_training(const Record& record, const Catalogue& catalogue) {
    if (!record.value) return tl::unexpected(std::string("the measured value is no number"));
    auto setup = training_setup(record, catalogue);
    if (!setup) return tl::unexpected(setup.error());
    const auto cache = make_prediction_cache();
    const auto prediction = predict(setup->scenario, *cache, Detail::figures);
    if (!prediction) return tl::unexpected(prediction.error().message);
    return as_metric(record, *setup, *prediction);
}

}  // namespace crosspoint::accuracy
