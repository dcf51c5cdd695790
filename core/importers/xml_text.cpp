#include "core/importers/xml_text.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <pugixml.hpp>

#include "core/importers/text_probe.hpp"

namespace crosspoint {
namespace {

constexpr int deepest = 64;

tl::unexpected<Error> at_line(std::string message, std::string hint, int line) {
    Error error{ErrorCode::syntax, std::move(message), std::move(hint), {}, {}, {}, line, 0};
    return tl::unexpected<Error>(std::move(error));
}

/// The innermost element that was open when the text ended.
std::string open_element(const pugi::xml_document& document) {
    pugi::xml_node at = document.document_element();
    for (pugi::xml_node child = at; child; child = child.last_child())
        if (child.type() == pugi::node_element) at = child;
    return at.name();
}

/// An element nested too deep; walked without recursion.
pugi::xml_node too_deep(const pugi::xml_document& document) {
    int depth = 0;
    for (pugi::xml_node at = document.document_element(); at;) {
        if (depth > deepest) return at;
        if (at.first_child()) {
            at = at.first_child();
            ++depth;
            continue;
        }
        while (at && !at.next_sibling()) at = at.parent(), --depth;
        if (at) at = at.next_sibling();
    }
    return {};
}

}  // namespace

XmlText::XmlText(std::string_view text) : document_(std::make_unique<pugi::xml_document>()), line_starts_{0} {
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] == '\n') line_starts_.push_back(i + 1);
}
XmlText::XmlText(XmlText&&) noexcept = default;
XmlText::~XmlText() = default;

Result<XmlText> XmlText::parse(std::string_view text) {
    XmlText xml(text);
    const auto result = xml.document_->load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
    if (!result) {
        const bool ended = skip_blanks(text.substr(std::min(text.size(), std::size_t(result.offset)))).size() <= 1;
        const int line = xml.line_at(std::size_t(result.offset));
        if (ended)
            return at_line(
                fmt::format("the text ends in line {} inside <{}>: it is cut off", line, open_element(*xml.document_)),
                "take the whole file", line);
        return at_line(fmt::format("broken XML: {}", lower(result.description())), "mend this line", line);
    }
    if (const auto deep = too_deep(*xml.document_); deep)
        return at_line(fmt::format("<{}> is nested more than {} levels deep", deep.name(), deepest),
                       "no machine looks like this; check the file", xml.line(deep));
    return xml;
}

pugi::xml_node XmlText::root() const { return document_->document_element(); }

int XmlText::line_at(std::size_t offset) const {
    return int(std::upper_bound(line_starts_.begin(), line_starts_.end(), offset) - line_starts_.begin());
}
int XmlText::line(const pugi::xml_node& node) const {
    return line_at(std::size_t(std::max<std::ptrdiff_t>(0, node.offset_debug())));
}
std::string XmlText::where(const pugi::xml_node& node) const { return fmt::format("line {}", line(node)); }

}  // namespace crosspoint
