// Walks every #include of the tree and names file and line of any that breaks the layering of docs/architecture.md.
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QHash>
#include <QRegularExpression>
#include <QtTest>

namespace {

struct Include {
    QString file;  ///< below the source tree
    int line = 0;
    QString target;
    bool angled = false;
};

QDir sourceDir() { return QDir(qEnvironmentVariable("CROSSPOINT_SOURCE_DIR")); }

QList<Include> includesBelow(const QString& folder) {
    QList<Include> found;
    static const QRegularExpression pattern(
        "^\\s*#\\s*include\\s*([<\"])([^>\"]+)[>\"]");  // no raw string: moc reads on in it
    QDirIterator files(sourceDir().filePath(folder), {"*.cpp", "*.hpp"}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (!file.open(QIODevice::ReadOnly)) continue;
        for (int line = 1; !file.atEnd(); ++line) {
            const auto match = pattern.match(QString::fromUtf8(file.readLine()));
            if (match.hasMatch())
                found.append(
                    {sourceDir().relativeFilePath(file.fileName()), line, match.captured(2), match.captured(1) == "<"});
        }
    }
    return found;
}

/// A folder of core/ sees itself and these (the order of docs/architecture.md).
const QHash<QString, QStringList>& allowedBelow() {
    static const QHash<QString, QStringList> table = [] {
        QHash<QString, QStringList> t;
        t["units"] = {};
        t["base"] = {"units"};
        t["catalogue"] = {"units", "base"};
        t["topology"] = {"units", "base"};
        t["model"] = {"units", "base", "catalogue"};
        t["measure"] = {"units", "base", "catalogue"};
        t["workload"] = t["model"] + QStringList{"model"};
        t["network"] = t["workload"] + QStringList{"workload", "topology"};
        t["scenario"] = t["workload"] + QStringList{"workload", "topology"};
        t["importers"] = t["scenario"] + QStringList{"scenario"};
        t["collective"] = t["network"] + QStringList{"network"};
        t["cost"] = t["workload"] + QStringList{"workload"};
        t["schedule"] = t["network"] + QStringList{"network", "cost"};
        t["economics"] = t["scenario"] + QStringList{"scenario"};
        t["training"] = t["network"] + QStringList{"network", "scenario", "collective", "cost", "schedule"};
        t["prediction"] = t["training"] + QStringList{"training", "economics"};
        t["review"] = t["prediction"] + QStringList{"prediction"};
        t["evaluate"] = t["review"] + QStringList{"review"};
        t["diagnosis"] = t["evaluate"] + QStringList{"evaluate", "measure"};
        t["io"] = t["diagnosis"] + QStringList{"diagnosis", "importers"};
        return t;
    }();
    return table;
}

QString place(const Include& include) {
    return QStringLiteral("%1:%2 includes %3").arg(include.file).arg(include.line).arg(include.target);
}

bool isQt(const Include& include) {
    static const QRegularExpression qt(R"(^(Q[A-Z][A-Za-z]*|Qt[A-Z][A-Za-z]*/.*|qcustomplot\.h)$)");
    return qt.match(include.target).hasMatch();
}

}  // namespace

class TestLayers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theTreeIsFound() {
        QVERIFY2(includesBelow("core").size() > 100, "CROSSPOINT_SOURCE_DIR is not the source tree");
    }

    void coreKnowsNoQt() {
        QStringList wrong;
        for (const auto& include : includesBelow("core"))
            if (isQt(include)) wrong << place(include);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
    }

    void coreFoldersSeeOnlyFoldersToTheirLeft() {
        QStringList wrong;
        for (const auto& include : includesBelow("core")) {
            const QString from = include.file.section('/', 1, 1);
            QVERIFY2(allowedBelow().contains(from), qPrintable("core folder without a place in the order: " + from));
            if (include.angled) continue;
            const QString top = include.target.section('/', 0, 0);
            const QString to = include.target.section('/', 1, 1);
            if (top != "core" || (to != from && !allowedBelow()[from].contains(to))) wrong << place(include);
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
    }

    void widgetsSeeOnlyUnitsOfTheCore() {
        QStringList wrong;
        for (const auto& include : includesBelow("widgets")) {
            const bool generated = include.target.endsWith(".moc");
            if (include.angled || generated) continue;
            if (!include.target.startsWith("widgets/") && !include.target.startsWith("core/units/"))
                wrong << place(include);
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
    }

    /// The plotting library's header costs seconds a file: it stays behind the public headers of widgets/plot.
    void thePlottingLibraryStaysInsideWidgetsPlot() {
        const QStringList inner{"widgets/plot/plot_base.hpp", "widgets/plot/plot_zoom.hpp", "widgets/plot/tickers.hpp"};
        QStringList wrong;
        for (const auto& folder : {"widgets", "app", "core"})
            for (const auto& include : includesBelow(folder)) {
                const bool inside = include.file.startsWith("widgets/plot/");
                const bool source = include.file.endsWith(".cpp") || inner.contains(include.file);
                if (include.target == "qcustomplot.h" && !(inside && source)) wrong << place(include);
                if (inner.contains(include.target) && !(inside && source)) wrong << place(include);
            }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
    }

    void nobodyIncludesTheApp() {
        QStringList wrong;
        for (const auto& folder : {"core", "widgets"})
            for (const auto& include : includesBelow(folder))
                if (include.target.startsWith("app/")) wrong << place(include);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
    }

    void theCommandLineKnowsNoQt() {
        QStringList wrong;
        for (const auto& include : includesBelow("app/cli"))
            if (isQt(include) || include.target.startsWith("widgets/")) wrong << place(include);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
    }

    void theCoreConvertsNumbersWithoutTheLocale() {
        static const QRegularExpression banned(
            R"(\b(strtod|strtof|atof|stod|stof|sprintf|snprintf|printf|setlocale)\s*\()");
        QStringList wrong;
        QDirIterator files(sourceDir().filePath("core"), {"*.cpp", "*.hpp"}, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            for (int line = 1; !file.atEnd(); ++line)
                if (banned.match(QString::fromUtf8(file.readLine())).hasMatch())
                    wrong << QStringLiteral("%1:%2").arg(sourceDir().relativeFilePath(file.fileName())).arg(line);
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
    }
};

QTEST_APPLESS_MAIN(TestLayers)
#include "tst_layers.moc"
