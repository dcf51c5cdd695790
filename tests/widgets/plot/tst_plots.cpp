// The plots: labels that keep apart, clicks, the crosshair, and exports that stay inside their axes.
#include <cmath>

#include <QFile>
#include <QImage>
#include <QPainter>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QtTest>

#include "support/pictures.hpp"
#include "widgets/plot/batch_plot.hpp"
#include "widgets/plot/crossover_plot.hpp"
#include "widgets/plot/scaling_plot.hpp"

using namespace crosspoint::ui;

namespace {

/// Time = alpha + bytes / bandwidth; n* = alpha x bandwidth, where it is twice alpha.
CrossoverCurveData link(const char* name, double alpha, double bandwidth, const char* crossover) {
    CrossoverCurveData curve;
    curve.id = curve.name = name;
    for (int i = 0; i <= 200; ++i) {
        const double bytes = 1e3 * std::pow(10, 6.0 * i / 200);
        curve.points.emplace_back(bytes, alpha + bytes / bandwidth);
    }
    curve.crossover = QPointF(alpha * bandwidth, 2 * alpha);
    curve.crossover_text = crossover;
    return curve;
}

CrossoverData crossover() {
    CrossoverData d;
    d.curves = {link("InfiniBand", 20e-6, 46e9, "n* 0.92 MB"), link("NVSwitch", 5e-6, 400e9, "n* 2.0 MB"),
                link("NVLink 4 ring", 13e-6, 450e9, "n* 5.9 MB")};
    d.messages = {{"dispatch", "dispatch now: 2.06 MB, 65 µs", 0, 2.06e6, 65e-6, true},
                  {"combine", "combine now: 4.1 MB, 109 µs", 0, 4.1e6, 109e-6, false},
                  {"tp", "all-reduce: 0.46 MB, 6 µs", 1, 0.46e6, 6.15e-6, false}};
    d.x_label = "message size per accelerator";
    return d;
}

BatchPlotData batch() {
    BatchPlotData d;
    for (double b = 1; b <= 256; b *= 2) {
        const double latency = 9e-3 + b * 0.19e-3;
        d.points.push_back({b, latency, b / latency, 2 / 3600.0 / (b / latency), b <= 128});
    }
    d.latency_target = 20e-3;
    d.latency_target_text = "target 20 ms";
    d.window_low = 24;
    d.window_high = 40;
    d.window_text = "window 24 … 40";
    d.current = 32;
    d.current_text = "now 32: 15.1 ms";
    d.latency_label = "inter-token latency";
    return d;
}

ScalingData scaling() {
    ScalingData d;
    for (double n = 1; n <= 64; n *= 2) {
        const double weights = 20e-3 / n, communication = n > 1 ? 0.4e-3 * std::log2(n) + (n > 8 ? 2e-3 : 0) : 0;
        d.points.push_back(
            {n, weights + communication + 0.3e-3, weights, communication, 1 / (weights + communication + 0.3e-3)});
    }
    d.turn_over = 8;
    d.turn_over_text = "turns over at TP 8: 4.0 ms";
    d.current = 4;
    d.current_text = "now TP 4";
    return d;
}

QWidget* canvas(PlotView& plot) { return plot.findChild<QWidget*>("canvas"); }

template <class Plot, class Data>
void show(Plot& plot, const Data& data, QSize size = {560, 270}) {
    plot.resize(size);
    plot.setData(data);
    plot.show();
    QCoreApplication::processEvents();
    plot.grab();
}

void verify_labels(const PlotView& plot, const std::vector<QRectF>& labels, std::size_t expected) {
    QCOMPARE(labels.size(), expected);
    for (std::size_t i = 0; i < labels.size(); ++i) {
        QVERIFY(plot.axisRectangle().contains(labels[i]));
        for (std::size_t j = 0; j < i; ++j) QVERIFY(!labels[i].intersects(labels[j]));
    }
}

bool near_colour(const QColor& a, const QColor& b) {
    return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue()) < 24;
}

/// Pixels of a colour outside a rectangle.
int stray(const QImage& image, const QRectF& inside, const QColor& colour) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (!inside.contains(QPointF(x, y)) && near_colour(image.pixelColor(x, y), colour)) ++count;
    return count;
}

int inside_count(const QImage& image, const QRectF& inside, const QColor& colour) {
    return stray(image, {}, colour) - stray(image, inside, colour);
}

}  // namespace

