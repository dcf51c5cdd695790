// Gestures of mouse, wheel and drop that QTest has no call for: modifiers while moving, fractions of pixels, drops.
#pragma once

#include <memory>

#include <QApplication>
#include <QDropEvent>
#include <QMimeData>
#include <QMouseEvent>
#include <QWheelEvent>
#include <QWidget>

struct Stroke {
    Qt::MouseButton button = Qt::LeftButton;
    Qt::KeyboardModifiers modifiers = Qt::NoModifier;
    int steps = 8;
};

inline void send_mouse(QWidget& widget, QEvent::Type type, QPointF at, const Stroke& stroke) {
    const bool moving = type == QEvent::MouseMove, up = type == QEvent::MouseButtonRelease;
    QMouseEvent event(type, at, widget.mapToGlobal(at), moving ? Qt::NoButton : stroke.button,
                      up ? Qt::NoButton : Qt::MouseButtons(stroke.button), stroke.modifiers);
    QApplication::sendEvent(&widget, &event);
}

/// Press, moves along the way, release.
inline void drag_mouse(QWidget& widget, QPointF from, QPointF to, const Stroke& stroke = {}) {
    send_mouse(widget, QEvent::MouseButtonPress, from, stroke);
    for (int i = 1; i <= stroke.steps; ++i)
        send_mouse(widget, QEvent::MouseMove, from + (to - from) * i / stroke.steps, stroke);
    send_mouse(widget, QEvent::MouseButtonRelease, to, stroke);
}

inline void click_mouse(QWidget& widget, QPointF at, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    const Stroke stroke{Qt::LeftButton, modifiers, 0};
    send_mouse(widget, QEvent::MouseButtonPress, at, stroke);
    send_mouse(widget, QEvent::MouseButtonRelease, at, stroke);
}

/// One notch is 120 eighths of a degree.
inline void turn_wheel(QWidget& widget, QPointF at, int notches) {
    QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, notches * 120}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&widget, &event);
}

/// Whether the widget took the drop: enters, and drops when the entering was accepted.
inline bool drop_on(QWidget& widget, QPointF at, const QMimeData& data) {
    QDragEnterEvent enter(at.toPoint(), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    enter.ignore();
    QApplication::sendEvent(&widget, &enter);
    if (!enter.isAccepted()) return false;
    QDropEvent drop(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&widget, &drop);
    return drop.isAccepted();
}
