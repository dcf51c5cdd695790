// Quantities in SI base units, with their dimension in the type.
//
// A Quantity is one double: seconds, bytes, floating-point operations, US dollars, tokens or joules,
// and products of these. GB = 1e9 bytes, GiB = 2^30 bytes and Gb/s = 1e9/8 bytes/s exist only as named
// units (units.hpp); the stored number is always SI. Absent is std::optional, never -1 or infinity.
#pragma once

#include <compare>

namespace crosspoint {

template <int Time, int Data, int Work, int Money, int Token, int Energy>
class Quantity {
public:
    constexpr Quantity() = default;
    /// Takes the value in SI base units (s, B, FLOP, USD, token, J).
    constexpr explicit Quantity(double si) : si_(si) {}
    [[nodiscard]] constexpr double si() const { return si_; }

    constexpr auto operator<=>(const Quantity&) const = default;
    constexpr Quantity operator-() const { return Quantity(-si_); }
    constexpr Quantity& operator+=(Quantity other) {
        si_ += other.si_;
        return *this;
    }
    constexpr Quantity& operator-=(Quantity other) {
        si_ -= other.si_;
        return *this;
    }
    constexpr Quantity& operator*=(double factor) {
        si_ *= factor;
        return *this;
    }

    friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.si_ + b.si_); }
    friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.si_ - b.si_); }
    friend constexpr Quantity operator*(Quantity a, double f) { return Quantity(a.si_ * f); }
    friend constexpr Quantity operator*(double f, Quantity a) { return Quantity(a.si_ * f); }
    friend constexpr Quantity operator/(Quantity a, double f) { return Quantity(a.si_ / f); }

private:
    double si_ = 0.0;
};

namespace detail {
template <int T, int D, int W, int M, int K, int E>
struct Make {
    using type = Quantity<T, D, W, M, K, E>;
    static constexpr type of(double v) { return type(v); }
};
template <>
struct Make<0, 0, 0, 0, 0, 0> {
    using type = double;
    static constexpr double of(double v) { return v; }
};
}  // namespace detail

template <int T1, int D1, int W1, int M1, int K1, int E1, int T2, int D2, int W2, int M2, int K2, int E2>
constexpr auto operator*(Quantity<T1, D1, W1, M1, K1, E1> a, Quantity<T2, D2, W2, M2, K2, E2> b) {
    return detail::Make<T1 + T2, D1 + D2, W1 + W2, M1 + M2, K1 + K2, E1 + E2>::of(a.si() * b.si());
}
template <int T1, int D1, int W1, int M1, int K1, int E1, int T2, int D2, int W2, int M2, int K2, int E2>
constexpr auto operator/(Quantity<T1, D1, W1, M1, K1, E1> a, Quantity<T2, D2, W2, M2, K2, E2> b) {
    return detail::Make<T1 - T2, D1 - D2, W1 - W2, M1 - M2, K1 - K2, E1 - E2>::of(a.si() / b.si());
}
template <int T, int D, int W, int M, int K, int E>
constexpr auto operator/(double a, Quantity<T, D, W, M, K, E> b) {
    return detail::Make<-T, -D, -W, -M, -K, -E>::of(a / b.si());
}

using Seconds = Quantity<1, 0, 0, 0, 0, 0>;
using Bytes = Quantity<0, 1, 0, 0, 0, 0>;
using BytesPerSecond = Quantity<-1, 1, 0, 0, 0, 0>;
using SecondsPerByte = Quantity<1, -1, 0, 0, 0, 0>;
using Flops = Quantity<0, 0, 1, 0, 0, 0>;
using FlopsPerSecond = Quantity<-1, 0, 1, 0, 0, 0>;
using FlopsPerByte = Quantity<0, -1, 1, 0, 0, 0>;
using Dollars = Quantity<0, 0, 0, 1, 0, 0>;
using DollarsPerSecond = Quantity<-1, 0, 0, 1, 0, 0>;  // prices are entered as "$2.99 /h"
using DollarsPerToken = Quantity<0, 0, 0, 1, -1, 0>;
using Tokens = Quantity<0, 0, 0, 0, 1, 0>;
using TokensPerSecond = Quantity<-1, 0, 0, 0, 1, 0>;
using Joules = Quantity<0, 0, 0, 0, 0, 1>;
using Watts = Quantity<-1, 0, 0, 0, 0, 1>;

}  // namespace crosspoint
