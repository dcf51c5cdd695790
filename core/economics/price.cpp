#include <cmath>

#include "core/economics/economics.hpp"

namespace crosspoint {

DollarsPerToken unit_price(double accelerators, DollarsPerSecond price, TokensPerSecond rate) {
    const double value = accelerators * price.si() / rate.si();
    return rate.si() > 0 && std::isfinite(value) ? DollarsPerToken(value) : DollarsPerToken(0);
}

}  // namespace crosspoint
