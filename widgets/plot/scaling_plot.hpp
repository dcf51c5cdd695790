// Step time of one sequence against the tensor degree: reading weights shrinks, communication grows, and the sum
// turns over; speed of one user on the right.
#pragma once

#include "widgets/plot/plot_data.hpp"
#include "widgets/plot/plot_view.hpp"

namespace crosspoint::ui {

class ScalingPlot : public PlotView {
    Q_OBJECT
public:
    explicit ScalingPlot(QWidget* parent = nullptr);
    ~ScalingPlot() override;

    void setData(ScalingData data);
    [[nodiscard]] const ScalingData& data() const;
    [[nodiscard]] std::vector<QStringList> tableRows() const override;
    [[nodiscard]] std::vector<QRectF> labelRects() const;

Q_SIGNALS:
    /// A click: the degree of the nearest point.
    void degreePicked(double degree);

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
