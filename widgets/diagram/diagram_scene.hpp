// The data of a canvas with what is asked of it: what lies where, what belongs to what, what differs (private to
// widgets/diagram). Canvas units throughout; no painting.
#pragma once

#include <optional>
#include <vector>

#include <QHash>
#include <QSet>

#include "widgets/diagram/diagram_data.hpp"

namespace crosspoint::ui {

/// Containers and domains hold other boxes; the rest are devices and fabric bars.
bool holdsOthers(const DiagramBox& box);
/// Cables end at devices only.
bool takesCables(const DiagramBox& box);

/// How far a stacked box sticks out above and to the right of its rectangle.
double stackDepth(const DiagramBox& box);

/// What has to be painted again after a change of data.
struct DiagramChange {
    bool everything = false;
    bool captions = false;
    bool geometry = false;  ///< some box moved: the small map differs
    std::vector<QRectF> areas;
};

/// Boxes are matched by their place in the list and their key; more than a few hundred areas count as everything.
DiagramChange difference(const DiagramData& before, const DiagramData& after);

/// Boxes in the order of the tree, so that whole subtrees are passed over at once.
class DiagramTree {
public:
    void build(const std::vector<DiagramBox>& boxes);
    [[nodiscard]] const QRectF& bounds() const { return bounds_; }  ///< of all boxes

    /// Calls `enter(box index)` for boxes whose subtree touches `area`, parents first; where it returns false, what
    /// lies inside is left out.
    template <class Enter>
    void visit(const QRectF& area, Enter enter) const {
        for (std::size_t i = 0; i < nodes_.size();) {
            const Node& node = nodes_[i];
            const bool seen = node.extent.intersects(area) && enter(node.box);
            i = seen ? i + 1 : node.end;
        }
    }
    /// Height of the tallest box inside; 0 when there is none.
    [[nodiscard]] double tallestInside(int box) const { return nodes_[place_[std::size_t(box)]].tallest; }
    [[nodiscard]] int depth(int box) const { return nodes_[place_[std::size_t(box)]].depth; }

private:
    struct Node {
        QRectF extent;  ///< with everything inside
        double tallest = 0;
        std::size_t end = 0;  ///< the node after the subtree
        int box = 0, depth = 0;
    };
    std::vector<Node> nodes_;
    std::vector<std::size_t> place_;  ///< of each box among the nodes
    QRectF bounds_;
};

class DiagramScene {
public:
    void set(DiagramData data);
    [[nodiscard]] const DiagramTree& tree() const { return tree_; }
    [[nodiscard]] const DiagramData& data() const { return data_; }
    [[nodiscard]] const QRectF& bounds() const { return tree_.bounds(); }  ///< of all boxes

    [[nodiscard]] const DiagramBox* box(const QString& key) const;
    [[nodiscard]] QSet<QString> ids() const;
    [[nodiscard]] QStringList boxIds() const;  ///< once each, in drawing order, without fabrics
    [[nodiscard]] QSet<QString> outermostIds() const;

    /// The uppermost box, or nothing.
    [[nodiscard]] const DiagramBox* boxAt(QPointF canvas) const;
    [[nodiscard]] const DiagramBox* containerAt(QPointF canvas) const;
    /// The nearest cable not further away than `within`.
    [[nodiscard]] const DiagramCable* cableAt(QPointF canvas, double within) const;
    /// Devices before cables before containers, as they are painted; empty on open ground.
    [[nodiscard]] QString idAt(QPointF canvas, double within) const;

    /// Keys of the boxes of these ids and of everything inside them.
    [[nodiscard]] QSet<QString> withInside(const QSet<QString>& ids) const;
    /// Those of `ids` that are boxes and lie in no other of them, in drawing order.
    [[nodiscard]] QStringList topmost(const QSet<QString>& ids) const;
    /// Ids of the outermost boxes wholly inside `band`.
    [[nodiscard]] QStringList enclosedBy(const QRectF& band) const;
    /// Bounding rectangle of boxes and cables of these ids.
    [[nodiscard]] QRectF areaOf(const QSet<QString>& ids) const;

private:
    DiagramData data_;
    QHash<QString, int> byKey_;
    DiagramTree tree_;
};

}  // namespace crosspoint::ui
