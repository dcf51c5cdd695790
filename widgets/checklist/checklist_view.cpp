#include "widgets/checklist/checklist_view.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include "widgets/checklist/checklist_row_widget.hpp"

namespace crosspoint::ui {
namespace {

/// "2 x  3 triangle  9 tick" at the right of the heading.
class CountsLine : public QWidget {
public:
    explicit CountsLine(QWidget* parent) : QWidget(parent) { setFixedHeight(26); }
    void set(const Theme& theme, int fail, int attention, int pass) {
        theme_ = theme;
        counts_ = {{Severity::fail, fail}, {Severity::attention, attention}, {Severity::pass, pass}};
        setAccessibleName(
            ChecklistView::tr("Checklist: %1 fail, %2 attention, %3 pass").arg(fail).arg(attention).arg(pass));
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QFontMetrics metrics(theme_.secondaryFont());
        constexpr int kMargin = 8, kShape = 11, kGap = 4, kBetween = 10;  // px
        int x = kMargin;
        painter.setFont(theme_.secondaryFont());
        for (const auto& [severity, count] : counts_) {
            const QString text = QString::number(count) + ' ' + severityWord(severity);
            drawSeverity(painter, QRectF(x, (height() - kShape) / 2.0, kShape, kShape), severity, theme_);
            x += kShape + kGap;
            painter.setPen(theme_.severityText(severity));
            painter.drawText(QRect(x, 0, width() - x, height()), Qt::AlignVCenter | Qt::AlignLeft, text);
            x += metrics.horizontalAdvance(text) + kBetween;
        }
        painter.setPen(QPen(theme_.border, 1));
        painter.drawLine(0, height() - 1, width(), height() - 1);
    }

private:
    Theme theme_ = Theme::light();
    std::vector<std::pair<Severity, int>> counts_;
};

}  // namespace

struct ChecklistView::Private {
    ChecklistView* view;
    ChecklistData data;
    Theme theme = Theme::light();
    CountsLine* counts;
    QScrollArea* scroll;
    QWidget* content;
    QVBoxLayout* layout;
    QLabel* empty;
    std::vector<ChecklistRowWidget*> rows;  ///< as shown
    QString current;

