// Fields in a panel that scrolls: the wheel must not change a value on its way.
#pragma once

class QWidget;

namespace crosspoint::app {

/// The wheel changes the field only while it has the focus; otherwise the panel around it scrolls.
void letWheelScroll(QWidget& field);

}  // namespace crosspoint::app
