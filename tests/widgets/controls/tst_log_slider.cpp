// Log slider, unit field and message line by real events.
#include <QLineEdit>
#include <QSignalSpy>
#include <QtTest>

#include "support/pictures.hpp"
#include "widgets/controls/log_scale.hpp"
#include "widgets/controls/log_slider.hpp"
#include "widgets/controls/message_line.hpp"
#include "widgets/controls/unit_field.hpp"

using namespace crosspoint::ui;

namespace {

LogSliderSpec batch() {
    LogSliderSpec spec;
    spec.label = "Batch per accelerator";
    spec.unit = "sequences";
    spec.unit_one = "sequence";
    spec.minimum = 1;
    spec.maximum = 1024;
    spec.hard_maximum = 65536;
    return spec;
}

QWidget* track(LogSlider& slider) { return slider.findChild<QWidget*>("track"); }
QLineEdit* entry(QWidget& widget) { return widget.findChild<QLineEdit*>("value"); }

void type(QWidget& widget, const QString& text) {
    entry(widget)->setFocus();
    entry(widget)->selectAll();
    QTest::keyClicks(entry(widget), text);
    QTest::keyClick(entry(widget), Qt::Key_Return);
}

QList<GesturePhase> phases(const QSignalSpy& spy) {
    QList<GesturePhase> all;
    for (const QList<QVariant>& call : spy) all << call[1].value<GesturePhase>();
    return all;
}

}  // namespace

class TestLogSlider : public QObject {
    Q_OBJECT
    void show(LogSlider& slider, double value) {
        slider.resize(330, 60);
        slider.setValue(value);
        slider.show();
    }

private slots:
    void initTestCase() { qRegisterMetaType<GesturePhase>(); }
    void readsTypedNumbers_data();
    void readsTypedNumbers();
    void groupsThousands();
    void dragIsOneGesture();
    void pressBesideTheHandleJumps();
    void valueFromOutsideWaitsForTheDragToEnd();
    void keysStepToNiceNumbers();
    void stopsAreLogSpacedAndRound();
    void typingCommits();
    void garbageIsRefusedWithAMessage();
    void limitsAreChecked();
    void escapeRestores();
    void fixedStops();
    void wheelNeedsFocus();
    void ownTextAndParser();
    void unitFieldCommitsOnlyWhatIsValid();
    void unitFieldKeepsWhatIsBeingTyped();
    void messageLineWraps();
    void pictures();
};

void TestLogSlider::readsTypedNumbers_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("value");  // negative: refused
    const std::pair<const char*, double> cases[] = {{"4096", 4096},
                                                    {"4,096", 4096},
                                                    {"4 096", 4096},
                                                    {"4k", 4000},
                                                    {"4Ki", 4096},
                                                    {"1.5M", 1.5e6},
                                                    {"1,5k", 1500},
                                                    {"0.5", 0.5},
                                                    {"4,096 tokens", 4096},
                                                    {"4k tokens", 4000},
                                                    {" 32 ", 32},
                                                    {"1,234,567.5", 1234567.5},
                                                    {"", -1},
                                                    {"many", -1},
                                                    {"12 apples", -1},
                                                    {"1,23,456", -1},
                                                    {"4m", -1},
                                                    {"1..5", -1},
                                                    {"nan", -1},
                                                    {"1e3x", -1},
                                                    {"k", -1},
                                                    {"1.234,5", -1},
                                                    {"tokens", -1}};
    for (const auto& [text, value] : cases) QTest::newRow(text) << QString(text) << value;
}

void TestLogSlider::readsTypedNumbers() {
    QFETCH(QString, text);
    QFETCH(double, value);
    const TypedNumber typed = parse_typed_number(text, "tokens");
    if (value < 0) {
        QVERIFY(!typed.value);
        QVERIFY(!typed.message.isEmpty());
    } else {
        QVERIFY2(typed.value, qPrintable(typed.message));
        QCOMPARE(*typed.value, value);
    }
}

void TestLogSlider::groupsThousands() {
    QCOMPARE(grouped_number(4096), QString("4,096"));
    QCOMPARE(grouped_number(999), QString("999"));
    QCOMPARE(grouped_number(1234567), QString("1,234,567"));
    QCOMPARE(grouped_number(1.5), QString("1.5"));
    QCOMPARE(grouped_number(-12345), QString("-12,345"));
}

