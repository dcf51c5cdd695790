// Slurm host lists: "tux[0-3,12,18-20],login", zero padding kept, several brackets in one name. Private to importers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"

namespace crosspoint {

/// The names in their order; `syntax` for an unclosed bracket, a range that runs backwards or is no number, and for
/// more than `limit` names.
Result<std::vector<std::string>> expand_host_list(std::string_view text, std::size_t limit = 200'000);

}  // namespace crosspoint
