#include "widgets/theme/theme.hpp"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>

namespace crosspoint::ui {
namespace {

// Okabe & Ito, "Color Universal Design" (2008).
const std::array<QColor, 6> okabeIto{QColor("#0072B2"), QColor("#E69F00"), QColor("#009E73"),
                                     QColor("#D55E00"), QColor("#CC79A7"), QColor("#56B4E9")};

double channel(double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); }

double luminance(const QColor& c) {
    return 0.2126 * channel(c.redF()) + 0.7152 * channel(c.greenF()) + 0.0722 * channel(c.blueF());
}

QColor mix(const QColor& a, const QColor& b, double share) {
    const auto part = [share](float x, float y) { return float(x + (y - x) * share); };
    return QColor::fromRgbF(part(a.redF(), b.redF()), part(a.greenF(), b.greenF()), part(a.blueF(), b.blueF()));
}

QFont font(int pixels, QFont::Weight weight) {
    QFont f("DejaVu Sans");
    f.setStyleHint(QFont::SansSerif);
    f.setPixelSize(pixels);
    f.setWeight(weight);
    return f;
}

int severityCategory(Severity severity) {
    switch (severity) {
        case Severity::pass: return 2;
        case Severity::attention: return 1;
        case Severity::fail: return 3;
        case Severity::not_applicable: break;
    }
    return -1;
}

int loadCategory(LoadClass load) {
    switch (load) {
        case LoadClass::low: return 2;
        case LoadClass::middle: return 1;
        case LoadClass::high: return 3;
        case LoadClass::none: break;
    }
    return -1;
}

}  // namespace

QString severityWord(Severity severity) {
    switch (severity) {
        case Severity::pass: return QCoreApplication::translate("Theme", "pass");
        case Severity::attention: return QCoreApplication::translate("Theme", "attention");
        case Severity::fail: return QCoreApplication::translate("Theme", "fail");
        case Severity::not_applicable: break;
    }
    return QCoreApplication::translate("Theme", "not applicable");
}

LoadClass loadClass(double load) {
    if (!(load > 0)) return LoadClass::none;
    if (load < 0.4) return LoadClass::low;
    return load <= 0.8 ? LoadClass::middle : LoadClass::high;
}

Theme Theme::light() {
    Theme t;
    t.window = QColor("#f6f7f9");
    t.panel = QColor("#ffffff");
    t.canvas = QColor("#fbfcfd");
    t.field = QColor("#ffffff");
    t.lane = QColor("#fafbfc");
    t.container = QColor("#eef1f5");
    t.box = QColor("#ffffff");
    t.border = QColor("#d8dde4");
    t.box_border = QColor("#b6bec9");
    t.grid = QColor("#e3e7ec");
    t.text = QColor("#1c2430");
    t.secondary = QColor("#586374");
    t.disabled = QColor("#97a1ae");
    t.accent = QColor("#0072B2");
    t.accent_fill = QColor("#e3f0f8");
    t.hover = QColor("#edf1f5");
    t.categories = okabeIto;
    t.overhead = QColor("#8a94a3");
    return t;
}

Theme Theme::dark() {
    Theme t;
    t.is_dark = true;
    t.window = QColor("#1b1d21");
    t.panel = QColor("#23262b");
    t.canvas = QColor("#1f2226");
    t.field = QColor("#1d2024");
    t.lane = QColor("#1f2226");
    t.container = QColor("#2b2f36");
    t.box = QColor("#22262b");
    t.border = QColor("#3a3f48");
    t.box_border = QColor("#59616d");
    t.grid = QColor("#343941");
    t.text = QColor("#e8ebef");
    t.secondary = QColor("#a5aebb");
    t.disabled = QColor("#69727f");
    t.accent = QColor("#56B4E9");
    t.accent_fill = QColor("#243849");
    t.hover = QColor("#2d3138");
    t.categories = okabeIto;
    t.overhead = QColor("#78828f");
    return t;
}

Theme Theme::highContrast() {
    Theme t = light();
    t.window = t.panel = t.canvas = t.field = t.lane = t.box = QColor("#ffffff");
    t.container = QColor("#f2f4f7");
    t.border = QColor("#5b6573");
    t.box_border = QColor("#1c2430");
    t.grid = QColor("#b6bec9");
    t.text = QColor("#000000");
    t.secondary = QColor("#33404f");
    t.disabled = QColor("#5b6573");
    t.accent = QColor("#00548a");
    t.accent_fill = QColor("#d2e8f7");
    t.hover = QColor("#e3ebf2");
    t.overhead = QColor("#4d5866");
    return t;
}

QColor Theme::severity(Severity s) const {
    const int index = severityCategory(s);
    return index < 0 ? disabled : categories[std::size_t(index)];
}

QColor Theme::severityText(Severity s) const {
    return s == Severity::not_applicable ? secondary : readable(severity(s), panel);
}

QColor Theme::load(LoadClass l) const {
    const int index = loadCategory(l);
    return index < 0 ? box_border : categories[std::size_t(index)];
}

QColor Theme::loadText(LoadClass l) const { return l == LoadClass::none ? secondary : readable(load(l), canvas); }

QColor Theme::category(int index) const {
    const int n = int(categories.size());
    return categories[std::size_t(((index % n) + n) % n)];
}

QColor Theme::categoryText(int index) const { return readable(category(index), panel); }

QColor Theme::textOn(const QColor& fill) const {
    const QColor ink("#10151c"), paper("#ffffff");
    return contrast(ink, fill) >= contrast(paper, fill) ? ink : paper;
}

QFont Theme::figureFont() const { return font(18, QFont::DemiBold); }
QFont Theme::textFont() const { return font(12, QFont::Normal); }
QFont Theme::boldFont() const { return font(12, QFont::DemiBold); }
QFont Theme::secondaryFont() const { return font(11, QFont::Normal); }

double contrast(const QColor& a, const QColor& b) {
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

QColor readable(QColor colour, const QColor& background, double ratio) {
    const QColor towards = luminance(background) > 0.18 ? QColor("#000000") : QColor("#ffffff");
    const QColor start = colour;
    for (int step = 1; step <= 50 && contrast(colour, background) < ratio; ++step)
        colour = mix(start, towards, step / 50.0);
    return colour;
}

}  // namespace crosspoint::ui
