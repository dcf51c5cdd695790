#include "app/windows/wheel_scrolls.hpp"

#include <QEvent>
#include <QWidget>

namespace crosspoint::app {
namespace {

class WheelPasses : public QObject {
public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        const auto* field = qobject_cast<QWidget*>(watched);
        if (event->type() != QEvent::Wheel || !field || field->hasFocus()) return false;
        event->ignore();  // goes on to the parent
        return true;
    }
};

}  // namespace

void letWheelScroll(QWidget& field) {
    field.setFocusPolicy(Qt::StrongFocus);
    field.installEventFilter(new WheelPasses(&field));
}

}  // namespace crosspoint::app
