// An XML text with its line numbers. Private to importers.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"

namespace pugi {
class xml_document;
class xml_node;
}  // namespace pugi

namespace crosspoint {

class XmlText {
public:
    /// Errors name the line, and for a text that ends early the element that is still open. Limit: nesting of 64.
    static Result<XmlText> parse(std::string_view text);
    XmlText(XmlText&&) noexcept;
    ~XmlText();
    [[nodiscard]] pugi::xml_node root() const;
    /// 1-based line of an element.
    [[nodiscard]] int line(const pugi::xml_node& node) const;
    /// "line 12"
    [[nodiscard]] std::string where(const pugi::xml_node& node) const;

private:
    explicit XmlText(std::string_view text);
    [[nodiscard]] int line_at(std::size_t offset) const;
    std::unique_ptr<pugi::xml_document> document_;
    std::vector<std::size_t> line_starts_;
};

}  // namespace crosspoint
