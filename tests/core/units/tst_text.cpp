// Reading and writing quantities. Expected values follow from the definitions of the units alone
// (SI prefixes, IEC 80000-13 binary prefixes, 8 bits a byte, 3600 s an hour).
#include "core/units/text.hpp"

#include <QtTest>
#include <clocale>
#include <cmath>
#include <limits>

using namespace crosspoint;
using namespace crosspoint::literals;

namespace {
template <class Q>
double si(std::string_view text) {
    const auto parsed = parse<Q>(text);
    return parsed ? parsed.value->si() : std::nan("");
}
template <class Q>
QString error_of(std::string_view text) {
    const auto parsed = parse<Q>(text);
    return parsed ? QStringLiteral("accepted") : QString::fromStdString(parsed.error.message);
}
QString q(const std::string& text) { return QString::fromStdString(text); }
}  // namespace

class TestText : public QObject {
    Q_OBJECT
private slots:
    void reads_all_dimensions();
    void blanks_and_micro_signs();
    void case_matters();
    void decimal_comma();
    void refuses_bare_numbers();
    void refuses_other_dimensions();
    void refuses_negative_and_not_finite();
    void refuses_garbage_data();
    void refuses_garbage();
    void error_offset();
    void formats_data();
    void formats();
    void format_renormalises();
    void format_binary_and_bits();
    void format_money();
    void format_counts_and_percent();
    void format_not_finite();
    void exact_is_short();
    void exact_extremes();
    void numbers();
    void independent_of_locale();
};

void TestText::reads_all_dimensions() {
    QCOMPARE(si<BytesPerSecond>("400 Gb/s"), 50e9);
    QCOMPARE(si<BytesPerSecond>("400 Gbit/s"), 50e9);
    QCOMPARE(si<BytesPerSecond>("400GB/s"), 400e9);
    QCOMPARE(si<Seconds>("1.5e-6 s"), 1.5e-6);
    QCOMPARE(si<Bytes>("16KiB"), 16384.0);
    QCOMPARE(si<Bytes>("80 GiB"), 85899345920.0);
    QCOMPARE(si<Bytes>("80 GB"), 80e9);
    QCOMPARE(si<Flops>("2 TFLOP"), 2e12);
    QCOMPARE(si<FlopsPerSecond>("989 TFLOP/s"), 989e12);
    QCOMPARE(si<FlopsPerSecond>("989 TFLOPS"), 989e12);
    QCOMPARE(si<Dollars>("$1.05"), 1.05);
    QCOMPARE(si<DollarsPerSecond>("$2.99 /h"), 2.99 / 3600);
    QCOMPARE(si<DollarsPerSecond>("2.99 USD/h"), 2.99 / 3600);
    QCOMPARE(si<DollarsPerToken>("$1.05 /M"), 1.05e-6);
    QCOMPARE(si<DollarsPerToken>("$1.05 /M tokens"), 1.05e-6);
    QCOMPARE(si<TokensPerSecond>("66 tok/s"), 66.0);
    QCOMPARE(si<Watts>("700 W"), 700.0);
    QCOMPARE(si<Watts>("1.2 kW"), 1200.0);
    QCOMPARE(si<Seconds>("0 s"), 0.0);
}

void TestText::blanks_and_micro_signs() {
    // Exactly the double nearest to 5e-6, as the literal gives it.
    QVERIFY(si<Seconds>("5us") == 5e-6);
    QVERIFY(5_us == Seconds(5e-6));
    QVERIFY(si<Seconds>("5 \xC2\xB5s") == 5e-6);       // U+00B5 micro sign
    QVERIFY(si<Seconds>("5 \xCE\xBCs") == 5e-6);       // U+03BC Greek mu
    QVERIFY(si<Seconds>("  5\xC2\xA0us\t") == 5e-6);   // no-break space
    QVERIFY(si<Seconds>("+5\xE2\x80\xAFus") == 5e-6);  // narrow no-break space
}

void TestText::case_matters() {
    QCOMPARE(si<BytesPerSecond>("8 Gb/s") * 8, si<BytesPerSecond>("8 GB/s"));
    QCOMPARE(si<Watts>("1 MW"), 1e6);
    QCOMPARE(si<Watts>("1 mW"), 1e-3);
    const auto parsed = parse<BytesPerSecond>("5 gb/s");
    QVERIFY(!parsed);
    QVERIFY(q(parsed.error.hint).contains("'GB/s' or 'Gb/s'"));
}

void TestText::decimal_comma() {
    QCOMPARE(si<Seconds>("1,5 us"), 1.5e-6);
    QCOMPARE(si<Seconds>("0,125 s"), 0.125);
    QCOMPARE(si<Bytes>("1,2345 GB"), 1.2345e9);
    QVERIFY(error_of<Bytes>("1,500 GB").contains("can be read as 1500 and as 1.500"));
    QVERIFY(error_of<Bytes>("1,500,000 GB").contains("thousands separators"));
    QVERIFY(error_of<Bytes>("1,500.5 GB").contains("thousands separators"));
    QVERIFY(error_of<Bytes>("1.500,5 GB").contains("thousands separators"));
    QVERIFY(!parse<Bytes>("1 500 GB"));
}

