#include "core/catalogue/parts.hpp"

#include <QtTest>
#include <set>

using namespace crosspoint;

class TestParts : public QObject {
    Q_OBJECT
private slots:
    void collective_names_read_back() {
        std::set<std::string_view> names;
        for (int i = 0; i <= int(CollectiveOp::expert_combine); ++i) {
            const auto op = CollectiveOp(i);
            names.insert(to_string(op));
            QVERIFY(collective_op_from(to_string(op)) == op);
        }
        QCOMPARE(names.size(), std::size_t(11));
        QCOMPARE(to_string(CollectiveOp::all_to_all), std::string_view("all-to-all"));
        QVERIFY(!collective_op_from("all_reduce"));
        QVERIFY(!collective_op_from(""));
    }
    void dtypes_read_back() {
        for (int i = 0; i <= int(Dtype::int4); ++i) QVERIFY(dtype_from(to_string(Dtype(i))) == Dtype(i));
        QVERIFY(dtype_from("bf16") == Dtype::bf16);
        QVERIFY(!dtype_from("BF16"));
        QVERIFY(!dtype_from("unknown"));
    }
    void overlay_wins() {
        Catalogue base, overlay;
        base.nics.put({PartId("a"), "base a", {}, {}});
        base.nics.put({PartId("b"), "base b", {}, {}});
        overlay.nics.put({PartId("b"), "own b", {}, {}});
        overlay.hosts.put({PartId("c"), "own c", {}});
        const Catalogue all = merged(base, overlay);
        QCOMPARE(all.nics.size(), std::size_t(2));
        QCOMPARE(QString::fromStdString(all.nics.find(PartId("a"))->name), QStringLiteral("base a"));
        QCOMPARE(QString::fromStdString(all.nics.find(PartId("b"))->name), QStringLiteral("own b"));
        QVERIFY(all.hosts.contains(PartId("c")));
        QVERIFY(merged(base, {}) == base);
    }
};

QTEST_APPLESS_MAIN(TestParts)
#include "tst_parts.moc"
