// What is being looked at: not part of the document, not undone.
#pragma once

#include <QString>
#include <QStringList>

namespace crosspoint::app {

struct ViewState {
    enum class Scope { layer, step };
    Scope scope = Scope::layer;
    int kind = -1;        ///< layer kind shown; -1: the one that most layers are of
    QString operation;    ///< selected operation; empty: the whole layer or step
    QStringList objects;  ///< selected boxes and cables
    QStringList picked;   ///< keys of the boxes that were clicked themselves, at most two: the ends of a path
    QString derivation;   ///< figure or rule whose derivation is shown; empty: of the operation, or the first figure
};

}  // namespace crosspoint::app
