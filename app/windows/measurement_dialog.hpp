// Fit a measurement: paste, drop or open a log, see points and curve, use it as the calibration of a link class.
#pragma once

#include <memory>
#include <optional>

#include <QDialog>

#include "core/catalogue/path_calibration.hpp"
#include "core/scenario/scenario.hpp"
#include "widgets/theme/theme.hpp"

namespace crosspoint::app {

class MeasurementDialog : public QDialog {
    Q_OBJECT
public:
    MeasurementDialog(const Scenario& scenario, const ui::Theme& theme, QWidget* parent = nullptr);
    ~MeasurementDialog() override;

    /// `name` is for messages: a file, or "pasted text".
    void setLog(const QString& text, const QString& name);
    /// Set once "Use as calibration" was pressed.
    [[nodiscard]] const std::optional<PathCalibration>& calibration() const;

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

}  // namespace crosspoint::app
