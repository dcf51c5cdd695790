#include "widgets/diagram/diagram_scene.hpp"

#include <algorithm>
#include <cmath>

namespace crosspoint::ui {
namespace {

/// Above this many areas one repaint of everything is cheaper.
constexpr std::size_t mostAreas = 400;

double distanceToSegment(QPointF p, QPointF a, QPointF b) {
    const QPointF ab = b - a;
    const double length2 = QPointF::dotProduct(ab, ab);
    const double t = length2 > 0 ? std::clamp(QPointF::dotProduct(p - a, ab) / length2, 0.0, 1.0) : 0.0;
    const QPointF d = p - (a + ab * t);
    return std::sqrt(QPointF::dotProduct(d, d));
}

QRectF areaOfBox(const DiagramBox& box) {
    const double depth = stackDepth(box);
    return box.rect.adjusted(0, -depth, depth, 0);
}

QRectF areaOfCable(const DiagramCable& cable) { return QRectF(cable.start, cable.end).normalized(); }

bool sameCaptions(const DiagramData& a, const DiagramData& b) {
    return a.caption == b.caption && a.caption_detail == b.caption_detail && a.critical == b.critical &&
           a.critical_load == b.critical_load && a.legend == b.legend && a.card == b.card;
}

bool sameList(const DiagramData& a, const DiagramData& b) {
    if (a.boxes.size() != b.boxes.size() || a.cables.size() != b.cables.size()) return false;
    return std::equal(a.boxes.begin(), a.boxes.end(), b.boxes.begin(),
                      [](const DiagramBox& x, const DiagramBox& y) { return x.key == y.key; });
}

}  // namespace

bool holdsOthers(const DiagramBox& box) { return box.role == BoxRole::container || box.role == BoxRole::domain; }
bool takesCables(const DiagramBox& box) { return !holdsOthers(box) && box.role != BoxRole::fabric; }
double stackDepth(const DiagramBox& box) { return box.stands_for > 1 ? 8 : 0; }

DiagramChange difference(const DiagramData& before, const DiagramData& after) {
    DiagramChange change;
    change.captions = !sameCaptions(before, after);
    change.everything = !sameList(before, after) || before.boxes.empty();
    if (change.everything) return change;
    for (std::size_t i = 0; i < after.boxes.size(); ++i) {
        const DiagramBox &was = before.boxes[i], &is = after.boxes[i];
        if (was == is) continue;
        change.areas.push_back(areaOfBox(was));
        if (areaOfBox(was) == areaOfBox(is)) continue;
        change.areas.push_back(areaOfBox(is));
        change.geometry = true;
    }
    for (std::size_t i = 0; i < after.cables.size(); ++i) {
        if (before.cables[i] == after.cables[i]) continue;
        change.areas.push_back(areaOfCable(before.cables[i]));
        change.areas.push_back(areaOfCable(after.cables[i]));
    }
    change.everything = change.areas.size() > mostAreas || before.strokes != after.strokes;
    return change;
}

void DiagramTree::build(const std::vector<DiagramBox>& boxes) {
    const std::size_t n = boxes.size();
    nodes_.assign(n, {});
    place_.assign(n, 0);
    bounds_ = {};
    QHash<QString, int> byKey;
    byKey.reserve(qsizetype(n));
    std::vector<int> parent(n, -1);
    std::vector<std::size_t> size(n, 1), next(n + 1, 0);  // boxes in each subtree; where the next child goes
    for (std::size_t i = 0; i < n; ++i) {
        byKey.insert(boxes[i].key, int(i));
        if (!boxes[i].parent.isEmpty()) parent[i] = byKey.value(boxes[i].parent, -1);
        if (parent[i] == int(i)) parent[i] = -1;
        bounds_ |= areaOfBox(boxes[i]);
    }
    for (std::size_t i = n; i-- > 0;)
        if (parent[i] >= 0) size[std::size_t(parent[i])] += size[i];
    std::size_t top = 0;
    for (std::size_t i = 0; i < n; ++i) {
        std::size_t& free = parent[i] < 0 ? top : next[std::size_t(parent[i])];
        place_[i] = free;
        free += size[i];
        next[i] = place_[i] + 1;
        const int depth = parent[i] < 0 ? 0 : nodes_[place_[std::size_t(parent[i])]].depth + 1;
        nodes_[place_[i]] = {areaOfBox(boxes[i]), 0, place_[i] + size[i], int(i), depth};
    }
    for (std::size_t i = n; i-- > 0;) {
        if (parent[i] < 0) continue;
        Node& outer = nodes_[place_[std::size_t(parent[i])]];
        const Node& inner = nodes_[place_[i]];
        outer.extent |= inner.extent;
        outer.tallest = std::max({outer.tallest, boxes[i].rect.height(), inner.tallest});
    }
}

void DiagramScene::set(DiagramData data) {
    const auto same = [](const DiagramBox& a, const DiagramBox& b) {
        return a.key == b.key && a.parent == b.parent && a.rect == b.rect && a.stands_for == b.stands_for;
    };
    const bool placed = std::equal(data_.boxes.begin(), data_.boxes.end(), data.boxes.begin(), data.boxes.end(), same);
    data_ = std::move(data);
    if (placed) return;  // only loads and words differ
    byKey_.clear();
    byKey_.reserve(qsizetype(data_.boxes.size()));
    for (std::size_t i = 0; i < data_.boxes.size(); ++i) byKey_.insert(data_.boxes[i].key, int(i));
    tree_.build(data_.boxes);
}

const DiagramBox* DiagramScene::box(const QString& key) const {
    const auto it = byKey_.constFind(key);
    return it == byKey_.constEnd() ? nullptr : &data_.boxes[std::size_t(*it)];
}

QSet<QString> DiagramScene::ids() const {
    QSet<QString> ids;
    for (const DiagramBox& box : data_.boxes) ids.insert(box.id);
    for (const DiagramCable& cable : data_.cables) ids.insert(cable.id);
    return ids;
}

QStringList DiagramScene::boxIds() const {
    QSet<QString> seen;
    QStringList ids;
    for (const DiagramBox& box : data_.boxes) {
        if (box.role == BoxRole::fabric || seen.contains(box.id)) continue;
        seen.insert(box.id);
        ids << box.id;
    }
    return ids;
}

QSet<QString> DiagramScene::outermostIds() const {
    QSet<QString> ids;
    for (const DiagramBox& box : data_.boxes)
        if (box.parent.isEmpty()) ids.insert(box.id);
    for (const DiagramCable& cable : data_.cables) ids.insert(cable.id);
    return ids;
}

const DiagramBox* DiagramScene::boxAt(QPointF canvas) const {
    const DiagramBox *holder = nullptr, *device = nullptr;
    tree_.visit(QRectF(canvas - QPointF(0.5, 0.5), QSizeF(1, 1)), [&](int i) {
        const DiagramBox& box = data_.boxes[std::size_t(i)];
        if (box.rect.contains(canvas)) (holdsOthers(box) ? holder : device) = &box;
        return true;
    });
    return device ? device : holder;
}

const DiagramBox* DiagramScene::containerAt(QPointF canvas) const {
    const DiagramBox* holder = nullptr;
    tree_.visit(QRectF(canvas - QPointF(0.5, 0.5), QSizeF(1, 1)), [&](int i) {
        const DiagramBox& box = data_.boxes[std::size_t(i)];
        if (holdsOthers(box) && box.rect.contains(canvas)) holder = &box;
        return true;
    });
    return holder;
}

const DiagramCable* DiagramScene::cableAt(QPointF canvas, double within) const {
    const DiagramCable* nearest = nullptr;
    for (const DiagramCable& cable : data_.cables) {
        if (!areaOfCable(cable).adjusted(-within, -within, within, within).contains(canvas)) continue;
        const double distance = distanceToSegment(canvas, cable.start, cable.end);
        if (distance > within) continue;
        within = distance;
        nearest = &cable;
    }
    return nearest;
}

QString DiagramScene::idAt(QPointF canvas, double within) const {
    const DiagramBox* box = boxAt(canvas);
    if (box && !holdsOthers(*box)) return box->id;
    if (const DiagramCable* cable = cableAt(canvas, within)) return cable->id;
    return box ? box->id : QString();
}

QSet<QString> DiagramScene::withInside(const QSet<QString>& ids) const {
    QSet<QString> keys;
    for (const DiagramBox& box : data_.boxes)
        if (ids.contains(box.id) || keys.contains(box.parent)) keys.insert(box.key);
    return keys;
}

QStringList DiagramScene::topmost(const QSet<QString>& ids) const {
    QSet<QString> inside, listed;  // keys of boxes within a chosen one; ids
    QStringList outer;
    for (const DiagramBox& box : data_.boxes) {
        const bool covered = inside.contains(box.parent), chosen = ids.contains(box.id);
        if (covered || chosen) inside.insert(box.key);
        if (covered || !chosen || box.role == BoxRole::fabric || listed.contains(box.id)) continue;
        listed.insert(box.id);
        outer << box.id;
    }
    return outer;
}

QStringList DiagramScene::enclosedBy(const QRectF& band) const {
    QSet<QString> keys;
    QStringList ids;
    for (const DiagramBox& box : data_.boxes) {
        const bool covered = keys.contains(box.parent);
        if (!covered && !band.contains(box.rect)) continue;
        keys.insert(box.key);
        if (!covered && box.role != BoxRole::fabric) ids << box.id;
    }
    return ids;
}

QRectF DiagramScene::areaOf(const QSet<QString>& ids) const {
    QRectF area;
    for (const DiagramBox& box : data_.boxes)
        if (ids.contains(box.id)) area |= areaOfBox(box);
    for (const DiagramCable& cable : data_.cables)
        if (ids.contains(cable.id)) area |= areaOfCable(cable).adjusted(-1, -1, 1, 1);
    return area;
}

}  // namespace crosspoint::ui
