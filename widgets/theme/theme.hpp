// Colours, fonts and shapes of the whole program, as one value: views draw with nothing else.
//
// Categorical colours are Okabe-Ito; greys carry structure. Severity has a shape and a word as well as a colour.
// Text on its background has a contrast of at least 4.5:1 in both themes (tests/widgets/theme).
#pragma once

#include <array>

#include <QColor>
#include <QFont>
#include <QIcon>
#include <QPainter>
#include <QString>
#include <QStringList>

class QApplication;

namespace crosspoint::ui {

enum class Severity { pass, attention, fail, not_applicable };

QString severityWord(Severity severity);  ///< "pass", "attention", "fail", "not applicable"

/// Classes of the load of a link: below 40 %, 40-80 %, above 80 % of the usable rate; none: nothing crosses it.
enum class LoadClass { none, low, middle, high };
LoadClass loadClass(double load);

struct Theme {
    bool is_dark = false;

    QColor window;      ///< behind the panels
    QColor panel;       ///< panels, plots, timeline
    QColor canvas;      ///< behind the drawing
    QColor field;       ///< inputs and tables
    QColor lane;        ///< an empty track inside a panel
    QColor container;   ///< a box that holds others
    QColor box;         ///< a device
    QColor border;      ///< quiet outlines
    QColor box_border;  ///< outlines of devices
    QColor grid;        ///< lines of plots
    QColor text;
    QColor secondary;  ///< secondary text
    QColor disabled;
    QColor accent;       ///< selection, links, focus
    QColor accent_fill;  ///< behind something selected
    QColor hover;

    std::array<QColor, 6> categories;  ///< Okabe-Ito: blue, orange, green, vermillion, purple, sky
    QColor overhead;                   ///< bars that are neither compute nor communication

    static Theme light();
    static Theme dark();
    static Theme highContrast();  ///< light; text at 7:1 or better, strong outlines

    /// Fill of shapes of this severity.
    [[nodiscard]] QColor severity(Severity severity) const;
    /// The same for text on a panel.
    [[nodiscard]] QColor severityText(Severity severity) const;
    [[nodiscard]] QColor load(LoadClass load) const;
    [[nodiscard]] QColor loadText(LoadClass load) const;  ///< for text on the canvas
    /// Category `index` (modulo their number) as a fill, and as text on a panel.
    [[nodiscard]] QColor category(int index) const;
    [[nodiscard]] QColor categoryText(int index) const;
    /// Black or white, whichever reads better on `fill`.
    [[nodiscard]] QColor textOn(const QColor& fill) const;

    [[nodiscard]] QFont figureFont() const;     ///< 18 px, demi-bold
    [[nodiscard]] QFont textFont() const;       ///< 12 px
    [[nodiscard]] QFont boldFont() const;       ///< 12 px, demi-bold
    [[nodiscard]] QFont secondaryFont() const;  ///< 11 px
};

/// WCAG 2 contrast ratio, 1 to 21.
double contrast(const QColor& a, const QColor& b);
/// `colour` moved towards the text colour until it reads on `background` with at least `ratio`.
QColor readable(QColor colour, const QColor& background, double ratio = 4.5);

/// Palette, font and style sheet of the application.
void applyTheme(QApplication& application, const Theme& theme);

/// The shape of a severity inside `rect`: cross, triangle, tick, dash.
void drawSeverity(QPainter& painter, const QRectF& rect, Severity severity, const Theme& theme);
QIcon severityIcon(Severity severity, const Theme& theme, int size = 16);

/// Names of the line icons of actions: new, open, save, undo, redo, select, connect, fit, delete, duplicate, export,
/// report.
QStringList iconNames();
/// The icon of that name in the theme's text colour; null for an unknown name.
QIcon icon(const QString& name, const Theme& theme);

}  // namespace crosspoint::ui
