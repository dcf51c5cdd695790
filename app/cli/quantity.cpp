#include "app/cli/command.hpp"
#include "core/units/text.hpp"

namespace crosspoint::cli {

template <class Q>
Result<Q> quantity(std::string_view option, std::string_view text) {
    const Parsed<Q> parsed = parse<Q>(text);
    if (parsed) return *parsed.value;
    return fail(ErrorCode::schema, std::string(option) + " '" + std::string(text) + "': " + parsed.error.message,
                parsed.error.hint);
}

template Result<Seconds> quantity<Seconds>(std::string_view, std::string_view);
template Result<Bytes> quantity<Bytes>(std::string_view, std::string_view);
template Result<BytesPerSecond> quantity<BytesPerSecond>(std::string_view, std::string_view);

}  // namespace crosspoint::cli
