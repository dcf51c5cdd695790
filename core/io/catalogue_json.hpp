// Ranges that a part's figures must keep. Private to core/io.
#pragma once

#include "core/catalogue/parts.hpp"

namespace crosspoint {

/// Sizes and speeds are positive and finite, shares lie in (0, 1], curves ascend, every figure has a source. The
/// error's pointer is relative to the catalogue: "/links/nvlink4/bandwidth".
Result<void> check_catalogue(const Catalogue& catalogue);

}  // namespace crosspoint
