// Data against parameters: published optima, multiples and run costs.
#include <QtTest>

#include "core/economics/scaling_law.hpp"

using namespace crosspoint;

#define NEAR(actual, expected, share)                                 \
    QVERIFY2(std::abs((actual) - (expected)) <= (share) * (expected), \
             qPrintable(QStringLiteral("%1 against %2").arg(actual, 0, 'g', 8).arg(expected)))

class TestScalingLaw : public QObject {
    Q_OBJECT

private slots:
    // Closed forms of both fits at the budgets of Chinchilla and Llama 3.
    void computeOptimal() {
        const LossFit& refit = loss_fits()[0];
        const LossFit& printed = loss_fits()[1];
        NEAR(compute_optimal(printed, Flops(5.76e23)).parameters, 32189859151.0, 1e-3);
        NEAR(compute_optimal(printed, Flops(3.8e25)).parameters, 213484343738.0, 1e-3);
        NEAR(compute_optimal(refit, Flops(5.76e23)).parameters, 72248702500.0, 1e-3);
        NEAR(compute_optimal(refit, Flops(6.3e24)).parameters, 246258954636.0, 1e-3);
        NEAR(compute_optimal(refit, Flops(3.8e25)).parameters, 618666481039.0, 1e-3);
    }
    // Hoffmann et al. 2022, table 3.
    void tableThree() {
        NEAR(optimal_tokens(0.4e9), 8.0e9, 0.02);
        NEAR(optimal_tokens(67e9), 1.5e12, 0.02);
        NEAR(optimal_tokens(520e9), 11.0e12, 0.02);
        NEAR(optimal_tokens(10e12), 216.2e12, 0.02);
        QVERIFY(optimal_tokens(20e9) > optimal_tokens(10e9));
        QCOMPARE(optimal_tokens(0), 0.0);
    }
    // Parameters and tokens of the model papers.
    void multiples() {
        NEAR(data_multiple(8.03e9, 15e12), 93.4, 0.01);
        NEAR(data_multiple(70.6e9, 15e12), 10.623, 0.01);
        NEAR(data_multiple(405e9, 15.6e12), 1.926, 0.01);
        NEAR(data_multiple(70e9, 1.4e12), 1.0, 0.01);
        NEAR(data_multiple(37e9, 14.8e12), 20.0, 0.01);
        NEAR(data_multiple(671e9, 14.8e12), 1.103, 0.01);
        NEAR(training_compute(70e9, 1.4e12).si(), 5.76e23, 0.03);
    }
    // A model trained on more than its optimum has a larger compute-optimal twin with less data.
    void equalLoss() {
        for (const LossFit& fit : loss_fits()) {
            const Optimum twin = equal_loss(fit, 8.03e9, 15e12);
            NEAR(loss(fit, twin.parameters, twin.tokens), loss(fit, 8.03e9, 15e12), 1e-6);
            QVERIFY(training_compute(twin.parameters, twin.tokens) < training_compute(8.03e9, 15e12));
            QVERIFY(twin.parameters > 8.03e9);
        }
        QCOMPARE(equal_loss(loss_fits()[0], 0, 1e12).parameters, 0.0);
    }
    // jax-ml/scaling-book: Llama-3-70B, 15 T tokens, 6.3e24 FLOP, 4096 H100 at 45 % of 990 TFLOP/s take 40 days;
    // DeepSeek-V3: 2.788 M GPU hours at $2 are $5.576 M.
    void runs() {
        const double tokens = 15e12;
        const TokensPerSecond rate(4096 * 990e12 * 0.45 / 4.2e11);
        NEAR(run_cost(tokens, rate, 4096, 1, DollarsPerSecond(0), Watts(0)).time.si() / 86400, 40.0, 0.02);
        const RunCost v3 = run_cost(14.8e12, TokensPerSecond(14.8e12 / (2.788e6 * 3600 / 2048)), 2048, 1,
                                    DollarsPerSecond(2.0 / 3600), Watts(700));
        NEAR(v3.money.si(), 5.576e6, 1e-3);
        NEAR(v3.accelerator_hours, 2.788e6, 1e-9);
        NEAR(v3.energy.si(), 2.788e6 * 3600 * 700, 1e-9);
        QCOMPARE(run_cost(1, TokensPerSecond(0), 1, 1, DollarsPerSecond(1), Watts(1)).time.si(), 0.0);
    }
};

QTEST_APPLESS_MAIN(TestScalingLaw)
#include "tst_scaling_law.moc"
