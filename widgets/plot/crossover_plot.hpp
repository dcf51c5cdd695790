// Time of a message against its size, log-log: one curve per link class, its n*, and the messages of the step.
#pragma once

#include "widgets/plot/plot_data.hpp"
#include "widgets/plot/plot_view.hpp"

namespace crosspoint::ui {

class CrossoverPlot : public PlotView {
    Q_OBJECT
public:
    explicit CrossoverPlot(QWidget* parent = nullptr);
    ~CrossoverPlot() override;

    void setData(CrossoverData data);
    [[nodiscard]] const CrossoverData& data() const;
    /// Fills the markers of these operations; no signal.
    void setSelectedOperation(const QString& operation);
    [[nodiscard]] std::vector<QStringList> tableRows() const override;
    /// Rectangles of the labels as placed, in widget coordinates: none overlaps another.
    [[nodiscard]] std::vector<QRectF> labelRects() const;

Q_SIGNALS:
    void operationSelected(const QString& operation);

protected:
    void rebuild() override;
    void placeLabels() override;
    [[nodiscard]] QString readoutAt(QPointF coordinates) const override;
    void clicked(QPointF pixel, QPointF coordinates) override;
    [[nodiscard]] int pickAt(QPointF pixel) const override;

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

}  // namespace crosspoint::ui
