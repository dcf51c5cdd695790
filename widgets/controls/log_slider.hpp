// A labelled slider on a logarithmic scale with a value that can be typed.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <QString>
#include <QWidget>

#include "widgets/controls/gesture.hpp"
#include "widgets/theme/theme.hpp"

namespace crosspoint::ui {

/// A typed number, or why it was refused.
struct TypedNumber {
    std::optional<double> value;
    QString message;  ///< what was expected; empty when there is a value
};

/// Reads "4096", "4,096", "4 096", "4k", "4Ki", "1.5M" (k = 1,000, Ki = 1,024), with an optional unit word after it.
/// A single comma is a thousands mark before exactly three digits and a decimal mark otherwise ("1,5k" = 1,500).
TypedNumber parse_typed_number(const QString& text, const QString& unit = {});
/// "4,096" with thousands marks, up to three decimals below 100.
QString grouped_number(double value);

struct LogSliderSpec {
    QString label;       ///< "Batch per accelerator"
    QString unit;        ///< "sequences"; written after the value
    QString unit_one;    ///< "sequence"; empty: as unit
    double minimum = 1;  ///< of the slider, above zero; a typed value may go beyond up to the hard limits
    double maximum = 1024;
    std::optional<double> hard_minimum, hard_maximum;  ///< of what may be typed; empty: minimum, maximum
    bool integers = true;  ///< snap to whole numbers that read well (1, 2, 3 ... 10, 12, 14, 16, 20, 24, 28, 32 ...)
    std::vector<double> stops;  ///< when given, the slider takes only these, ascending ("1, 2, 4, 8")
    QString tip;
    /// Text of a value with its unit, and back; empty: grouped_number and parse_typed_number.
    std::function<QString(double)> format;
    std::function<TypedNumber(const QString&)> parse;
};

class LogSlider : public QWidget {
    Q_OBJECT
public:
    explicit LogSlider(LogSliderSpec spec = {}, QWidget* parent = nullptr);
    ~LogSlider() override;

    /// Keeps the value; takes it into the new range only for the position of the handle.
    void setSpec(LogSliderSpec spec);
    [[nodiscard]] const LogSliderSpec& spec() const;
    /// No signal. While the user drags, a value from outside changes nothing that is visible.
    void setValue(double value);
    [[nodiscard]] double value() const;
    void setTheme(const Theme& theme);
    /// A message from outside ("refused: 12 does not divide 32"); empty clears it.
    void setMessage(const QString& message);
    [[nodiscard]] QString message() const;
    [[nodiscard]] bool isDragging() const;

    /// Centre of the handle in widget coordinates.
    [[nodiscard]] QPointF handleCentre() const;

Q_SIGNALS:
    void valueChanged(double value, crosspoint::ui::GesturePhase phase);

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

}  // namespace crosspoint::ui
