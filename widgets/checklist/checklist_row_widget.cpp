#include "widgets/checklist/checklist_row_widget.hpp"

#include <algorithm>

#include <QAbstractButton>
#include <QGridLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace crosspoint::ui {
namespace {

constexpr int kShapeSize = 12;     // px
constexpr int kTextLeft = 26;      // px: texts stand right of the shape
constexpr int kButtonHeight = 20;  // px
constexpr int kButtonPadding = 8;  // px left and right of the text

QString prediction_text(const ChecklistSuggestion& suggestion) {
    return suggestion.after.isEmpty() ? suggestion.text : suggestion.text + QStringLiteral(" → ") + suggestion.after;
}

QString suggestion_tip(const ChecklistSuggestion& suggestion) {
    if (suggestion.before.isEmpty() || suggestion.after.isEmpty()) return suggestion.text;
    const QString metric = suggestion.metric.isEmpty() ? QString() : suggestion.metric + ' ';
    return suggestion.text + '\n' + metric + suggestion.before + QStringLiteral(" → ") + suggestion.after;
}

QLabel* plain_label(QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setAttribute(Qt::WA_TransparentForMouseEvents);
    return label;
}

/// A push button that gives way: its text wraps instead of widening the panel.
class FixButton : public QPushButton {
public:
    FixButton(const QString& text, QWidget* parent) : QPushButton(text, parent) {
        QSizePolicy policy(QSizePolicy::Maximum, QSizePolicy::Fixed);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
    }
    [[nodiscard]] QSize minimumSizeHint() const override { return {60, kButtonHeight}; }
    [[nodiscard]] QSize sizeHint() const override {
        return {QFontMetrics(textFont()).horizontalAdvance(text()) + 2 * kButtonPadding + 4, kButtonHeight};
    }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override {
        const QRect room(0, 0, std::max(width, 60) - 2 * kButtonPadding, 1000);
        const QRect used = QFontMetrics(textFont()).boundingRect(room, Qt::AlignLeft | Qt::TextWordWrap, text());
        return std::max(kButtonHeight, used.height() + 6);
    }
    void setTheme(const Theme& theme) {
        theme_ = theme;
        update();
    }
    [[nodiscard]] QFont textFont() const {
        QFont font = theme_.secondaryFont();
        font.setWeight(QFont::DemiBold);
        return font;
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme_.accent, hasFocus() ? 2 : 1));
        painter.setBrush(isDown() || underMouse() ? theme_.accent_fill : theme_.container);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
        painter.setFont(textFont());
        painter.setPen(readable(theme_.accent, isDown() || underMouse() ? theme_.accent_fill : theme_.container));
        const QRect room = rect().adjusted(kButtonPadding, 0, -kButtonPadding, 0);
        painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextWordWrap, text());
    }

private:
    Theme theme_ = Theme::light();
};

/// A chevron: right when collapsed, down when expanded.
class Expander : public QAbstractButton {
public:
    explicit Expander(QWidget* parent) : QAbstractButton(parent) {
        setCheckable(true);
        setFixedSize(18, 18);
        setFocusPolicy(Qt::NoFocus);
    }
    void setColour(const QColor& colour) {
        colour_ = colour;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(colour_, underMouse() ? 2 : 1.4));
        painter.translate(rect().center() + QPointF(0.5, 0.5));
        if (isChecked()) painter.rotate(90);
        painter.drawPolyline(QPolygonF{QPointF(-2, -4), QPointF(2, 0), QPointF(-2, 4)});
    }

private:
    QColor colour_;
};

}  // namespace

ChecklistRowWidget::ChecklistRowWidget(QWidget* parent)
    : QFrame(parent),
      title_(plain_label(this)),
      figure_(plain_label(this)),
      detail_(plain_label(this)),
      word_(plain_label(this)),
      expander_(new Expander(this)),
      fixes_(new QVBoxLayout) {
    detail_->setContentsMargins(0, 6, 0, 2);
    word_->setWordWrap(false);
    word_->setAlignment(Qt::AlignRight | Qt::AlignTop);
    expander_->setObjectName(QStringLiteral("expander"));
    fixes_->setContentsMargins(0, 2, 0, 0);
    fixes_->setSpacing(3);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(kTextLeft, 4, 6, 4);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(1);
    grid->addWidget(title_, 0, 0);
    grid->addWidget(word_, 0, 1);
    grid->addWidget(expander_, 0, 2, Qt::AlignTop);
    grid->addWidget(figure_, 1, 0, 1, 3);
    grid->addLayout(fixes_, 2, 0, 1, 3);
    grid->addWidget(detail_, 3, 0, 1, 3);
    grid->setColumnStretch(0, 1);
    setCursor(Qt::PointingHandCursor);
    connect(expander_, &QAbstractButton::clicked, this, [this] { setExpanded(!expanded_); });
    style();
    show();
}

void ChecklistRowWidget::setRow(const ChecklistRow& row) {
    row_ = row;
    show();
}

void ChecklistRowWidget::setTheme(const Theme& theme) {
    theme_ = theme;
    style();
    show();
}

