// The selected container, device or link as a form; every committed field is one edit.
#pragma once

#include <functional>

#include <QFormLayout>
#include <QLabel>
#include <QWidget>

#include "core/scenario/edit.hpp"

namespace crosspoint::app {

class InspectorPanel : public QWidget {
    Q_OBJECT
public:
    explicit InspectorPanel(QWidget* parent = nullptr);
    /// Shows the object with this id; an empty or unknown id shows a hint, several ids their number.
    void show(const Scenario& scenario, const QStringList& ids);

Q_SIGNALS:
    void editRequested(const crosspoint::Edit& edit);

private:
    void clear(const QString& title);
    void showContainer(const Scenario& scenario, const Container& container);
    void showInterconnect(const Scenario& scenario, const Container& container);
    void showDevice(const Scenario& scenario, const Device& device);
    void showLink(const Scenario& scenario, const Link& link);

    template <class Row>
    void addText(const QString& label, const std::string& value, Row row, std::string Row::*member);
    void addCount(const QString& label, std::int64_t value, std::int64_t most, std::function<Edit(std::int64_t)> edit);
    void addChoice(const QString& label, const QStringList& names, const QStringList& keys, const QString& current,
                   std::function<Edit(const QString&)> edit);
    template <class Q>
    void addQuantity(const QString& label, const std::optional<Q>& value, const QString& placeholder,
                     std::function<Edit(std::optional<Q>)> edit);
    void addNumber(const QString& label, double value, double least, double most, std::function<Edit(double)> edit);
    void addState(const State& state, std::function<Edit(State)> edit);
    void addFact(const QString& label, const QString& text);

    QLabel* title_;
    QFormLayout* form_;
    QLabel* error_;
};

}  // namespace crosspoint::app
