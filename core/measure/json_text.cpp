#include "core/measure/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/measure/log_lines.hpp"

namespace crosspoint::measure {
namespace {

bool word_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '+' ||
           c == '.';
}

/// One pass over the text that copies it and keeps the brackets that are open.
class Mender {
public:
    explicit Mender(std::string_view text) : text_(text) {}

    Result<MendedJson> run() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '"') take_string();
            else if (c == '{' || c == '[') {
                if (open_.size() >= 64) return too_deep();
                open_.push_back(c == '{' ? '}' : ']');
                copy(1);
            } else if (c == '}' || c == ']') take_close();
            else if (word_char(c)) take_word();
            else copy(1);
        }
        if (!open_.empty()) close();
        return std::move(result_);
    }

private:
    void copy(std::size_t n) {
        result_.text += text_.substr(at_, n);
        at_ += n;
    }

    void take_string() {
        std::size_t end = at_ + 1;
        while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
        copy(std::min(end + 1, text_.size()) - at_);
    }

    void take_close() {
        if (!open_.empty()) open_.pop_back();
        copy(1);
        whole_ = result_.text.size();
        whole_open_ = open_;
    }

    void take_word() {
        std::size_t end = at_;
        while (end < text_.size() && word_char(text_[end])) ++end;
        std::string word = lower(text_.substr(at_, end - at_));
        if (word.starts_with('-') || word.starts_with('+')) word.erase(0, 1);
        const bool no_number = word == "nan" || word == "inf" || word == "infinity";
        if (!no_number) return copy(end - at_);
        result_.text += "null";
        ++result_.not_numbers;
        at_ = end;
    }

    /// Back to the end of the last whole object or array, then every bracket that was open there.
    void close() {
        result_.cut = true;
        result_.text.resize(whole_);
        for (auto it = whole_open_.rbegin(); it != whole_open_.rend(); ++it) result_.text += *it;
    }

    tl::unexpected<Error> too_deep() const {
        Error error{
            ErrorCode::syntax, "JSON nested deeper than 64 levels is no benchmark result", {}, {}, {}, {}, 0, 0};
        error.line = 1 + int(std::count(text_.begin(), text_.begin() + std::ptrdiff_t(at_), '\n'));
        return tl::unexpected(std::move(error));
    }

    std::string_view text_;
    std::size_t at_ = 0, whole_ = 0;
    std::string open_, whole_open_;
    MendedJson result_;
};

}  // namespace

Result<MendedJson> mend_json(std::string_view text) { return Mender(text).run(); }

}  // namespace crosspoint::measure
