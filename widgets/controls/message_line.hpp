// One message under a group of controls: a shape, a colour and a sentence ("Valid: 32 ranks on 32 accelerators").
#pragma once

#include <QString>
#include <QWidget>

#include "widgets/theme/theme.hpp"

namespace crosspoint::ui {

class MessageLine : public QWidget {
    Q_OBJECT
public:
    explicit MessageLine(QWidget* parent = nullptr);

    /// An empty text hides the line. Severity::not_applicable is a plain remark.
    void setMessage(Severity severity, const QString& text);
    [[nodiscard]] QString text() const { return text_; }
    [[nodiscard]] Severity severity() const { return severity_; }
    void setTheme(const Theme& theme);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Theme theme_ = Theme::light();
    Severity severity_ = Severity::not_applicable;
    QString text_;
};

}  // namespace crosspoint::ui
