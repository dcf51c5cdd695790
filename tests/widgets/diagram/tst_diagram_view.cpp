// The canvas by the events that people make: what is selected, what is asked for, and what is painted.
#include <QBuffer>
#include <QHelpEvent>
#include <QPainter>
#include <QSignalSpy>
#include <QSvgGenerator>
#include <QToolTip>
#include <QtTest>

#include "tests/support/gestures.hpp"
#include "tests/support/warnings.hpp"
#include "widgets/diagram/diagram_view.hpp"

using namespace crosspoint::ui;

namespace {

DiagramBox box(const QString& key, const QString& id, const QString& parent, QRectF rect, BoxRole role,
               const QString& title) {
    DiagramBox b;
    b.key = key;
    b.id = id;
    b.parent = parent;
    b.rect = rect;
    b.role = role;
    b.title = title;
    return b;
}

/// A pod with two instances of a node of two accelerators; a leaf and a spine below it, joined by a cable.
DiagramData pod() {
    DiagramData d;
    d.boxes.push_back(box("pod", "pod", {}, {0, 0, 600, 400}, BoxRole::container, "Pod seven"));
    for (int i = 0; i < 2; ++i) {
        const QString node = QStringLiteral("node#%1").arg(i);
        const double x = 20 + i * 290;
        d.boxes.push_back(box(node, "node", "pod", {x, 60, 260, 300}, BoxRole::domain, "HGX node"));
        for (int g = 0; g < 2; ++g)
            d.boxes.push_back(box(QStringLiteral("gpu#%1").arg(2 * i + g), "gpu", node, {x + 20 + g * 110, 120, 90, 60},
                                  BoxRole::accelerator, QStringLiteral("H100-%1").arg(2 * i + g)));
        d.boxes.push_back(box(node + "/fabric", "node", node, {x + 20, 300, 200, 20}, BoxRole::fabric, "NVSwitch"));
    }
    d.boxes.push_back(box("leaf", "leaf", {}, {40, 440, 120, 44}, BoxRole::network_switch, "Leaf one"));
    d.boxes.push_back(box("spine", "spine", {}, {360, 440, 120, 44}, BoxRole::network_switch, "Spine one"));
    DiagramCable cable;
    cable.id = "uplink";
    cable.from = "leaf";
    cable.to = "spine";
    cable.start = {160, 462};
    cable.end = {360, 462};
    d.cables.push_back(cable);
    d.empty_text = "Drag a rack here";
    return d;
}

const QPointF onGpu{65, 150}, onLeaf{100, 462}, onSpine{420, 462}, onPod{300, 380}, onCable{260, 462},
    onNothing{560, 460}, onNode{150, 240};

QImage pictureOf(DiagramView& view) {
    QImage image(view.size(), QImage::Format_RGB32);
    view.render(&image);
    return image;
}

QImage rendered(const DiagramView& view, const Theme& theme, QSize size = {900, 600}) {
    QImage image(size, QImage::Format_RGB32);
    image.fill(Qt::magenta);
    QPainter painter(&image);
    view.renderTo(painter, QRectF(QPointF(0, 0), size), theme);
    return image;
}

QRectF differing(const QImage& a, const QImage& b) {
    QRectF area;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            if (a.pixel(x, y) != b.pixel(x, y)) area |= QRectF(x, y, 1, 1);
    return area;
}

}  // namespace

class TestDiagramView : public QObject {
    Q_OBJECT

    std::unique_ptr<DiagramView> view_;
    std::unique_ptr<QSignalSpy> selected_, moved_, deleted_, connected_, dropped_, opened_;

