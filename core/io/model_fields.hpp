// The fields of a model shape as rows to edit, in the order and with the words of the document's schema.
#pragma once

#include <string>
#include <vector>

#include "core/model/model.hpp"

namespace crosspoint {

struct ModelField {
    std::string path;                  ///< for set_field: "model.kinds.0.attention.q_heads"
    std::string label;                 ///< "q_heads"; of a layer kind "kind 0: MLA + dense, 3 layers"
    std::string description;           ///< from the schema, with the keys that an absent object needs
    std::string value;                 ///< as set_field takes it; empty when absent or at its default
    std::vector<std::string> choices;  ///< the words that an enumeration takes
    int depth = 0;
    bool group = false;  ///< a heading: the rows below it are its fields
};

/// Every field that the shape has or could have. Absent objects are one row that takes JSON.
std::vector<ModelField> model_fields(const ModelShape& model);

}  // namespace crosspoint
