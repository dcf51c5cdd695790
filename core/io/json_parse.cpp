#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/io/json_tree.hpp"
#include "core/io/json_utf8.hpp"
#include "core/units/text.hpp"

namespace crosspoint::json {
namespace {

constexpr std::string_view utf8_mark = "\xEF\xBB\xBF";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '+'; }

class Parser {
public:
    Parser(std::string_view text, std::string_view file, const Limits& limits)
        : text_(text), file_(file), limits_(limits) {}

    Result<Node> run() {
        Node root;
        if (check_encoding() && value(root, 0)) {
            blanks();
            if (at_ < text_.size()) refuse("there is more text after the end of the value", "remove what follows it");
        }
        if (error_) return tl::unexpected(*error_);
        return root;
    }

private:
    bool refuse_at(std::size_t offset, std::string message, std::string hint, ErrorCode code = ErrorCode::syntax) {
        std::string pointer;
        for (const std::string& step : steps_) pointer = child_pointer(pointer, step);
        if (!error_)
            error_ = located(Error{code, std::move(message), std::move(hint), {}, {}, {}, 0, 0}, text_, file_,
                             std::move(pointer), offset);
        return false;
    }
    bool refuse(std::string message, std::string hint) { return refuse_at(at_, std::move(message), std::move(hint)); }

    bool check_encoding() {
        if (text_.size() > limits_.bytes)
            return refuse(fmt::format("the file has {} bytes, the limit is {} MiB", text_.size(), limits_.bytes >> 20U),
                          "check that it is the file you mean");
        if (text_.substr(0, 2) == "\xFF\xFE" || text_.substr(0, 2) == "\xFE\xFF")
            return refuse("the file is UTF-16", "save it as UTF-8");
        if (const auto bad = utf8::first_invalid(text_); bad != std::string_view::npos)
            return refuse_at(bad,
                             fmt::format("byte 0x{:02X} is not valid UTF-8", static_cast<unsigned char>(text_[bad])),
                             "save the file as UTF-8");
        if (text_.substr(0, utf8_mark.size()) == utf8_mark) at_ = utf8_mark.size();
        return true;
    }

    void blanks() {
        while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
    }
    [[nodiscard]] bool ended() const { return at_ >= text_.size(); }
    bool take(char c) {
        if (ended() || text_[at_] != c) return false;
        ++at_;
        return true;
    }

    bool value(Node& node, int depth) {
        blanks();
        node.offset = at_;
        if (++values_ > limits_.values)
            return refuse(fmt::format("there are more than {} values", limits_.values),
                          "check that it is the file you mean");
        if (ended()) return refuse("the text ends where a value is expected", "the file may be cut off");
        const char c = text_[at_];
        if ((c == '{' || c == '[') && depth >= limits_.depth)
            return refuse(fmt::format("lists and objects are nested more than {} deep", limits_.depth), "flatten it");
        if (c == '{') return object(node, depth);
        if (c == '[') return array(node, depth);
        if (c == '"') {
            node.kind = Node::Kind::string;
            return string(node.text);
        }
        if (c == '-' || is_digit(c)) return number(node);
        return word(node);
    }

    bool object(Node& node, int depth) {
        node.kind = Node::Kind::object;
        ++at_;
        blanks();
        if (take('}')) return true;
        for (;;) {
            if (!member(node, depth)) return false;
            blanks();
            if (take('}')) return no_key_twice(node);
            if (!take(',')) return refuse_separator("'}'");
        }
    }

    bool member(Node& node, int depth) {
        blanks();
        Member next;
        next.key_offset = at_;
        if (ended()) return refuse("the text ends inside an object", "the file may be cut off");
        if (text_[at_] != '"')
            return refuse("a key in double quotes is expected", "remove a comma before '}', or quote the key");
        if (!string(next.key)) return false;
        blanks();
        if (ended()) return refuse("the text ends after a key", "the file may be cut off");
        if (!take(':')) return refuse(fmt::format("':' is expected after the key '{}'", next.key), "insert ':'");
        steps_.push_back(next.key);
        if (!value(next.value, depth + 1)) return false;
        steps_.pop_back();
        node.members.push_back(std::move(next));
        return true;
    }

    bool no_key_twice(const Node& node) {
        std::vector<const Member*> sorted;
        for (const Member& member : node.members) sorted.push_back(&member);
        const auto before = [](const Member* a, const Member* b) {
            return a->key != b->key ? a->key < b->key : a->key_offset < b->key_offset;
        };
        std::sort(sorted.begin(), sorted.end(), before);
        for (std::size_t i = 1; i < sorted.size(); ++i) {
            if (sorted[i]->key != sorted[i - 1]->key) continue;
            steps_.push_back(sorted[i]->key);
            return refuse_at(sorted[i]->key_offset, fmt::format("the key '{}' occurs twice", sorted[i]->key),
                             "remove one of the two");
        }
        return true;
    }

    bool array(Node& node, int depth) {
        node.kind = Node::Kind::array;
        ++at_;
        blanks();
        if (take(']')) return true;
        for (;;) {
            steps_.push_back(fmt::format("{}", node.items.size()));
            Node item;
            if (!value(item, depth + 1)) return false;
            steps_.pop_back();
            node.items.push_back(std::move(item));
            blanks();
            if (take(']')) return true;
            if (!take(',')) return refuse_separator("']'");
        }
    }

