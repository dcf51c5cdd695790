#include "core/io/catalogue_json.hpp"

#include <fmt/format.h>

#include "core/io/builtin.hpp"
#include "core/io/catalogue_fields.hpp"
#include "core/io/embedded.hpp"

namespace crosspoint {
namespace {

/// A misspelt field of a catalogue file would be a figure that silently has no effect.
std::optional<Error> unknown_field(const json::Source& source) {
    if (source.unknown.empty()) return std::nullopt;
    const auto& [pointer, members] = *source.unknown.begin();
    return Error{ErrorCode::schema,
                 fmt::format("the field '{}' is not known here", members.front().key),
                 "remove it, or correct its spelling",
                 {},
                 {},
                 pointer,
                 0,
                 0};
}

/// The first id that two catalogues share, which would hide one of the two parts.
template <class Row>
const Row* first_twice(const Table<Row>& a, const Table<Row>& b) {
    for (const Row& row : b)
        if (a.contains(row.id)) return &row;
    return nullptr;
}

std::string first_twice(const Catalogue& a, const Catalogue& b) {
    if (const auto* part = first_twice(a.accelerators, b.accelerators)) return part->id.value;
    if (const auto* part = first_twice(a.links, b.links)) return part->id.value;
    if (const auto* part = first_twice(a.switches, b.switches)) return part->id.value;
    if (const auto* part = first_twice(a.nics, b.nics)) return part->id.value;
    if (const auto* part = first_twice(a.hosts, b.hosts)) return part->id.value;
    return {};
}

Result<Catalogue> merge_embedded() {
    Catalogue all;
    for (const EmbeddedFile& file : embedded_files()) {
        if (!file.path.starts_with("resources/catalogue/")) continue;
        auto parts = parse_catalogue(file.text, file.path);
        if (!parts) return parts;
        if (const std::string twice = first_twice(all, *parts); !twice.empty())
            return fail(ErrorCode::reference, fmt::format("part '{}' of {} exists twice", twice, file.path), {},
                        {twice});
        all = merged(all, *parts);
    }
    return all;
}

}  // namespace

Result<Catalogue> parse_catalogue(std::string_view text, std::string_view file) {
    const auto root = json::parse(text, file);
    if (!root) return tl::unexpected(root.error());
    json::Source source(text, file, *root);
    Catalogue catalogue;
    json::read(source, *root, "", catalogue);
    if (auto unknown = unknown_field(source)) source.fail_at(unknown->pointer, *unknown);
    if (const auto ok = check_catalogue(catalogue); !ok) source.fail_at(ok.error().pointer, ok.error());
    if (source.error()) return tl::unexpected(*source.error());
    return catalogue;
}

Result<std::shared_ptr<const Catalogue>> builtin_catalogue() {
    static const Result<Catalogue> parsed = merge_embedded();
    if (!parsed) return tl::unexpected(parsed.error());
    static const auto shared = std::make_shared<const Catalogue>(*parsed);
    return shared;
}

}  // namespace crosspoint
