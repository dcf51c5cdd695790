// Pictures of widgets for people to look at: written only when CROSSPOINT_PICTURES names a folder.
#pragma once

#include <QDir>
#include <QPixmap>
#include <QWidget>

inline void save_picture(QWidget& widget, const QString& name) {
    const QString folder = qEnvironmentVariable("CROSSPOINT_PICTURES");
    if (!folder.isEmpty()) widget.grab().save(QDir(folder).filePath(name + ".png"));
}
