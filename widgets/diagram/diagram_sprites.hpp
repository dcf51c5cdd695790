// Pictures of devices kept between repaints: panning draws them again without drawing them anew (private to
// widgets/diagram).
#pragma once

#include <functional>

#include <QHash>
#include <QPixmap>

#include "widgets/diagram/diagram_painting.hpp"

namespace crosspoint::ui {

class DiagramSprites {
public:
    using Draw = std::function<void(QPainter&, const QRectF&)>;

    /// Forgets everything when zoom, theme or density of the screen differ from the last repaint's. While a zoom goes
    /// on, pictures would be used once: they are kept from the second repaint at one zoom on.
    void begin(const DiagramZoom& zoom, const Theme& theme, double density);
    void forget() { kept_.clear(); }
    /// The picture of the box at its place, rounded to whole pixels; `draw` makes it where there is none yet.
    void draw(QPainter& painter, const DiagramBox& box, const QRectF& pixels, const Draw& draw);

private:
    struct Key {
        QString title;
        int role = 0, load = 0, width = 0, height = 0;
        bool operator==(const Key&) const = default;
        friend size_t qHash(const Key& key, size_t seed) {
            return qHashMulti(seed, key.title, key.role, key.load, key.width, key.height);
        }
    };
    QHash<Key, QPixmap> kept_;
    double scale_ = 0, density_ = 1;
    QColor ground_;
    bool settled_ = false;
};

}  // namespace crosspoint::ui
