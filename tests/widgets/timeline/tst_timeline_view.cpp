// The timeline by real events: what is clicked, zoomed, dragged and stepped, and that thousands of bars merge.
#include <QImage>
#include <QPainter>
#include <QSignalSpy>
#include <QtTest>

#include "support/pictures.hpp"
#include "widgets/timeline/time_ticks.hpp"
#include "widgets/timeline/timeline_view.hpp"

using namespace crosspoint::ui;

namespace {

constexpr double kUs = 1e-6;

TimelineBar bar(const char* operation, int stream, double start, double end, const char* label, BarRole role) {
    TimelineBar b;
    b.operation = operation;
    b.key = QStringLiteral("%1/%2").arg(operation).arg(stream);
    b.stream = stream;
    b.layer = 17;
    b.start = start * kUs;
    b.length = (end - start) * kUs;
    b.label = label;
    b.tooltip = QStringLiteral("%1\n2 x 32 x 7168").arg(label);
    b.role = role;
    b.exposed = role == BarRole::communication_out;
    return b;
}

TimelineData layer() {
    TimelineData d;
    d.streams = {"Compute", "NVSwitch", "NIC / leaf", "Spine"};
    d.bars = {
        bar("attention.core", 0, 0, 18, "MLA", BarRole::attention),
        bar("attention.out", 0, 18, 24, "o", BarRole::product),
        bar("router", 0, 24, 33, "gate", BarRole::product),
        bar("shared", 0, 34, 48, "shared expert", BarRole::elementwise),
        bar("dispatch", 1, 33, 44, "dispatch", BarRole::communication_inside),
        bar("dispatch", 2, 33, 146, "dispatch fp8 - 40 µs alpha-free, 93 % bandwidth", BarRole::communication_out),
        bar("dispatch", 3, 40, 144, "dispatch", BarRole::communication_out),
        bar("experts", 0, 146, 177, "experts", BarRole::experts),
        bar("combine", 1, 177, 186, "combine", BarRole::communication_inside),
        bar("combine", 2, 177, 245, "combine bf16", BarRole::communication_back),
        bar("combine", 3, 180, 242, "combine", BarRole::communication_back)};
    d.end = 245 * kUs;
    d.title = "one layer of 61 · 245 µs";
    d.note = TimelineNote{146 * kUs, "compute waits 98 µs for the slow path"};
    return d;
}

QPoint middle(const TimelineView& view, int index) { return view.barRect(index).center().toPoint(); }

void wheel(QWidget& widget, QPointF at, int delta) {
    QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, delta}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                      false);
    QCoreApplication::sendEvent(&widget, &event);
}

}  // namespace

class TestTimelineView : public QObject {
    Q_OBJECT
    void show(TimelineView& view, const TimelineData& data) {
        view.resize(840, 250);
        view.setData(data);
        view.show();
    }

private slots:
    void clickSelectsTheBarAndItsLayer();
    void clickBesideBarsClears();
    void wheelZoomsAboutTheCursor();
    void dragPansAndDoesNotSelect();
    void doubleClickShowsEverything();
    void keysStepThroughBarsInTime();
    void newDataKeepsZoomAndCurrentBar();
    void selectedOperationsAreOutlinedInAllLanes();
    void ticksAreRoundInOneUnit();
    void narrowBarsAreMerged();
    void brokenNumbersAreHarmless();
    void rendersForExport();
    void pictures();
};

void TestTimelineView::clickSelectsTheBarAndItsLayer() {
    TimelineView view;
    show(view, layer());
    QSignalSpy spy(&view, &TimelineView::barSelected);
    QTest::mouseClick(&view, Qt::LeftButton, {}, middle(view, 5));
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy[0][0].toString(), QString("dispatch"));
    QCOMPARE(spy[0][1].toInt(), 17);
    QVERIFY(view.accessibleDescription().contains("dispatch fp8"));
}

