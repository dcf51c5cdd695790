#include "widgets/diagram/diagram_sprites.hpp"

#include <cmath>

namespace crosspoint::ui {
namespace {

constexpr int mostKept = 4000;
constexpr int edge = 2;              // px around the box for its outline
constexpr double largestSide = 400;  // px; larger ones are few, and would fill the memory

}  // namespace

void DiagramSprites::begin(const DiagramZoom& zoom, const Theme& theme, double density) {
    settled_ = zoom.scale == scale_ && density == density_;
    const bool sameTheme = ground_ == theme.canvas;
    if (settled_ && sameTheme && kept_.size() < mostKept) return;
    kept_.clear();
    scale_ = zoom.scale;
    density_ = density;
    ground_ = theme.canvas;
}

void DiagramSprites::draw(QPainter& painter, const DiagramBox& box, const QRectF& pixels, const Draw& draw) {
    if (!settled_ || pixels.width() > largestSide || pixels.height() > largestSide) return draw(painter, pixels);
    const QSize size(int(std::lround(pixels.width())), int(std::lround(pixels.height())));
    const Key key{box.title, int(box.role) * 2 + int(box.pinned), int(loadClass(box.load)), size.width(),
                  size.height()};
    QPixmap& picture = kept_[key];
    if (picture.isNull()) {
        picture = QPixmap((size + QSize(2 * edge, 2 * edge)) * density_);
        picture.setDevicePixelRatio(density_);
        picture.fill(Qt::transparent);
        QPainter inside(&picture);
        inside.setRenderHint(QPainter::Antialiasing, painter.testRenderHint(QPainter::Antialiasing));
        draw(inside, QRectF(QPointF(edge, edge), QSizeF(size)));
    }
    painter.drawPixmap(QPointF(std::round(pixels.left()) - edge, std::round(pixels.top()) - edge), picture);
}

}  // namespace crosspoint::ui
