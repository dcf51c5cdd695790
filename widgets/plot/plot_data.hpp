// What the plots show, as plain data. Bytes, seconds, tokens per second and dollars are doubles in SI; every text is
// ready to show.
#pragma once

#include <optional>
#include <vector>

#include <QPointF>
#include <QString>

namespace crosspoint::ui {

/// One link class: time of one message against its size.
struct CrossoverCurveData {
    QString id;                        ///< stable over updates
    QString name;                      ///< "InfiniBand", written at the curve
    std::vector<QPointF> points;       ///< (bytes, seconds), ascending; 400 points are plenty
    std::optional<QPointF> crossover;  ///< n* and the time at n* (= 2 alpha)
    QString crossover_text;            ///< "n* 0.92 MB"
    QString detail;                    ///< "alpha 20 us, 46 of 50 GB/s usable, measured": tooltip and table
    std::vector<QPointF> measured;     ///< dots of the same colour: what was measured
};

/// The message of one operation, a square on its curve.
struct CrossoverMarker {
    QString operation;  ///< id reported by operationSelected
    QString text;       ///< "dispatch now: 2.06 MB, 65 us"
    int curve = 0;      ///< index into curves; gives the colour
    double bytes = 0;
    double seconds = 0;
    bool selected = false;  ///< filled, and its label wins its place
};

struct CrossoverData {
    std::vector<CrossoverCurveData> curves;
    std::vector<CrossoverMarker> messages;
    QString x_label;     ///< "message size per accelerator"
    QString empty_text;  ///< shown without curves
};

struct BatchPlotPoint {
    double batch = 0;
    double latency = 0;            ///< s
    double tokens_per_second = 0;  ///< per accelerator
    double price = 0;              ///< $ per token
    bool fits = true;              ///< in memory; the part that does not is drawn faint
};

struct BatchPlotData {
    std::vector<BatchPlotPoint> points;             ///< ascending in batch
    std::vector<BatchPlotPoint> baseline;           ///< pinned, drawn thin; may be empty
    std::optional<double> latency_target;           ///< s
    QString latency_target_text;                    ///< "target 20 ms"
    std::optional<double> window_low, window_high;  ///< shaded batch window
    QString window_text;                            ///< "window 24 ... 40"
    std::optional<double> current;                  ///< marker
    QString current_text;                           ///< "now 32: 15.1 ms"
    QString latency_label;                          ///< "inter-token latency" or "time to first token"
    QString x_label;                                ///< "sequences per accelerator"
    QString empty_text;
};

struct ScalingPoint {
    double degree = 1;
    double step = 0;               ///< s, the whole step of one sequence
    double weights = 0;            ///< s, reading weights
    double communication = 0;      ///< s
    double tokens_per_second = 0;  ///< of one user; 0: not drawn
};

struct ScalingData {
    std::vector<ScalingPoint> points;  ///< ascending in degree
    std::optional<double> turn_over;   ///< degree with the shortest step when larger ones are slower
    QString turn_over_text;            ///< "turns over at TP 16: 4.8 ms"
    std::optional<double> current;     ///< the layout's own degree
    QString current_text;
    QString x_label;  ///< "tensor degree"
    QString empty_text;
};

}  // namespace crosspoint::ui
