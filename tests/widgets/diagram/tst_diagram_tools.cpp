// Tools of the canvas: ends of a path, closing and opening, finding, figures beside cables, lines of fabrics, and that
// what is passed over while painting is out of view.
#include <QSignalSpy>
#include <QtTest>

#include "machines.hpp"
#include "widgets/diagram/diagram_view.hpp"

using namespace crosspoint::ui;

namespace {

/// One domain of eight accelerators that share an id, as instances do.
DiagramData eightOfOne() {
    DiagramData data;
    DiagramBox node = machines::box("node", {}, BoxRole::domain, "Node", {0, 0, 260, 120});
    node.collapsible = true;
    data.boxes.push_back(node);
    for (int i = 0; i < 8; ++i) {
        DiagramBox gpu = machines::box(QStringLiteral("gpu#%1").arg(i), "node", BoxRole::accelerator,
                                       QString::number(i), {12 + i % 4 * 60.0, 36 + i / 4 * 40.0, 48, 32});
        gpu.id = "gpu";
        data.boxes.push_back(gpu);
    }
    return data;
}

struct Shown {
    DiagramView view;
    explicit Shown(DiagramData data) {
        view.resize(800, 600);
        view.setData(std::move(data));
        view.show();
        (void)QTest::qWaitForWindowExposed(&view);
    }
    [[nodiscard]] QPoint on(const QString& key) const {
        for (const DiagramBox& box : view.data().boxes)
            if (box.key == key) return view.toView(box.rect.center()).toPoint();
        return {};
    }
    void click(QPoint p, Qt::KeyboardModifiers m = {}) { QTest::mouseClick(&view, Qt::LeftButton, m, p); }
    void moveTo(QPoint p) {
        QMouseEvent move(QEvent::MouseMove, p, view.mapToGlobal(p), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&view, &move);
    }
    [[nodiscard]] QImage picture() {
        QImage image(view.size(), QImage::Format_RGB32);
        view.render(&image);
        return image;
    }
};

int pixelsOf(const QImage& image, const QColor& colour) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) count += image.pixelColor(x, y) == colour;
    return count;
}

}  // namespace

