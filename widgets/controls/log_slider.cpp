#include "widgets/controls/log_slider.hpp"

#include <cmath>
#include <utility>

#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>

#include "widgets/controls/message_line.hpp"
#include "widgets/controls/slider_track.hpp"

namespace crosspoint::ui {

struct LogSlider::Private {
    LogSlider* view;
    LogSliderSpec spec;
    Theme theme = Theme::light();
    double value = 1;
    QLabel* label = nullptr;
    QLineEdit* entry = nullptr;
    SliderTrack* track = nullptr;
    MessageLine* message = nullptr;

    [[nodiscard]] QString textOf(double number) const;
    [[nodiscard]] TypedNumber read(const QString& text) const;
    void show();
    void commit();
    void refuse(const QString& text);
    void style();
};

QString LogSlider::Private::textOf(double number) const {
    if (spec.format) return spec.format(number);
    const QString unit = number == 1 && !spec.unit_one.isEmpty() ? spec.unit_one : spec.unit;
    return unit.isEmpty() ? grouped_number(number) : grouped_number(number) + ' ' + unit;
}

/// The number within the limits, or what is wrong with it.
TypedNumber LogSlider::Private::read(const QString& text) const {
    TypedNumber typed = spec.parse ? spec.parse(text) : parse_typed_number(text, spec.unit);
    if (!typed.value && !spec.parse && !spec.unit_one.isEmpty()) {
        const TypedNumber one = parse_typed_number(text, spec.unit_one);
        if (one.value) typed = one;
    }
    if (!typed.value) return typed;
    const double low = spec.hard_minimum.value_or(spec.minimum), high = spec.hard_maximum.value_or(spec.maximum);
    if (*typed.value < low) return {std::nullopt, tr("at least %1").arg(textOf(low))};
    if (*typed.value > high) return {std::nullopt, tr("at most %1").arg(textOf(high))};
    if (spec.integers && *typed.value != std::round(*typed.value))
        return {std::nullopt, tr("a whole number is needed")};
    return typed;
}

void LogSlider::Private::show() {
    track->setNumber(value);
    if (!entry->isModified()) {
        entry->setText(textOf(value));
        entry->setCursorPosition(0);
    }
    track->setAccessibleDescription(textOf(value));
}

void LogSlider::Private::refuse(const QString& text) {
    message->setMessage(Severity::fail, text);
    style();
}

void LogSlider::Private::commit() {
    if (!entry->isModified()) return;
    const TypedNumber typed = read(entry->text());
    if (!typed.value) return refuse(typed.message);
    entry->setModified(false);
    refuse({});
    const bool differs = *typed.value != value;
    value = *typed.value;
    show();
    if (differs) Q_EMIT view->valueChanged(value, GesturePhase::typed);
}

void LogSlider::Private::style() {
    label->setFont(theme.textFont());
    label->setStyleSheet(QStringLiteral("color: %1; font-size: 12px;").arg(theme.secondary.name()));
    const QString edge = message->text().isEmpty() || message->severity() != Severity::fail
                             ? QStringLiteral("transparent")
                             : theme.severity(Severity::fail).name();
    entry->setStyleSheet(
        QStringLiteral("QLineEdit { background: transparent; border: 1px solid %1; border-radius: 3px; padding: 0 2px;"
                       " color: %2; font-weight: 600; font-size: 12px; min-height: 16px; }"
                       "QLineEdit:hover { border-color: %3; }"
                       "QLineEdit:focus { background: %4; border-color: %5; }")
            .arg(edge, theme.text.name(), theme.border.name(), theme.field.name(), theme.accent.name()));
}

namespace {
/// Escape gives the shown value back.
class EntryKeys : public QObject {
public:
    EntryKeys(QLineEdit* entry, std::function<void()> restore) : QObject(entry), restore_(std::move(restore)) {
        entry->installEventFilter(this);
    }
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
            restore_();
            return true;
        }
        if (event->type() == QEvent::FocusIn) {
            auto* entry = static_cast<QLineEdit*>(watched);
            QMetaObject::invokeMethod(entry, &QLineEdit::selectAll, Qt::QueuedConnection);
        }
        return QObject::eventFilter(watched, event);
    }

private:
    std::function<void()> restore_;
};
}  // namespace

LogSlider::LogSlider(LogSliderSpec spec, QWidget* parent) : QWidget(parent), d_(std::make_unique<Private>()) {
    d_->view = this;
    d_->label = new QLabel(this);
    d_->entry = new QLineEdit(this);
    d_->entry->setObjectName(QStringLiteral("value"));
    d_->entry->setAlignment(Qt::AlignRight);
    d_->track = new SliderTrack(this);
    d_->track->setObjectName(QStringLiteral("track"));
    d_->message = new MessageLine(this);
    d_->label->setBuddy(d_->entry);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(0);
    grid->addWidget(d_->label, 0, 0);
    grid->addWidget(d_->entry, 0, 1);
    grid->setColumnStretch(1, 1);
    grid->addWidget(d_->track, 1, 0, 1, 2);
    grid->addWidget(d_->message, 2, 0, 1, 2);
    connect(d_->entry, &QLineEdit::editingFinished, this, [this] { d_->commit(); });
    connect(d_->track, &SliderTrack::changed, this, [this](double value, GesturePhase phase) {
        d_->entry->setModified(false);
        d_->refuse({});
        d_->value = value;
        d_->show();
        Q_EMIT valueChanged(value, phase);
    });
    new EntryKeys(d_->entry, [this] {
        d_->entry->setModified(false);
        d_->refuse({});
        d_->show();
        d_->entry->selectAll();
    });
    setSpec(std::move(spec));
    d_->style();
}

LogSlider::~LogSlider() = default;

void LogSlider::setSpec(LogSliderSpec spec) {
    d_->spec = std::move(spec);
    d_->label->setText(d_->spec.label);
    d_->entry->setAccessibleName(d_->spec.label);
    d_->track->setAccessibleName(d_->spec.label);
    d_->entry->setToolTip(d_->spec.tip);
    d_->track->setToolTip(d_->spec.tip);
    d_->track->setScale(LogScale(d_->spec));
    d_->show();
}

const LogSliderSpec& LogSlider::spec() const { return d_->spec; }

void LogSlider::setValue(double value) {
    if (d_->track->isDragging() || !std::isfinite(value)) return;
    d_->value = value;
    d_->show();
}

double LogSlider::value() const { return d_->value; }

void LogSlider::setTheme(const Theme& theme) {
    d_->theme = theme;
    d_->track->setTheme(theme);
    d_->message->setTheme(theme);
    d_->style();
}

void LogSlider::setMessage(const QString& message) { d_->refuse(message); }
QString LogSlider::message() const { return d_->message->text(); }
bool LogSlider::isDragging() const { return d_->track->isDragging(); }
QPointF LogSlider::handleCentre() const { return d_->track->mapTo(this, d_->track->handle().toPoint()); }

}  // namespace crosspoint::ui
