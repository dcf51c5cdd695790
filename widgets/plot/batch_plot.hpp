// Latency (left, log) and throughput or price (right) against the batch (log), with the target and the batch window.
#pragma once

#include "widgets/plot/plot_data.hpp"
#include "widgets/plot/plot_view.hpp"

namespace crosspoint::ui {

class BatchPlot : public PlotView {
    Q_OBJECT
public:
    enum class RightAxis { tokens_per_second, price };

    explicit BatchPlot(QWidget* parent = nullptr);
    ~BatchPlot() override;

    void setData(BatchPlotData data);
    [[nodiscard]] const BatchPlotData& data() const;
    void setRightAxis(RightAxis axis);
    [[nodiscard]] RightAxis rightAxis() const;
    [[nodiscard]] std::vector<QStringList> tableRows() const override;
    [[nodiscard]] std::vector<QRectF> labelRects() const;

Q_SIGNALS:
    /// A click: the batch there, a whole number of at least 1.
    void batchPicked(double batch);

protected:
    void rebuild() override;
    void placeLabels() override;
    [[nodiscard]] QString readoutAt(QPointF coordinates) const override;
    void clicked(QPointF pixel, QPointF coordinates) override;

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

}  // namespace crosspoint::ui
