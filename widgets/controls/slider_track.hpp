// The track and handle of a LogSlider. A QSlider, so that assistive technology knows it. Private to widgets/controls.
#pragma once

#include <QSlider>

#include "widgets/controls/gesture.hpp"
#include "widgets/controls/log_scale.hpp"
#include "widgets/theme/theme.hpp"

namespace crosspoint::ui {

class SliderTrack : public QSlider {
    Q_OBJECT
public:
    explicit SliderTrack(QWidget* parent);
    void setScale(const LogScale& scale);
    void setNumber(double value);
    [[nodiscard]] double number() const { return number_; }
    [[nodiscard]] bool isDragging() const { return dragging_; }
    [[nodiscard]] QPointF handle() const;
    void setTheme(const Theme& theme);
    [[nodiscard]] QSize sizeHint() const override { return {160, 20}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {60, 20}; }

Q_SIGNALS:
    void changed(double value, crosspoint::ui::GesturePhase phase);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    [[nodiscard]] double shareAt(double x) const;
    void moveTo(double value, GesturePhase phase);
    void step(int by);
    void finish();

    LogScale scale_;
    Theme theme_ = Theme::light();
    double number_ = 1;
    double grab_offset_ = 0;  ///< px from the handle's centre to where it was taken
    int wheel_rest_ = 0;      ///< eighths of a degree that made no step yet
    bool dragging_ = false;
};

}  // namespace crosspoint::ui
