// Figure strip, derivation panel, tables and memory bars by real events.
#include <QClipboard>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPainter>
#include <QSignalSpy>
#include <QTableView>
#include <QTextBrowser>
#include <QtTest>

#include "support/pictures.hpp"
#include "widgets/controls/figure_strip.hpp"
#include "widgets/controls/memory_bars.hpp"
#include "widgets/controls/operations_table.hpp"
#include "widgets/controls/why_panel.hpp"

using namespace crosspoint::ui;

namespace {

using Change = FigureCardData::Change;

FigureStripData strip() {
    FigureStripData d;
    d.figures = {{"inter_token", "Inter-token", "15.1 ms", "+14.3 ms", Change::worse, {}, "datasheet", {}},
                 {"per_user", "Per user", "66 tok/s", "−1,154", Change::worse, {}, "datasheet", {}},
                 {"per_accelerator", "Per accelerator", "528 tok/s", "−71 %", Change::worse, {}, "fitted", {}},
                 {"price", "Output price", "$1.05 /M", "+$0.75", Change::worse, {}, "assumed", {}},
                 {"memory", "Memory", "61.4 of 80 GB", {}, Change::none, "stage 0", "exact", {}},
                 {"communication", "Communication", "92 % of step", {}, Change::none, "81 % exposed", "measured", {}},
                 {"cross_domain", "Cross-domain", "75 % of bytes", {}, Change::none, "over 4 nodes", "exact", {}}};
    d.review = ReviewCounts{2, 3, 9, 1};
    return d;
}

WhyData why() {
    WhyData d;
    d.title = "Expert dispatch";
    d.value = "65 µs";
    d.formula = "alpha + (1 - share inside) * bytes / usable";
    d.substituted = "20 µs + 0.75 * 2.75 MB / 46 GB/s";
    d.terms = {
        {"bytes sent by one rank", "2.75 MB", "32 tokens × 8 experts × 7168 × 1.5 B", "exact", "experts.dispatch"},
        {"usable bandwidth of NDR 400G", "46 GB/s", "published measurement", "measured", "link:leaf<3>"},
        {"alpha of the fabric", "20 µs", "guess", "assumed", {}}};
    d.notes = {"Congestion between nodes is not modelled."};
    return d;
}

TableData operations() {
    TableData d;
    d.columns = {{"Operation", {}, false}, {"Time", "of one layer", true}, {"Bound", {}, false}};
    d.rows = {{"mla", {{"MLA", {}}, {"18.0 µs", 18e-6}, {"memory", {}}}, {}},
              {"dispatch", {{"dispatch fp8", {}}, {"113 µs", 113e-6}, {"network", {}}}, {}},
              {"experts", {{"experts", {}}, {"31.0 µs", 31e-6}, {"memory", {}}}, {}},
              {"none", {{"overhead", {}}, {"-", std::nullopt}, {"", {}}}, {}}};
    return d;
}

MemoryBarsData memory() {
    MemoryBarsData d;
    d.stages = {{"stage 0, layers 0-60",
                 {{MemoryRole::dense_weights, "dense", 17e9, "17.0 GB"},
                  {MemoryRole::expert_weights, "experts", 20.4e9, "20.4 GB"},
                  {MemoryRole::cache, "KV cache", 18.4e9, "18.4 GB"},
                  {MemoryRole::activations, "activations", 0.6e9, "0.6 GB"},
                  {MemoryRole::buffers, "buffers", 1e9, "1.0 GB"},
                  {MemoryRole::reserve, "reserve", 4e9, "4.0 GB"}},
                 "61.4 of 80 GB",
                 true},
                {"stage 1, layers 61-121",
                 {{MemoryRole::dense_weights, "dense", 30e9, "30.0 GB"},
                  {MemoryRole::expert_weights, "experts", 55e9, "55.0 GB"}},
                 "85.0 of 80 GB: does not fit",
                 false}};
    d.capacity = 80e9;
    d.usable = 72e9;
    d.capacity_text = "80 GB";
    d.usable_text = "usable 72 GB";
    d.note = "stage 1 is 13 GB too large";
    return d;
}

}  // namespace

