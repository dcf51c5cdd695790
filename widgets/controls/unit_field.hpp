// A text entry for a quantity with its unit; what is wrong is written below it.
#pragma once

#include <functional>
#include <memory>

#include <QString>
#include <QWidget>

#include "widgets/theme/theme.hpp"

namespace crosspoint::ui {

class UnitField : public QWidget {
    Q_OBJECT
public:
    /// Empty when the text is right, otherwise the sentence to show.
    using Validator = std::function<QString(const QString&)>;

    explicit UnitField(QWidget* parent = nullptr);
    ~UnitField() override;

    void setLabel(const QString& label);  ///< also the accessible name; empty: none drawn
    void setText(const QString& text);    ///< no signal; ignored while the user is typing
    [[nodiscard]] QString text() const;
    void setPlaceholder(const QString& example);
    void setValidator(Validator validator);
    /// Taken as it is; an error from outside after committed(), empty clears.
    void setError(const QString& message);
    [[nodiscard]] QString error() const;
    void setNote(const QString& note);  ///< "measured; NCCL tests 2024", below the field when there is no error
    void setTheme(const Theme& theme);

Q_SIGNALS:
    /// Enter, or focus left, with a valid text that differs from the last one. Escape restores.
    void committed(const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

}  // namespace crosspoint::ui
