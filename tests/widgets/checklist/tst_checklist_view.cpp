// The checklist by real events: fixes, evidence, expanding, keys, and updates that keep the place.
#include <QAbstractButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QtTest>

#include "support/pictures.hpp"
#include "widgets/checklist/checklist_view.hpp"

using namespace crosspoint::ui;

namespace {

ChecklistRow row(const char* rule, Severity severity, const char* title, const char* figure) {
    ChecklistRow r;
    r.rule = rule;
    r.severity = severity;
    r.title = title;
    r.figure = figure;
    r.question = "Does the expert layer stay inside one scale-up domain?";
    r.threshold = "attention above 25 % of bytes outside, fail above 50 %";
    r.explanation =
        "Dispatch takes 65 µs over the network cards and 9 µs inside the domain; the experts compute for 31 µs.";
    r.confidence = "datasheet";
    r.has_evidence = true;
    return r;
}

ChecklistData review() {
    ChecklistData d;
    d.rows = {
        row("expert-layer-in-domain", Severity::fail, "Expert layer leaves the domain",
            "EP 32 > 8 in domain · 75 % of bytes cross"),
        row("communication-hidden", Severity::fail, "Communication dominates experts", "121 µs against 31 µs a layer"),
        row("batch-window", Severity::attention, "Batch window is narrow", "24 … 40 for 20 ms and $1.20"),
        row("tensor-in-domain", Severity::pass, "Tensor parallel inside one domain", "TP 1"),
        row("memory", Severity::pass, "Weights and cache fit", "61.4 of 80 GB"),
        row("pipeline", Severity::not_applicable, "Pipeline bubbles", "PP 1")};
    d.rows[0].suggestions = {{"EP 8 × 4 replicas", "inter-token latency", "15.1 ms", "6.9 ms", true},
                             {"One NVL72 rack", "inter-token latency", "15.1 ms", "4.2 ms", true},
                             {"Ask for a larger scale-up domain", {}, {}, {}, false}};
    return d;
}

QAbstractButton* fix(ChecklistView& view, int index) {
    return view.findChild<QAbstractButton*>(QStringLiteral("fix%1").arg(index));
}

QWidget* rowAt(ChecklistView& view, const QString& title) {
    for (QWidget* widget : view.findChildren<QWidget*>())
        if (widget->accessibleName().endsWith(title) && widget->isVisible()) return widget;
    return nullptr;
}

}  // namespace

class TestChecklistView : public QObject {
    Q_OBJECT
    void show(ChecklistView& view, QSize size = {350, 320}) {
        view.resize(size);
        view.setData(review());
        view.show();
        QCoreApplication::processEvents();
    }

private slots:
    void fixButtonReportsRuleAndIndex();
    void clickOnRowShowsEvidence();
    void expandingShowsAllFixes();
    void updateKeepsExpansionScrollAndButtons();
    void keysMoveExpandAndActivate();
    void countsBySeverity();
    void rowsSayTheirSeverityInWords();
    void narrowPanelCutsNothing();
    void pictures();
};

void TestChecklistView::fixButtonReportsRuleAndIndex() {
    ChecklistView view;
    show(view);
    QSignalSpy fixes(&view, &ChecklistView::suggestionActivated), evidence(&view, &ChecklistView::evidenceActivated);
    QCOMPARE(fix(view, 0)->text(), QString("Fix: EP 8 × 4 replicas → 6.9 ms"));
    QTest::mouseClick(fix(view, 0), Qt::LeftButton);
    QCOMPARE(fixes.count(), 1);
    QCOMPARE(fixes[0][0].toString(), QString("expert-layer-in-domain"));
    QCOMPARE(fixes[0][1].toInt(), 0);
    QCOMPARE(evidence.count(), 0);
}

void TestChecklistView::clickOnRowShowsEvidence() {
    ChecklistView view;
    show(view);
    QSignalSpy evidence(&view, &ChecklistView::evidenceActivated);
    QTest::mouseClick(rowAt(view, "Batch window is narrow"), Qt::LeftButton);
    QCOMPARE(evidence.count(), 1);
    QCOMPARE(evidence[0][0].toString(), QString("batch-window"));
    QCOMPARE(view.currentRule(), QString("batch-window"));
}

