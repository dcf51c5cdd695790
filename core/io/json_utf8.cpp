#include "core/io/json_utf8.hpp"

namespace crosspoint::utf8 {
namespace {

unsigned byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

/// Bytes of the character that starts with `lead`; 0 when none does.
std::size_t length_of(unsigned lead) {
    if (lead < 0x80) return 1;
    if (lead >= 0xC2 && lead < 0xE0) return 2;
    if (lead >= 0xE0 && lead < 0xF0) return 3;
    return lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
}

/// The second byte rules out overlong forms, surrogates and code points above U+10FFFF.
bool second_fits(unsigned lead, unsigned second) {
    switch (lead) {
        case 0xE0: return second >= 0xA0;
        case 0xED: return second < 0xA0;
        case 0xF0: return second >= 0x90;
        case 0xF4: return second < 0x90;
        default: return true;
    }
}

bool well_formed(std::string_view text, std::size_t at, std::size_t length) {
    if (length == 0 || at + length > text.size()) return false;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte_at(text, at + i) & 0xC0U) != 0x80U) return false;
    return length == 1 || second_fits(byte_at(text, at), byte_at(text, at + 1));
}

}  // namespace

std::size_t first_invalid(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = length_of(byte_at(text, at));
        if (!well_formed(text, at, length)) return at;
        at += length;
    }
    return std::string_view::npos;
}

void append(std::string& out, unsigned code_point) {
    const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80U | ((code_point >> shift) & 0x3FU)); };
    if (code_point < 0x80) {
        out += static_cast<char>(code_point);
    } else if (code_point < 0x800) {
        out += static_cast<char>(0xC0U | (code_point >> 6U));
        tail(0);
    } else if (code_point < 0x10000) {
        out += static_cast<char>(0xE0U | (code_point >> 12U));
        tail(6);
        tail(0);
    } else {
        out += static_cast<char>(0xF0U | (code_point >> 18U));
        tail(12);
        tail(6);
        tail(0);
    }
}

}  // namespace crosspoint::utf8
