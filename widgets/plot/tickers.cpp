#include "widgets/plot/tickers.hpp"

#include <cmath>

#include "core/units/text.hpp"

namespace crosspoint::ui {
namespace {

/// Without trailing zeros after the decimal point: "2.50 ms" is "2.5 ms" on an axis.
QString trimmed(const std::string& text) {
    const QString whole = QString::fromStdString(text);
    const qsizetype blank = whole.indexOf(' ');
    QString number = blank < 0 ? whole : whole.left(blank);
    if (number.contains('.')) {
        while (number.endsWith('0')) number.chop(1);
        if (number.endsWith('.')) number.chop(1);
    }
    return blank < 0 ? number : number + whole.mid(blank);
}

/// Decades, or 1-2-5 where there are few of them, or linear steps within a small part of one.
class LogTicker : public QCPAxisTicker {
public:
    explicit LogTicker(TickUnit unit) : unit_(unit) { setTickCount(5); }

protected:
    QVector<double> createTickVector(double step, const QCPRange& range) override {
        constexpr double kFewDecades = 3.5, kOneTwoFive = 0.7, kMostDecades = 8;
        if (!(range.lower > 0)) return {};
        const double decades = std::log10(range.upper / range.lower);
        if (decades < kOneTwoFive) return QCPAxisTicker::createTickVector(step, range);
        const int every = std::max(1, int(std::ceil(decades / kMostDecades)));
        QVector<double> ticks;
        for (int d = int(std::floor(std::log10(range.lower))); d <= int(std::ceil(std::log10(range.upper))); ++d) {
            if (d % every != 0) continue;
            ticks.push_back(std::pow(10.0, d));
            if (decades >= kFewDecades) continue;
            ticks.push_back(2 * std::pow(10.0, d));
            ticks.push_back(5 * std::pow(10.0, d));
        }
        return ticks;
    }
    QVector<double> createSubTickVector(int, const QVector<double>&) override { return {}; }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return tick_text(unit_, tick); }

private:
    TickUnit unit_;
};

class LinearTicker : public QCPAxisTicker {
public:
    explicit LinearTicker(TickUnit unit) : unit_(unit) { setTickCount(5); }

protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return tick_text(unit_, tick); }

private:
    TickUnit unit_;
};

class BinaryTicker : public QCPAxisTickerLog {
public:
    BinaryTicker() {
        setLogBase(2);
        setSubTickCount(0);
        setTickCount(8);
    }

protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return tick_text(TickUnit::count, tick); }
};

}  // namespace

QString tick_text(TickUnit unit, double value) {
    if (value == 0) return unit == TickUnit::price ? QStringLiteral("$0") : QStringLiteral("0");
    switch (unit) {
        case TickUnit::bytes: return trimmed(format(Bytes(value)));
        case TickUnit::seconds: return trimmed(format(Seconds(value)));
        case TickUnit::tokens_per_second: return trimmed(format_count(value, 3));
        case TickUnit::price: return trimmed(format(Dollars(value * 1e6)));
        case TickUnit::count:
            return value == std::floor(value) && value < 1e6 ? QLocale::c().toString(qlonglong(value))
                                                             : trimmed(format_count(value, 4));
    }
    return {};
}

QSharedPointer<QCPAxisTicker> log_ticker(TickUnit unit) { return QSharedPointer<LogTicker>::create(unit); }

QSharedPointer<QCPAxisTicker> binary_ticker() { return QSharedPointer<BinaryTicker>::create(); }

QSharedPointer<QCPAxisTicker> linear_ticker(TickUnit unit) { return QSharedPointer<LinearTicker>::create(unit); }

}  // namespace crosspoint::ui
