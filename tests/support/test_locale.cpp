// Linked into every core test: runs it under the locale named by CROSSPOINT_TEST_LOCALE, before main.
#include <clocale>
#include <cstdio>
#include <cstdlib>

namespace {

const bool chosen = [] {
    const char* name = std::getenv("CROSSPOINT_TEST_LOCALE");
    if (!name || *name == '\0') return false;
    if (std::setlocale(LC_ALL, name)) return true;
    std::fprintf(stderr, "the locale %s is not installed\n", name);
    std::exit(1);
}();

}  // namespace
