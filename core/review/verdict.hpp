// The architecture-review checklist: questions, verdicts, evidence and suggested changes (cost-model section 10).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/prediction/prediction.hpp"
#include "core/scenario/edit.hpp"

namespace crosspoint {

enum class Outcome { pass, attention, fail, not_applicable };
std::string_view to_string(Outcome);

/// What a verdict points at; a click selects it on canvas and timeline.
struct VerdictEvidence {
    std::vector<std::string> operations;  ///< Operation::id
    std::vector<LinkRef> links;
    std::vector<std::string> objects;  ///< container and device ids
};

struct Suggestion {
    std::string text;         ///< "EP 8 x 4 replicas"
    std::vector<Edit> edits;  ///< empty: advice that no edit expresses
    /// Filled by evaluate(), which applies the edits to a copy: the figure that the suggestion is about.
    std::string metric;  ///< "inter-token latency"
    std::optional<double> before_si, after_si;
    std::string before, after;  ///< formatted
};

struct Verdict {
    std::string rule;   ///< stable id: "expert-layer-in-domain"
    int number = 0;     ///< question of the checklist, 1..13, or one of the further ones from 14 on
    std::string title;  ///< short statement of the finding: "Expert layer leaves the domain"
    std::string question;
    Outcome outcome = Outcome::not_applicable;
    std::string figure;  ///< "EP 32 > 8 in domain, 75 % of bytes cross"
    std::optional<double> value_si;
    std::string threshold_name;  ///< key into Scenario::thresholds; empty when the rule has none
    std::optional<double> threshold;
    std::string threshold_text;  ///< "attention above 25 %, fail above 50 %; Scenario > Thresholds"
    std::string explanation;     ///< why it matters here, with the two largest terms
    VerdictEvidence evidence;
    std::vector<Suggestion> suggestions;  ///< best first
    Confidence confidence = Confidence::assumed;
};

/// What the step becomes when one thing is slow or has failed, found by applying that to a copy of the drawing.
struct Impairment {
    std::string what;  ///< "one of 4 cables of leaf to spine failed"
    LinkRef link;
    bool cut = false;  ///< there is no second way: what depends on it stops
    Seconds step{0};   ///< of the replica that uses it; 0 when cut
};

/// What rules read. Sweeps and impairments are empty where they were not computed.
struct ReviewFacts {
    const Scenario& scenario;
    const Prediction& prediction;
    const std::vector<BatchPoint>& batch_sweep;
    const std::vector<std::pair<std::int64_t, Seconds>>& tensor_sweep;  ///< degree, single-stream step time
    std::span<const Impairment> impairments{};
};

struct ThresholdSpec {
    std::string_view name;
    double value = 0;
    std::string_view meaning;  ///< "share of bytes outside the domain above which the rule fails"
};

struct Rule {
    std::string_view id;
    int number;
    std::string_view question;
    std::vector<ThresholdSpec> thresholds;
    Verdict (*judge)(const ReviewFacts&);
};

/// In checklist order.
const std::vector<Rule>& rules();
/// The scenario's value, or the rule's default.
double threshold(const Scenario& scenario, std::string_view name);
std::vector<Verdict> review(const ReviewFacts& facts);

}  // namespace crosspoint