class TestPanels : public QObject {
    Q_OBJECT
private slots:
    void clickOnCardReportsTheFigure();
    void keysReachEveryCard();
    void cardsCutNoText_data();
    void cardsCutNoText();
    void narrowStripWraps();
    void whyLinksLeadToObjects();
    void whyCopies();
    void tableSortsByNumber();
    void tableSelectsAndCopies();
    void tableKeepsSelectionOverUpdates();
    void memoryReportsStages();
    void emptyStates();
    void pictures();
};

void TestPanels::clickOnCardReportsTheFigure() {
    FigureStrip view;
    view.resize(1580, 60);
    view.setData(strip());
    view.show();
    QSignalSpy figures(&view, &FigureStrip::figureActivated), review(&view, &FigureStrip::reviewActivated);
    QTest::mouseClick(&view, Qt::LeftButton, {}, view.cardRect("price").center());
    QCOMPARE(figures.count(), 1);
    QCOMPARE(figures[0][0].toString(), QString("price"));
    QTest::mouseClick(&view, Qt::LeftButton, {}, view.cardRect({}).center());
    QCOMPARE(review.count(), 1);
    QVERIFY(view.accessibleDescription().contains("Inter-token 15.1 ms, +14.3 ms"));
    QVERIFY(view.accessibleDescription().contains("2 fail, 3 attention, 9 pass, 1 not applicable"));
}

void TestPanels::keysReachEveryCard() {
    FigureStrip view;
    view.resize(1580, 60);
    view.setData(strip());
    view.show();
    QSignalSpy figures(&view, &FigureStrip::figureActivated), review(&view, &FigureStrip::reviewActivated);
    QTest::keyClick(&view, Qt::Key_Right);
    QTest::keyClick(&view, Qt::Key_Return);
    QCOMPARE(figures[0][0].toString(), QString("per_user"));
    for (int i = 0; i < 12; ++i) QTest::keyClick(&view, Qt::Key_Right);
    QTest::keyClick(&view, Qt::Key_Space);
    QCOMPARE(review.count(), 1);
}

void TestPanels::cardsCutNoText_data() {
    QTest::addColumn<int>("width");
    for (const int width : {1580, 1280, 1240, 900, 640, 400}) QTest::addRow("%d", width) << width;
}

void TestPanels::cardsCutNoText() {
    QFETCH(int, width);
    FigureStrip view;
    view.setData(strip());
    view.resize(width, view.heightForWidth(width));
    view.show();
    const Theme theme = Theme::light();
    QRect previous;
    for (const FigureCardData& figure : strip().figures) {
        const QRect card = view.cardRect(figure.id);
        QVERIFY(card.right() < width);
        QVERIFY(!card.intersects(previous));
        const int value = QFontMetrics(theme.figureFont()).horizontalAdvance(figure.text);
        const int label = QFontMetrics(theme.secondaryFont()).horizontalAdvance(figure.label);
        const int remark = QFontMetrics(theme.secondaryFont())
                               .horizontalAdvance(figure.change.isEmpty() ? figure.note : figure.change);
        QVERIFY(card.width() >= value + 20);
        QVERIFY(card.width() >= (card.height() > 60 ? std::max(label, remark) : label + remark) + 20);
        previous = card;
    }
    QVERIFY(view.cardRect({}).right() < width);
    QVERIFY(view.cardRect({}).bottom() < view.height());
}

void TestPanels::narrowStripWraps() {
    FigureStrip view;
    view.setData(strip());
    QVERIFY(view.heightForWidth(1580) < 60);
    QVERIFY(view.heightForWidth(1240) < 75);
    QVERIFY(view.heightForWidth(640) > 140);
}

void TestPanels::whyLinksLeadToObjects() {
    WhyPanel panel;
    panel.resize(700, 300);
    panel.setData(why());
    panel.show();
    QSignalSpy spy(&panel, &WhyPanel::objectActivated);
    auto* browser = panel.findChild<QTextBrowser*>();
    QTextCursor cursor = browser->document()->find("usable bandwidth");
    const QRect at = browser->cursorRect(cursor);
    QTest::mouseClick(browser->viewport(), Qt::LeftButton, {}, at.center() - QPoint(10, 0));
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy[0][0].toString(), QString("link:leaf<3>"));
}

void TestPanels::whyCopies() {
    WhyPanel panel;
    panel.setData(why());
    panel.copyText();
    QVERIFY(QGuiApplication::clipboard()->text().contains(
        "usable bandwidth of NDR 400G = 46 GB/s (measured; published measurement)"));
    panel.copyMarkdown();
    QVERIFY(QGuiApplication::clipboard()->text().contains("| alpha of the fabric | 20 µs | assumed | guess |"));
}