    [[nodiscard]] QPointF at(QPointF canvas) const { return view_->toView(canvas); }
    void click(QPointF canvas, Qt::KeyboardModifiers modifiers = {}) {
        QTest::mouseClick(view_.get(), Qt::LeftButton, modifiers, at(canvas).toPoint());
    }
    void drag(QPointF from, QPointF by, const Stroke& stroke = {}) {
        drag_mouse(*view_, at(from), at(from + by), stroke);
    }
    [[nodiscard]] QPointF askedDelta(int index = 0) const { return moved_->at(index).at(1).toPointF(); }

private Q_SLOTS:
    void init() {
        fail_on_warnings();
        view_ = std::make_unique<DiagramView>();
        view_->resize(900, 600);
        view_->setData(pod());
        view_->show();
        QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
        view_->fitAll();
        selected_ = std::make_unique<QSignalSpy>(view_.get(), &DiagramView::selectionChanged);
        moved_ = std::make_unique<QSignalSpy>(view_.get(), &DiagramView::moveRequested);
        deleted_ = std::make_unique<QSignalSpy>(view_.get(), &DiagramView::deleteRequested);
        connected_ = std::make_unique<QSignalSpy>(view_.get(), &DiagramView::connectRequested);
        dropped_ = std::make_unique<QSignalSpy>(view_.get(), &DiagramView::partDropped);
        opened_ = std::make_unique<QSignalSpy>(view_.get(), &DiagramView::openRequested);
    }
    void cleanup() { view_.reset(); }

    // ---- selecting

    void clickSelectsWhatLiesOnTop() {
        click(onGpu);
        QCOMPARE(view_->selection(), QStringList{"gpu"});
        click(onNode);
        QCOMPARE(view_->selection(), QStringList{"node"});
        click(onPod);
        QCOMPARE(view_->selection(), QStringList{"pod"});
        click(onCable);
        QCOMPARE(view_->selection(), QStringList{"uplink"});
        click(onNothing);
        QVERIFY(view_->selection().isEmpty());
        QCOMPARE(selected_->size(), 5);
        QCOMPARE(selected_->first().first().toStringList(), QStringList{"gpu"});
        click(onNothing);
        QCOMPARE(selected_->size(), 5);  // nothing changed: nothing said
    }

    void controlClickToggles() {
        click(onLeaf);
        click(onSpine, Qt::ControlModifier);
        QCOMPARE(view_->selection(), (QStringList{"leaf", "spine"}));
        click(onLeaf, Qt::ControlModifier);
        QCOMPARE(view_->selection(), QStringList{"spine"});
        click(onNothing, Qt::ControlModifier);
        QCOMPARE(view_->selection(), QStringList{"spine"});
        QCOMPARE(selected_->size(), 3);
    }

    void clickOnOneOfSeveralKeepsOnlyIt() {
        view_->setSelection({"leaf", "spine"});
        click(onLeaf);
        QCOMPARE(view_->selection(), QStringList{"leaf"});
    }

    void bandTakesOutermostEnclosedBoxes() {
        drag({-15, -15}, {640, 440});
        QCOMPARE(view_->selection(), QStringList{"pod"});  // not what is inside, not the leaf half below
        QCOMPARE(selected_->size(), 1);
        QVERIFY(moved_->isEmpty());
    }

    void bandAroundSwitchesLeavesTheCutPodOut() {
        drag({-15, 500}, {520, -80});  // up to 420, below the pod
        QCOMPARE(view_->selection(), (QStringList{"leaf", "spine"}));
        drag({-15, 500}, {305, -480});  // around the first node; the pod reaches out of the band
        QCOMPARE(view_->selection(), (QStringList{"leaf", "node"}));
    }

    void bandWithControlAdds() {
        view_->setSelection({"pod"});
        drag({-15, 500}, {200, -80}, {Qt::LeftButton, Qt::ControlModifier});
        QCOMPARE(view_->selection(), (QStringList{"leaf", "pod"}));
    }

    void setSelectionIsSilent() {
        view_->setSelection({"leaf"});
        QCOMPARE(view_->selection(), QStringList{"leaf"});
        QVERIFY(selected_->isEmpty());
    }

    void newDataKeepsWhatStillExists() {
        view_->setSelection({"leaf", "spine", "uplink"});
        DiagramData data = pod();
        data.boxes.pop_back();  // the spine
        data.cables.clear();
        view_->setData(data);
        QCOMPARE(view_->selection(), QStringList{"leaf"});
        QVERIFY(selected_->isEmpty());
    }

    void selectAllTakesTheOutermost() {
        view_->selectAll();
        QCOMPARE(view_->selection(), (QStringList{"leaf", "pod", "spine", "uplink"}));
        QCOMPARE(selected_->size(), 1);
    }

