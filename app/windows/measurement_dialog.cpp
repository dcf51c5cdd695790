#include "app/windows/measurement_dialog.hpp"

#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QFontDatabase>
#include <QFormLayout>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "app/presenters/present_fit.hpp"
#include "app/presenters/text.hpp"
#include "core/io/document.hpp"
#include "core/measure/calibration.hpp"
#include "widgets/plot/crossover_plot.hpp"

namespace crosspoint::app {
namespace {

/// Qt 6.4 crashes when it pastes from a clipboard that nobody owns; its text is empty then, and that is harmless.
class LogEdit : public QPlainTextEdit {
protected:
    void keyPressEvent(QKeyEvent* event) override {
        if (event->matches(QKeySequence::Paste)) insertPlainText(QGuiApplication::clipboard()->text());
        else QPlainTextEdit::keyPressEvent(event);
    }
    void insertFromMimeData(const QMimeData* source) override {
        if (source && source->hasText()) insertPlainText(source->text());
    }
};

}  // namespace

struct MeasurementDialog::Private {
    explicit Private(MeasurementDialog* owner) : q(owner) {}
    MeasurementDialog* q;
    QString name = MeasurementDialog::tr("pasted text");
    std::optional<MeasurementLog> log;
    Fit fit;
    std::optional<PathCalibration> result;

    QPlainTextEdit* text = nullptr;
    QLabel *format = nullptr, *summary = nullptr, *problem = nullptr;
    QComboBox *table = nullptr, *block = nullptr, *link = nullptr, *operation = nullptr, *kind = nullptr;
    QSpinBox* ranks = nullptr;
    ui::CrossoverPlot* plot = nullptr;
    QListWidget* remarks = nullptr;
    QPushButton* use = nullptr;

