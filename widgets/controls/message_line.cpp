#include "widgets/controls/message_line.hpp"

#include <algorithm>

#include <QFontMetrics>
#include <QPainter>

namespace crosspoint::ui {
namespace {
constexpr int kShape = 11;  // px
constexpr int kGap = 5;     // px between shape and text
constexpr int kMargin = 2;
}  // namespace

MessageLine::MessageLine(QWidget* parent) : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setVisible(false);
}

void MessageLine::setMessage(Severity severity, const QString& text) {
    severity_ = severity;
    text_ = text;
    setAccessibleName(text.isEmpty() ? QString() : severityWord(severity) + ": " + text);
    setVisible(!text.isEmpty());
    setMinimumHeight(text.isEmpty() ? 0 : heightForWidth(std::max(width(), 1)));
    updateGeometry();
    update();
}

void MessageLine::setTheme(const Theme& theme) {
    theme_ = theme;
    update();
}

QSize MessageLine::sizeHint() const {
    const QFontMetrics metrics(theme_.secondaryFont());
    return {kShape + kGap + metrics.horizontalAdvance(text_) + 4, metrics.height() + 2 * kMargin};
}

QSize MessageLine::minimumSizeHint() const { return {80, QFontMetrics(theme_.secondaryFont()).height() + 2 * kMargin}; }

int MessageLine::heightForWidth(int width) const {
    const QFontMetrics metrics(theme_.secondaryFont());
    const QRect room(0, 0, std::max(width - kShape - kGap, 40), 10000);
    return metrics.boundingRect(room, Qt::TextWordWrap, text_).height() + 2 * kMargin;
}

void MessageLine::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QFontMetrics metrics(theme_.secondaryFont());
    int left = 0;
    if (severity_ != Severity::not_applicable) {
        drawSeverity(painter, QRectF(0, kMargin + (metrics.height() - kShape) / 2.0, kShape, kShape), severity_,
                     theme_);
        left = kShape + kGap;
    }
    painter.setFont(theme_.secondaryFont());
    painter.setPen(theme_.severityText(severity_));
    painter.drawText(rect().adjusted(left, kMargin, 0, 0), Qt::TextWordWrap, text_);
}

}  // namespace crosspoint::ui
