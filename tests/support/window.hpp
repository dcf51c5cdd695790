// The whole program without main(): a main window on a shown screen, with settings and files in a temporary folder.
#pragma once

#include <memory>

#include <QFile>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

#include "app/windows/main_window.hpp"
#include "core/io/builtin.hpp"
#include "tests/support/dialogs.hpp"
#include "tests/support/gestures.hpp"
#include "tests/support/warnings.hpp"
#include "widgets/controls/log_slider.hpp"
#include "widgets/diagram/diagram_view.hpp"
#include "widgets/timeline/timeline_view.hpp"

constexpr int settle_limit = 60000;  // ms; an evaluation takes some, an unoptimised one under a sanitizer seconds

inline QByteArray bytes_of(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline bool write_bytes(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

inline QByteArray sample_text(const char* name) {
    for (const crosspoint::Sample& sample : crosspoint::builtin_samples())
        if (sample.name == name) return QByteArray(sample.text.data(), qsizetype(sample.text.size()));
    return {};
}

/// Base of the tests of the window. It has no slots of its own, so that moc need not see it: a test calls
/// prepareProgram() in initTestCase(), openWindow() in init() and closeWindow() in cleanup().
class WindowTest : public QObject {
protected:
    std::unique_ptr<QTemporaryDir> folder;
    std::unique_ptr<crosspoint::app::MainWindow> window;

    [[nodiscard]] QString path(const QString& name) const { return folder->filePath(name); }
    [[nodiscard]] crosspoint::app::Document& document() const { return window->document(); }
    [[nodiscard]] const crosspoint::Scenario& scenario() const { return window->document().scenario(); }
    [[nodiscard]] const crosspoint::Report& report() const { return window->shownEvaluation()->report; }
    [[nodiscard]] bool settle() const {
        return QTest::qWaitFor([this] { return window->isSettled(); }, settle_limit);
    }
    [[nodiscard]] bool openSample(const char* name) const {
        return window->openSampleNamed(QString::fromLatin1(name)) && settle();
    }
    template <class W>
    [[nodiscard]] W& find(const QString& name = {}) const {
        W* found = window->findChild<W*>(name);
        if (!found) qFatal("the window has no %s '%s'", W::staticMetaObject.className(), qPrintable(name));
        return *found;
    }
    [[nodiscard]] crosspoint::ui::DiagramView& canvas() const { return find<crosspoint::ui::DiagramView>("canvas"); }
    [[nodiscard]] crosspoint::ui::TimelineView& timeline() const { return find<crosspoint::ui::TimelineView>(); }
    void run(const char* action) const { window->action(QString::fromLatin1(action))->trigger(); }

    void prepareProgram() const {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        QCoreApplication::setOrganizationName("crosspoint-test");
        QCoreApplication::setApplicationName("crosspoint-test");
        QVERIFY(crosspoint::builtin_catalogue().has_value());
    }
    /// Fresh settings and a fresh folder for each test.
    void openWindow() {
        fail_on_warnings();
        folder = std::make_unique<QTemporaryDir>();
        QVERIFY(folder->isValid());
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder->path());
        showWindow();
    }
    void showWindow() {
        window = std::make_unique<crosspoint::app::MainWindow>(*crosspoint::builtin_catalogue());
        window->resize(1600, 960);
        window->show();
        QVERIFY(QTest::qWaitForWindowExposed(window.get()));
        QVERIFY(settle());
    }
    /// Without asking whether to save.
    void closeWindow() {
        window.reset();
        folder.reset();
    }
};
