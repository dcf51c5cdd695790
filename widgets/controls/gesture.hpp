// The phases of one change of a value, so that a drag becomes one undo step.
#pragma once

#include <QMetaType>

namespace crosspoint::ui {

enum class GesturePhase {
    press,    ///< a drag begins; the value has not changed yet
    move,     ///< changed while dragging
    release,  ///< the drag ended; the final value
    typed,    ///< typed and committed, or one key or wheel step: a change of its own
};

}  // namespace crosspoint::ui

Q_DECLARE_METATYPE(crosspoint::ui::GesturePhase)
