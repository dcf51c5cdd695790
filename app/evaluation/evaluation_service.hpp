// One worker thread with one pending slot: an edit is evaluated off the GUI thread, the latest one wins.
//
// A running evaluation is finished, not cancelled, when a newer edit arrives: cancelling starves the screen under
// a drag (docs/adr/0003). What is pending is replaced, so the worker always takes the newest scenario next.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include <QObject>

#include "core/evaluate/report.hpp"
#include "core/scenario/scenario.hpp"

namespace crosspoint::app {

struct Evaluation {
    quint64 generation = 0;
    Scenario scenario;
    Report report;
    double milliseconds = 0;  ///< of the worker, for the status line
    bool complete = true;     ///< false: suggestions were left out because a drag is going on
};

class EvaluationService : public QObject {
    Q_OBJECT
public:
    explicit EvaluationService(QObject* parent = nullptr);
    ~EvaluationService() override;

    /// Puts the scenario into the pending slot. `live` leaves out what only matters at rest (suggested changes).
    void request(quint64 generation, const Scenario& scenario, bool live = false);
    /// Nothing pending and nothing running.
    [[nodiscard]] bool idle() const;
    /// Evaluations that the worker has finished.
    [[nodiscard]] quint64 finishedCount() const;

Q_SIGNALS:
    /// On the service's thread; older generations than one already delivered are never delivered.
    void evaluated(std::shared_ptr<const crosspoint::app::Evaluation> result);

private:
    struct Job {
        quint64 generation;
        Scenario scenario;
        bool live;
    };
    void work();
    std::optional<Job> take();
    void deliver(std::shared_ptr<const Evaluation> result);

    mutable std::mutex mutex_;
    std::condition_variable wake_;
    std::optional<Job> pending_;
    bool running_ = false;
    bool stopping_ = false;
    quint64 finished_ = 0;
    quint64 delivered_ = 0;
    std::thread worker_;
};

}  // namespace crosspoint::app