    void pageKeysWalkThroughObjects() {
        QTest::keyClick(view_.get(), Qt::Key_PageDown);
        QCOMPARE(view_->selection(), QStringList{"pod"});
        QTest::keyClick(view_.get(), Qt::Key_PageDown);
        QCOMPARE(view_->selection(), QStringList{"node"});
        QTest::keyClick(view_.get(), Qt::Key_PageUp);
        QTest::keyClick(view_.get(), Qt::Key_PageUp);
        QCOMPARE(view_->selection(), QStringList{"spine"});
    }

    void escapeSelectsNothing() {
        view_->setSelection({"leaf"});
        QTest::keyClick(view_.get(), Qt::Key_Escape);
        QVERIFY(view_->selection().isEmpty());
        QCOMPARE(selected_->size(), 1);
    }

    // ---- moving

    void dragAsksOnceForWholeGridSteps() {
        drag(onLeaf, {31, -17});
        QCOMPARE(moved_->size(), 1);
        QCOMPARE(moved_->first().first().toStringList(), QStringList{"leaf"});
        QCOMPARE(askedDelta(), QPointF(36, -12));  // 31 and 17 to the nearest multiple of 12
        QCOMPARE(view_->selection(), QStringList{"leaf"});
        QVERIFY(view_->data().boxes[9].rect == pod().boxes[9].rect);  // a request: the data is the owner's
    }

    void altDragsFreely() {
        drag(onLeaf, {31, -17}, {Qt::LeftButton, Qt::AltModifier});
        QCOMPARE(moved_->size(), 1);
        QVERIFY(std::abs(askedDelta().x() - 31) < 1e-6);
        QVERIFY(std::abs(askedDelta().y() + 17) < 1e-6);
    }

    void dragMovesEverythingSelected() {
        view_->setSelection({"leaf", "spine"});
        drag(onLeaf, {24, 0});
        QCOMPARE(moved_->size(), 1);
        QCOMPARE(moved_->first().first().toStringList(), (QStringList{"leaf", "spine"}));
    }

    void aDragBackToTheStartAsksForNothing() {
        const Stroke stroke;
        send_mouse(*view_, QEvent::MouseButtonPress, at(onLeaf), stroke);
        send_mouse(*view_, QEvent::MouseMove, at(onLeaf + QPointF(60, 0)), stroke);
        send_mouse(*view_, QEvent::MouseMove, at(onLeaf), stroke);
        send_mouse(*view_, QEvent::MouseButtonRelease, at(onLeaf), stroke);
        QVERIFY(moved_->isEmpty());
    }

    void aTremblingClickIsNoDrag() {
        const Stroke stroke;
        send_mouse(*view_, QEvent::MouseButtonPress, at(onLeaf), stroke);
        send_mouse(*view_, QEvent::MouseMove, at(onLeaf) + QPointF(2, 1), stroke);
        send_mouse(*view_, QEvent::MouseButtonRelease, at(onLeaf) + QPointF(2, 1), stroke);
        QVERIFY(moved_->isEmpty());
        QCOMPARE(view_->selection(), QStringList{"leaf"});
    }

    void theDragIsSeenBeforeItIsAskedFor() {
        view_->setSelection({"leaf"});
        const QImage before = pictureOf(*view_);
        const Stroke stroke;
        send_mouse(*view_, QEvent::MouseButtonPress, at(onLeaf), stroke);
        send_mouse(*view_, QEvent::MouseMove, at(onLeaf + QPointF(0, -24)), stroke);
        const QRectF changed = differing(before, pictureOf(*view_));
        QVERIFY(changed.contains(at(onLeaf + QPointF(0, -40))));  // where only the moved box reaches
        QVERIFY(moved_->isEmpty());
        send_mouse(*view_, QEvent::MouseButtonRelease, at(onLeaf + QPointF(0, -24)), stroke);
        QCOMPARE(moved_->size(), 1);
    }

