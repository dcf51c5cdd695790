#include <algorithm>

#include "core/review/rules/rules.hpp"

namespace crosspoint {

std::string_view to_string(Outcome outcome) {
    switch (outcome) {
        case Outcome::pass: return "pass";
        case Outcome::attention: return "attention";
        case Outcome::fail: return "fail";
        case Outcome::not_applicable: return "not applicable";
    }
    return "";
}

const std::vector<Rule>& rules() {
    using namespace review_rules;
    static const std::vector<Rule> all{
        expert_layer_in_domain(),
        cross_domain_critical(),
        communication_against_experts(),
        batch_window_open(),
        data_multiple_rule(),
        tiers_hold(),
        tensor_in_domain(),
        sparse_traffic_on_slow_links(),
        memory_fits(),
        expert_load(),
        fabric_health(),
        monitored(),
        alpha_bound(),
        nic_ratio(),
        pipeline_fill(),
        context_fits(),
        parts_match(),
        single_point(),
    };
    return all;
}

double threshold(const Scenario& scenario, std::string_view name) {
    if (const auto it = scenario.thresholds.find(std::string(name)); it != scenario.thresholds.end()) return it->second;
    for (const auto& rule : rules())
        for (const auto& spec : rule.thresholds)
            if (spec.name == name) return spec.value;
    return 0;
}

std::vector<Verdict> review(const ReviewFacts& facts) {
    std::vector<Verdict> verdicts;
    for (const auto& rule : rules()) {
        Verdict v = rule.judge(facts);
        v.rule = rule.id;
        v.number = rule.number;
        v.question = rule.question;
        verdicts.push_back(std::move(v));
    }
    return verdicts;
}

}  // namespace crosspoint
