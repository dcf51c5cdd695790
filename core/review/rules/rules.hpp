// One function per rule of the checklist; registry.cpp lists them.
#pragma once

#include "core/review/verdict.hpp"

namespace crosspoint::review_rules {

Rule expert_layer_in_domain();
Rule cross_domain_critical();
Rule communication_against_experts();
Rule batch_window_open();
Rule data_multiple_rule();
Rule tiers_hold();
Rule tensor_in_domain();
Rule sparse_traffic_on_slow_links();
Rule memory_fits();
Rule expert_load();
Rule fabric_health();
Rule monitored();
Rule alpha_bound();
Rule nic_ratio();
Rule pipeline_fill();
Rule context_fits();
Rule parts_match();
Rule single_point();

}  // namespace crosspoint::review_rules
