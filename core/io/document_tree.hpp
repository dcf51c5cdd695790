// A document as a JSON tree, between parse_document, write_document and set_field. Private to core/io.
#pragma once

#include <optional>

#include "core/io/document.hpp"
#include "core/io/json_fields.hpp"

namespace crosspoint {

struct PreservedDocument {
    std::string text;     ///< as read
    Scenario scenario;    ///< as read: what is equal to it is written as `text`
    std::string version;  ///< a newer minor version stays
    json::Unknown unknown;
};

/// What one reading found, beside errors.
struct DocumentTree {
    Scenario scenario;
    std::string version;
    json::Unknown unknown;
    json::Known known;  ///< collected when asked for
};

Result<DocumentTree> read_document_tree(const json::Node& root, std::string_view text, std::string_view file,
                                        const std::shared_ptr<const Catalogue>& builtin, bool collect_known);
json::Node document_tree(const Scenario& scenario, const std::string& version, const json::Unknown* unknown);

}  // namespace crosspoint