    [[nodiscard]] ChecklistRowWidget* find(const QString& rule) const {
        for (ChecklistRowWidget* row : rows)
            if (row->row().rule == rule) return row;
        return nullptr;
    }
    ChecklistRowWidget* make();
    void arrange();
    void setCurrent(const QString& rule, bool scroll_to);
    void step(int by);
    void showCounts() const {
        counts->set(theme, view->count(Severity::fail), view->count(Severity::attention), view->count(Severity::pass));
    }
    void style();
};

ChecklistRowWidget* ChecklistView::Private::make() {
    auto* row = new ChecklistRowWidget(content);
    row->setTheme(theme);
    QObject::connect(row, &ChecklistRowWidget::activated, view, [this, row] {
        view->setFocus();
        setCurrent(row->row().rule, false);
        Q_EMIT view->evidenceActivated(row->row().rule);
    });
    QObject::connect(row, &ChecklistRowWidget::fixPressed, view,
                     [this, row](int index) { Q_EMIT view->suggestionActivated(row->row().rule, index); });
    return row;
}

/// Rows are taken over by rule, so that what is expanded and where the view stands stays.
void ChecklistView::Private::arrange() {
    std::vector<ChecklistRowWidget*> old = std::exchange(rows, {});
    for (std::size_t i = 0; i < data.rows.size(); ++i) {
        const ChecklistRow& wanted = data.rows[i];
        const auto at =
            std::find_if(old.begin(), old.end(), [&](const auto* row) { return row->row().rule == wanted.rule; });
        ChecklistRowWidget* row = nullptr;
        if (at != old.end()) {
            row = *at;
            old.erase(at);
        } else {
            row = make();
        }
        row->setRow(wanted);
        if (layout->indexOf(row) != int(i)) layout->insertWidget(int(i), row);
        rows.push_back(row);
    }
    for (ChecklistRowWidget* row : old) {
        layout->removeWidget(row);
        row->hide();
        row->deleteLater();
    }
}

void ChecklistView::Private::setCurrent(const QString& rule, bool scroll_to) {
    current = rule;
    for (ChecklistRowWidget* row : rows) row->setCurrent(row->row().rule == rule);
    ChecklistRowWidget* row = find(rule);
    if (row && scroll_to) scroll->ensureWidgetVisible(row, 0, 4);
    view->setAccessibleDescription(row ? row->accessibleName() + ". " + row->row().figure : QString());
}

void ChecklistView::Private::step(int by) {
    if (rows.empty()) return;
    const auto at =
        std::find_if(rows.begin(), rows.end(), [this](const auto* row) { return row->row().rule == current; });
    const int last = int(rows.size()) - 1;
    const int index = at == rows.end() ? (by > 0 ? 0 : last) : std::clamp(int(at - rows.begin()) + by, 0, last);
    setCurrent(rows[std::size_t(index)]->row().rule, true);
}

void ChecklistView::Private::style() {
    scroll->setStyleSheet(QStringLiteral("QScrollArea { border: none; background: %1; }").arg(theme.panel.name()));
    QPalette colours = view->palette();
    colours.setColor(QPalette::Window, theme.panel);
    content->setPalette(colours);
    view->setPalette(colours);
    empty->setStyleSheet(QStringLiteral("color: %1; font-size: 12px; padding: 12px;").arg(theme.secondary.name()));
}

ChecklistView::ChecklistView(QWidget* parent) : QWidget(parent), d_(std::make_unique<Private>()) {
    d_->view = this;
    d_->counts = new CountsLine(this);
    d_->scroll = new QScrollArea(this);
    d_->content = new QWidget;
    d_->content->setAutoFillBackground(true);
    setAutoFillBackground(true);
    d_->layout = new QVBoxLayout(d_->content);
    d_->layout->setContentsMargins(0, 2, 0, 2);
    d_->layout->setSpacing(0);
    d_->empty = new QLabel(d_->content);
    d_->empty->setWordWrap(true);
    d_->empty->setAlignment(Qt::AlignCenter);
    d_->layout->addWidget(d_->empty);
    d_->layout->addStretch(1);
    d_->scroll->setWidget(d_->content);
    d_->scroll->setWidgetResizable(true);
    d_->scroll->setFrameShape(QFrame::NoFrame);
    d_->scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    d_->scroll->setFocusPolicy(Qt::NoFocus);
    d_->scroll->installEventFilter(this);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    outer->addWidget(d_->counts);
    outer->addWidget(d_->scroll);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Checklist"));
    installEventFilter(this);
    d_->style();
    setData({});
}

ChecklistView::~ChecklistView() = default;

void ChecklistView::setData(ChecklistData data) {
    const int position = d_->scroll->verticalScrollBar()->value();
    d_->data = std::move(data);
    d_->arrange();
    d_->empty->setVisible(d_->data.rows.empty());
    d_->empty->setText(d_->data.empty_text.isEmpty()
                           ? tr("Draw accelerators and choose a model: the review appears here")
                           : d_->data.empty_text);
    d_->counts->setVisible(!d_->data.rows.empty());
    d_->setCurrent(d_->current, false);
    d_->showCounts();
    d_->scroll->verticalScrollBar()->setValue(position);
}

const ChecklistData& ChecklistView::data() const { return d_->data; }

void ChecklistView::setTheme(const Theme& theme) {
    d_->theme = theme;
    for (ChecklistRowWidget* row : d_->rows) row->setTheme(theme);
    d_->style();
    d_->showCounts();
}

void ChecklistView::setExpanded(const QString& rule, bool expanded) {
    if (ChecklistRowWidget* row = d_->find(rule)) row->setExpanded(expanded);
}

bool ChecklistView::isExpanded(const QString& rule) const {
    const ChecklistRowWidget* row = d_->find(rule);
    return row && row->isExpanded();
}

void ChecklistView::setCurrentRule(const QString& rule) { d_->setCurrent(rule, true); }
QString ChecklistView::currentRule() const { return d_->current; }

int ChecklistView::count(Severity severity) const {
    return int(std::count_if(d_->data.rows.begin(), d_->data.rows.end(),
                             [severity](const ChecklistRow& row) { return row.severity == severity; }));
}

QSize ChecklistView::sizeHint() const { return {340, 260}; }

bool ChecklistView::eventFilter(QObject* watched, QEvent* event) {
    if (watched != this || event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
    ChecklistRowWidget* row = d_->find(d_->current);
    switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Down: d_->step(1); return true;
        case Qt::Key_Up: d_->step(-1); return true;
        case Qt::Key_Right:
            if (row) row->setExpanded(true);
            return true;
        case Qt::Key_Left:
            if (row) row->setExpanded(false);
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Space:
            if (row) Q_EMIT evidenceActivated(row->row().rule);
            return true;
        case Qt::Key_F:
            if (row) row->activateFirstFix();
            return true;
        default: return QWidget::eventFilter(watched, event);
    }
}

}  // namespace crosspoint::ui
