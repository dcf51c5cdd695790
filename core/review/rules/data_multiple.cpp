// Rule 5. Training data against the compute-optimal amount, and what the deviation buys for serving.
#include <fmt/format.h>

#include "core/economics/scaling_law.hpp"
#include "core/review/facts.hpp"
#include "core/review/rules/rules.hpp"
#include "core/units/text.hpp"

namespace crosspoint::review_rules {
namespace {

constexpr std::string_view least = "data-multiple.least", gain = "data-multiple.gain";

/// Size of the compute-optimal model of the same loss over the active parameters: what a token of it would cost to
/// serve.
double serving_ratio(double active, double tokens) {
    const Optimum same = equal_loss(loss_fits().front(), active, tokens);
    return same.parameters > 0 ? same.parameters / active : 0;
}

Verdict judge(const ReviewFacts& f) {
    Verdict v;
    v.threshold_name = least;
    v.threshold = threshold(f.scenario, least);
    v.threshold_text = fmt::format(
        "attention below {} of the compute-optimal data, or above it where the compute-optimal twin would be less than "
        "{} "
        "times the size to serve ({}, {})",
        shortest(*v.threshold), shortest(threshold(f.scenario, gain)), least, gain);
    const double tokens = f.scenario.model ? double(f.scenario.model->training_tokens) : 0;
    if (!(tokens > 0)) {
        v.title = "The training data is not stated";
        v.explanation =
            "Enter model.training_tokens to see how far the model is from compute-optimal and what that buys.";
        return v;
    }
    const double active = double(count_parameters(*f.scenario.model).active);
    const double multiple = data_multiple(active, tokens), ratio = serving_ratio(active, tokens);
    v.value_si = multiple;
    v.confidence = Confidence::fitted;
    const bool starved = multiple<*v.threshold, idle = multiple> 1 && ratio < threshold(f.scenario, gain);
    v.outcome = starved || idle ? Outcome::attention : Outcome::pass;
    v.title = starved ? "Less data than compute-optimal"
              : idle  ? "More data buys little smaller a model"
                      : "The data buys a smaller active model";
    v.figure =
        fmt::format("{:.3g} x 20 tokens an active parameter; twin of equal loss {:.3g} x the size", multiple, ratio);
    v.explanation = fmt::format(
        "{:.3g} tokens for {:.3g} active parameters. By the fit of {}, the compute-optimal model of the same loss has "
        "{:.3g} x "
        "the parameters, and each of its tokens costs about so much more to serve. The fit is of dense models: for "
        "experts it is a bound with their active parameters.",
        tokens, active, loss_fits().front().name, ratio);
    return v;
}

}  // namespace

Rule data_multiple_rule() {
    return {
        "data-multiple",
        5,
        "How far is the data multiple from compute-optimal, and does the deviation buy a smaller active model?",
        {{least, 0.8, "tokens over 20 x active parameters: attention below; assumed"},
         {gain, 1.1, "size of the compute-optimal model of equal loss over the active size: attention below; assumed"}},
        judge};
}

}  // namespace crosspoint::review_rules
