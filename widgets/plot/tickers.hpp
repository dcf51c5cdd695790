// Tick labels with units. Private to widgets/plot: brings in QCustomPlot.
#pragma once

#include <functional>

#include <qcustomplot.h>

namespace crosspoint::ui {

enum class TickUnit { bytes, seconds, tokens_per_second, price, count };

/// "1 kB", "10 µs", "$1.00"; for prices per token the number is that of a million.
QString tick_text(TickUnit unit, double value);

/// Decades, labelled with SI units; falls back to nice linear steps below a decade.
QSharedPointer<QCPAxisTicker> log_ticker(TickUnit unit);
/// Powers of two ("1, 2, 4, 8 ..."), fewer when the axis spans many.
QSharedPointer<QCPAxisTicker> binary_ticker();
/// Nice linear steps with SI units.
QSharedPointer<QCPAxisTicker> linear_ticker(TickUnit unit);

}  // namespace crosspoint::ui