    bool refuse_separator(std::string_view close) {
        if (ended())
            return refuse(fmt::format("the text ends where ',' or {} is expected", close), "the file may be cut off");
        return refuse(fmt::format("',' or {} is expected", close), "a comma may be missing on the line above");
    }

    bool string(std::string& out) {
        const std::size_t start = at_++;
        while (!ended() && text_[at_] != '"') {
            const auto c = static_cast<unsigned char>(text_[at_]);
            if (c < 0x20)
                return refuse("a text contains a line break or control character", "write it as an escape such as \\n");
            if (c == '\\') {
                if (!escape(out)) return false;
            } else {
                out += text_[at_++];
            }
        }
        if (take('"')) return true;
        return refuse_at(start, "a text is not closed", "add the closing quote; the file may be cut off");
    }

    bool escape(std::string& out) {
        constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
        const std::size_t start = at_++;
        if (ended()) return refuse_at(start, "a text is not closed", "the file may be cut off");
        const char letter = text_[at_++];
        if (const auto known = letters.find(letter); known != std::string_view::npos) {
            out += meanings[known];
            return true;
        }
        std::optional<unsigned> code;
        if (letter == 'u') code = utf16();
        if (!code) return refuse_at(start, "an escape in a text is not valid", "write \\\\ for a backslash");
        utf8::append(out, *code);
        return true;
    }

    std::optional<unsigned> hex4() {
        unsigned value = 0;
        for (int i = 0; i < 4; ++i, ++at_) {
            const auto digit =
                ended() ? std::string_view::npos : std::string_view("0123456789abcdefABCDEF").find(text_[at_]);
            if (digit == std::string_view::npos) return std::nullopt;
            value = value * 16 + static_cast<unsigned>(digit < 16 ? digit : digit - 6);
        }
        return value;
    }

    /// Code point of \uXXXX, or of a surrogate pair of two.
    std::optional<unsigned> utf16() {
        const auto high = hex4();
        if (!high || (*high >= 0xDC00 && *high < 0xE000)) return std::nullopt;
        if (*high < 0xD800 || *high >= 0xE000) return high;
        if (text_.substr(at_, 2) != "\\u") return std::nullopt;
        at_ += 2;
        const auto low = hex4();
        if (!low || *low < 0xDC00 || *low >= 0xE000) return std::nullopt;
        return 0x10000U + ((*high - 0xD800U) << 10U) + (*low - 0xDC00U);
    }

    bool digits() {
        const std::size_t start = at_;
        while (!ended() && is_digit(text_[at_])) ++at_;
        return at_ > start;
    }

    bool number(Node& node) {
        const std::size_t start = at_;
        node.kind = Node::Kind::number;
        take('-');
        const bool leading_zero = !ended() && text_[at_] == '0';
        const std::size_t whole = at_;
        bool ok = digits() && !(leading_zero && at_ > whole + 1);
        if (ok && take('.')) ok = digits();
        if (ok && !ended() && (text_[at_] == 'e' || text_[at_] == 'E')) {
            ++at_;
            if (!take('+')) take('-');
            ok = digits();
        }
        node.text = text_.substr(start, at_ - start);
        if (!ok) return refuse_number(start);
        if (!parse_number(node.text))
            return refuse_at(start, fmt::format("the number {} cannot be stored", node.text.substr(0, 40)),
                             "write a smaller number");
        return true;
    }

    bool refuse_number(std::size_t start) {
        if (ended()) return refuse_at(start, "the text ends inside a number", "the file may be cut off");
        at_ = start;
        if (take('-') && !ended() && is_word(text_[at_])) {
            Node ignored;
            return word(ignored);
        }
        return refuse_at(start, "this is not a number",
                         "write digits, with '.' before the decimals and no leading zero");
    }

    bool word(Node& node) {
        const std::size_t start = at_;
        while (!ended() && is_word(text_[at_])) ++at_;
        const std::string_view name = text_.substr(start, at_ - start);
        if (name == "null") return true;
        if (name == "true" || name == "false") {
            node.kind = Node::Kind::boolean;
            node.boolean = name == "true";
            return true;
        }
        if (name == "NaN" || name == "nan" || name == "Infinity" || name == "inf")
            return refuse_at(start, fmt::format("{} is not a number that a file can hold", name),
                             "write a finite number, or leave the field out");
        if (ended() && !name.empty() &&
            (std::string_view("true").starts_with(name) || std::string_view("false").starts_with(name) ||
             std::string_view("null").starts_with(name)))
            return refuse_at(start, "the text ends inside a word", "the file may be cut off");
        return refuse_at(start, "a value is expected",
                         "write a text in double quotes, a number, true, false, a list or an object");
    }

    std::string_view text_, file_;
    Limits limits_;
    std::size_t at_ = 0, values_ = 0;
    std::vector<std::string> steps_;
    std::optional<Error> error_;
};

}  // namespace

Result<Node> parse(std::string_view text, std::string_view file, const Limits& limits) {
    return Parser(text, file, limits).run();
}

}  // namespace crosspoint::json