void TestLogSlider::dragIsOneGesture() {
    LogSlider slider(batch());
    show(slider, 32);
    QSignalSpy spy(&slider, &LogSlider::valueChanged);
    const QPoint from = track(slider)->mapFrom(&slider, slider.handleCentre().toPoint());
    QTest::mousePress(track(slider), Qt::LeftButton, {}, from);
    QVERIFY(slider.isDragging());
    for (int dx = 10; dx <= 60; dx += 10) QTest::mouseMove(track(slider), from + QPoint(dx, 0));
    QTest::mouseRelease(track(slider), Qt::LeftButton, {}, from + QPoint(60, 0));
    const QList<GesturePhase> seen = phases(spy);
    QCOMPARE(seen.first(), GesturePhase::press);
    QCOMPARE(seen.last(), GesturePhase::release);
    QCOMPARE(seen.count(GesturePhase::press), 1);
    QCOMPARE(seen.count(GesturePhase::release), 1);
    QVERIFY(seen.count(GesturePhase::move) >= 5);
    QCOMPARE(spy[0][0].toDouble(), 32.0);
    QVERIFY(slider.value() > 64);
    QCOMPARE(spy.last()[0].toDouble(), slider.value());
    QCOMPARE(entry(slider)->text(), grouped_number(slider.value()) + " sequences");
}

void TestLogSlider::pressBesideTheHandleJumps() {
    LogSlider slider(batch());
    show(slider, 32);
    QSignalSpy spy(&slider, &LogSlider::valueChanged);
    QTest::mouseClick(track(slider), Qt::LeftButton, {}, QPoint(track(slider)->width() - 3, 10));
    QCOMPARE(phases(spy), QList<GesturePhase>({GesturePhase::press, GesturePhase::move, GesturePhase::release}));
    QCOMPARE(slider.value(), 1024.0);
}

void TestLogSlider::valueFromOutsideWaitsForTheDragToEnd() {
    LogSlider slider(batch());
    show(slider, 32);
    QTest::mousePress(track(slider), Qt::LeftButton, {},
                      track(slider)->mapFrom(&slider, slider.handleCentre().toPoint()));
    slider.setValue(500);
    QCOMPARE(slider.value(), 32.0);
    QTest::mouseRelease(track(slider), Qt::LeftButton);
    slider.setValue(500);
    QCOMPARE(slider.value(), 500.0);
}

void TestLogSlider::keysStepToNiceNumbers() {
    LogSlider slider(batch());
    show(slider, 32);
    QSignalSpy spy(&slider, &LogSlider::valueChanged);
    QTest::keyClick(track(slider), Qt::Key_Right);
    QCOMPARE(slider.value(), 36.0);
    QTest::keyClick(track(slider), Qt::Key_Left);
    QTest::keyClick(track(slider), Qt::Key_Left);
    QCOMPARE(slider.value(), 30.0);
    QTest::keyClick(track(slider), Qt::Key_Home);
    QCOMPARE(slider.value(), 1.0);
    QCOMPARE(entry(slider)->text(), QString("1 sequence"));
    QCOMPARE(phases(spy).count(GesturePhase::typed), 4);
    slider.setValue(33);
    QTest::keyClick(track(slider), Qt::Key_PageUp);
    QVERIFY(slider.value() >= 64);
}

void TestLogSlider::stopsAreLogSpacedAndRound() {
    const LogScale scale(batch());
    for (const double value : {1.0, 2.0, 3.0, 16.0, 24.0, 32.0, 48.0, 96.0, 256.0, 1024.0})
        QVERIFY2(std::find(scale.stops().begin(), scale.stops().end(), value) != scale.stops().end(),
                 qPrintable(QString::number(value)));
    // 32 of 1 ... 1024 is half of the way.
    QCOMPARE(scale.share(32), 0.5);
    QCOMPARE(scale.snapped(0.5), 32.0);
    QCOMPARE(scale.snapped(-3), 1.0);
    QCOMPARE(scale.snapped(7), 1024.0);
    LogSliderSpec bandwidth;
    bandwidth.minimum = 1e9;
    bandwidth.maximum = 1e12;
    bandwidth.integers = false;
    const LogScale decimals(bandwidth);
    QVERIFY(std::is_sorted(decimals.stops().begin(), decimals.stops().end()));
    QCOMPARE(decimals.stops().front(), 1e9);
    QCOMPARE(decimals.stops().back(), 1e12);
}

void TestLogSlider::typingCommits() {
    LogSlider slider(batch());
    show(slider, 32);
    QSignalSpy spy(&slider, &LogSlider::valueChanged);
    type(slider, "4k");
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy[0][0].toDouble(), 4000.0);  // beyond the slider, within the hard limit
    QCOMPARE(phases(spy).first(), GesturePhase::typed);
    QCOMPARE(entry(slider)->text(), QString("4,000 sequences"));
    type(slider, "1 sequence");
    QCOMPARE(slider.value(), 1.0);
}

void TestLogSlider::garbageIsRefusedWithAMessage() {
    LogSlider slider(batch());
    show(slider, 32);
    QSignalSpy spy(&slider, &LogSlider::valueChanged);
    type(slider, "a lot");
    QCOMPARE(spy.count(), 0);
    QVERIFY(slider.message().contains("'a lot' is not a number"));
    QVERIFY(slider.findChild<MessageLine*>()->isVisible());
    QCOMPARE(entry(slider)->text(), QString("a lot"));
    QCOMPARE(slider.value(), 32.0);
    type(slider, "48");
    QVERIFY(slider.message().isEmpty());
    QCOMPARE(slider.value(), 48.0);
}

