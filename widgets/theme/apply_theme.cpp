#include <QApplication>
#include <QPalette>
#include <QStyleFactory>

#include "widgets/theme/theme.hpp"

namespace crosspoint::ui {
namespace {

QPalette paletteOf(const Theme& t) {
    QPalette p;
    p.setColor(QPalette::Window, t.window);
    p.setColor(QPalette::WindowText, t.text);
    p.setColor(QPalette::Base, t.field);
    p.setColor(QPalette::AlternateBase, t.lane);
    p.setColor(QPalette::Text, t.text);
    p.setColor(QPalette::PlaceholderText, t.secondary);  // it says what to type: it must read
    p.setColor(QPalette::Button, t.panel);
    p.setColor(QPalette::ButtonText, t.text);
    p.setColor(QPalette::Highlight, t.accent);
    p.setColor(QPalette::HighlightedText, t.textOn(t.accent));
    p.setColor(QPalette::ToolTipBase, t.panel);
    p.setColor(QPalette::ToolTipText, t.text);
    p.setColor(QPalette::Link, t.accent);
    p.setColor(QPalette::Light, t.panel);
    p.setColor(QPalette::Mid, t.border);
    p.setColor(QPalette::Dark, t.box_border);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, t.disabled);
    return p;
}

// @name@ is replaced by the theme's colour of that name.
const char* const sheet = R"(
* { font-family: "DejaVu Sans"; font-size: 12px; }
QMainWindow, QDialog, QMessageBox { background: @window@; }
QMainWindow::separator { background: @window@; width: 6px; height: 6px; }
QMenuBar { background: @window@; color: @text@; padding: 2px 6px; }
QMenuBar::item { padding: 4px 10px; background: transparent; border-radius: 4px; }
QMenuBar::item:selected { background: @hover@; }
QMenu { background: @panel@; color: @text@; border: 1px solid @border@; padding: 4px; }
QMenu::item { padding: 5px 26px 5px 12px; border-radius: 4px; }
QMenu::item:selected { background: @accent_fill@; color: @text@; }
QMenu::item:disabled { color: @disabled@; }
QMenu::separator { height: 1px; background: @border@; margin: 4px 6px; }
QToolBar { background: @window@; border: none; spacing: 2px; padding: 2px 6px; }
QToolBar::separator { background: @border@; width: 1px; margin: 5px 6px; }
QToolButton { background: transparent; color: @text@; border: 1px solid transparent; border-radius: 5px; padding: 4px 9px; }
QToolButton:hover { background: @hover@; }
QToolButton:pressed, QToolButton:checked { background: @container@; border-color: @border@; }
QToolButton:disabled { color: @disabled@; }
QStatusBar { background: @window@; color: @secondary@; border-top: 1px solid @border@; }
QStatusBar::item { border: none; }
QStatusBar QLabel { color: @secondary@; padding: 1px 6px; font-size: 11px; }
QDockWidget { color: @text@; font-weight: 600; }
QDockWidget::title { background: @panel@; padding: 6px 10px; border: 1px solid @border@; border-bottom: none; }
QDockWidget > QWidget { background: @panel@; border: 1px solid @border@; border-top: none; }
QTabBar { background: @window@; }
QTabBar::tab { background: transparent; color: @secondary@; padding: 5px 12px; border: none; border-bottom: 2px solid transparent; }
QTabBar::tab:selected { color: @text@; font-weight: 600; border-bottom: 2px solid @accent@; }
QTabBar::tab:hover { color: @text@; }
QScrollArea, QScrollArea > QWidget > QWidget { background: @panel@; border: none; }
QLabel { color: @text@; border: none; background: transparent; }
QLabel#secondary { color: @secondary@; font-size: 11px; }
QLabel#sectionHeading { color: @secondary@; font-size: 11px; font-weight: 600; padding-top: 8px; }
QLabel#inspectorTitle { font-weight: 600; }
QLabel#inspectorError { color: @fail@; }
QLineEdit { background: @field@; color: @text@; border: 1px solid @border@;
    border-radius: 4px; padding: 3px 6px; min-height: 17px; selection-background-color: @accent@; }
QLineEdit:focus { border-color: @accent@; }
QSpinBox QLineEdit, QDoubleSpinBox QLineEdit { border: none; padding: 0px 2px; }
QComboBox QAbstractItemView { background: @panel@; color: @text@; border: 1px solid @border@; selection-background-color: @accent_fill@; selection-color: @text@; }
QCheckBox { color: @text@; spacing: 6px; }
QCheckBox::indicator { width: 12px; height: 12px; border: 1px solid @box_border@; border-radius: 3px; background: @field@; }
QCheckBox::indicator:checked { background: @accent@; border-color: @accent@; }
QPushButton { background: @panel@; color: @text@; border: 1px solid @box_border@; border-radius: 5px; padding: 4px 14px; }
QPushButton:hover { background: @hover@; }
QPushButton:default { border-color: @accent@; }
QPushButton:disabled { color: @disabled@; border-color: @border@; }
QTreeView, QTableView, QListView { background: @panel@; alternate-background-color: @lane@; color: @text@; border: none; outline: none; }
QTreeView::item, QListView::item { padding: 2px 2px; }
QTreeView::item:selected, QListView::item:selected, QTableView::item:selected { background: @accent_fill@; color: @text@; }
QTreeView::item:hover { background: @hover@; }
QHeaderView::section { background: @panel@; color: @secondary@; border: none; border-bottom: 1px solid @border@; padding: 4px 6px; }
QTableView { gridline-color: @grid@; }
QToolTip { background: @panel@; color: @text@; border: 1px solid @box_border@; padding: 4px; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: @border@; border-radius: 4px; min-height: 24px; min-width: 24px; margin: 1px; }
QScrollBar::handle:hover { background: @box_border@; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
)";

QString sheetOf(const Theme& t) {
    const std::pair<const char*, QColor> names[] = {{"@window@", t.window},
                                                    {"@panel@", t.panel},
                                                    {"@field@", t.field},
                                                    {"@lane@", t.lane},
                                                    {"@container@", t.container},
                                                    {"@border@", t.border},
                                                    {"@box_border@", t.box_border},
                                                    {"@grid@", t.grid},
                                                    {"@text@", t.text},
                                                    {"@secondary@", t.secondary},
                                                    {"@disabled@", t.disabled},
                                                    {"@accent@", t.accent},
                                                    {"@accent_fill@", t.accent_fill},
                                                    {"@hover@", t.hover},
                                                    {"@fail@", t.severityText(Severity::fail)}};
    QString text = QString::fromLatin1(sheet);
    for (const auto& [name, colour] : names) text.replace(QLatin1String(name), colour.name());
    return text;
}

}  // namespace

void applyTheme(QApplication& application, const Theme& theme) {
    application.setStyle(QStyleFactory::create("Fusion"));
    application.setFont(theme.textFont());
    application.setPalette(paletteOf(theme));
    application.setStyleSheet(sheetOf(theme));
}

}  // namespace crosspoint::ui
