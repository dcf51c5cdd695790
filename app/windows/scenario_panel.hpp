// The scenario as controls: phase, model, batch and lengths, layout with its validity, formats, prices and targets.
#pragma once

#include <memory>
#include <vector>

#include <QWidget>

#include "app/document/document.hpp"
#include "core/evaluate/report.hpp"
#include "widgets/controls/gesture.hpp"
#include "widgets/theme/theme.hpp"

class QVBoxLayout;

namespace crosspoint::app {

class ScenarioPanel : public QWidget {
    Q_OBJECT
public:
    explicit ScenarioPanel(QWidget* parent = nullptr);
    ~ScenarioPanel() override;

    void setModels(const std::vector<std::shared_ptr<const ModelShape>>& models);
    void setScenario(const Scenario& scenario);
    /// Layout validity, model totals and price source come from the report.
    void setReport(const Report& report);
    void setTheme(const ui::Theme& theme);
    [[nodiscard]] bool isDragging() const;

Q_SIGNALS:
    void editRequested(const crosspoint::Edit& edit, crosspoint::app::Gesture gesture);
    void importModelRequested();

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

}  // namespace crosspoint::app
