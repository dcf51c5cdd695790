// Files compiled into the program by cmake/embed.cmake, in path order.
#pragma once

#include <span>
#include <string_view>

namespace crosspoint {

struct EmbeddedFile {
    std::string_view path;  ///< below the source tree: "resources/catalogue/links.json"
    std::string_view text;
};
std::span<const EmbeddedFile> embedded_files();

}  // namespace crosspoint
