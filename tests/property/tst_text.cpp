// Laws of the text form of quantities, over random doubles. RC_PARAMS overrides the seed.
#include <rapidcheck.h>

#include <QtTest>
#include <cmath>
#include <cstring>

#include "core/units/text.hpp"

using namespace crosspoint;

namespace {
/// Every positive finite double is equally likely: the bit patterns are drawn, not the values.
rc::Gen<double> any_positive() {
    return rc::gen::map(rc::gen::inRange<std::uint64_t>(1, 0x7FF0000000000000ULL), [](std::uint64_t bits) {
        double value = 0;
        std::memcpy(&value, &bits, sizeof value);
        return value;
    });
}

/// Values as people write them: up to five digits and a power of ten between the ends of the unit ladders.
rc::Gen<double> everyday(int least_power, int most_power) {
    return rc::gen::map(rc::gen::pair(rc::gen::inRange(1, 100000), rc::gen::inRange(least_power, most_power)),
                        [](const std::pair<int, int>& p) { return p.first * std::pow(10.0, p.second); });
}

template <class Q>
void exact_round_trip(double value) {
    const auto back = parse<Q>(format_exact(Q(value)));
    RC_ASSERT(bool(back));
    RC_ASSERT(back.value->si() == value);
}

template <class Q>
void shown_round_trip(double value, int digits) {
    const auto back = parse<Q>(format(Q(value), digits));
    RC_ASSERT(bool(back));
    const double tolerance = 0.5 * std::pow(10.0, 1 - digits) + 1e-12;  // half a unit of the last digit shown
    RC_ASSERT(std::abs(back.value->si() / value - 1) <= tolerance);
}

template <class Q>
bool check_exact(const char* name) {
    return rc::check(std::string(name) + ": parse(format_exact(x)) == x", [] {
        exact_round_trip<Q>(*any_positive());
        exact_round_trip<Q>(*everyday(-15, 15));
    });
}

template <class Q>
bool check_shown(const char* name, int least_power, int most_power) {
    return rc::check(std::string(name) + ": parse(format(x)) is x within rounding",
                     [=] { shown_round_trip<Q>(*everyday(least_power, most_power), *rc::gen::inRange(1, 8)); });
}
}  // namespace

class TestTextLaws : public QObject {
    Q_OBJECT
private slots:
    void exact_text_reads_back() {
        QVERIFY(check_exact<Seconds>("time"));
        QVERIFY(check_exact<Bytes>("data"));
        QVERIFY(check_exact<BytesPerSecond>("bandwidth"));
        QVERIFY(check_exact<Flops>("work"));
        QVERIFY(check_exact<FlopsPerSecond>("speed"));
        QVERIFY(check_exact<Dollars>("money"));
        QVERIFY(check_exact<DollarsPerSecond>("price per time"));
        QVERIFY(check_exact<DollarsPerToken>("price per token"));
        QVERIFY(check_exact<TokensPerSecond>("token rate"));
        QVERIFY(check_exact<Watts>("power"));
    }
    void shown_text_reads_back_within_rounding() {
        QVERIFY(check_shown<Seconds>("time", -12, 3));
        QVERIFY(check_shown<Bytes>("data", 0, 15));
        QVERIFY(check_shown<BytesPerSecond>("bandwidth", 0, 15));
        QVERIFY(check_shown<Flops>("work", 0, 15));
        QVERIFY(check_shown<FlopsPerSecond>("speed", 0, 15));
        QVERIFY(check_shown<Dollars>("money", -3, 6));
        QVERIFY(check_shown<DollarsPerSecond>("price per time", -6, 3));
        QVERIFY(check_shown<DollarsPerToken>("price per token", -9, 0));
        QVERIFY(check_shown<TokensPerSecond>("token rate", -3, 7));
        QVERIFY(check_shown<Watts>("power", -3, 4));
    }
    void reader_survives_any_text() {
        QVERIFY(rc::check("a parse gives a value or a message inside the text", [](const std::string& text) {
            const auto parsed = parse<BytesPerSecond>(text);
            RC_ASSERT(bool(parsed) != !parsed.error.message.empty());
            RC_ASSERT(parsed.error.offset <= text.size());
            if (parsed) RC_ASSERT(std::isfinite(parsed.value->si()) && parsed.value->si() >= 0);
        }));
        QVERIFY(rc::check("so it does for words of the unit alphabet", [] {
            const auto text =
                *rc::gen::container<std::string>(rc::gen::elementOf(std::string("0159.,eE+-$ GMkKiBbps/hu")));
            const auto parsed = parse<BytesPerSecond>(text);
            RC_ASSERT(bool(parsed) != !parsed.error.message.empty());
            RC_ASSERT(parsed.error.offset <= text.size());
            if (parsed) RC_ASSERT(std::isfinite(parsed.value->si()) && parsed.value->si() >= 0);
        }));
    }
};

int main(int argc, char** argv) {
    if (!qEnvironmentVariableIsSet("RC_PARAMS")) qputenv("RC_PARAMS", "seed=20250601 max_success=500");
    TestTextLaws tests;
    return QTest::qExec(&tests, argc, argv);
}
#include "tst_text.moc"