void TestChecklistView::expandingShowsAllFixes() {
    ChecklistView view;
    show(view);
    QVERIFY(!fix(view, 1));
    view.setExpanded("expert-layer-in-domain", true);
    QVERIFY(view.isExpanded("expert-layer-in-domain"));
    QVERIFY(fix(view, 1));
    QVERIFY(!fix(view, 2));  // advice without an edit is text, not a button
    QSignalSpy fixes(&view, &ChecklistView::suggestionActivated);
    QTest::mouseClick(fix(view, 1), Qt::LeftButton);
    QCOMPARE(fixes[0][1].toInt(), 1);
}

void TestChecklistView::updateKeepsExpansionScrollAndButtons() {
    ChecklistView view;
    show(view, {350, 160});
    view.setExpanded("expert-layer-in-domain", true);
    QCoreApplication::processEvents();
    QScrollBar* bar = view.findChild<QScrollArea*>()->verticalScrollBar();
    bar->setValue(40);
    const QAbstractButton* button = fix(view, 0);
    ChecklistData next = review();
    next.rows[0].suggestions[0].after = "7.1 ms";
    std::swap(next.rows[2], next.rows[3]);
    next.rows.pop_back();
    view.setData(next);
    QCoreApplication::processEvents();
    QCOMPARE(bar->value(), 40);
    QVERIFY(view.isExpanded("expert-layer-in-domain"));
    QVERIFY(!view.isExpanded("batch-window"));
    QCOMPARE(fix(view, 0), button);
    QCOMPARE(button->text(), QString("Fix: EP 8 × 4 replicas → 7.1 ms"));
    QVERIFY(!rowAt(view, "Pipeline bubbles"));
}

void TestChecklistView::keysMoveExpandAndActivate() {
    ChecklistView view;
    show(view);
    QSignalSpy fixes(&view, &ChecklistView::suggestionActivated), evidence(&view, &ChecklistView::evidenceActivated);
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_Right);
    QVERIFY(view.isExpanded("expert-layer-in-domain"));
    QTest::keyClick(&view, Qt::Key_Left);
    QVERIFY(!view.isExpanded("expert-layer-in-domain"));
    QTest::keyClick(&view, Qt::Key_F);
    QCOMPARE(fixes.count(), 1);
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_Return);
    QCOMPARE(evidence.count(), 1);
    QCOMPARE(evidence[0][0].toString(), QString("batch-window"));
    QTest::keyClick(&view, Qt::Key_F);  // has no fix
    QCOMPARE(fixes.count(), 1);
}

void TestChecklistView::countsBySeverity() {
    ChecklistView view;
    show(view);
    QCOMPARE(view.count(Severity::fail), 2);
    QCOMPARE(view.count(Severity::attention), 1);
    QCOMPARE(view.count(Severity::pass), 2);
    QCOMPARE(view.count(Severity::not_applicable), 1);
}

void TestChecklistView::rowsSayTheirSeverityInWords() {
    ChecklistView view;
    show(view);
    QCOMPARE(rowAt(view, "Expert layer leaves the domain")->accessibleName(),
             QString("fail: Expert layer leaves the domain"));
    QVERIFY(!view.findChildren<QWidget*>().isEmpty());
}

void TestChecklistView::narrowPanelCutsNothing() {
    ChecklistView view;
    show(view, {200, 400});
    const QWidget* content = view.findChild<QScrollArea*>()->widget();
    QVERIFY(content->width() <= 200);
    for (const QAbstractButton* button : view.findChildren<QAbstractButton*>())
        QVERIFY(button->mapTo(content, QPoint(button->width(), 0)).x() <= content->width());
}

void TestChecklistView::pictures() {
    ChecklistView view;
    show(view);
    save_picture(view, "checklist-light");
    view.setTheme(Theme::dark());
    view.setExpanded("expert-layer-in-domain", true);
    view.setCurrentRule("expert-layer-in-domain");
    view.resize(350, 480);
    QCoreApplication::processEvents();
    save_picture(view, "checklist-dark");
    view.setTheme(Theme::light());
    view.resize(210, 400);
    QCoreApplication::processEvents();
    save_picture(view, "checklist-narrow");
    view.setData({});
    save_picture(view, "checklist-empty");
    QVERIFY(!view.accessibleName().isEmpty());
}

QTEST_MAIN(TestChecklistView)
#include "tst_checklist_view.moc"