void TestTimelineView::clickBesideBarsClears() {
    TimelineView view;
    show(view, layer());
    view.setSelectedOperations({"dispatch"});
    QSignalSpy spy(&view, &TimelineView::barSelected);
    const QRectF experts = view.barRect(7);
    QTest::mouseClick(&view, Qt::LeftButton, {}, QPoint(int(experts.right()) + 60, int(experts.center().y())));
    QCOMPARE(spy.count(), 1);
    QVERIFY(spy[0][0].toString().isEmpty());
    QCOMPARE(spy[0][1].toInt(), -1);
    QVERIFY(view.selectedOperations().isEmpty());
}

void TestTimelineView::wheelZoomsAboutTheCursor() {
    TimelineView view;
    show(view, layer());
    const QRectF experts = view.barRect(7);
    const double before = experts.left();
    wheel(view, experts.topLeft() + QPointF(0, 4), 240);
    // One notch is a factor of 1.2.
    QVERIFY(std::abs(view.visibleEnd() - view.visibleStart() - 245 * kUs / 1.44) < 1e-9);
    QVERIFY(std::abs(view.barRect(7).left() - before) < 0.01);
    QVERIFY(std::abs(view.barRect(7).width() / experts.width() - 1.44) < 1e-6);
    wheel(view, experts.topLeft(), -2400);
    QCOMPARE(view.visibleStart(), 0.0);
    QCOMPARE(view.visibleEnd(), 245 * kUs);
}

void TestTimelineView::dragPansAndDoesNotSelect() {
    TimelineView view;
    show(view, layer());
    view.setVisibleRange(100 * kUs, 200 * kUs);
    QSignalSpy spy(&view, &TimelineView::barSelected);
    const QPoint from = middle(view, 7);
    const double left = view.barRect(7).left();
    QTest::mousePress(&view, Qt::LeftButton, {}, from);
    QTest::mouseMove(&view, from + QPoint(-30, 0));
    QTest::mouseMove(&view, from + QPoint(-60, 3));
    QTest::mouseRelease(&view, Qt::LeftButton, {}, from + QPoint(-60, 3));
    QVERIFY(std::abs(view.barRect(7).left() - (left - 60)) < 0.01);
    QVERIFY(std::abs(view.visibleEnd() - view.visibleStart() - 100 * kUs) < 1e-12);
    QCOMPARE(spy.count(), 0);
}

void TestTimelineView::doubleClickShowsEverything() {
    TimelineView view;
    show(view, layer());
    view.setVisibleRange(100 * kUs, 120 * kUs);
    QTest::mouseDClick(&view, Qt::LeftButton, {}, QPoint(400, 100));
    QCOMPARE(view.visibleStart(), 0.0);
    QCOMPARE(view.visibleEnd(), 245 * kUs);
}

void TestTimelineView::keysStepThroughBarsInTime() {
    TimelineView view;
    show(view, layer());
    QSignalSpy spy(&view, &TimelineView::barSelected);
    QTest::keyClick(&view, Qt::Key_Right);
    QTest::keyClick(&view, Qt::Key_Right);
    QTest::keyClick(&view, Qt::Key_Left);
    QTest::keyClick(&view, Qt::Key_End);
    QTest::keyClick(&view, Qt::Key_Up);
    QTest::keyClick(&view, Qt::Key_Escape);
    QStringList seen;
    for (const QList<QVariant>& call : spy) seen << call[0].toString();
    QCOMPARE(seen, QStringList({"attention.core", "attention.out", "attention.core", "combine", "combine", ""}));
}

void TestTimelineView::newDataKeepsZoomAndCurrentBar() {
    TimelineView view;
    show(view, layer());
    QTest::mouseClick(&view, Qt::LeftButton, {}, middle(view, 7));
    view.setVisibleRange(98 * kUs, 196 * kUs);
    TimelineData longer = layer();
    std::reverse(longer.bars.begin(), longer.bars.end());
    for (TimelineBar& b : longer.bars) b.start *= 2, b.length *= 2;
    longer.end *= 2;
    view.setData(longer);
    QVERIFY(std::abs(view.visibleStart() - 196 * kUs) < 1e-9);
    QVERIFY(std::abs(view.visibleEnd() - 392 * kUs) < 1e-9);
    QVERIFY(view.accessibleDescription().contains("Selected: experts"));
}

