// What the canvas shows: pixels at known places, words by a recording paint device, updates that repaint what changed.
#include <QPainter>
#include <QSignalSpy>
#include <QtTest>

#include "machines.hpp"
#include "support/pictures.hpp"
#include "support/recorder.hpp"
#include "widgets/diagram/diagram_painting.hpp"
#include "widgets/diagram/diagram_view.hpp"

using namespace crosspoint::ui;

namespace {

std::vector<Word> wordsOf(const DiagramView& view, QSize size) {
    Recorder recorder(size);
    QPainter painter(&recorder);
    view.renderTo(painter, QRectF(QPointF(), size), Theme::light());
    painter.end();
    return recorder.words;
}

QStringList textOf(const std::vector<Word>& words) {
    QStringList text;
    for (const Word& word : words) text << word.text;
    return text;
}

QImage painted(const DiagramView& view, QSize size, const Theme& theme) {
    QImage image(size, QImage::Format_RGB32);
    image.fill(Qt::magenta);
    QPainter painter(&image);
    view.renderTo(painter, QRectF(QPointF(), size), theme);
    return image;
}

/// The regions painted since it was made.
class PaintWatch : public QObject {
public:
    explicit PaintWatch(QWidget& widget) { widget.installEventFilter(this); }
    QRegion painted;
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Paint) painted += static_cast<QPaintEvent*>(event)->region();
        return false;
    }
};

QRect pixels(const DiagramView& view, const QRectF& canvas) {
    return QRectF(view.toView(canvas.topLeft()), view.toView(canvas.bottomRight())).toAlignedRect();
}

DiagramBox& boxOf(DiagramData& data, const QString& key) {
    return *std::find_if(data.boxes.begin(), data.boxes.end(), [&](const DiagramBox& b) { return b.key == key; });
}

}  // namespace

