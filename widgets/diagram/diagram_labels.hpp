// Words on boxes (private to widgets/diagram).
#pragma once

#include "widgets/diagram/diagram_painting.hpp"

namespace crosspoint::ui {

/// Fill of the bar of a fabric: its load, or its state when it is not whole.
QColor fabricFill(const DiagramBox& box, const Theme& theme);

/// Where the mark stands that closes and opens a container, in pixels; empty from afar.
QRectF collapseMark(const DiagramBox& box, const DiagramZoom& zoom);

/// Writes on boxes at one zoom. Below 80 % the words shrink no further than to 9 pixels, so that they can be read.
class LabelPainter {
public:
    LabelPainter(QPainter& painter, const Theme& theme, double scale);

    /// Name, count and side note of a box, in canvas units from its top-left corner. A name too long is shortened, its
    /// count never; a side note that does not fit is left out.
    void paint(const DiagramBox& box, const QSizeF& size) const;
    /// The name of a container across it, in pixels; false and nothing painted when it does not fit.
    bool paintAcross(const DiagramBox& box, const QRectF& pixels) const;

private:
    void paintContainer(const DiagramBox& box, const QSizeF& size) const;
    void paintDevice(const DiagramBox& box, const QSizeF& size) const;
    void paintFabric(const DiagramBox& box, const QSizeF& size) const;
    void paintText(const QFont& font, const QColor& colour, const QRectF& area, int side, const QString& text) const;
    void paintBadge(const DiagramBox& box, QPointF leftMiddle) const;
    double paintMark(const DiagramBox& box, QPointF rightMiddle) const;
    void paintChevron(QPointF middle, bool collapsed) const;
    void paintPin(QPointF middle) const;
    [[nodiscard]] double badgeWidth(const DiagramBox& box) const;
    [[nodiscard]] double nameWidth(const DiagramBox& box, double room) const;

    QPainter& painter_;
    const Theme& theme_;
    double grow_;  ///< of words against the rest
    QFont bold_, small_, strong_;
};

}  // namespace crosspoint::ui
