#include <QtTest>
#include <set>

#include "core/workload/groups.hpp"

using namespace crosspoint;

namespace {

using Strides = std::vector<Stride>;

Parallelism degrees(int tensor, int data, int expert, int expert_tensor, int pipeline) {
    Parallelism p;
    p.tensor = tensor;
    p.attention_data = data;
    p.expert = expert;
    p.expert_tensor = expert_tensor;
    p.pipeline = pipeline;
    return p;
}

std::vector<std::int64_t> offsets(const Strides& strides) {
    std::vector<std::int64_t> all{0};
    for (const Stride& s : strides) {
        std::vector<std::int64_t> next;
        for (std::int64_t i = 0; i < s.extent; ++i)
            for (const std::int64_t base : all) next.push_back(base + i * s.stride);
        all = next;
    }
    return all;
}

}  // namespace

class TestGroups : public QObject {
    Q_OBJECT
private slots:
    void tensorIsInnermostByDefault();
    void expertsSpanTheStage();
    void expertTensorIsInsideTensor();
    void placementOrderMovesStrides();
    void everyRankIsInOneGroup_data();
    void everyRankIsInOneGroup();
    void singleRanks();
};

void TestGroups::tensorIsInnermostByDefault() {
    const RankGroups g = groups_of(GroupKind::tensor, degrees(8, 2, 2, 8, 4), {}, 3);
    QCOMPARE(g.members, (Strides{{8, 1}}));
    QCOMPARE(g.copies, (Strides{{2 * 4 * 3, 8}}));
    QCOMPARE(groups_of(GroupKind::pipeline, degrees(8, 2, 2, 8, 4), {}, 3).members, (Strides{{4, 16}}));
    QCOMPARE(groups_of(GroupKind::pipeline, degrees(8, 2, 2, 8, 4), {}, 3).copies, (Strides{{16, 1}, {3, 64}}));
}

void TestGroups::expertsSpanTheStage() {
    const RankGroups g = groups_of(GroupKind::expert, degrees(4, 8, 32, 1, 2), {}, 1);
    QCOMPARE(g.members, (Strides{{32, 1}}));
    QCOMPARE(g.copies, (Strides{{2, 32}}));
}

void TestGroups::expertTensorIsInsideTensor() {
    const Parallelism layout = degrees(4, 8, 16, 2, 1);
    QCOMPARE(groups_of(GroupKind::expert_tensor, layout, {}, 1).members, (Strides{{2, 1}}));
    QCOMPARE(groups_of(GroupKind::expert, layout, {}, 1).members, (Strides{{16, 2}}));
    QCOMPARE(groups_of(GroupKind::expert, layout, {}, 1).copies, (Strides{{2, 1}}));
    // Equal to tensor: the same ranks.
    const Parallelism same = degrees(4, 8, 8, 4, 1);
    QCOMPARE(groups_of(GroupKind::expert_tensor, same, {}, 1), groups_of(GroupKind::tensor, same, {}, 1));
}

void TestGroups::placementOrderMovesStrides() {
    Placement pipeline_first;
    pipeline_first.order = {ParallelDimension::pipeline, ParallelDimension::attention_data, ParallelDimension::tensor,
                            ParallelDimension::replica};
    const Parallelism layout = degrees(4, 2, 4, 2, 3);
    QCOMPARE(groups_of(GroupKind::pipeline, layout, pipeline_first, 1).members, (Strides{{3, 1}}));
    QCOMPARE(groups_of(GroupKind::tensor, layout, pipeline_first, 1).members, (Strides{{4, 6}}));
    // Experts: two of the four tensor ranks, and both attention-data ranks.
    QCOMPARE(groups_of(GroupKind::expert, layout, pipeline_first, 1).members, (Strides{{2, 3}, {2, 12}}));
}

void TestGroups::everyRankIsInOneGroup_data() {
    QTest::addColumn<int>("kind");
    for (const GroupKind kind : {GroupKind::tensor, GroupKind::expert, GroupKind::expert_tensor, GroupKind::pipeline})
        QTest::newRow(std::string(to_string(kind)).c_str()) << static_cast<int>(kind);
}

void TestGroups::everyRankIsInOneGroup() {
    QFETCH(int, kind);
    Placement placement;
    std::sort(placement.order.begin(), placement.order.end());
    do {
        for (const Parallelism& layout : {degrees(4, 6, 12, 2, 3), degrees(2, 6, 3, 4, 2), degrees(1, 8, 8, 1, 1)}) {
            const RankGroups g = groups_of(static_cast<GroupKind>(kind), layout, placement, 2);
            std::set<std::int64_t> seen;
            for (const std::int64_t c : offsets(g.copies))
                for (const std::int64_t m : offsets(g.members)) seen.insert(c + m);
            const std::int64_t ranks = layout.replica_size() * 2;
            QCOMPARE(g.size() * g.copy_count(), ranks);
            QCOMPARE(static_cast<std::int64_t>(seen.size()), ranks);
            QCOMPARE(*seen.begin(), 0);
            QCOMPARE(*seen.rbegin(), ranks - 1);
        }
    } while (std::next_permutation(placement.order.begin(), placement.order.end()));
}

void TestGroups::singleRanks() {
    const RankGroups g = groups_of(GroupKind::tensor, degrees(1, 1, 1, 1, 1), {}, 0);
    QCOMPARE(g.size(), 1);
    QCOMPARE(g.copy_count(), 1);
}

QTEST_APPLESS_MAIN(TestGroups)
#include "tst_groups.moc"
