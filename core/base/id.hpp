// Typed ids. An id is a short text, unique in its document and never reused within it.
#pragma once

#include <compare>
#include <string>
#include <utility>

namespace crosspoint {

template <class Tag>
struct Id {
    std::string value;
    Id() = default;
    explicit Id(std::string text) : value(std::move(text)) {}
    [[nodiscard]] bool empty() const { return value.empty(); }
    auto operator<=>(const Id&) const = default;
};

using ContainerId = Id<struct ContainerTag>;
using DeviceId = Id<struct DeviceTag>;
using LinkId = Id<struct LinkTag>;
using PartId = Id<struct PartTag>;  // a catalogue entry, such as "nvidia-h100-sxm"

}  // namespace crosspoint
