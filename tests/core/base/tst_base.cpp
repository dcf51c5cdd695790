#include <QtTest>

#include "core/base/error.hpp"
#include "core/base/evidence.hpp"
#include "core/base/id.hpp"
#include "core/base/table.hpp"

using namespace crosspoint;

namespace {
struct Row {
    DeviceId id;
    int value = 0;
    bool operator==(const Row&) const = default;
};
}  // namespace

class TestBase : public QObject {
    Q_OBJECT
private slots:
    void describe_names_the_place() {
        Error error{ErrorCode::schema, "no such part", "add it", {}, "a.json", "/links/3/part", 12, 5};
        QCOMPARE(QString::fromStdString(describe(error)),
                 QStringLiteral("a.json:12:5: no such part (at /links/3/part)\n  add it"));
        error.column = 0;
        error.pointer.clear();
        error.hint.clear();
        QCOMPARE(QString::fromStdString(describe(error)), QStringLiteral("a.json:12: no such part"));
        error.file.clear();
        error.line = 0;
        QCOMPARE(QString::fromStdString(describe(error)), QStringLiteral("no such part"));
    }
    void confidence_is_ordered() {
        QVERIFY(weaker(Confidence::measured, Confidence::assumed) == Confidence::assumed);
        QVERIFY(weaker(Confidence::datasheet, Confidence::exact) == Confidence::datasheet);
        QCOMPARE(to_string(Confidence::fitted), std::string_view("fitted"));
    }
    void table_keeps_rows_sorted_and_unique() {
        Table<Row> table;
        for (const char* id : {"c", "a", "b", "a"}) table.put({DeviceId(id), id[0]});
        QCOMPARE(table.size(), std::size_t(3));
        QCOMPARE(QString::fromStdString(table.begin()->id.value), QStringLiteral("a"));
        table.put({DeviceId("a"), 7});
        QCOMPARE(table.find(DeviceId("a"))->value, 7);
        QVERIFY(table.erase(DeviceId("b")));
        QVERIFY(!table.erase(DeviceId("b")));
        QVERIFY(!table.contains(DeviceId("b")));
    }
};

QTEST_APPLESS_MAIN(TestBase)
#include "tst_base.moc"