void TestTimelineView::selectedOperationsAreOutlinedInAllLanes() {
    TimelineView view;
    show(view, layer());
    const QImage before = view.grab().toImage();
    QSignalSpy spy(&view, &TimelineView::barSelected);
    view.setSelectedOperations({"dispatch"});
    const QImage after = view.grab().toImage();
    for (const int index : {4, 5, 6}) {
        const QPoint edge(int(view.barRect(index).center().x()), int(view.barRect(index).top()) - 1);
        QVERIFY2(before.pixel(edge) != after.pixel(edge), qPrintable(QString::number(index)));
    }
    QCOMPARE(spy.count(), 0);
}

void TestTimelineView::ticksAreRoundInOneUnit() {
    QStringList texts;
    for (const TimeTick& tick : time_ticks(0, 250 * kUs, 6)) texts << tick.text;
    QCOMPARE(texts, QStringList({"0 µs", "50 µs", "100 µs", "150 µs", "200 µs", "250 µs"}));
    texts.clear();
    for (const TimeTick& tick : time_ticks(1.0e-3, 1.2e-3, 4)) texts << tick.text;
    QCOMPARE(texts, QStringList({"1.00 ms", "1.05 ms", "1.10 ms", "1.15 ms", "1.20 ms"}));
    QVERIFY(time_ticks(0, 0, 5).empty());
    QVERIFY(time_ticks(0, qInf(), 5).empty());
}

void TestTimelineView::narrowBarsAreMerged() {
    TimelineData d;
    d.streams = {"Compute"};
    constexpr int kCount = 20000;
    for (int i = 0; i < kCount; ++i) d.bars.push_back(bar("op", 0, i, i + 0.9, "op", BarRole::product));
    d.end = kCount * kUs;
    TimelineView view;
    show(view, d);
    const QImage picture = view.grab().toImage();
    // 700 px for 20,000 bars: the lane reads as one filled band.
    const QRectF first = view.barRect(0), last = view.barRect(kCount - 1);
    for (double x = first.left() + 3; x < last.left() - 3; x += 7)
        QCOMPARE(QColor(picture.pixel(int(x), int(first.center().y()))).name(), Theme::light().category(5).name());
}

void TestTimelineView::brokenNumbersAreHarmless() {
    TimelineData d = layer();
    d.bars[0].start = qQNaN();
    d.bars[1].length = qInf();
    d.bars[2].stream = 99;
    d.bars[3].stream = -1;
    TimelineView view;
    show(view, d);
    view.grab();
    d.end = qInf();
    view.setData(d);
    view.grab();
    view.setData({});
    QVERIFY(!view.grab().isNull());
    QCOMPARE(view.barAt({200, 60}), -1);
}

void TestTimelineView::rendersForExport() {
    TimelineView view;
    show(view, layer());
    view.setVisibleRange(100 * kUs, 120 * kUs);
    QImage image(900, 260, QImage::Format_RGB32);
    image.fill(Qt::magenta);
    QPainter painter(&image);
    view.renderTo(painter, QRectF(0, 0, 900, 260), Theme::light());
    // Everything is drawn, not only the zoomed part: the blue of the attention at the far left is there.
    bool blue = false;
    for (int x = 0; x < 200; ++x)
        for (int y = 20; y < 60; ++y) blue = blue || QColor(image.pixel(x, y)) == Theme::light().category(0);
    QVERIFY(blue);
    QCOMPARE(view.tableRows().size(), std::size_t(12));
    QCOMPARE(view.tableRows()[1], QStringList({"Compute", "MLA", "17", "0 s", "18.0 µs", ""}));
}

void TestTimelineView::pictures() {
    TimelineView view;
    show(view, layer());
    view.setSelectedOperations({"dispatch"});
    save_picture(view, "timeline-light");
    view.setTheme(Theme::dark());
    save_picture(view, "timeline-dark");
    view.setSelectedOperations({});
    view.resize(420, 200);
    view.setTheme(Theme::light());
    save_picture(view, "timeline-small");
    view.setData({});
    save_picture(view, "timeline-empty");
    QVERIFY(!view.accessibleName().isEmpty());
}

QTEST_MAIN(TestTimelineView)
#include "tst_timeline_view.moc"
