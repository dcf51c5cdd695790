// crosspoint [FILE]: the window. crosspoint --export FOLDER FILE: writes the figures without showing a window.
#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QTimer>

#include <cstdio>

#include "app/export/figures_to_folder.hpp"
#include "app/windows/main_window.hpp"
#include "core/io/builtin.hpp"

namespace {

/// Without a display the program would abort before it can speak; exporting needs none.
void choosePlatform(int argc, char** argv) {
    const bool display = qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY");
    if (display || qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) return;
    bool exporting = false;
    for (int i = 1; i < argc; ++i)
        exporting |= QByteArray(argv[i]).startsWith("--export") || QByteArray(argv[i]) == "--help" ||
                     QByteArray(argv[i]) == "--version";
    if (!exporting) {
        std::fputs(
            "crosspoint: no display (neither DISPLAY nor WAYLAND_DISPLAY is set).\n"
            "Use 'crosspoint-cli check FILE', or 'crosspoint --export FOLDER FILE' for pictures.\n",
            stderr);
        std::exit(2);
    }
    qputenv("QT_QPA_PLATFORM", "offscreen");
}

int fail(const crosspoint::Error& error) {
    std::fprintf(stderr, "crosspoint: %s\n", crosspoint::describe(error).c_str());
    return 3;
}

}  // namespace

int main(int argc, char** argv) {
    choosePlatform(argc, argv);
    QApplication application(argc, argv);
    QApplication::setApplicationName("crosspoint");
    QApplication::setOrganizationName("crosspoint");
    QApplication::setApplicationVersion(CROSSPOINT_VERSION);
    QApplication::setDesktopFileName("org.crosspoint.Crosspoint");

    QCommandLineParser parser;
    parser.setApplicationDescription(
        QObject::tr("Draw the hardware that language models run on and see what it means."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption exportTo(
        "export", QObject::tr("Write diagram, timelines and plots of FILE into this folder and exit."), "folder");
    parser.addOption(exportTo);
    parser.addPositionalArgument("file", QObject::tr("A *.crosspoint.json document, or a model's config.json."),
                                 "[FILE]");
    parser.process(application);

    const auto catalogue = crosspoint::builtin_catalogue();
    if (!catalogue) return fail(catalogue.error());
    const QStringList files = parser.positionalArguments();
    if (parser.isSet(exportTo)) {
        if (files.size() != 1) {
            std::fputs("crosspoint: --export needs one FILE\n", stderr);
            return 2;
        }
        const auto done = crosspoint::app::exportFigures(files.first(), parser.value(exportTo), *catalogue);
        return done ? 0 : fail(done.error());
    }
    crosspoint::app::MainWindow window(*catalogue);
    window.show();
    if (!files.isEmpty()) QTimer::singleShot(0, &window, [&] { window.openPath(files.first()); });
    return QApplication::exec();
}
