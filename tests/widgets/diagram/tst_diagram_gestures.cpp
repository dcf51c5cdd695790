// Gestures of the canvas beside plain selecting, moving and zooming: giving up, previews, the small map, modes, menus.
#include <QSignalSpy>
#include <QToolTip>
#include <QtTest>

#include "machines.hpp"
#include "widgets/diagram/diagram_view.hpp"

using namespace crosspoint::ui;

namespace {

constexpr auto left = Qt::LeftButton;

struct Shown {
    DiagramView view;
    explicit Shown(DiagramData data = machines::fourNodes(), QSize size = {1280, 800}) {
        view.resize(size);
        view.setData(std::move(data));
        view.show();
        (void)QTest::qWaitForWindowExposed(&view);
    }
    [[nodiscard]] QRectF rectOf(const QString& key) const {
        for (const DiagramBox& box : view.data().boxes)
            if (box.key == key) return box.rect;
        return {};
    }
    [[nodiscard]] QPoint at(QPointF canvas) const { return view.toView(canvas).toPoint(); }
    [[nodiscard]] QPoint on(const QString& key) const { return at(rectOf(key).center()); }
    /// A place on a node that is neither device nor cable: its lower right corner.
    [[nodiscard]] QPoint onNode(const QString& key) const { return at(rectOf(key).bottomRight() - QPointF(5, 5)); }
    void click(QPoint p, Qt::KeyboardModifiers m = {}) { QTest::mouseClick(&view, left, m, p); }
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers m = {}, Qt::MouseButton button = left) {
        QTest::mousePress(&view, button, m, from);
        for (int step = 1; step <= 4; ++step) moveTo(from + (to - from) * step / 4, button, m);
        QTest::mouseRelease(&view, button, m, to);
    }
    void moveTo(QPoint p, Qt::MouseButtons buttons, Qt::KeyboardModifiers m = {}) {
        QMouseEvent move(QEvent::MouseMove, p, view.mapToGlobal(p), Qt::NoButton, buttons, m);
        QCoreApplication::sendEvent(&view, &move);
    }
    void wheel(QPointF p, int delta) {
        QWheelEvent turn(p, view.mapToGlobal(p), {}, {0, delta}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                         false);
        QCoreApplication::sendEvent(&view, &turn);
    }
    void key(Qt::Key k, Qt::KeyboardModifiers m = {}) { QTest::keyClick(&view, k, m); }
};

}  // namespace