class TestPlots : public QObject {
    Q_OBJECT
private slots:
    void labelsKeepApart();
    void labelsThatFindNoRoomAreLeftOut();
    void clickOnMessageSelectsItsOperation();
    void crosshairReadsAllCurves();
    void clickOnBatchPlotPicksTheBatch();
    void clickOnScalingPlotPicksTheDegree();
    void rightAxisSwitches();
    void svgStaysInsideItsAxes();
    void exportsEveryFormat();
    void failedExportSaysWhy();
    void renderToPaintsWhereTold();
    void exportLeavesTheScreenAsItWas();
    void tablesMirrorTheFigures();
    void emptyAndBrokenDataAreHarmless();
    void theWheelZoomsAboutTheCursorAndADoubleClickResets();
    void aDragFramesAndIsNoClick();
    void everyCurveHasAName();
    void pictures();
};

void TestPlots::labelsKeepApart() {
    CrossoverPlot a;
    show(a, crossover());
    verify_labels(a, a.labelRects(), 6);
    BatchPlot b;
    show(b, batch());
    verify_labels(b, b.labelRects(), 5);
    ScalingPlot c;
    show(c, scaling());
    verify_labels(c, c.labelRects(), 6);
}

void TestPlots::labelsThatFindNoRoomAreLeftOut() {
    CrossoverPlot plot;
    show(plot, crossover(), {240, 150});
    const std::vector<QRectF> labels = plot.labelRects();
    QVERIFY(!labels.empty());
    verify_labels(plot, labels, labels.size());
}

void TestPlots::clickOnMessageSelectsItsOperation() {
    CrossoverPlot plot;
    show(plot, crossover());
    QSignalSpy spy(&plot, &CrossoverPlot::operationSelected);
    QTest::mouseClick(canvas(plot), Qt::LeftButton, {}, plot.pixelOf({4.1e6, 109e-6}).toPoint());
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy[0][0].toString(), QString("combine"));
    QTest::mouseClick(canvas(plot), Qt::LeftButton, {}, plot.axisRectangle().topLeft().toPoint() + QPoint(5, 5));
    QCOMPARE(spy.count(), 1);
}

void TestPlots::crosshairReadsAllCurves() {
    CrossoverPlot plot;
    show(plot, crossover());
    // 10 MB: 20 + 217 us on InfiniBand (46 GB/s), 5 + 25 us in the switch (400 GB/s).
    QTest::mouseMove(canvas(plot), plot.pixelOf({1e7, 1e-4}).toPoint());
    QVERIFY2(plot.readout().contains("InfiniBand 23"), qPrintable(plot.readout()));
    QVERIFY2(plot.readout().contains("NVSwitch 30"), qPrintable(plot.readout()));
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(canvas(plot), &leave);
    QVERIFY(plot.readout().isEmpty());
}

void TestPlots::clickOnBatchPlotPicksTheBatch() {
    BatchPlot plot;
    show(plot, batch());
    QSignalSpy spy(&plot, &BatchPlot::batchPicked);
    QTest::mouseClick(canvas(plot), Qt::LeftButton, {}, plot.pixelOf({16, 20e-3}).toPoint());
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy[0][0].toDouble(), 16.0);
}

void TestPlots::clickOnScalingPlotPicksTheDegree() {
    ScalingPlot plot;
    show(plot, scaling());
    QSignalSpy spy(&plot, &ScalingPlot::degreePicked);
    QTest::mouseClick(canvas(plot), Qt::LeftButton, {}, plot.pixelOf({17, 10e-3}).toPoint());
    QCOMPARE(spy[0][0].toDouble(), 16.0);
}

void TestPlots::rightAxisSwitches() {
    BatchPlot plot;
    show(plot, batch());
    const QImage rate = plot.grab().toImage();
    plot.setRightAxis(BatchPlot::RightAxis::price);
    QCoreApplication::processEvents();
    QVERIFY(rate != plot.grab().toImage());
    verify_labels(plot, plot.labelRects(), 5);
}