void TestLogSlider::limitsAreChecked() {
    LogSlider slider(batch());
    show(slider, 32);
    type(slider, "65537");
    QCOMPARE(slider.message(), QString("at most 65,536 sequences"));
    type(slider, "0.5");
    QCOMPARE(slider.message(), QString("at least 1 sequence"));
    type(slider, "2.5");
    QCOMPARE(slider.message(), QString("a whole number is needed"));
    QCOMPARE(slider.value(), 32.0);
}

void TestLogSlider::escapeRestores() {
    LogSlider slider(batch());
    show(slider, 32);
    type(slider, "nonsense");
    QTest::keyClick(entry(slider), Qt::Key_Escape);
    QCOMPARE(entry(slider)->text(), QString("32 sequences"));
    QVERIFY(slider.message().isEmpty());
}

void TestLogSlider::fixedStops() {
    LogSliderSpec spec = batch();
    spec.stops = {1, 2, 4, 8, 16, 72};
    LogSlider slider(spec);
    show(slider, 8);
    QTest::keyClick(track(slider), Qt::Key_Right);
    QCOMPARE(slider.value(), 16.0);
    QTest::keyClick(track(slider), Qt::Key_Right);
    QTest::keyClick(track(slider), Qt::Key_Right);
    QCOMPARE(slider.value(), 72.0);
}

void TestLogSlider::wheelNeedsFocus() {
    LogSlider slider(batch());
    show(slider, 32);
    slider.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&slider));
    entry(slider)->setFocus();
    const QPointF at(40, 10);
    const auto turn = [&] {
        QWheelEvent event(at, at, {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(track(slider), &event);
    };
    turn();
    QCOMPARE(slider.value(), 32.0);
    track(slider)->setFocus();
    turn();
    QCOMPARE(slider.value(), 36.0);
}

void TestLogSlider::ownTextAndParser() {
    LogSliderSpec spec;
    spec.minimum = 1e9;
    spec.maximum = 1e12;
    spec.integers = false;
    spec.format = [](double v) { return QString::number(v / 1e9) + " GB/s"; };
    spec.parse = [](const QString& text) {
        if (!text.endsWith(" GB/s")) return TypedNumber{std::nullopt, "expected a bandwidth such as '50 GB/s'"};
        return TypedNumber{text.chopped(5).toDouble() * 1e9, {}};
    };
    LogSlider slider(spec);
    show(slider, 5e10);
    QCOMPARE(entry(slider)->text(), QString("50 GB/s"));
    type(slider, "400");
    QCOMPARE(slider.message(), QString("expected a bandwidth such as '50 GB/s'"));
    type(slider, "400 GB/s");
    QCOMPARE(slider.value(), 4e11);
}

void TestLogSlider::unitFieldCommitsOnlyWhatIsValid() {
    UnitField field;
    field.setLabel("Latency target");
    field.setText("20 ms");
    field.setValidator([](const QString& text) {
        return text.endsWith("ms") ? QString() : QString("expected a time such as '20 ms'");
    });
    field.show();
    QSignalSpy spy(&field, &UnitField::committed);
    type(field, "20");
    QCOMPARE(spy.count(), 0);
    QCOMPARE(field.error(), QString("expected a time such as '20 ms'"));
    QVERIFY(field.findChild<MessageLine*>()->isVisible());
    type(field, "30 ms");
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy[0][0].toString(), QString("30 ms"));
    QVERIFY(field.error().isEmpty());
    QTest::keyClicks(entry(field), "x");
    QTest::keyClick(entry(field), Qt::Key_Escape);
    QCOMPARE(field.text(), QString("30 ms"));
}

void TestLogSlider::unitFieldKeepsWhatIsBeingTyped() {
    UnitField field;
    field.setText("20 ms");
    field.show();
    entry(field)->selectAll();
    QTest::keyClicks(entry(field), "2");
    field.setText("21 ms");
    QCOMPARE(field.text(), QString("2"));
}

void TestLogSlider::messageLineWraps() {
    MessageLine line;
    QVERIFY(!line.isVisibleTo(nullptr));
    line.setMessage(Severity::fail,
                    "DP-attention 32 x TP 2 = 64 ranks, but 32 accelerators are drawn: halve one of them");
    const int wide = line.heightForWidth(800), narrow = line.heightForWidth(200);
    QVERIFY(narrow > 2 * wide);
    QVERIFY(line.accessibleName().startsWith("fail: "));
}

void TestLogSlider::pictures() {
    LogSlider slider(batch());
    show(slider, 32);
    save_picture(slider, "slider-light");
    slider.setTheme(Theme::dark());
    type(slider, "a lot");
    slider.resize(330, 80);
    save_picture(slider, "slider-dark-error");
    QCOMPARE(track(slider)->accessibleName(), QString("Batch per accelerator"));
}

QTEST_MAIN(TestLogSlider)
#include "tst_log_slider.moc"
