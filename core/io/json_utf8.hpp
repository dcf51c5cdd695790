// UTF-8 by RFC 3629. Private to core/io.
#pragma once

#include <string>
#include <string_view>

namespace crosspoint::utf8 {

/// Offset of the first byte that is not part of a well-formed character (overlong forms, surrogates and code points
/// above U+10FFFF are not); npos when the text is sound.
std::size_t first_invalid(std::string_view text);
void append(std::string& out, unsigned code_point);

}  // namespace crosspoint::utf8