void ChecklistRowWidget::setExpanded(bool expanded) {
    if (expanded == expanded_) return;
    expanded_ = expanded;
    show();
    Q_EMIT expandedChanged(expanded);
}

void ChecklistRowWidget::setCurrent(bool current) {
    if (current == current_) return;
    current_ = current;
    update();
}

void ChecklistRowWidget::activateFirstFix() {
    for (std::size_t i = 0; i < row_.suggestions.size(); ++i)
        if (row_.suggestions[i].applicable) return Q_EMIT fixPressed(int(i));
}

QString ChecklistRowWidget::detailText() const {
    QStringList lines;
    if (!row_.question.isEmpty()) lines << row_.question;
    if (!row_.explanation.isEmpty()) lines << row_.explanation;
    if (!row_.threshold.isEmpty()) lines << tr("Threshold: %1").arg(row_.threshold);
    if (!row_.confidence.isEmpty()) lines << tr("Confidence: %1").arg(row_.confidence);
    return lines.join(QStringLiteral("\n\n"));
}

void ChecklistRowWidget::show() {
    title_->setText(row_.title);
    figure_->setText(row_.figure);
    figure_->setVisible(!row_.figure.isEmpty());
    word_->setText(severityWord(row_.severity));
    word_->setStyleSheet(QStringLiteral("color: %1; font-size: 11px;").arg(theme_.severityText(row_.severity).name()));
    detail_->setText(detailText());
    detail_->setVisible(expanded_ && !detail_->text().isEmpty());
    expander_->setChecked(expanded_);
    expander_->setVisible(!detailText().isEmpty() || row_.suggestions.size() > 1);
    expander_->setAccessibleName(expanded_ ? tr("Collapse") : tr("Expand"));
    expander_->setToolTip(expander_->accessibleName());
    setToolTip(row_.has_evidence ? tr("Click to select what this is about") : QString());
    setAccessibleName(severityWord(row_.severity) + ": " + row_.title);
    setAccessibleDescription(row_.figure);
    showFixes();
    update();
}

/// The first fix always, the others when expanded. Buttons are kept where only their text changes.
void ChecklistRowWidget::showFixes() {
    const std::size_t wanted = expanded_ ? row_.suggestions.size() : std::min<std::size_t>(row_.suggestions.size(), 1);
    std::size_t kept = 0;
    while (kept < std::min(wanted, fix_widgets_.size()) &&
           (dynamic_cast<FixButton*>(fix_widgets_[kept]) != nullptr) == row_.suggestions[kept].applicable)
        ++kept;
    while (fix_widgets_.size() > kept) {
        QWidget* widget = fix_widgets_.back();
        fix_widgets_.pop_back();
        fixes_->removeWidget(widget);
        widget->hide();
        widget->setObjectName({});
        widget->deleteLater();
    }
    for (std::size_t i = kept; i < wanted; ++i) addFix(int(i));
    for (std::size_t i = 0; i < wanted; ++i) {
        const ChecklistSuggestion& suggestion = row_.suggestions[i];
        fix_widgets_[i]->setToolTip(suggestion_tip(suggestion));
        if (auto* button = dynamic_cast<FixButton*>(fix_widgets_[i])) {
            button->setText(tr("Fix: %1").arg(prediction_text(suggestion)));
            button->setTheme(theme_);
            button->updateGeometry();
        } else if (auto* label = qobject_cast<QLabel*>(fix_widgets_[i])) {
            label->setText(tr("Advice: %1").arg(prediction_text(suggestion)));
            label->setStyleSheet(QStringLiteral("color: %1; font-size: 11px;").arg(theme_.secondary.name()));
        }
    }
}

void ChecklistRowWidget::addFix(int index) {
    QWidget* widget = nullptr;
    if (row_.suggestions[std::size_t(index)].applicable) {
        auto* button = new FixButton({}, this);
        button->setObjectName(QStringLiteral("fix%1").arg(index));
        connect(button, &QPushButton::clicked, this, [this, index] { Q_EMIT fixPressed(index); });
        widget = button;
    } else {
        widget = plain_label(this);
    }
    fixes_->addWidget(widget);
    fix_widgets_.push_back(widget);
}

void ChecklistRowWidget::style() {
    title_->setStyleSheet(QStringLiteral("color: %1; font-weight: 600; font-size: 12px;").arg(theme_.text.name()));
    figure_->setStyleSheet(QStringLiteral("color: %1; font-size: 11px;").arg(theme_.secondary.name()));
    detail_->setStyleSheet(QStringLiteral("color: %1; font-size: 11px;").arg(theme_.text.name()));
    static_cast<Expander*>(expander_)->setColour(theme_.secondary);
}

void ChecklistRowWidget::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint())) Q_EMIT activated();
}

void ChecklistRowWidget::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (current_) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme_.accent_fill);
        painter.drawRoundedRect(QRectF(rect()).adjusted(2, 1, -2, -1), 4, 4);
    }
    drawSeverity(painter, QRectF(8, title_->y() + 2, kShapeSize, kShapeSize), row_.severity, theme_);
}

}  // namespace crosspoint::ui
