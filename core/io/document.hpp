// The document: one JSON file, *.crosspoint.json (docs/file-format.md, resources/schema/crosspoint-1.schema.json).
//
// Sorted keys, one value a line, quantities as text with their unit, shortest round-trip numbers, unknown fields
// kept. Saving what was loaded and not changed gives the same bytes. A newer major version is refused; a newer
// minor one opens. Nothing is half loaded: a document is a value or an error with JSON pointer, line and column.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/scenario/scenario.hpp"

namespace crosspoint {

struct PreservedDocument;  ///< the text as read and the fields that this version does not know

struct Document {
    Scenario scenario;
    std::shared_ptr<const PreservedDocument> preserved;  ///< null for a new document
};

/// `file` is only for messages. Limits: 64 MiB, nesting 64.
Result<Document> parse_document(std::string_view text, std::string_view file, std::shared_ptr<const Catalogue> builtin);
std::string write_document(const Document& document);
/// Where in a document the mend of an evaluation's error belongs: the layout, or the object that the error names first.
/// Empty when neither is known.
std::string pointer_of(const Scenario& scenario, const Error& error);

Result<Document> load_document(const std::string& path, std::shared_ptr<const Catalogue> builtin);
/// Atomic: a temporary file beside the target, synced, then renamed over it.
Result<void> save_document(const Document& document, const std::string& path);

/// One `--set path=value` of the command line: "workload.batch=64", "topology.links.l1.bandwidth=25 GB/s",
/// "layout.tensor=8". Errors list the fields that exist at the place where the path fails.
Result<Scenario> set_field(const Scenario& scenario, std::string_view path, std::string_view value);

/// Writes bytes atomically; used for reports and exports.
Result<void> write_file(const std::string& path, std::string_view bytes);
Result<std::string> read_file(const std::string& path, std::size_t limit = std::size_t{64} << 20);

}  // namespace crosspoint