void TestPlots::svgStaysInsideItsAxes() {
    QTemporaryDir folder;
    CrossoverPlot plot;
    show(plot, crossover());
    const QString path = folder.filePath("plot.svg");
    QVERIFY(plot.exportTo(path, FigureFormat::svg, Theme::light(), plot.size()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray svg = file.readAll();
    for (const char* text : {"InfiniBand n* 0.92 MB", "dispatch now: 2.06 MB", "message size per accelerator", "10 MB"})
        QVERIFY2(svg.contains(text), text);
    QVERIFY(svg.contains("viewBox=\"0 0 560 270\""));
    QSvgRenderer renderer(svg);
    QImage image(plot.size(), QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    renderer.render(&painter);
    const QRectF axes = plot.axisRectangle().adjusted(-2, -2, 2, 2);
    const QColor infiniband = Theme::light().category(3);
    QVERIFY(inside_count(image, axes, infiniband) > 100);
    QCOMPARE(stray(image, axes, infiniband), 0);
}

void TestPlots::exportsEveryFormat() {
    QTemporaryDir folder;
    BatchPlot plot;
    show(plot, batch());
    QVERIFY(plot.exportTo(folder.filePath("a.png"), FigureFormat::png, Theme::light(), {600, 300}));
    QCOMPARE(QImage(folder.filePath("a.png")).size(), QSize(1200, 600));
    QVERIFY(plot.exportTo(folder.filePath("a.pdf"), FigureFormat::pdf, Theme::dark(), {600, 300}));
    QFile pdf(folder.filePath("a.pdf"));
    QVERIFY(pdf.open(QIODevice::ReadOnly));
    const QByteArray bytes = pdf.readAll();
    QVERIFY(bytes.startsWith("%PDF"));
    // 600 px of 1/96 inch are 450 points.
    QVERIFY(bytes.contains("/MediaBox [0 0 450 225]") || bytes.contains("450.000000 225.000000"));
    QVERIFY(figure_format("x.SVG") == FigureFormat::svg);
    QVERIFY(figure_format("pdf") == FigureFormat::pdf);
    QVERIFY(!figure_format("a.bmp"));
    const QString pictures = qEnvironmentVariable("CROSSPOINT_PICTURES");
    if (pictures.isEmpty()) return;
    for (const char* name : {"/export.svg", "/export.pdf", "/export.png"})
        plot.exportTo(pictures + name, *figure_format(name), Theme::light(), {600, 300});
}

void TestPlots::failedExportSaysWhy() {
    ScalingPlot plot;
    show(plot, scaling());
    QString error;
    QVERIFY(!plot.exportTo("/no/such/folder/a.svg", FigureFormat::svg, Theme::light(), {}, &error));
    QVERIFY(error.contains("/no/such/folder/a.svg"));
}

void TestPlots::renderToPaintsWhereTold() {
    CrossoverPlot plot;
    show(plot, crossover());
    QImage image(800, 400, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    plot.renderTo(painter, QRectF(300, 100, 480, 280), Theme::light());
    painter.end();
    const QColor infiniband = Theme::light().category(3);
    QVERIFY(inside_count(image, QRectF(300, 100, 480, 280), infiniband) > 100);
    QCOMPARE(stray(image, QRectF(300, 100, 480, 280), infiniband), 0);
}

void TestPlots::exportLeavesTheScreenAsItWas() {
    QTemporaryDir folder;
    CrossoverPlot plot;
    show(plot, crossover());
    plot.setTheme(Theme::dark());
    QCoreApplication::processEvents();
    const QImage before = plot.grab().toImage();
    QVERIFY(plot.exportTo(folder.filePath("a.svg"), FigureFormat::svg, Theme::light(), {900, 500}));
    QCoreApplication::processEvents();
    QCOMPARE(plot.grab().toImage(), before);
}

void TestPlots::tablesMirrorTheFigures() {
    CrossoverPlot a;
    a.setData(crossover());
    QCOMPARE(a.tableRows().size(), std::size_t(7));
    QCOMPARE(a.tableRows()[1][2], QString("920 kB"));
    QCOMPARE(a.tableRows()[4][3], QString("65 µs"));
    QVERIFY(a.accessibleDescription().contains("NVSwitch n* 2.0 MB"));
    BatchPlot b;
    b.setData(batch());
    QCOMPARE(b.tableRows().size(), std::size_t(10));
    QCOMPARE(b.tableRows()[9].last(), QString("no"));
    ScalingPlot c;
    c.setData(scaling());
    QCOMPARE(c.tableRows()[1][0], QString("1"));
}

void TestPlots::emptyAndBrokenDataAreHarmless() {
    CrossoverPlot a;
    show(a, CrossoverData{});
    CrossoverData broken = crossover();
    broken.curves[0].points[3] = QPointF(qQNaN(), -1);
    broken.curves[1].crossover = QPointF(0, 0);
    broken.messages[0].curve = 99;
    broken.messages[1].bytes = qInf();
    show(a, broken);
    QVERIFY(!a.labelRects().empty());
    BatchPlot b;
    show(b, BatchPlotData{});
    BatchPlotData bad = batch();
    bad.points[2].latency = 0;
    bad.points[3].tokens_per_second = qQNaN();
    bad.current = 1e9;
    show(b, bad);
    ScalingPlot c;
    show(c, ScalingData{});
    ScalingData one = scaling();
    one.points.resize(1);
    show(c, one);
    QVERIFY(c.labelRects().empty());
}

void TestPlots::theWheelZoomsAboutTheCursorAndADoubleClickResets() {
    CrossoverPlot plot;
    show(plot, crossover());
    auto* inner = plot.findChild<QWidget*>("canvas");
    const QPointF n(0.92e6, 40e-6), far(1e3, 20e-6);
    const QPointF at = plot.pixelOf(n);
    const double apart = plot.pixelOf(n).x() - plot.pixelOf(far).x();
    QWheelEvent turn(at, inner->mapToGlobal(at), {}, {0, 240}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(inner, &turn);
    QVERIFY(plot.isZoomed());
    QVERIFY(std::abs(plot.pixelOf(n).x() - at.x()) < 2);
    QVERIFY(plot.pixelOf(n).x() - plot.pixelOf(far).x() > apart * 1.3);
    plot.setData(crossover());  // a new evaluation keeps what is looked at
    QVERIFY(plot.isZoomed());
    QVERIFY(std::abs(plot.pixelOf(n).x() - at.x()) < 2);
    QTest::mouseDClick(inner, Qt::LeftButton, {}, at.toPoint());
    QVERIFY(!plot.isZoomed());
    QVERIFY(std::abs(plot.pixelOf(n).x() - plot.pixelOf(far).x() - apart) < 1);
}

void TestPlots::aDragFramesAndIsNoClick() {
    BatchPlot plot;
    show(plot, batch());
    auto* inner = plot.findChild<QWidget*>("canvas");
    QSignalSpy picked(&plot, &BatchPlot::batchPicked);
    const QRectF area = plot.axisRectangle();
    const QPoint from = (area.topLeft() + QPointF(area.width() * 0.3, area.height() * 0.3)).toPoint();
    const QPoint to = (area.topLeft() + QPointF(area.width() * 0.7, area.height() * 0.7)).toPoint();
    const auto move = [&](QPoint p, Qt::KeyboardModifiers m) {
        QMouseEvent event(QEvent::MouseMove, p, inner->mapToGlobal(p), Qt::NoButton, Qt::LeftButton, m);
        QCoreApplication::sendEvent(inner, &event);
    };
    QTest::mousePress(inner, Qt::LeftButton, {}, from);
    move((from + to) / 2, {});
    move(to, {});
    QTest::mouseRelease(inner, Qt::LeftButton, {}, to);
    QVERIFY(plot.isZoomed());
    QCOMPARE(picked.size(), 0);
    const QPointF before = plot.pixelOf({32, 15e-3});
    QTest::mousePress(inner, Qt::LeftButton, Qt::ShiftModifier, from);
    move(from + QPoint(20, 0), Qt::ShiftModifier);
    QTest::mouseRelease(inner, Qt::LeftButton, Qt::ShiftModifier, from + QPoint(20, 0));
    QVERIFY(plot.pixelOf({32, 15e-3}).x() > before.x() + 10);
    plot.resetZoom();
    QVERIFY(!plot.isZoomed());
    QTest::mouseClick(inner, Qt::LeftButton, {}, from);
    QCOMPARE(picked.size(), 1);
}

/// Of three curves, one selected message: at least four labels at the sizes of small windows.
void TestPlots::everyCurveHasAName() {
    for (const QSize size : {QSize(430, 200), QSize(500, 250), QSize(900, 400)}) {
        CrossoverPlot plot;
        show(plot, crossover());
        plot.resize(size);
        QTest::qWait(50);
        QVERIFY2(plot.labelRects().size() >= 4, qPrintable(QString::number(plot.labelRects().size())));
    }
}

void TestPlots::pictures() {
    CrossoverPlot a;
    BatchPlot b, p;
    p.setRightAxis(BatchPlot::RightAxis::price);
    ScalingPlot c;
    for (const Theme& theme : {Theme::light(), Theme::dark()}) {
        const QString suffix = theme.is_dark ? "-dark" : "-light";
        for (PlotView* plot : std::initializer_list<PlotView*>{&a, &b, &p, &c}) plot->setTheme(theme);
        show(a, crossover());
        save_picture(a, "crossover" + suffix);
        show(b, batch());
        save_picture(b, "batch" + suffix);
        show(p, batch());
        save_picture(p, "price" + suffix);
        show(c, scaling());
        save_picture(c, "scaling" + suffix);
    }
    QTest::mouseMove(canvas(a), a.pixelOf({1e7, 1e-3}).toPoint());
    QTest::mouseMove(canvas(a), a.pixelOf({1e7, 1e-4}).toPoint());
    QVERIFY(!a.readout().isEmpty());
    save_picture(a, "crossover-hover");
    show(a, CrossoverData{});
    save_picture(a, "crossover-empty");
    show(b, batch(), {300, 170});
    save_picture(b, "batch-small");
    QVERIFY(!a.accessibleName().isEmpty());
}

QTEST_MAIN(TestPlots)
#include "tst_plots.moc"