    void arrowsNudgeByOneStep() {
        click(onLeaf);
        QTest::keyClick(view_.get(), Qt::Key_Right);
        QTest::keyClick(view_.get(), Qt::Key_Up);
        QCOMPARE(moved_->size(), 2);
        QCOMPARE(askedDelta(0), QPointF(12, 0));
        QCOMPARE(askedDelta(1), QPointF(0, -12));
    }

    void arrowsPanWhenNothingIsSelected() {
        const QPointF before = view_->toView({0, 0});
        QTest::keyClick(view_.get(), Qt::Key_Right);
        QVERIFY(view_->toView({0, 0}).x() < before.x());
        QVERIFY(moved_->isEmpty());
    }

    void deleteAsksForTheSelection() {
        QTest::keyClick(view_.get(), Qt::Key_Delete);
        QVERIFY(deleted_->isEmpty());
        view_->setSelection({"leaf", "uplink"});
        QTest::keyClick(view_.get(), Qt::Key_Delete);
        QTest::keyClick(view_.get(), Qt::Key_Backspace);
        QCOMPARE(deleted_->size(), 2);
        QCOMPARE(deleted_->first().first().toStringList(), (QStringList{"leaf", "uplink"}));
        QCOMPARE(view_->data().boxes.size(), pod().boxes.size());
    }

    // ---- looking

    void wheelKeepsThePointUnderTheCursor() {
        const QPointF cursor(217, 331);
        const QPointF fixed = view_->toCanvas(cursor);
        const double before = view_->zoom();
        turn_wheel(*view_, cursor, 3);
        QVERIFY(std::abs(view_->zoom() / before - 1.2 * 1.2 * 1.2) < 1e-9);
        QVERIFY(QLineF(view_->toCanvas(cursor), fixed).length() < 1e-6);
        turn_wheel(*view_, cursor, -3);
        QVERIFY(std::abs(view_->zoom() - before) < 1e-9);
        QVERIFY(QLineF(view_->toCanvas(cursor), fixed).length() < 1e-6);
    }

    void zoomStaysInItsLimits() {
        turn_wheel(*view_, {100, 100}, 200);
        QCOMPARE(view_->zoom(), 8.0);
        turn_wheel(*view_, {100, 100}, -400);
        QCOMPARE(view_->zoom(), 0.01);
    }

    void middleButtonPans() {
        const QPointF before = view_->toView({0, 0});
        drag_mouse(*view_, at(onGpu), at(onGpu) + QPointF(40, -25), {Qt::MiddleButton});
        QCOMPARE(view_->toView({0, 0}) - before, QPointF(40, -25));
        QVERIFY(selected_->isEmpty());
        QVERIFY(moved_->isEmpty());
    }

    void spaceAndDragPans() {
        const QPointF before = view_->toView({0, 0});
        QTest::keyPress(view_.get(), Qt::Key_Space);
        drag_mouse(*view_, at(onGpu), at(onGpu) + QPointF(40, -25));
        QTest::keyRelease(view_.get(), Qt::Key_Space);
        QCOMPARE(view_->toView({0, 0}) - before, QPointF(40, -25));
        QVERIFY(selected_->isEmpty());
        QVERIFY(moved_->isEmpty());
        drag(onLeaf, {24, 0});  // without space a drag moves again
        QCOMPARE(moved_->size(), 1);
    }

    void fitShowsEverything() {
        turn_wheel(*view_, {100, 100}, 8);
        QTest::keyClick(view_.get(), Qt::Key_0);
        for (const DiagramBox& b : view_->data().boxes)
            QVERIFY(QRectF(view_->rect())
                        .contains(QRectF(view_->toView(b.rect.topLeft()), view_->toView(b.rect.bottomRight()))));
        view_->resize(500, 300);  // follows the size until the user zooms
        QVERIFY(QRectF(view_->rect()).contains(view_->toView({600, 484})));
    }

    void fitSelectionShowsIt() {
        view_->setSelection({"leaf"});
        view_->fitSelection();
        QVERIFY(QLineF(view_->visibleCentre(), {100, 462}).length() < 20);
    }

    void newDataKeepsZoomAndPlace() {
        turn_wheel(*view_, {300, 200}, 2);
        const double zoom = view_->zoom();
        const QPointF origin = view_->toView({0, 0});
        DiagramData data = pod();
        data.boxes[0].rect.setWidth(900);
        view_->setData(data);
        QCOMPARE(view_->zoom(), zoom);
        QCOMPARE(view_->toView({0, 0}), origin);
    }