    void build(const Scenario& scenario, const ui::Theme& theme);
    QWidget* buildInput();
    QWidget* buildFit(const ui::Theme& theme);
    QLayout* buildTarget(const Scenario& scenario);
    QComboBox* combo(const char* object, const QString& accessible);
    void read();
    void chooseTable();
    void refit();
    void show();
    void check();
    [[nodiscard]] const MeasuredTable* shownTable() const;
    [[nodiscard]] Result<PathCalibration> made() const;
    void openFile();
};

QComboBox* MeasurementDialog::Private::combo(const char* object, const QString& accessible) {
    auto* box = new QComboBox;
    box->setObjectName(object);
    box->setAccessibleName(accessible);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(14);
    return box;
}

QWidget* MeasurementDialog::Private::buildInput() {
    auto* page = new QWidget;
    auto* box = new QVBoxLayout(page);
    box->setContentsMargins(0, 0, 0, 0);
    auto* hint =
        new QLabel(MeasurementDialog::tr("Paste or drop a log of nccl-tests, rccl-tests, OSU, IMB, perftest, "
                                         "nvbandwidth, ucc_perftest or DeepEP:"));
    hint->setWordWrap(true);
    text = new LogEdit;
    text->setObjectName("measurement.text");
    text->setAccessibleName(MeasurementDialog::tr("Log"));
    text->setLineWrapMode(QPlainTextEdit::NoWrap);
    text->setStyleSheet(
        QStringLiteral("font-family: \"%1\"").arg(QFontDatabase::systemFont(QFontDatabase::FixedFont).family()));
    text->setAcceptDrops(false);  // the dialog takes files and texts alike
    text->setTabChangesFocus(true);
    auto* open = new QPushButton(MeasurementDialog::tr("Open &file..."));
    open->setObjectName("measurement.open");
    open->setAutoDefault(false);
    box->addWidget(hint);
    box->addWidget(text, 1);
    box->addWidget(open, 0, Qt::AlignLeft);
    QObject::connect(text, &QPlainTextEdit::textChanged, q, [this] { read(); });
    QObject::connect(open, &QPushButton::clicked, q, [this] { openFile(); });
    return page;
}

QWidget* MeasurementDialog::Private::buildFit(const ui::Theme& theme) {
    auto* page = new QWidget;
    auto* box = new QVBoxLayout(page);
    box->setContentsMargins(0, 0, 0, 0);
    format = new QLabel;
    format->setObjectName("measurement.format");
    format->setWordWrap(true);
    table = combo("measurement.table", MeasurementDialog::tr("Table of the log"));
    block = combo("measurement.block", MeasurementDialog::tr("Out-of-place or in-place"));
    block->addItems({MeasurementDialog::tr("out-of-place"), MeasurementDialog::tr("in-place")});
    auto* choice = new QHBoxLayout;
    choice->addWidget(table, 1);
    choice->addWidget(block);
    plot = new ui::CrossoverPlot;
    plot->setTheme(theme);
    plot->setMinimumHeight(220);
    summary = new QLabel;
    summary->setObjectName("measurement.summary");
    summary->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    summary->setWordWrap(true);
    remarks = new QListWidget;
    remarks->setObjectName("measurement.remarks");
    remarks->setAccessibleName(MeasurementDialog::tr("Warnings"));
    remarks->setWordWrap(true);
    remarks->setMaximumHeight(110);
    box->addWidget(format);
    box->addLayout(choice);
    box->addWidget(plot, 1);
    box->addWidget(summary);
    box->addWidget(remarks);
    QObject::connect(table, &QComboBox::activated, q, [this] { chooseTable(); });
    QObject::connect(block, &QComboBox::activated, q, [this] { refit(); });
    return page;
}

QLayout* MeasurementDialog::Private::buildTarget(const Scenario& scenario) {
    link = combo("measurement.link", MeasurementDialog::tr("Link class"));
    for (const LinkChoice& c : linkChoices(scenario)) link->addItem(c.name, c.id);
    operation = combo("measurement.operation", MeasurementDialog::tr("Collective"));
    for (int i = 0; i <= int(CollectiveOp::scatter); ++i) operation->addItem(qs(to_string(CollectiveOp(i))), i);
    ranks = new QSpinBox;
    ranks->setObjectName("measurement.ranks");
    ranks->setAccessibleName(MeasurementDialog::tr("Ranks"));
    ranks->setRange(2, 1'000'000'000);
    kind = combo("measurement.kind", MeasurementDialog::tr("What is kept"));
    kind->addItem(MeasurementDialog::tr("alpha, bandwidth, kappa"), int(CalibrationKind::constants));
    kind->addItem(MeasurementDialog::tr("measured table"), int(CalibrationKind::table));
    auto* form = new QFormLayout;
    form->addRow(MeasurementDialog::tr("Link class"), link);
    form->addRow(MeasurementDialog::tr("Collective"), operation);
    form->addRow(MeasurementDialog::tr("Ranks"), ranks);
    form->addRow(MeasurementDialog::tr("Keep"), kind);
    for (QComboBox* box : {link, operation, kind}) QObject::connect(box, &QComboBox::activated, q, [this] { check(); });
    QObject::connect(ranks, &QSpinBox::valueChanged, q, [this] { check(); });
    return form;
}

void MeasurementDialog::Private::build(const Scenario& scenario, const ui::Theme& theme) {
    auto* left = buildInput();
    auto* right = buildFit(theme);
    auto* columns = new QHBoxLayout;
    columns->addWidget(left, 4);
    columns->addWidget(right, 6);
    problem = new QLabel;
    problem->setObjectName("measurement.problem");
    problem->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    use = buttons->addButton(MeasurementDialog::tr("&Use as calibration"), QDialogButtonBox::AcceptRole);
    use->setObjectName("measurement.use");
    auto* box = new QVBoxLayout(q);
    box->addLayout(columns, 1);
    box->addLayout(buildTarget(scenario));
    box->addWidget(problem);
    box->addWidget(buttons);
    QObject::connect(buttons, &QDialogButtonBox::rejected, q, &QDialog::reject);
    QObject::connect(buttons, &QDialogButtonBox::accepted, q, [this] {
        if (const auto path = made(); path) {
            result = *path;
            q->accept();
        }
    });
}

const MeasuredTable* MeasurementDialog::Private::shownTable() const {
    const int index = table->currentData().isValid() ? table->currentData().toInt() : -1;
    if (!log || index < 0 || std::size_t(index) >= log->tables.size()) return nullptr;
    return &log->tables[std::size_t(index)];
}

void MeasurementDialog::Private::read() {
    log.reset();
    table->clear();
    const std::string content = text->toPlainText().toStdString();
    auto found = read_measurements(content, name.toStdString());
    if (!found) {
        format->setText(content.empty() ? MeasurementDialog::tr("Nothing to read yet.") : qs(describe(found.error())));
        return chooseTable();
    }
    log = std::move(*found);
    format->setText(MeasurementDialog::tr("Recognised: %1").arg(qs(to_string(log->format))));
    for (std::size_t i = 0; i < log->tables.size(); ++i)
        if (!log->tables[i].empty()) table->addItem(tableName(log->tables[i]), int(i));
    chooseTable();
}

/// Takes operation and ranks from the table, and the block that it has.
void MeasurementDialog::Private::chooseTable() {
    const MeasuredTable* t = shownTable();
    if (t) {
        const auto op = t->operation ? t->operation : t->choices.empty() ? std::nullopt : std::optional(t->choices[0]);
        if (op) operation->setCurrentIndex(std::max(0, operation->findData(int(*op))));
        if (t->ranks) ranks->setValue(int(std::clamp<std::int64_t>(*t->ranks, 2, 1'000'000'000)));
        block->setCurrentIndex(int(fit_table(*t).block));
    }
    refit();
}

void MeasurementDialog::Private::refit() {
    const MeasuredTable* t = shownTable();
    fit = t ? fit_table(*t, {Block(block->currentIndex()), {}}) : Fit{};
    if (t) kind->setCurrentIndex(kind->findData(int(suggested_kind(fit))));
    show();
}

void MeasurementDialog::Private::show() {
    const MeasuredTable* t = shownTable();
    for (QWidget* w : {static_cast<QWidget*>(table), static_cast<QWidget*>(block)}) w->setEnabled(t);
    remarks->clear();
    plot->setData(t ? presentFit(*t, fit) : ui::CrossoverData{{}, {}, {}, MeasurementDialog::tr("No measurement")});
    summary->setText(t ? fitSummary(fit) : QString());
    if (t) remarks->addItems(fitRemarks(*t, fit));
    check();
}

Result<PathCalibration> MeasurementDialog::Private::made() const {
    const MeasuredTable* t = shownTable();
    if (!t) return fail(ErrorCode::invalid_value, "there is no measurement");
    const CalibrationChoice choice{link->currentData().toString().toStdString(),
                                   CollectiveOp(operation->currentData().toInt()), ranks->value(),
                                   CalibrationKind(kind->currentData().toInt())};
    return calibration_from(*t, fit, log->format, choice);
}

void MeasurementDialog::Private::check() {
    const auto path = made();
    use->setEnabled(path.has_value());
    problem->setText(path || !shownTable() ? QString() : qs(describe(path.error())));
}

void MeasurementDialog::Private::openFile() {
    const QString path = QFileDialog::getOpenFileName(q, MeasurementDialog::tr("Open a log"), {},
                                                      MeasurementDialog::tr("All files (*)"));
    if (path.isEmpty()) return;
    const auto content = read_file(path.toStdString());
    if (content) q->setLog(QString::fromStdString(*content), path);
    else format->setText(qs(describe(content.error())));
}

MeasurementDialog::MeasurementDialog(const Scenario& scenario, const ui::Theme& theme, QWidget* parent)
    : QDialog(parent), d_(std::make_unique<Private>(this)) {
    setWindowTitle(tr("Fit a measurement"));
    setAcceptDrops(true);
    resize(1080, 760);
    d_->build(scenario, theme);
    d_->read();
}

MeasurementDialog::~MeasurementDialog() = default;

void MeasurementDialog::setLog(const QString& text, const QString& name) {
    d_->name = name;
    d_->text->setPlainText(text);
}

const std::optional<PathCalibration>& MeasurementDialog::calibration() const { return d_->result; }

void MeasurementDialog::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls() || event->mimeData()->hasText()) event->acceptProposedAction();
}

void MeasurementDialog::dropEvent(QDropEvent* event) {
    const QMimeData* mime = event->mimeData();
    event->acceptProposedAction();
    for (const QUrl& url : mime->urls()) {
        if (!url.isLocalFile()) continue;
        const auto content = read_file(url.toLocalFile().toStdString());
        if (content) return setLog(QString::fromStdString(*content), url.toLocalFile());
        return d_->format->setText(qs(describe(content.error())));
    }
    if (mime->hasText()) setLog(mime->text(), tr("dropped text"));
}

}  // namespace crosspoint::app
