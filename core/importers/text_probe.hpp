// Small looks at a text: its lines, its words, its XML root. Private to importers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crosspoint {

/// Without blanks and line breaks at the start.
std::string_view skip_blanks(std::string_view text);
std::string_view trimmed(std::string_view text);
/// Without a carriage return at the end of each; no limit on their number.
std::vector<std::string_view> lines_of(std::string_view text);
/// Split at blanks and tabs.
std::vector<std::string_view> words_of(std::string_view line);
std::string lower(std::string_view text);
/// The whole text without terminal escape sequences.
std::string without_escapes(std::string_view text);
/// Name of the root element after blanks, declaration, comments and doctype; empty when the text is not XML.
std::string_view xml_root(std::string_view text);
/// A whole number in base 10, or 16 with "0x".
std::optional<long long> whole_number(std::string_view text);

}  // namespace crosspoint