    // ---- connecting, opening, dropping

    void connectByDrag() {
        view_->setMode(DiagramView::Mode::connect);
        drag(onLeaf, onSpine - onLeaf);
        QCOMPARE(connected_->size(), 1);
        QCOMPARE(connected_->first().at(0).toString(), QString("leaf"));
        QCOMPARE(connected_->first().at(1).toString(), QString("spine"));
        QVERIFY(moved_->isEmpty());
        QVERIFY(selected_->isEmpty());
    }

    void connectByTwoClicks() {
        view_->setMode(DiagramView::Mode::connect);
        click(onGpu);
        QVERIFY(connected_->isEmpty());
        click(onLeaf);
        QCOMPARE(connected_->size(), 1);
        QCOMPARE(connected_->first().at(0).toString(), QString("gpu"));
        QCOMPARE(connected_->first().at(1).toString(), QString("leaf"));
    }

    void containersAndGroundAreNoEnds() {
        view_->setMode(DiagramView::Mode::connect);
        drag(onNode, onSpine - onNode);
        drag(onLeaf, onNothing - onLeaf);
        drag(onLeaf, onPod - onLeaf);
        QVERIFY(connected_->isEmpty());
    }

    void escapeForgetsTheFirstEnd() {
        view_->setMode(DiagramView::Mode::connect);
        click(onGpu);
        QTest::keyClick(view_.get(), Qt::Key_Escape);
        click(onLeaf);  // a first end again
        QVERIFY(connected_->isEmpty());
    }

    void doubleClickOpens() {
        QTest::mouseDClick(view_.get(), Qt::LeftButton, {}, at(onLeaf).toPoint());
        QCOMPARE(opened_->size(), 1);
        QCOMPARE(opened_->first().first().toString(), QString("leaf"));
        view_->setSelection({"node"});
        QTest::keyClick(view_.get(), Qt::Key_Return);
        QCOMPARE(opened_->last().first().toString(), QString("node"));
    }

    void partsDropIntoTheInnermostContainer() {
        QMimeData part;
        part.setData(DiagramView::partMimeType, "hgx-h100-node");
        QVERIFY(drop_on(*view_, at(onNode), part));
        QVERIFY(drop_on(*view_, at(onNothing), part));
        QCOMPARE(dropped_->size(), 2);
        QCOMPARE(dropped_->at(0).at(0).toString(), QString("hgx-h100-node"));
        QVERIFY(QLineF(dropped_->at(0).at(1).toPointF(), onNode).length() < 1e-6);
        QCOMPARE(dropped_->at(0).at(2).toString(), QString("node"));
        QCOMPARE(dropped_->at(1).at(2).toString(), QString());
    }

    void foreignDropsAreLeftToOthers() {
        QMimeData text;
        text.setText("hgx-h100-node");
        QVERIFY(!drop_on(*view_, at(onNode), text));
        QVERIFY(dropped_->isEmpty());
    }

    // ---- pictures

    void svgHoldsEveryTitle() {
        QByteArray bytes;
        QBuffer buffer(&bytes);
        buffer.open(QIODevice::WriteOnly);
        QSvgGenerator svg;
        svg.setOutputDevice(&buffer);
        const QSize size = view_->contentRect().size().toSize();
        svg.setSize(size);
        svg.setViewBox(QRect(QPoint(0, 0), size));
        QPainter painter(&svg);
        view_->renderTo(painter, QRectF(QPointF(0, 0), size), Theme::light());
        painter.end();
        for (const DiagramBox& b : view_->data().boxes)
            QVERIFY2(bytes.contains('>' + b.title.toUtf8() + '<'), qPrintable(b.title));
    }

