#include "app/windows/canvas_places.hpp"

namespace crosspoint::app {

const ArrangedBox* firstBox(const Arrangement& arrangement, const std::string& id) {
    for (const ArrangedBox& box : arrangement.boxes)
        if (box.id == id && box.what != ArrangedBox::What::fabric) return &box;
    return nullptr;
}

const ArrangedBox* boxByKey(const Arrangement& arrangement, const std::string& key) {
    for (const ArrangedBox& box : arrangement.boxes)
        if (box.key == key) return &box;
    return nullptr;
}

std::optional<CanvasBox> placeOf(const Topology& drawing, const Arrangement& arrangement, const std::string& id) {
    const ArrangedBox* box = firstBox(arrangement, id);
    if (!box) return std::nullopt;
    const Container* container = drawing.containers.find(ContainerId(id));
    const Device* device = drawing.devices.find(DeviceId(id));
    const std::optional<CanvasBox> kept = container ? container->box : device ? device->box : std::nullopt;
    const ArrangedBox* parent = boxByKey(arrangement, box->parent);
    CanvasBox place = kept.value_or(CanvasBox{});
    place.x = box->x - (parent ? parent->x : 0);
    place.y = box->y - (parent ? parent->y : 0);
    return place;
}

}  // namespace crosspoint::app