void TestPanels::tableSortsByNumber() {
    OperationsTable table;
    table.setData(operations());
    table.sortBy(1, Qt::DescendingOrder);
    QVERIFY2(table.asText().startsWith("Operation\tTime\tBound\ndispatch fp8\t113 µs"), qPrintable(table.asText()));
    QVERIFY(table.asText().endsWith("overhead\t-\t\n"));
    table.sortBy(1, Qt::AscendingOrder);
    QVERIFY2(table.asText().startsWith("Operation\tTime\tBound\nMLA"), qPrintable(table.asText()));
    QVERIFY(table.asText().endsWith("overhead\t-\t\n"));
}

void TestPanels::tableSelectsAndCopies() {
    OperationsTable table;
    table.resize(500, 200);
    table.setData(operations());
    table.show();
    QSignalSpy spy(&table, &OperationsTable::rowSelected);
    auto* view = table.findChild<QTableView*>();
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(view->model()->index(2, 0)).center());
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy[0][0].toString(), QString("experts"));
    QTest::keyClick(view, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), QString("Operation\tTime\tBound\nexperts\t31.0 µs\tmemory\n"));
    table.setSelectedIds({"mla"});
    QCOMPARE(table.selectedIds(), QStringList("mla"));
    QCOMPARE(spy.count(), 1);
}

void TestPanels::tableKeepsSelectionOverUpdates() {
    OperationsTable table;
    table.setData(operations());
    table.setSelectedIds({"experts"});
    TableData next = operations();
    next.rows.erase(next.rows.begin());
    QSignalSpy spy(&table, &OperationsTable::rowSelected);
    table.setData(next);
    QCOMPARE(table.selectedIds(), QStringList("experts"));
    QCOMPARE(spy.count(), 0);
    table.setTexts({{"A", "B"}, {"1", "2"}});
    QCOMPARE(table.asText(), QString("A\tB\n1\t2\n"));
}

void TestPanels::memoryReportsStages() {
    MemoryBars bars;
    bars.resize(800, 220);
    bars.setData(memory());
    bars.show();
    QSignalSpy spy(&bars, &MemoryBars::stageActivated);
    QTest::mouseClick(&bars, Qt::LeftButton, {}, QPoint(200, 140));
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy[0][0].toInt(), 1);
    QCOMPARE(bars.tableRows().size(), std::size_t(1 + 7 + 3));
    QVERIFY(bars.accessibleDescription().contains("61.4 of 80 GB"));
    MemoryBarsData broken = memory();
    broken.stages[0].parts[0].bytes = qQNaN();
    broken.stages[0].parts[1].bytes = -5;
    bars.setData(broken);
    QVERIFY(!bars.grab().isNull());
}

void TestPanels::emptyStates() {
    FigureStrip figures;
    figures.resize(900, 60);
    QVERIFY(!figures.grab().isNull());
    MemoryBars bars;
    QVERIFY(!bars.grab().isNull());
    OperationsTable table;
    QVERIFY(table.selectedIds().isEmpty());
    WhyPanel panel;
    QVERIFY(panel.findChild<QTextBrowser*>()->toPlainText().startsWith("Click a figure"));
}

void TestPanels::pictures() {
    FigureStrip figures;
    MemoryBars bars;
    OperationsTable table;
    WhyPanel panel;
    for (const Theme& theme : {Theme::light(), Theme::dark()}) {
        const QString suffix = theme.is_dark ? "-dark" : "-light";
        figures.setTheme(theme);
        bars.setTheme(theme);
        table.setTheme(theme);
        panel.setTheme(theme);
        figures.setData(strip());
        for (const int width : {1580, 1240, 640}) {
            figures.resize(width, figures.heightForWidth(width));
            save_picture(figures, QStringLiteral("strip-%1%2").arg(width).arg(suffix));
        }
        bars.resize(760, 210);
        bars.setData(memory());
        save_picture(bars, "memory" + suffix);
        table.resize(500, 160);
        table.setData(operations());
        save_picture(table, "table" + suffix);
        panel.resize(700, 260);
        panel.setData(why());
        save_picture(panel, "why" + suffix);
    }
    QVERIFY(!figures.accessibleName().isEmpty());
}

QTEST_MAIN(TestPanels)
#include "tst_panels.moc"
