#include <cmath>

#include "core/units/text.hpp"
#include "widgets/controls/log_slider.hpp"

namespace crosspoint::ui {
namespace {

struct Split {
    QString digits;
    QString tail;  ///< multiplier and unit
};

bool belongs_to_number(QChar c) { return c.isDigit() || c == '.' || c == ',' || c == '-' || c == '+'; }

/// Blanks inside a number are thousands marks: "4 096".
Split split(const QString& text) {
    const QString clean = text.simplified();
    qsizetype end = 0;
    for (qsizetype i = 0; i < clean.size(); ++i) {
        if (belongs_to_number(clean[i])) end = i + 1;
        else if (!clean[i].isSpace()) break;
    }
    QString digits = clean.left(end);
    digits.remove(' ');
    return {digits, clean.mid(end).trimmed()};
}

bool all_groups_of_three(const QStringList& groups) {
    for (qsizetype i = 1; i < groups.size(); ++i)
        if (groups[i].size() != 3) return false;
    return groups.size() > 1 && !groups[0].isEmpty() && groups[0].size() <= 3;
}

/// With '.' as the decimal mark and no thousands marks; empty when the commas make no sense.
QString plain_decimal(const QString& digits) {
    const qsizetype point = digits.indexOf('.');
    QString whole = point < 0 ? digits : digits.left(point);
    const QString fraction = point < 0 ? QString() : digits.mid(point);
    if (fraction.contains(',')) return {};
    if (!whole.contains(',')) return digits;
    const QStringList groups = whole.split(',');
    if (all_groups_of_three(groups)) return whole.remove(',') + fraction;
    if (groups.size() == 2 && point < 0) return whole.replace(',', '.');
    return {};
}

struct Multiplier {
    const char* name;
    double factor;
};
// Decimal and binary multiples as in the SI and IEC 80000-13.
constexpr Multiplier kMultipliers[] = {{"Ki", 1024.0}, {"Mi", 1048576.0}, {"Gi", 1073741824.0}, {"k", 1e3}, {"K", 1e3},
                                       {"M", 1e6},     {"G", 1e9}};

TypedNumber refuse(const QString& message) { return {std::nullopt, message}; }

TypedNumber refuse_tail(const QString& tail, const QString& unit) {
    if (tail == "m") return refuse(QStringLiteral("'m' would mean a thousandth; write 'M' for a million"));
    const QString expected = unit.isEmpty() ? QStringLiteral("k, M, G or Ki, Mi, Gi")
                                            : QStringLiteral("k, M, G, Ki, Mi, Gi or '%1'").arg(unit);
    return refuse(QStringLiteral("'%1' is not understood after the number; expected %2").arg(tail, expected));
}

}  // namespace

TypedNumber parse_typed_number(const QString& text, const QString& unit) {
    const Split parts = split(text);
    const QString example =
        unit.isEmpty() ? QStringLiteral("'4096' or '4k'") : QStringLiteral("'4096', '4k' or '4,096 %1'").arg(unit);
    const std::string decimal = plain_decimal(parts.digits).toStdString();
    const std::optional<double> number = parse_number(decimal);
    if (!number)
        return refuse(QStringLiteral("'%1' is not a number; write for example %2").arg(text.trimmed(), example));
    QString tail = parts.tail;
    double factor = 1;
    const auto is_unit = [&unit](const QString& word) { return word.isEmpty() || (!unit.isEmpty() && word == unit); };
    if (is_unit(tail)) return {number, {}};
    for (const Multiplier& m : kMultipliers) {
        if (!tail.startsWith(QLatin1String(m.name))) continue;
        factor = m.factor;
        tail = tail.mid(QLatin1String(m.name).size()).trimmed();
        break;
    }
    if (!is_unit(tail)) return refuse_tail(parts.tail, unit);
    return {*number * factor, {}};
}

QString grouped_number(double value) {
    const double size = std::abs(value);
    if (!std::isfinite(value)) return QStringLiteral("-");
    if (size >= 1e15) return QString::fromStdString(shortest(value));
    const int decimals = size >= 100 || value == std::round(value) ? 0 : 3;
    QString text = QString::number(size, 'f', decimals);
    const qsizetype point = text.indexOf('.');
    if (point >= 0) {
        while (text.endsWith('0')) text.chop(1);
        if (text.endsWith('.')) text.chop(1);
    }
    const qsizetype whole = point < 0 ? text.size() : std::min(point, text.size());
    for (qsizetype at = whole - 3; at > 0; at -= 3) text.insert(at, ',');
    return value < 0 ? "-" + text : text;
}

}  // namespace crosspoint::ui