class TestDiagramTools : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void twoInstancesOfOneDeviceArePicked() {
        Shown s(eightOfOne());
        QSignalSpy picked(&s.view, &DiagramView::pickedChanged);
        s.click(s.on("gpu#0"));
        QCOMPARE(s.view.pickedBoxes(), QStringList{"gpu#0"});
        s.click(s.on("gpu#5"), Qt::ControlModifier);
        QCOMPARE(s.view.pickedBoxes(), (QStringList{"gpu#0", "gpu#5"}));
        QCOMPARE(s.view.selection(), QStringList{"gpu"});
        s.click(s.on("gpu#6"), Qt::ControlModifier);  // the last two count
        QCOMPARE(s.view.pickedBoxes(), (QStringList{"gpu#5", "gpu#6"}));
        s.click(s.on("gpu#6"), Qt::ControlModifier);
        QCOMPARE(s.view.pickedBoxes(), QStringList{"gpu#5"});
        QCOMPARE(s.view.selection(), QStringList{"gpu"});
        s.click(s.on("gpu#5"), Qt::ControlModifier);
        QVERIFY(s.view.pickedBoxes().isEmpty());
        QVERIFY(s.view.selection().isEmpty());
        QCOMPARE(picked.size(), 5);
    }

    void whatIsNoLongerSelectedIsNotPicked() {
        Shown s(eightOfOne());
        s.click(s.on("gpu#0"));
        s.view.setSelection({"node"});
        QVERIFY(s.view.pickedBoxes().isEmpty());
        s.click(s.on("gpu#1"));
        s.view.setData(DiagramData());
        QVERIFY(s.view.pickedBoxes().isEmpty());
    }

    void theMarkAndADoubleClickAskToClose() {
        Shown s(eightOfOne());
        QSignalSpy asked(&s.view, &DiagramView::collapseRequested), opened(&s.view, &DiagramView::openRequested);
        s.click(s.view.toView({12, 12}).toPoint());  // the mark before the title
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked[0][0].toString(), QString("node"));
        QVERIFY(asked[0][1].toBool());
        QVERIFY(s.view.selection().isEmpty());
        QTest::mouseDClick(&s.view, Qt::LeftButton, {}, s.view.toView({250, 112}).toPoint());
        QCOMPARE(asked.size(), 2);
        QCOMPARE(opened.size(), 0);
        DiagramData closed = eightOfOne();
        closed.boxes.resize(1);
        closed.boxes[0].collapsed = true;
        s.view.setData(closed);
        QTest::mouseDClick(&s.view, Qt::LeftButton, {}, s.on("node"));
        QCOMPARE(asked.size(), 3);
        QVERIFY(!asked[2][1].toBool());
    }

    void escapeLeavesWhatHasBegunBeforeAnythingElse() {
        Shown s(eightOfOne());
        QSignalSpy left(&s.view, &DiagramView::modeChanged);
        s.view.setSelection({"gpu"});
        s.view.setMode(DiagramView::Mode::connect);
        s.click(s.on("gpu#0"));  // a cable has begun
        QKeyEvent early(QEvent::ShortcutOverride, Qt::Key_Escape, Qt::NoModifier);
        early.ignore();
        QCoreApplication::sendEvent(&s.view, &early);
        QVERIFY(early.isAccepted());  // the window's shortcut does not get it
        QTest::keyClick(&s.view, Qt::Key_Escape);
        QCOMPARE(s.view.mode(), DiagramView::Mode::connect);
        QTest::keyClick(&s.view, Qt::Key_Escape);
        QCOMPARE(s.view.mode(), DiagramView::Mode::select);
        QCOMPARE(left.size(), 1);
        QCOMPARE(s.view.selection(), QStringList{"gpu"});
        QKeyEvent idle(QEvent::ShortcutOverride, Qt::Key_Escape, Qt::NoModifier);
        idle.ignore();
        QCoreApplication::sendEvent(&s.view, &idle);
        QVERIFY(!idle.isAccepted());
    }

    void whatIsFoundComesIntoView() {
        Shown s(machines::fourNodes());
        s.view.zoomBy(8);
        s.view.reveal({"node4.gpu7"});
        const QRectF all(s.view.rect());
        QVERIFY(all.contains(s.on("node4.gpu7")));
        const double zoom = s.view.zoom();
        const QPoint before = s.on("node4.gpu7");
        s.view.reveal({"node4.gpu7"});  // there already
        QCOMPARE(s.on("node4.gpu7"), before);
        QCOMPARE(s.view.zoom(), zoom);
        s.view.zoomBy(0.01);
        s.view.reveal({"node1.gpu0"});
        QVERIFY(s.view.zoom() > 0.4);  // readable
        s.view.reveal({"no-such"});
        s.view.reveal({});
    }

    void theCableUnderTheCursorIsWider() {
        DiagramData data = machines::fourNodes();
        for (DiagramCable& cable : data.cables) cable.load = 0.9;
        Shown s(data);
        const DiagramCable& cable = data.cables.front();
        const QColor colour = Theme::light().load(LoadClass::high);
        s.moveTo({2, 2});
        const int before = pixelsOf(s.picture(), colour);
        s.moveTo(s.view.toView((cable.start + cable.end) / 2).toPoint());
        QVERIFY(pixelsOf(s.picture(), colour) > before);
    }

    void busyCablesBearTheirFigure() {
        DiagramData data;
        data.boxes = {machines::box("a", {}, BoxRole::network_switch, "A", {0, 0, 90, 26}),
                      machines::box("b", {}, BoxRole::network_switch, "B", {0, 300, 90, 26})};
        data.cables = {machines::cable("a", "b", {45, 26}, {45, 300}, 0.9)};
        Shown s(data);
        const QImage without = s.picture();
        data.cables[0].label = "46 GB/s · 92 %";
        s.view.setData(data);
        const QImage with = s.picture();
        QVERIFY(with != without);
        const QPoint middle = s.view.toView({45, 163}).toPoint();
        QVERIFY(with.copy(QRect(middle - QPoint(40, 8), QSize(80, 16))) !=
                without.copy(QRect(middle - QPoint(40, 8), QSize(80, 16))));
    }

    void linesOfAFabricAreDrawn() {
        DiagramData data = eightOfOne();
        Shown s(data);
        const QImage without = s.picture();
        data.strokes.push_back({"node", "node", QLineF(60, 52, 72, 52), false, BoxHealth::up, 0.9});
        data.strokes.push_back({"node", "node", QLineF(252, 52, 258, 52), true, BoxHealth::down, -1});
        s.view.setData(data);
        QVERIFY(s.picture() != without);
    }

    void pannedTheSamePictureIsDrawnFromKeptOnes() {
        Shown s(machines::fourNodes());
        s.view.zoomBy(1 / s.view.zoom());
        const QImage first = s.picture();   // drawn anew
        const QImage second = s.picture();  // kept from here on
        const QImage third = s.picture();   // drawn from what was kept
        QCOMPARE(third, second);
        int differing = 0;
        for (int y = 0; y < first.height(); ++y)
            for (int x = 0; x < first.width(); ++x) differing += first.pixel(x, y) != second.pixel(x, y);
        QVERIFY2(differing < first.width() * first.height() / 20, qPrintable(QString::number(differing)));
    }

    void boxesInAnyOrderAreFound() {
        DiagramData data = eightOfOne();
        std::rotate(data.boxes.begin() + 1, data.boxes.begin() + 4, data.boxes.end());
        data.boxes.push_back(machines::box("other", {}, BoxRole::domain, "Other", {300, 0, 100, 100}));
        DiagramBox late = machines::box("late", "node", BoxRole::accelerator, "L", {200, 90, 40, 24});
        data.boxes.push_back(late);
        Shown s(data);
        s.click(s.on("late"));
        QCOMPARE(s.view.selection(), QStringList{"late"});
        s.click(s.on("other"));
        QCOMPARE(s.view.selection(), QStringList{"other"});
        s.click(s.on("gpu#3"));
        QCOMPARE(s.view.selection(), QStringList{"gpu"});
    }

    void factsLieOverACorner() {
        DiagramData data = eightOfOne();
        data.caption = "One layer";
        Shown s(data);
        const QImage without = s.picture();
        data.card = QStringList{"GPU 0 → GPU 5", "2 hops"};
        s.view.setData(data);
        const QImage with = s.picture();
        QVERIFY(with.copy(10, 40, 90, 40) != without.copy(10, 40, 90, 40));
    }
};

QTEST_MAIN(TestDiagramTools)
#include "tst_diagram_tools.moc"
