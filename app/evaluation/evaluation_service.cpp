#include "app/evaluation/evaluation_service.hpp"

#include <chrono>

#include <QMetaObject>

namespace crosspoint::app {

EvaluationService::EvaluationService(QObject* parent) : QObject(parent), worker_([this] { work(); }) {}

EvaluationService::~EvaluationService() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        pending_.reset();
    }
    wake_.notify_one();
    worker_.join();
}

void EvaluationService::request(quint64 generation, const Scenario& scenario, bool live) {
    {
        const std::lock_guard lock(mutex_);
        pending_ = Job{generation, scenario, live};
    }
    wake_.notify_one();
}

bool EvaluationService::idle() const {
    const std::lock_guard lock(mutex_);
    return !pending_ && !running_;
}

quint64 EvaluationService::finishedCount() const {
    const std::lock_guard lock(mutex_);
    return finished_;
}

std::optional<EvaluationService::Job> EvaluationService::take() {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [this] { return pending_ || stopping_; });
    if (stopping_) return std::nullopt;
    running_ = true;
    return std::exchange(pending_, std::nullopt);
}

void EvaluationService::work() {
    Evaluator evaluator;
    while (auto job = take()) {
        const auto start = std::chrono::steady_clock::now();
        auto result = std::make_shared<Evaluation>();
        result->report = evaluator.evaluate(job->scenario, {.sweeps = true, .suggestions = !job->live});
        result->milliseconds =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        result->generation = job->generation;
        result->scenario = std::move(job->scenario);
        result->complete = !job->live;
        {
            const std::lock_guard lock(mutex_);
            running_ = false;
            ++finished_;
        }
        QMetaObject::invokeMethod(
            this, [this, result] { deliver(result); }, Qt::QueuedConnection);
    }
}

void EvaluationService::deliver(std::shared_ptr<const Evaluation> result) {
    if (result->generation < delivered_) return;
    delivered_ = result->generation;
    Q_EMIT evaluated(std::move(result));
}

}  // namespace crosspoint::app
