// What a layer is, in a few words.
#pragma once

#include <string>

#include "core/model/model.hpp"

namespace crosspoint {

/// "MLA + 256 experts", "GQA + dense", "gated delta + 512 experts", "Mamba-2".
std::string layer_label(const LayerShape& layer);

}  // namespace crosspoint
