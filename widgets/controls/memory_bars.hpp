// Memory of one accelerator in each pipeline stage: stacked parts against the capacity.
#pragma once

#include <memory>
#include <vector>

#include <QString>
#include <QStringList>
#include <QWidget>

#include "widgets/theme/theme.hpp"

class QPainter;

namespace crosspoint::ui {

enum class MemoryRole { dense_weights, expert_weights, embeddings, cache, activations, buffers, reserve };

struct MemoryPart {
    MemoryRole role = MemoryRole::dense_weights;
    QString label;  ///< "experts"
    double bytes = 0;
    QString text;  ///< "41.2 GB"
};

struct MemoryStage {
    QString label;  ///< "stage 0, layers 0-60"
    std::vector<MemoryPart> parts;
    QString total;  ///< "61.4 of 80 GB"
    bool fits = true;
};

struct MemoryBarsData {
    std::vector<MemoryStage> stages;
    double capacity = 0;    ///< bytes
    double usable = 0;      ///< bytes; 0: not drawn
    QString capacity_text;  ///< "80 GB"
    QString usable_text;    ///< "usable 72 GB"
    QString note;           ///< "margin 10.6 GB; largest batch 96; longest context 14,000"
    QString empty_text;
};

class MemoryBars : public QWidget {
    Q_OBJECT
public:
    explicit MemoryBars(QWidget* parent = nullptr);
    ~MemoryBars() override;

    void setData(MemoryBarsData data);
    [[nodiscard]] const MemoryBarsData& data() const;
    void setTheme(const Theme& theme);
    void renderTo(QPainter& painter, const QRectF& target, const Theme& theme) const;
    [[nodiscard]] std::vector<QStringList> tableRows() const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void stageActivated(int stage);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

}  // namespace crosspoint::ui