void TestText::refuses_bare_numbers() {
    const auto parsed = parse<BytesPerSecond>("400");
    QVERIFY(!parsed);
    QVERIFY(q(parsed.error.message).contains("without a unit"));
    QCOMPARE(q(parsed.error.hint), QStringLiteral("write '400 GB/s' or '400 Gb/s'"));
    QVERIFY(!parse<Seconds>("0"));
}

void TestText::refuses_other_dimensions() {
    QCOMPARE(error_of<BytesPerSecond>("5 us"),
             QStringLiteral("expected a bandwidth such as '400 GB/s' or '400 Gb/s', got a time"));
    QVERIFY(error_of<Bytes>("400 Gb/s").contains("got a bandwidth"));
    QVERIFY(error_of<Seconds>("$5").contains("got an amount of money"));
    QVERIFY(error_of<Dollars>("$5 /h").contains("got a price per time"));
    QVERIFY(error_of<Flops>("5 TFLOP/s").contains("got a compute speed"));
}

void TestText::refuses_negative_and_not_finite() {
    QVERIFY(error_of<Bytes>("-5 GB").contains("cannot be negative, got -5"));
    QVERIFY(error_of<Dollars>("-$5").contains("cannot be negative"));
    QVERIFY(error_of<Dollars>("$-5").contains("cannot be negative"));
    QVERIFY(error_of<Bytes>("-0 GB").contains("cannot be negative"));
    QVERIFY(error_of<Seconds>("inf s").contains("must be finite"));
    QVERIFY(error_of<Seconds>("NaN").contains("must be finite"));
    QVERIFY(error_of<Seconds>("1e400 s").contains("not a number that can be stored"));
    QVERIFY(error_of<Bytes>("1e300 EB").contains("too large"));
}

void TestText::refuses_garbage_data() {
    QTest::addColumn<QString>("text");
    for (const char* text :
         {"",     " ",      "-",     "+",     "$",     "e5 s", ".",      ". s",  ",5, s",   "1.2.3 s", "5 E",
          "5e s", "0x10 s", "5 s s", "5 us!", "--5 s", "\xC2", "5 \xFF", "us 5", "1e5e5 s", "5 m s x"})
        QTest::newRow(text) << QString::fromLatin1(text);
}

void TestText::refuses_garbage() {
    QFETCH(QString, text);
    const auto parsed = parse<Seconds>(text.toLatin1().toStdString());
    QVERIFY(!parsed);
    QVERIFY(!parsed.error.message.empty());
    QVERIFY(!parsed.error.hint.empty());
    QVERIFY(parsed.error.offset <= std::size_t(text.size()));
}

void TestText::error_offset() {
    QCOMPARE(parse<BytesPerSecond>("  400 us").error.offset, std::size_t(6));
    QCOMPARE(parse<BytesPerSecond>("  x").error.offset, std::size_t(2));
}

void TestText::formats_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const std::string& text, const char* expected) {
        QTest::newRow(name) << q(text) << QString::fromUtf8(expected);
    };
    row("4 digits", format(Seconds(120.96e-6), 4), "121.0 µs");
    row("5 digits", format(Seconds(120.96e-6), 5), "120.96 µs");
    row("ms", format(Seconds(15.14e-3)), "15.1 ms");
    row("ns", format(Seconds(2.5e-9), 2), "2.5 ns");
    row("minutes", format(Seconds(1230)), "20.5 min");
    row("seconds up to 999", format(Seconds(90)), "90.0 s");
    row("zero", format(Seconds(0)), "0 s");
    row("negative", format(Seconds(-15.14e-3)), "-15.1 ms");
    row("below the ladder", format(Seconds(1e-15)), "1.00e-15 s");
    row("MB", format(Bytes(2e6)), "2.00 MB");
    row("whole bytes", format(Bytes(512)), "512 B");
    row("GB/s", format(BytesPerSecond(400e9)), "400 GB/s");
    row("above the ladder", format(BytesPerSecond(1.5e24)), "1.50e+24 B/s");
    row("TFLOP", format(Flops(2.06e12)), "2.06 TFLOP");
    row("TFLOP/s", format(FlopsPerSecond(989e12)), "989 TFLOP/s");
    row("FLOP/B", format(FlopsPerByte(242)), "242 FLOP/B");
    row("tok/s", format(TokensPerSecond(66.2)), "66.2 tok/s");
    row("slow tokens", format(TokensPerSecond(0.0123)), "0.0123 tok/s");
    row("W", format(Watts(700)), "700 W");
    row("1 digit", format(Watts(1234), 1), "1 kW");
    row("digits out of range", format(Watts(1234), -5), "1 kW");
}

void TestText::formats() {
    QFETCH(QString, text);
    QTEST(text, "expected");
}

void TestText::format_renormalises() {
    QCOMPARE(q(format(Seconds(999.95e-6), 4)), QString::fromUtf8("1.000 ms"));
    QCOMPARE(q(format(Seconds(999.94e-6), 4)), QString::fromUtf8("999.9 µs"));
    QCOMPARE(q(format(Seconds(999.5e-6))), QString::fromUtf8("1.00 ms"));
    QCOMPARE(q(format(Bytes(999999))), QStringLiteral("1.00 MB"));
    QCOMPARE(q(format(Seconds(9.996e-6))), QString::fromUtf8("10.0 µs"));
}