class TestDiagramGestures : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // ---- selecting

    void rubberBandInsideAContainerNeedsShift() {
        Shown s;
        QSignalSpy moved(&s.view, &DiagramView::moveRequested);
        const QRectF gpus = s.rectOf("node1.gpu0") | s.rectOf("node1.gpu1");
        s.drag(s.at(gpus.topLeft() - QPointF(4, 3)), s.at(gpus.bottomRight() + QPointF(3, 4)), Qt::ShiftModifier);
        QCOMPARE(s.view.selection(), (QStringList{"node1.gpu0", "node1.gpu1"}));
        QCOMPARE(moved.size(), 0);
    }

    // ---- moving

    void dragMovesByWholeGridSteps() {
        Shown s;
        QSignalSpy moved(&s.view, &DiagramView::moveRequested), preview(&s.view, &DiagramView::moving);
        const QPoint from = s.onNode("node2");
        const QPointF way = QPointF(67, -41);
        s.drag(from, from + (way * s.view.zoom()).toPoint());
        QCOMPARE(moved.size(), 1);
        QCOMPARE(moved[0][0].toStringList(), QStringList{"node2"});
        QCOMPARE(moved[0][1].toPointF(), QPointF(72, -36));  // 67 and -41 to multiples of 12
        QVERIFY(preview.size() >= 2);
        for (const auto& call : preview) {
            const QPointF delta = call[1].toPointF();
            QCOMPARE(std::fmod(delta.x(), 12.0), 0.0);
            QCOMPARE(std::fmod(delta.y(), 12.0), 0.0);
        }
        QCOMPARE(preview.last()[1], moved[0][1]);
        QCOMPARE(s.rectOf("node2").left(), 276.0);  // a request: the data is as before
    }

    void dragOfSeveralNamesNoneTwice() {
        Shown s;
        QSignalSpy moved(&s.view, &DiagramView::moveRequested);
        s.view.setSelection({"node1", "node1.gpu3", "leaf4"});  // gpu3 comes along with its node
        const QPoint from = s.on("leaf4");
        s.drag(from, from + QPoint(0, 60));
        QCOMPARE(moved.size(), 1);
        QCOMPARE(moved[0][0].toStringList(), (QStringList{"leaf4", "node1"}));
    }

    void escapeGivesUpADrag() {
        Shown s;
        QSignalSpy moved(&s.view, &DiagramView::moveRequested);
        const QPoint from = s.on("leaf3");
        QTest::mousePress(&s.view, left, {}, from);
        s.moveTo(from + QPoint(40, 40), left);
        s.moveTo(from + QPoint(80, 40), left);
        s.key(Qt::Key_Escape);
        QTest::mouseRelease(&s.view, left, {}, from + QPoint(80, 40));
        QCOMPARE(moved.size(), 0);
        QCOMPARE(s.view.selection(), QStringList{"leaf3"});
        s.key(Qt::Key_Escape);
        QCOMPARE(s.view.selection(), QStringList());
    }

    void arrowsNudge() {
        Shown s;
        QSignalSpy moved(&s.view, &DiagramView::moveRequested);
        s.click(s.on("leaf1"));
        s.key(Qt::Key_Right);
        s.key(Qt::Key_Up);
        s.key(Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(moved.size(), 3);
        QCOMPARE(moved[0][1].toPointF(), QPointF(12, 0));
        QCOMPARE(moved[1][1].toPointF(), QPointF(0, -12));
        QCOMPARE(moved[2][1].toPointF(), QPointF(-1, 0));
    }

    // ---- zoom and pan

    void panModePans() {
        Shown s;
        s.view.setMode(DiagramView::Mode::pan);
        const QPointF seen = s.view.toCanvas({0, 0});
        s.drag(s.on("leaf1"), s.on("leaf1") + QPoint(30, 30));
        QVERIFY((s.view.toCanvas({0, 0}) - (seen - QPointF(30, 30) / s.view.zoom())).manhattanLength() < 1e-6);
        QCOMPARE(s.view.selection(), QStringList());
    }

    void fitShowsEverything() {
        for (const QSize size : {QSize(1280, 800), QSize(420, 300), QSize(300, 700)}) {
            Shown s(machines::fourNodes(), size);
            for (int i = 0; i < 6; ++i) s.wheel({10, 10}, 120);
            s.view.fitAll();
            for (const DiagramBox& box : s.view.data().boxes) {
                const QRectF seen(s.view.toView(box.rect.topLeft()), s.view.toView(box.rect.bottomRight()));
                QVERIFY(QRectF(s.view.rect()).contains(seen));
            }
        }
    }

    void theSmallMapAppearsAndGoesThere() {
        Shown s;
        const QPoint spot(1280 - 80, 80);
        const QColor before = s.view.grab().toImage().pixelColor(spot);
        QCOMPARE(before, Theme::light().canvas);
        for (int i = 0; i < 8; ++i) s.wheel({10, 790}, 120);
        QVERIFY(!s.view.data().boxes.empty());
        QVERIFY(s.view.toView(s.rectOf("node4").center()).x() > 1280);
        // The map is 138 wide at the right edge; node4 stands at its right.
        s.click(QPoint(1280 - 34, 95));
        const QPointF there = s.view.toView(s.rectOf("node4").center());
        QVERIFY2(s.view.rect().contains(there.toPoint()),
                 qPrintable(QStringLiteral("%1 %2").arg(there.x()).arg(there.y())));
        QCOMPARE(s.view.selection(), QStringList());
    }

    // ---- requests

    void deleteAndDuplicateAreRequests() {
        Shown s;
        QSignalSpy gone(&s.view, &DiagramView::deleteRequested), copied(&s.view, &DiagramView::duplicateRequested);
        s.key(Qt::Key_Delete);
        s.key(Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(gone.size() + copied.size(), 0);  // nothing is selected
        s.view.setSelection({"leaf1", "node2"});
        s.key(Qt::Key_Delete);
        s.key(Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(gone.size(), 1);
        QCOMPARE(gone[0][0].toStringList(), (QStringList{"leaf1", "node2"}));
        QCOMPARE(copied.size(), 1);
        QCOMPARE(s.view.data().boxes.size(), machines::fourNodes().boxes.size());
    }

    void aCableNeedsTwoDevices() {
        Shown s;
        QSignalSpy wanted(&s.view, &DiagramView::connectRequested);
        s.view.setMode(DiagramView::Mode::connect);
        s.drag(s.onNode("node1"), s.on("leaf4"));     // a container takes no cable
        s.drag(s.on("leaf4"), s.on("node1#fabric"));  // neither does a fabric
        s.drag(s.on("leaf4"), QPoint(4, 400));        // nor open ground
        s.click(s.on("leaf4"));
        s.click(s.on("leaf4"));  // nor the device itself
        s.click(s.on("leaf4"));
        s.key(Qt::Key_Escape);
        s.click(s.on("leaf3"));  // begins anew
        QCOMPARE(wanted.size(), 0);
    }

    void doubleClickAndEnterOpen() {
        Shown s;
        QSignalSpy opened(&s.view, &DiagramView::openRequested);
        QTest::mouseDClick(&s.view, left, {}, s.on("leaf2"));
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened[0][0].toString(), QString("leaf2"));
        s.view.setSelection({"node3"});
        s.key(Qt::Key_Return);
        QCOMPARE(opened.size(), 2);
        QCOMPARE(opened[1][0].toString(), QString("node3"));
    }

    void contextMenuSelectsWhatItIsFor() {
        Shown s;
        QSignalSpy menu(&s.view, &DiagramView::contextMenuRequested);
        QContextMenuEvent event(QContextMenuEvent::Mouse, s.on("leaf2"), s.view.mapToGlobal(s.on("leaf2")));
        QCoreApplication::sendEvent(&s.view, &event);
        QCOMPARE(menu.size(), 1);
        QCOMPARE(menu[0][0].toString(), QString("leaf2"));
        QCOMPARE(s.view.selection(), QStringList{"leaf2"});
    }

    void tooltipsComeFromTheData() {
        Shown s;
        const auto hover = [&](QPoint p) {
            QHelpEvent help(QEvent::ToolTip, p, s.view.mapToGlobal(p));
            QCoreApplication::sendEvent(&s.view, &help);
            return QToolTip::text();
        };
        QCOMPARE(hover(s.on("node1.gpu2")), QString("about node1.gpu2"));
        const DiagramCable cable = s.view.data().cables.front();
        QCOMPARE(hover(s.at((cable.start + cable.end) / 2)), "about " + cable.id);
    }
};

QTEST_MAIN(TestDiagramGestures)
#include "tst_diagram_gestures.moc"
