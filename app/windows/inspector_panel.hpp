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
    /// What is shown already and has not changed is left alone; otherwise the field that had the focus has it again.
    void show(const Scenario& scenario, const QStringList& ids);
    /// The edit that a field asked for was refused: says why and shows again what holds.
    void showRefusal(const Scenario& scenario, const QString& message);

Q_SIGNALS:
    void editRequested(const crosspoint::Edit& edit);

private:
    void clear(const QString& title);
    void fill(const Scenario& scenario, const QStringList& ids);
    bool isShown(const Scenario& scenario, const QStringList& ids);
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
    void addDimensions(const Interconnect& fabric, std::function<Edit(std::vector<FabricDimension>)> edit);
    void addFact(const QString& label, const QString& text);

    QLabel* title_;
    QFormLayout* form_;
    QLabel* error_;
    QStringList ids_;
    std::shared_ptr<const Catalogue> catalogue_;
    std::optional<Container> container_;  ///< what is shown, at most one of the three
    std::optional<Device> device_;
    std::optional<Link> link_;
    std::int64_t instances_ = 0;  ///< of the device
};

}  // namespace crosspoint::app