void TestText::format_binary_and_bits() {
    QCOMPARE(q(format_binary(2_MiB)), QStringLiteral("2.00 MiB"));
    QCOMPARE(q(format_binary(80_GiB)), QStringLiteral("80.0 GiB"));
    QCOMPARE(q(format_binary(Bytes(1000))), QStringLiteral("1000 B"));
    QCOMPARE(q(format_bits(BytesPerSecond(400e9))), QStringLiteral("3.20 Tb/s"));
    QCOMPARE(q(format_bits(400_Gbps)), QStringLiteral("400 Gb/s"));
}

void TestText::format_money() {
    QCOMPARE(q(format(Dollars(1.05))), QStringLiteral("$1.05"));
    QCOMPARE(q(format(Dollars(-1.05))), QStringLiteral("-$1.05"));
    QCOMPARE(q(format(Dollars(12345))), QStringLiteral("$12.3 k"));
    QCOMPARE(q(format(Dollars(0.00123))), QStringLiteral("$0.00123"));
    QCOMPARE(q(format(DollarsPerSecond(2.99 / 3600))), QStringLiteral("$2.99 /h"));
    QCOMPARE(q(format(DollarsPerToken(1.05e-6))), QStringLiteral("$1.05 /M tokens"));
}

void TestText::format_counts_and_percent() {
    QCOMPARE(q(format_count(671e9)), QStringLiteral("671.0 G"));
    QCOMPARE(q(format_count(8.03e9, 3)), QStringLiteral("8.03 G"));
    QCOMPARE(q(format_count(12)), QStringLiteral("12"));
    QCOMPARE(q(format_count(0)), QStringLiteral("0"));
    QCOMPARE(q(format_percent(0.92)), QStringLiteral("92 %"));
    QCOMPARE(q(format_percent(1)), QStringLiteral("100 %"));
    QCOMPARE(q(format_percent(0.0012)), QStringLiteral("0.12 %"));
    QCOMPARE(q(format_percent(-0.71)), QStringLiteral("-71 %"));
}

void TestText::format_not_finite() {
    QCOMPARE(q(format(Seconds(std::nan("")))), QStringLiteral("n/a"));
    QCOMPARE(q(format(Seconds(std::numeric_limits<double>::infinity()))), QString::fromUtf8("∞ s"));
    QCOMPARE(q(format_percent(std::nan(""))), QStringLiteral("n/a"));
}

void TestText::exact_is_short() {
    QCOMPARE(q(format_exact(Seconds(5e-6))), QStringLiteral("5 us"));
    QCOMPARE(q(format_exact(Seconds(1.5e-6))), QStringLiteral("1.5 us"));
    QCOMPARE(q(format_exact(80_GiB)), QStringLiteral("80 GiB"));
    QCOMPARE(q(format_exact(80_GB)), QStringLiteral("80 GB"));
    QCOMPARE(q(format_exact(400_Gbps)), QStringLiteral("50 GB/s"));
    QCOMPARE(q(format_exact(DollarsPerSecond(2.99 / 3600))), QStringLiteral("$2.99 /h"));
    QCOMPARE(q(format_exact(*parse<DollarsPerToken>("$1.05 /M").value)), QStringLiteral("$1.05 /Mtokens"));
    QCOMPARE(q(format_exact(Seconds(0))), QStringLiteral("0 s"));
}

void TestText::exact_extremes() {
    using limits = std::numeric_limits<double>;
    for (const double value : {limits::max(), limits::min(), limits::denorm_min(), 1.0 / 3.0, 1e22, 9007199254740993.0})
        QVERIFY(si<Seconds>(format_exact(Seconds(value))) == value);
}

void TestText::numbers() {
    QCOMPARE(q(shortest(0.1)), QStringLiteral("0.1"));
    QCOMPARE(*parse_number("1e3"), 1000.0);
    QCOMPARE(*parse_number("-2.5"), -2.5);
    for (const char* text : {"", " 1", "1 ", "+1", "1,5", "inf", "nan", "0x10", "1e999", "abc", "1.5us"})
        QVERIFY2(!parse_number(text), text);
}

void TestText::independent_of_locale() {
    if (!std::setlocale(LC_ALL, "de_DE.UTF-8")) QSKIP("the locale de_DE.UTF-8 is not installed");
    QCOMPARE(*parse_number("1.5"), 1.5);
    QCOMPARE(q(shortest(1.5)), QStringLiteral("1.5"));
    QCOMPARE(si<Seconds>("1.5 us"), 1.5e-6);
    QCOMPARE(q(format(Seconds(1.5e-6))), QString::fromUtf8("1.50 µs"));
    QCOMPARE(q(format_exact(Seconds(1.5e-6))), QStringLiteral("1.5 us"));
    std::setlocale(LC_ALL, "C");
}

QTEST_APPLESS_MAIN(TestText)
#include "tst_text.moc"
