// The strip of figures over the drawing, and the count of verdicts at its end. Wraps to two rows when narrow.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QString>
#include <QWidget>

#include "widgets/theme/theme.hpp"

namespace crosspoint::ui {

struct FigureCardData {
    enum class Change { none, better, worse, neutral };
    QString id;
    QString label;   ///< "Inter-token"
    QString text;    ///< "15.1 ms"
    QString change;  ///< "+14.3 ms" against the baseline; empty: no baseline
    Change direction = Change::none;
    QString note;        ///< "stage 0", "81 % exposed"; beside the label when there is no change, else in the tooltip
    QString confidence;  ///< "assumed", "datasheet", "measured" ...: a mark, the word in the tooltip
    QString tooltip;
};

struct ReviewCounts {
    int fail = 0, attention = 0, pass = 0, not_applicable = 0;
};

struct FigureStripData {
    std::vector<FigureCardData> figures;
    std::optional<ReviewCounts> review;
    QString empty_text;  ///< "Draw accelerators and choose a model to see figures"
};

class FigureStrip : public QWidget {
    Q_OBJECT
public:
    explicit FigureStrip(QWidget* parent = nullptr);
    ~FigureStrip() override;

    void setData(FigureStripData data);
    [[nodiscard]] const FigureStripData& data() const;
    void setTheme(const Theme& theme);
    /// Card of a figure in widget coordinates; empty id: the review card.
    [[nodiscard]] QRect cardRect(const QString& id) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

Q_SIGNALS:
    void figureActivated(const QString& id);
    void reviewActivated();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

}  // namespace crosspoint::ui