    void aTitleIsDrawnInItsStrip_data() {
        QTest::addColumn<int>("index");
        QTest::addColumn<double>("title_y");
        QTest::newRow("at the top") << 0 << 0.0;
        QTest::newRow("below a row of NICs") << 1 << 32.0;
    }
    void aTitleIsDrawnInItsStrip() {
        QFETCH(int, index);
        QFETCH(double, title_y);
        DiagramData named = pod();
        named.boxes[std::size_t(index)].title_y = title_y;
        DiagramData blank = named;
        blank.boxes[std::size_t(index)].title.clear();
        view_->setData(named);
        const QImage with = pictureOf(*view_);
        view_->setData(blank);
        const QRectF ink = differing(with, pictureOf(*view_));
        const QRectF whole = named.boxes[std::size_t(index)].rect;
        const QRectF strip(at({whole.left(), whole.top() + title_y}), at({whole.right(), whole.top() + title_y + 24}));
        QVERIFY(!ink.isEmpty());
        QVERIFY2(strip.adjusted(-1, -1, 1, 1).contains(ink), "the title leaves its strip");
        QVERIFY(ink.height() >= 6);  // letters, not a line
    }

    void deviceTitlesAreInsideTheirBoxes() {
        DiagramData blank = pod();
        blank.boxes[9].title.clear();
        const QImage with = pictureOf(*view_);
        view_->setData(blank);
        const QRectF ink = differing(with, pictureOf(*view_)), leaf = pod().boxes[9].rect;
        QVERIFY(!ink.isEmpty());
        QVERIFY(QRectF(at(leaf.topLeft()), at(leaf.bottomRight())).contains(ink));
    }

    void loadsColourTheCable() {
        DiagramData busy = pod();
        busy.cables[0].load = 0.9;
        const QImage idle = pictureOf(*view_);
        view_->setData(busy);
        const QImage loaded = pictureOf(*view_);
        const QPoint middle = at(onCable).toPoint();
        QCOMPARE(QColor(loaded.pixel(middle)), Theme::light().load(LoadClass::high));
        QVERIFY(idle.pixel(middle) != loaded.pixel(middle));
    }

    void whatIsDownLooksDifferent() {
        DiagramData down = pod();
        down.boxes[9].health = BoxHealth::down;
        const QImage before = pictureOf(*view_);
        view_->setData(down);
        QVERIFY(!differing(before, pictureOf(*view_)).isEmpty());
    }

    void emptyDrawingSaysWhatToDo() {
        DiagramData empty;
        empty.empty_text = "Drag a rack here";
        DiagramData silent;
        view_->setData(silent);
        const QImage blank = pictureOf(*view_);
        view_->setData(empty);
        QVERIFY(differing(blank, pictureOf(*view_)).width() > 40);
        view_->fitAll();
        view_->fitSelection();
        QTest::keyClick(view_.get(), Qt::Key_PageDown);
        QTest::mouseDClick(view_.get(), Qt::LeftButton, {}, {20, 20});
        rendered(*view_, Theme::dark());  // nothing to draw is no reason to fail
    }

    void exportsAreOfTheThemeAskedFor() {
        view_->setTheme(Theme::dark());
        const QImage light = rendered(*view_, Theme::light());
        QCOMPARE(QColor(light.pixel(2, 300)), Theme::light().canvas);
        QCOMPARE(QColor(rendered(*view_, Theme::dark()).pixel(2, 300)), Theme::dark().canvas);
        QVERIFY(differing(light, rendered(*view_, Theme::dark())).width() > 800);
    }

    void exportsShowAllWhateverTheZoom() {
        const QImage before = rendered(*view_, Theme::light());
        turn_wheel(*view_, {300, 200}, 9);
        view_->setSelection({"leaf"});
        QVERIFY(differing(before, rendered(*view_, Theme::light())).isEmpty());
    }

    void theToolTipIsThatOfTheBox() {
        DiagramData data = pod();
        data.boxes[9].tooltip = "Leaf one (Quantum-2)";
        view_->setData(data);
        QHelpEvent help(QEvent::ToolTip, at(onLeaf).toPoint(), view_->mapToGlobal(at(onLeaf)).toPoint());
        QApplication::sendEvent(view_.get(), &help);
        QTRY_COMPARE(QToolTip::text(), QString("Leaf one (Quantum-2)"));
        QToolTip::hideText();
    }
};

QTEST_MAIN(TestDiagramView)
#include "tst_diagram_view.moc"
