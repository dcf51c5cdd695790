// Laws of collectives on random fabrics.
#include <rapidcheck.h>

#include <QtTest>

#include "core/collective/collective.hpp"

using namespace crosspoint;

namespace {

const CollectiveOp all_ops[] = {
    CollectiveOp::all_reduce,     CollectiveOp::all_gather,      CollectiveOp::reduce_scatter, CollectiveOp::all_to_all,
    CollectiveOp::point_to_point, CollectiveOp::broadcast,       CollectiveOp::reduce,         CollectiveOp::gather,
    CollectiveOp::scatter,        CollectiveOp::expert_dispatch, CollectiveOp::expert_combine};

CollectiveOp random_op() { return all_ops[*rc::gen::inRange<std::size_t>(0, std::size(all_ops))]; }

Fabric random_fabric(double ranks) {
    Fabric f;
    f.ranks = ranks;
    f.software = Seconds(*rc::gen::inRange(0, 40) * 1e-6);
    f.step = Seconds(*rc::gen::inRange(1, 20) * 1e-6);
    f.bandwidth = BytesPerSecond(*rc::gen::inRange(1, 900) * 1e9);
    f.kappa = *rc::gen::inRange(0, 25) * 0.1;
    f.one_hop = *rc::gen::arbitrary<bool>();
    f.in_switch_reduction = *rc::gen::arbitrary<bool>();
    f.in_switch_bandwidth = f.bandwidth * (*rc::gen::inRange(0, 11) * 0.1);
    f.message = Seconds(*rc::gen::inRange(0, 5) * 1e-6);
    f.fitted = *rc::gen::arbitrary<bool>();
    if (*rc::gen::arbitrary<bool>()) {
        f.bulk = BulkProtocol{Seconds(*rc::gen::inRange(0, 900) * 1e-6), Seconds(*rc::gen::inRange(0, 20) * 1e-6)};
        f.low_latency_share = *rc::gen::inRange(1, 11) * 0.1;
    }
    if (*rc::gen::arbitrary<bool>())
        f.kernels = DirectKernels{Seconds(5e-6), Seconds(20e-6), *rc::gen::inRange(1, 11) * 0.1};
    return f;
}

GroupFabric random_group() {
    GroupFabric group;
    const int domains = *rc::gen::inRange(1, 9), inside = *rc::gen::inRange(2, 9);
    group.whole = random_fabric(domains * inside);
    if (domains == 1) return group;
    group.inside = random_fabric(inside);
    group.across = random_fabric(domains);
    return group;
}

CollectiveCost priced(CollectiveOp op, double n, const GroupFabric& group, Algorithm algorithm = Algorithm::automatic) {
    const auto cost = collective_cost(op, Bytes(n), group, algorithm);
    RC_ASSERT(cost.has_value());
    return *cost;
}

}  // namespace

class TestCollectiveLaws : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { qputenv("RC_PARAMS", "seed=20240229 max_success=300"); }

    void timesAreTheSumOfTheirTermsAndGrowWithBytes() {
        QVERIFY(rc::check("monotone in bytes", [] {
            const auto op = random_op();
            const auto group = random_group();
            const double n = *rc::gen::inRange(0, 1'000'000'000), more = n + *rc::gen::inRange(0, 1'000'000'000);
            const auto a = priced(op, n, group), b = priced(op, more, group);
            RC_ASSERT(a.time >= Seconds(0) && a.latency >= Seconds(0) && a.bandwidth >= Seconds(0));
            RC_ASSERT(std::abs((a.latency + a.bandwidth + a.pipelining - a.time).si()) <= 1e-15);
            RC_ASSERT(a.time <= b.time);
        }));
    }

    void eachAlgorithmGrowsWithRanks() {
        QVERIFY(rc::check("monotone in ranks", [] {
            GroupFabric group;
            const double ranks = *rc::gen::inRange(2, 512);
            group.whole = random_fabric(ranks);
            group.whole.one_hop = true;
            group.whole.in_switch_reduction = false;
            const auto op = random_op();
            const double n = *rc::gen::inRange(0, 1'000'000'000);
            GroupFabric larger = group;
            larger.whole.ranks = ranks + *rc::gen::inRange(1, 64);
            for (const auto& alternative : priced(op, n, group).alternatives) {
                if (alternative.algorithm == Algorithm::halving_doubling) continue;  // powers of two only
                RC_ASSERT(alternative.time <= priced(op, n, larger, alternative.algorithm).time * (1 + 1e-12));
            }
        }));
    }

    void automaticIsNeverSlowerThanAChoice() {
        QVERIFY(rc::check("automatic is the fastest", [] {
            const auto op = random_op();
            const auto group = random_group();
            const auto best = priced(op, *rc::gen::inRange(0, 1'000'000'000), group);
            RC_ASSERT(!best.alternatives.empty());
            RC_ASSERT(best.alternatives.front().algorithm == best.algorithm);
            for (const auto& a : best.alternatives) RC_ASSERT(best.time <= a.time);
        }));
    }

    void atTheCrossoverBothTermsAreEqual() {
        QVERIFY(rc::check("t(n*) = 2 alpha", [] {
            GroupFabric group;
            group.whole.ranks = 2;
            group.whole.software = Seconds(*rc::gen::inRange(0, 40) * 1e-6);
            group.whole.step = Seconds(*rc::gen::inRange(1, 20) * 1e-6);
            group.whole.bandwidth = BytesPerSecond(*rc::gen::inRange(1, 900) * 1e9);
            const Seconds alpha = group.whole.software + group.whole.step;
            const auto cost = priced(CollectiveOp::point_to_point, (alpha * group.whole.bandwidth).si(), group);
            RC_ASSERT(std::abs(cost.time.si() - 2 * alpha.si()) <= 1e-12 * alpha.si() * 2);
        }));
    }

    void choicesHoldBetweenTheirSizes() {
        QVERIFY(rc::check("choices by size", [] {
            const auto op = random_op();
            const auto group = random_group();
            const auto choices = automatic_choices(op, group);
            RC_ASSERT(!choices.empty() && choices.front().from == Bytes(0));
            for (std::size_t i = 0; i < choices.size(); ++i) {
                const double from = std::max(1.0, choices[i].from.si());
                const double to = i + 1 < choices.size() ? choices[i + 1].from.si() : 1e12;
                if (to < from * 1.2) continue;
                const auto cost = priced(op, from * 1.001, group);
                RC_ASSERT(cost.algorithm == choices[i].algorithm && cost.protocol == choices[i].protocol);
            }
        }));
    }

    void noFlatAlgorithmBeatsTheLink() {
        QVERIFY(rc::check("wire bytes need their time", [] {
            GroupFabric group;
            group.whole = random_fabric(*rc::gen::inRange(2, 64));
            const auto cost = priced(random_op(), *rc::gen::inRange(0, 1'000'000'000), group);
            RC_ASSERT(cost.bandwidth.si() >= (cost.sent_per_rank / group.whole.bandwidth).si() * (1 - 1e-12));
        }));
    }
};

QTEST_APPLESS_MAIN(TestCollectiveLaws)
#include "tst_collective.moc"
