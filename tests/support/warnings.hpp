// Tests of widgets fail on every warning that Qt or the program writes.
#pragma once

#include <QRegularExpression>
#include <QtTest>

/// To be called in init(): from here to the end of the test function a warning is a failure. What the offscreen
/// platform says about its own limits is let through.
inline void fail_on_warnings() {
    QTest::failOnWarning(
        QRegularExpression("^(?!This plugin (does not support (propagateSizeHints|raise|grabbing the keyboard)))"));
}