class TestDiagramPainting : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cablesInsideAContainerAreDrawn() {
        // Cables that do not start at the top: a picture of them is green where they run, in an optimised build too.
        DiagramData data = machines::fourNodes();
        DiagramView with, without;
        with.setData(data);
        data.cables.clear();
        without.setData(data);
        const QSize size(1280, 640);
        const QImage a = painted(with, size, Theme::light()), b = painted(without, size, Theme::light());
        int different = 0;
        for (int y = 0; y < size.height(); ++y)
            for (int x = 0; x < size.width(); ++x) different += a.pixel(x, y) != b.pixel(x, y);
        QVERIFY2(different > 2000, qPrintable(QString::number(different)));
    }
    void everyWordIsShownOnceAndNoneOverlap() {
        for (const QSize size : {QSize(1280, 800), QSize(1600, 960), QSize(1100, 520)}) {
            DiagramView view;
            view.setData(machines::fourNodes());
            const auto words = wordsOf(view, size);
            const QStringList text = textOf(words);
            for (const QString& expected :
                 {QString("Expert all-to-all, layer 17"), QString("bytes of the selected op on each link"),
                  QString("critical: NIC uplinks, 46 of 50 GB/s usable (measured)"), QString("< 40 %"),
                  QString("HGX H100 node 3"), QString("Leaf rail 4–5"), QString("31")})
                QVERIFY2(text.count(expected) == 1, qPrintable(expected));
            QCOMPARE(text.count("8 × NIC 400G"), 4);
            QCOMPARE(text.count("NVSwitch 450 GB/s · 9 % busy"), 4);
            for (std::size_t i = 0; i < words.size(); ++i) {
                QVERIFY2(QRectF(QPointF(), size).contains(words[i].area), qPrintable(words[i].text));
                QVERIFY2(!words[i].text.contains(QChar(0x2026)), qPrintable(words[i].text));  // nothing shortened
                for (std::size_t j = i + 1; j < words.size(); ++j)
                    QVERIFY2(!words[i].area.intersects(words[j].area),
                             qPrintable(words[i].text + " over " + words[j].text));
            }
        }
    }

    void captionsStayApartWhenNarrow() {
        DiagramView view;
        view.setData(machines::fourNodes());
        for (const int width : {240, 320, 400, 480, 640}) {
            std::vector<Word> captions;
            for (const Word& word : wordsOf(view, {width, 300}))
                if (word.area.bottom() > 300 - 50 || word.area.top() < 30) captions.push_back(word);
            QVERIFY(captions.size() >= 2);
            for (std::size_t i = 0; i < captions.size(); ++i) {
                QVERIFY(QRectF(0, 0, width, 300).contains(captions[i].area));
                for (std::size_t j = i + 1; j < captions.size(); ++j)
                    QVERIFY2(!captions[i].area.intersects(captions[j].area), qPrintable(captions[j].text));
            }
        }
    }

    void countsAreNeverShortened() {
        DiagramView view;
        DiagramData data = machines::everyLook();
        boxOf(data, "rack").title = "A rack whose name is far too long for the width of its box";
        boxOf(data, "rack.gpu").title = "An accelerator with a very long name";
        view.setData(data);
        const QStringList text = textOf(wordsOf(view, {1000, 500}));
        QVERIFY(text.contains("×64") && text.contains("×72"));
        QVERIFY(text.filter("A rack whose").front().endsWith(QChar(0x2026)));
    }

    void detailsGoWithTheZoom() {
        DiagramView view;
        view.setData(machines::fourNodes());
        QVERIFY(textOf(wordsOf(view, {1280, 800})).contains("31"));
        const QStringList middle = textOf(wordsOf(view, {620, 400}));  // 53 %: words of 9 pixels
        QVERIFY(middle.contains("31") && middle.contains("HGX H100 node 3") && middle.contains("Leaf rail 4–5"));
        DiagramData near = machines::floorOf(4);
        view.setData(near);
        const QStringList afar = textOf(wordsOf(view, {500, 350}));  // 30 %: only racks have names, across
        QVERIFY(afar.contains("Rack 3"));
        QVERIFY(!afar.contains("B200") && !afar.contains("Tray 0"));
    }

    void coloursFollowLoadSelectionAndTheme() {
        DiagramView view;
        const QSize size(1280, 800);
        view.resize(size);
        view.setData(machines::fourNodes());
        for (const Theme& theme : {Theme::light(), Theme::dark()}) {
            view.setTheme(theme);
            view.setSelection({"node2"});
            const QImage image = view.grab().toImage();
            const auto at = [&](QPointF canvas) { return image.pixelColor(view.toView(canvas).toPoint()); };
            QCOMPARE(at({-15, 200}), theme.canvas);
            QCOMPARE(at({236, 428}), theme.container);
            const QColor bar = theme.is_dark ? theme.load(LoadClass::low).darker(170) : theme.load(LoadClass::low);
            QCOMPARE(at({16, 392}).name(), bar.name());  // 9 % busy: the lowest class, in the dark a deep shade of it
            QCOMPARE(at({387.4, 60}).hue(), theme.load(LoadClass::high).hue());  // spine1 to leaf2 begins here
            QCOMPARE(at({276, 350}), theme.accent);                              // left edge of the selected node
        }
    }

    void cablesGrowWithTheirLoad() {
        QCOMPARE(cableWidth(-1), 1.0);
        QCOMPARE(cableWidth(0.5), 3.0);
        QCOMPARE(cableWidth(1), 5.0);
        QCOMPARE(cableWidth(7), 5.0);
    }

    void exportIsLightAndLeavesThePainterAsItWas() {
        DiagramView view;
        view.setTheme(Theme::dark());
        view.setData(machines::fourNodes());
        view.setSelection({"node1"});
        QImage image(1200, 700, QImage::Format_RGB32);
        QPainter painter(&image);
        painter.setPen(Qt::red);
        painter.translate(100, 50);
        view.renderTo(painter, QRectF(0, 0, 1000, 600), Theme::light());
        QCOMPARE(painter.pen().color(), QColor(Qt::red));
        QCOMPARE(painter.transform(), QTransform::fromTranslate(100, 50));
        QVERIFY(!painter.hasClipping());
        painter.end();
        QCOMPARE(image.pixelColor(101, 349), Theme::light().canvas);
        int blue = 0;
        for (int x = 0; x < image.width(); ++x)
            for (int y = 0; y < image.height(); ++y) blue += image.pixelColor(x, y) == Theme::light().accent;
        QCOMPARE(blue, 0);  // the selection belongs to the screen
    }

    void contentHoldsItsCaptions() {
        DiagramView view;
        DiagramData data = machines::fourNodes();
        data.boxes.resize(1);  // a narrow drawing
        data.cables.clear();
        view.setData(data);
        const QSize size = view.contentRect().size().toSize();
        const QStringList text = textOf(wordsOf(view, size));
        QVERIFY(text.contains(data.critical));
        QVERIFY(text.contains(data.caption));
        QVERIFY(text.contains("40–80 %"));
    }

    void anEmptyCanvasSaysWhatToDo() {
        DiagramView view;
        DiagramData data;
        data.empty_text = "Drag a rack here";
        view.setData(data);
        QCOMPARE(textOf(wordsOf(view, {800, 500})).join(' '), QString("Drag a rack here"));
        QVERIFY(view.accessibleDescription().contains("Drag a rack here"));
    }

    void accessibleDescriptionSaysTheFacts() {
        DiagramView view;
        view.setData(machines::fourNodes());
        view.setSelection({"node1"});
        const QString text = view.accessibleDescription();
        QVERIFY(text.contains("46 boxes") && text.contains("24 cables") && text.contains("1 selected"));
        QVERIFY(text.contains("46 of 50 GB/s"));
        QVERIFY(!view.accessibleName().isEmpty());
    }

    // ---- updates

    void newDataKeepsSelectionAndZoom() {
        DiagramView view;
        view.resize(1280, 800);
        view.setData(machines::fourNodes());
        view.setSelection({"node1", "leaf2"});
        view.zoomBy(1.5);
        const QPointF corner = view.toCanvas({0, 0});
        QSignalSpy changed(&view, &DiagramView::selectionChanged);
        DiagramData next = machines::fourNodes();
        next.boxes.erase(
            std::remove_if(next.boxes.begin(), next.boxes.end(), [](const DiagramBox& b) { return b.key == "leaf2"; }),
            next.boxes.end());
        view.setData(next);
        QCOMPARE(view.selection(), QStringList{"node1"});
        QCOMPARE(view.toCanvas({0, 0}), corner);
        QCOMPARE(changed.size(), 0);
    }

    void onlyWhatChangedIsPaintedAgain() {
        DiagramView view;
        view.resize(1280, 800);
        DiagramData data = machines::fourNodes();
        view.setData(data);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QCoreApplication::processEvents();
        PaintWatch watch(view);
        view.setData(data);
        QCoreApplication::processEvents();
        QVERIFY(watch.painted.isEmpty());

        DiagramBox& bar = boxOf(data, "node2#fabric");
        bar.title = "NVSwitch 450 GB/s · 93 % busy";
        bar.load = 0.93;
        view.setData(data);
        QCoreApplication::processEvents();
        const QRect around = pixels(view, bar.rect).adjusted(-8, -8, 8, 8);
        QVERIFY(!watch.painted.isEmpty());
        QVERIFY(around.contains(watch.painted.boundingRect()));
    }

    void aPartialUpdateLooksLikeAFullOne() {
        DiagramView view;
        view.resize(1280, 800);
        DiagramData data = machines::fourNodes();
        view.setData(data);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QCoreApplication::processEvents();
        const auto screen = [&] { return view.window()->windowHandle() ? view.grab().toImage() : QImage(); };
        boxOf(data, "node2").rect.translate(0, 12);
        boxOf(data, "node1.gpu0").title = "x";
        data.cables[5].load = 0.1;
        view.setData(data);
        QCoreApplication::processEvents();
        const QImage partly = screen();
        view.update();
        QCoreApplication::processEvents();
        QCOMPARE(partly, screen());
    }

    void picturesForPeople() {
        for (const QSize size : {QSize(1280, 800), QSize(1600, 960), QSize(980, 480), QSize(620, 400)})
            for (const Theme& theme : {Theme::light(), Theme::dark()}) {
                DiagramView view;
                view.resize(size);
                view.setTheme(theme);
                view.setData(machines::fourNodes());
                view.setSelection({"node2"});
                save_picture(view,
                             QStringLiteral("diagram-%1-%2").arg(size.width()).arg(theme.is_dark ? "dark" : "light"));
                view.setData(machines::everyLook());
                view.setSelection({"leaf3", "rack.gpu"});
                view.fitAll();
                if (size.width() == 980)
                    save_picture(view, QStringLiteral("looks-%1").arg(theme.is_dark ? "dark" : "light"));
                QVERIFY(!painted(view, size, theme).isNull());
            }
        DiagramView view;
        view.resize(1280, 800);
        view.setData(machines::fourNodes());
        view.fitAll();
        view.zoomBy(1.7);
        save_picture(view, "diagram-map");
        view.setData(machines::floorOf(220));
        view.fitAll();
        save_picture(view, "floor");
        view.zoomBy(2.5);
        save_picture(view, "floor-near");
        DiagramData empty;
        empty.empty_text = "Drag a rack, a node or a switch here from Parts, or open a sample.";
        view.setData(empty);
        save_picture(view, "empty");
    }
};

QTEST_MAIN(TestDiagramPainting)
#include "tst_diagram_painting.moc"
