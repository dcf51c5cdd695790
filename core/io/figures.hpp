// The report's figures as SVG text, drawn without a GUI so that every face gives the same bytes.
#pragma once

#include <string>
#include <string_view>

#include "core/evaluate/report.hpp"

namespace crosspoint {

std::string diagram_svg(const Scenario& scenario, const Report& report);
std::string layer_timeline_svg(const Report& report);
std::string step_timeline_svg(const Report& report);
std::string crossover_svg(const Report& report);
std::string batch_svg(const Report& report);
std::string tensor_svg(const Report& report);

}  // namespace crosspoint
