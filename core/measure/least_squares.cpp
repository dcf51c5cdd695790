#include "core/measure/least_squares.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

namespace crosspoint::measure {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// Relative design: row i is (1, n_i, sqrt n_i) / t_i, so that the right side is 1; columns scaled to 1.
struct Design {
    Matrix columns;
    Vector scale;
};

Design design_of(std::span<const Point> points, bool root) {
    const Eigen::Index rows = Eigen::Index(points.size()), n = root ? 3 : 2;
    Design d{Matrix(rows, n), Vector(n)};
    for (Eigen::Index i = 0; i < rows; ++i) {
        const Point& p = points[std::size_t(i)];
        d.columns(i, 0) = 1 / p.t;
        d.columns(i, 1) = p.n / p.t;
        if (root) d.columns(i, 2) = std::sqrt(p.n) / p.t;
    }
    for (Eigen::Index j = 0; j < n; ++j) {
        d.scale(j) = std::max(d.columns.col(j).cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
        d.columns.col(j) /= d.scale(j);
    }
    return d;
}

/// Least squares with x >= 0: the best of all subsets of columns whose solution is not negative, by the normal
/// equations of the scaled columns.
Vector non_negative(const Matrix& columns, const Vector& weights) {
    const Eigen::Index n = columns.cols();
    const Matrix weighted = columns.cwiseProduct(weights.replicate(1, n));
    const Matrix gram = weighted.transpose() * columns;
    const Vector right = weighted.colwise().sum();
    Vector best = Vector::Zero(n);
    double least = 0;  // of x' G x - 2 x' r, which is 0 at x = 0
    for (unsigned subset = 1; subset < (1U << unsigned(n)); ++subset) {
        std::vector<Eigen::Index> chosen;
        for (Eigen::Index j = 0; j < n; ++j)
            if (subset & (1U << unsigned(j))) chosen.push_back(j);
        const Vector part = right(chosen);
        const Vector x = gram(chosen, chosen).ldlt().solve(part);
        if (!x.allFinite() || x.minCoeff() < 0) continue;
        const double sum = -x.dot(part);
        if (sum >= least) continue;
        least = sum;
        best.setZero();
        best(chosen) = x;
    }
    return best;
}

/// Huber's weights for the residuals; their spread is at least 1 %, which is noise.
Vector huber(const Vector& residuals) {
    std::vector<double> sizes(residuals.data(), residuals.data() + residuals.size());
    for (double& r : sizes) r = std::abs(r);
    const auto middle = sizes.begin() + std::ptrdiff_t(sizes.size() / 2);
    std::nth_element(sizes.begin(), middle, sizes.end());
    const double limit = 1.345 * std::max(1.4826 * *middle, 0.01);
    return residuals.unaryExpr([limit](double r) { return std::abs(r) <= limit ? 1.0 : limit / std::abs(r); });
}

}  // namespace

double Coefficients::time(double n) const { return a + b * n + c * std::sqrt(n); }

LeastSquares relative_fit(std::span<const Point> points, bool root) {
    LeastSquares result;
    if (points.empty()) return result;
    const Design design = design_of(points, root);
    Vector weights = Vector::Ones(design.columns.rows()), x, residuals;
    for (int round = 0; round < 8; ++round) {
        x = non_negative(design.columns, weights);
        residuals = design.columns * x - Vector::Ones(weights.size());
        const Vector next = huber(residuals);
        if ((next - weights).cwiseAbs().maxCoeff() < 1e-3) break;
        weights = next;
    }
    result.curve = {x(0) / design.scale(0), x(1) / design.scale(1), root ? x(2) / design.scale(2) : 0.0};
    result.sum = residuals.squaredNorm();
    result.worst = residuals.cwiseAbs().maxCoeff();
    return result;
}

namespace {

constexpr std::size_t least_points = 3;
constexpr std::size_t most_breaks = 48;  // candidates; more points than that share them evenly

/// Where a line may begin: 0, then evenly spread points, then the end.
std::vector<std::size_t> edges_of(std::size_t points) {
    std::vector<std::size_t> edges;
    const std::size_t parts = std::min(points, most_breaks);
    for (std::size_t i = 0; i <= parts; ++i) edges.push_back(points * i / parts);
    return edges;
}

}  // namespace

Piecewise best_lines(std::span<const Point> points, int count) {
    const std::vector<std::size_t> edges = edges_of(points.size());
    const std::size_t last = edges.size() - 1;
    const double none = std::numeric_limits<double>::infinity();
    std::vector<std::vector<LeastSquares>> line(last + 1, std::vector<LeastSquares>(last + 1));
    // least[k][j]: sum of the best k lines over the points before edge j; from[k][j]: edge where the last begins.
    std::vector least(std::size_t(count) + 1, std::vector(last + 1, none));
    std::vector from(std::size_t(count) + 1, std::vector<std::size_t>(last + 1, 0));
    least[0][0] = 0;
    for (std::size_t i = 0; i < last; ++i)
        for (std::size_t j = i + 1; j <= last; ++j)
            if (edges[j] - edges[i] >= least_points)
                line[i][j] = relative_fit(points.subspan(edges[i], edges[j] - edges[i]), false);
    for (std::size_t k = 1; k <= std::size_t(count); ++k)
        for (std::size_t j = 1; j <= last; ++j)
            for (std::size_t i = 0; i < j; ++i) {
                if (edges[j] - edges[i] < least_points || !(least[k - 1][i] + line[i][j].sum < least[k][j])) continue;
                least[k][j] = least[k - 1][i] + line[i][j].sum;
                from[k][j] = i;
            }
    Piecewise result;
    if (!(least[std::size_t(count)][last] < none)) return result;
    for (std::size_t k = std::size_t(count), j = last; k > 0; j = from[k][j], --k) {
        result.begins.insert(result.begins.begin(), edges[from[k][j]]);
        result.lines.insert(result.lines.begin(), line[from[k][j]][j]);
        result.worst = std::max(result.worst, line[from[k][j]][j].worst);
    }
    result.sum = least[std::size_t(count)][last];
    return result;
}

}  // namespace crosspoint::measure
