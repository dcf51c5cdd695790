#include "app/windows/scenario_panel.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>

#include "app/presenters/text.hpp"
#include "app/windows/wheel_scrolls.hpp"
#include "widgets/controls/log_slider.hpp"
#include "widgets/controls/message_line.hpp"
#include "widgets/controls/unit_field.hpp"

namespace crosspoint::app {
namespace {

constexpr Dtype dtypes[] = {Dtype::fp32, Dtype::bf16, Dtype::fp16, Dtype::fp8, Dtype::int8, Dtype::fp4, Dtype::int4};

ui::LogSliderSpec sliderSpec(const QString& label, const QString& unit, double maximum, const QString& tip) {
    ui::LogSliderSpec spec;
    spec.label = label;
    spec.unit = unit;
    spec.maximum = maximum;
    spec.hard_minimum = 1;
    spec.hard_maximum = 1e9;
    spec.tip = tip;
    return spec;
}

template <class Q>
QString problemWith(const QString& text) {
    if (text.trimmed().isEmpty()) return {};
    const auto parsed = parse<Q>(text.toStdString());
    if (parsed) return {};
    return qs(parsed.error.hint.empty() ? parsed.error.message : parsed.error.message + ": " + parsed.error.hint);
}

template <class Q>
std::optional<Q> quantityIn(const QString& text) {
    if (text.trimmed().isEmpty()) return std::nullopt;
    return parse<Q>(text.toStdString()).value;
}

template <class Q>
QString textOf(const std::optional<Q>& value) {
    return value ? qs(format_exact(*value)) : QString();
}

QLabel* heading(const QString& text) {
    auto* label = new QLabel(text);
    label->setObjectName("sectionHeading");
    return label;
}

}  // namespace

struct ScenarioPanel::Private {
    explicit Private(ScenarioPanel* panel) : q(panel) {}

    ScenarioPanel* q;
    Scenario scenario;
    std::vector<std::shared_ptr<const ModelShape>> models;
    Gesture gesture;
    bool updating = false;

    QVBoxLayout* box = nullptr;
    QComboBox *phase = nullptr, *model = nullptr;
    QLabel *modelFacts = nullptr, *priceFacts = nullptr;
    ui::LogSlider *batch = nullptr, *context = nullptr, *output = nullptr;
    QSpinBox *tensor = nullptr, *pipeline = nullptr, *attentionData = nullptr, *expert = nullptr,
             *expertTensor = nullptr, *replicas = nullptr;
    QCheckBox *sequenceParallel = nullptr, *twoBatch = nullptr, *graphs = nullptr;
    ui::MessageLine* validity = nullptr;
    QComboBox *weights = nullptr, *experts = nullptr, *activations = nullptr, *cache = nullptr, *dispatch = nullptr,
              *combine = nullptr, *innermost = nullptr;
    ui::UnitField *price = nullptr, *latencyTarget = nullptr, *firstTokenTarget = nullptr, *priceTarget = nullptr;
    ui::UnitField *stepOverhead = nullptr, *layerOverhead = nullptr;
    std::vector<ui::UnitField*> fields;
    std::vector<ui::LogSlider*> sliders;

    void build();
    void buildModel();
    void buildWorkload();
    void buildLayout();
    void buildPrecision();
    void buildMoney();
    void buildCalibration();

    ui::LogSlider* addSlider(const ui::LogSliderSpec& spec, std::function<Edit(std::int64_t)> edit);
    QSpinBox* addDegree(QFormLayout* form, const QString& label, const QString& tip, std::int64_t Parallelism::*member);
    QCheckBox* addFlag(const QString& label, const QString& tip, bool Parallelism::*member);
    QComboBox* addDtype(QFormLayout* form, const QString& label, Dtype Precision::*member);
    ui::UnitField* addField(const QString& label, const QString& example);

    void emitEdit(const Edit& edit, Gesture g = {}) {
        if (!updating) Q_EMIT q->editRequested(edit, g);
    }
    void take(const Scenario& next);
    void takeLayout();
    void takePrecision();
    void takeMoney();
    void takeModel();
};

ScenarioPanel::ScenarioPanel(QWidget* parent) : QWidget(parent), d_(new Private(this)) { d_->build(); }
ScenarioPanel::~ScenarioPanel() = default;

void ScenarioPanel::Private::build() {
    auto* inside = new QWidget;
    inside->setObjectName("scenarioInside");
    box = new QVBoxLayout(inside);
    box->setContentsMargins(10, 8, 10, 8);
    box->setSpacing(6);
    buildModel();
    buildWorkload();
    buildLayout();
    buildPrecision();
    buildMoney();
    buildCalibration();
    box->addStretch(1);
    auto* scroll = new QScrollArea;
    scroll->setWidget(inside);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* outer = new QVBoxLayout(q);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(scroll);
}

void ScenarioPanel::Private::buildModel() {
    auto* form = new QFormLayout;
    phase = new QComboBox;
    phase->addItem(ScenarioPanel::tr("decode"));
    phase->addItem(ScenarioPanel::tr("prefill"));
    phase->addItem(ScenarioPanel::tr("training"));
    phase->setObjectName("phase");
    model = new QComboBox;
    model->setObjectName("model");
    model->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    model->setMinimumContentsLength(14);
    letWheelScroll(*phase);
    letWheelScroll(*model);
    modelFacts = new QLabel;
    modelFacts->setObjectName("secondary");
    modelFacts->setWordWrap(true);
    form->addRow(ScenarioPanel::tr("&Model"), model);
    form->addRow(ScenarioPanel::tr("P&hase"), phase);
    box->addLayout(form);
    box->addWidget(modelFacts);
    QObject::connect(phase, &QComboBox::activated, q, [this](int index) { emitEdit(SetPhase{Phase(index)}); });
    QObject::connect(model, &QComboBox::activated, q, [this](int index) {
        if (index >= 0 && std::size_t(index) < models.size()) return emitEdit(SetModel{models[std::size_t(index)]});
        takeModel();  // the last entries are the document's own model and "import"
        if (model->itemData(index).toString() == "import") Q_EMIT q->importModelRequested();
    });
}

ui::LogSlider* ScenarioPanel::Private::addSlider(const ui::LogSliderSpec& spec,
                                                 std::function<Edit(std::int64_t)> edit) {
    auto* slider = new ui::LogSlider(spec);
    box->addWidget(slider);
    sliders.push_back(slider);
    QObject::connect(slider, &ui::LogSlider::valueChanged, q, [this, edit](double value, ui::GesturePhase step) {
        if (step == ui::GesturePhase::press) gesture = Gesture::begin();
        const Gesture g = step == ui::GesturePhase::typed ? Gesture{} : gesture;
        if (step != ui::GesturePhase::press) emitEdit(edit(std::int64_t(value)), g);
    });
    return slider;
}

void ScenarioPanel::Private::buildWorkload() {
    batch = addSlider(sliderSpec(ScenarioPanel::tr("Batch per replica"), ScenarioPanel::tr("sequences"), 65536,
                                 ScenarioPanel::tr("Sequences in flight in one replica, over all its accelerators")),
                      [](std::int64_t n) { return Edit(SetBatch{n}); });
    batch->setObjectName("batch");
    context =
        addSlider(sliderSpec(ScenarioPanel::tr("Context"), ScenarioPanel::tr("tokens"), 1048576,
                             ScenarioPanel::tr("Decode: tokens in the cache of each sequence. Prefill: prompt tokens")),
                  [](std::int64_t n) { return Edit(SetContext{n}); });
    context->setObjectName("context");
    output = addSlider(sliderSpec(ScenarioPanel::tr("Output"), ScenarioPanel::tr("tokens"), 65536,
                                  ScenarioPanel::tr("Tokens generated for a request")),
                       [](std::int64_t n) { return Edit(SetOutput{n}); });
    output->setObjectName("output");
}

QSpinBox* ScenarioPanel::Private::addDegree(QFormLayout* form, const QString& label, const QString& tip,
                                            std::int64_t Parallelism::*member) {
    auto* field = new QSpinBox;
    letWheelScroll(*field);
    field->setRange(member == &Parallelism::replicas ? 0 : 1, 65536);
    if (member == &Parallelism::replicas) field->setSpecialValueText(ScenarioPanel::tr("as many as fit"));
    field->setKeyboardTracking(false);
    field->setToolTip(tip);
    form->addRow(label, field);
    QObject::connect(field, &QSpinBox::valueChanged, q, [this, member](int n) {
        Parallelism layout = scenario.layout;
        layout.*member = n;
        emitEdit(SetParallelism{layout});
    });
    return field;
}

QCheckBox* ScenarioPanel::Private::addFlag(const QString& label, const QString& tip, bool Parallelism::*member) {
    auto* flag = new QCheckBox(label);
    flag->setToolTip(tip);
    box->addWidget(flag);
    QObject::connect(flag, &QCheckBox::toggled, q, [this, member](bool on) {
        Parallelism layout = scenario.layout;
        layout.*member = on;
        emitEdit(SetParallelism{layout});
    });
    return flag;
}

void ScenarioPanel::Private::buildLayout() {
    box->addWidget(heading(ScenarioPanel::tr("Parallel layout")));
    auto* form = new QFormLayout;
    tensor =
        addDegree(form, ScenarioPanel::tr("Tensor"),
                  ScenarioPanel::tr("Devices that share each product; two collectives a layer"), &Parallelism::tensor);
    attentionData =
        addDegree(form, ScenarioPanel::tr("Attention data"),
                  ScenarioPanel::tr("Copies of attention, each with its own sequences"), &Parallelism::attention_data);
    expert = addDegree(form, ScenarioPanel::tr("Expert"),
                       ScenarioPanel::tr("Devices that the routed experts are spread over"), &Parallelism::expert);
    expertTensor = addDegree(form, ScenarioPanel::tr("Expert tensor"),
                             ScenarioPanel::tr("Devices that share each expert"), &Parallelism::expert_tensor);
    pipeline = addDegree(form, ScenarioPanel::tr("Pipeline"), ScenarioPanel::tr("Stages of consecutive layers"),
                         &Parallelism::pipeline);
    replicas = addDegree(form, ScenarioPanel::tr("Replicas"), ScenarioPanel::tr("Copies of the whole model"),
                         &Parallelism::replicas);
    tensor->setObjectName("tensor");
    expert->setObjectName("expert");
    attentionData->setObjectName("attentionData");
    pipeline->setObjectName("pipeline");
    innermost = new QComboBox;
    letWheelScroll(*innermost);
    innermost->addItem(ScenarioPanel::tr("tensor innermost"));
    innermost->addItem(ScenarioPanel::tr("attention data innermost"));
    innermost->addItem(ScenarioPanel::tr("pipeline innermost"));
    innermost->setToolTip(ScenarioPanel::tr("The dimension whose ranks sit on neighbouring accelerators"));
    form->addRow(ScenarioPanel::tr("Placement"), innermost);
    QObject::connect(innermost, &QComboBox::activated, q, [this](int index) {
        using D = ParallelDimension;
        static constexpr std::array<std::array<D, 4>, 3> orders{
            {{D::tensor, D::attention_data, D::pipeline, D::replica},
             {D::attention_data, D::tensor, D::pipeline, D::replica},
             {D::pipeline, D::tensor, D::attention_data, D::replica}}};
        emitEdit(SetPlacement{Placement{orders[std::size_t(index)]}});
    });
    box->addLayout(form);
    sequenceParallel = addFlag(ScenarioPanel::tr("Sequence parallel"),
                               ScenarioPanel::tr("Reduce-scatter and all-gather instead of all-reduce"),
                               &Parallelism::sequence_parallel);
    twoBatch = addFlag(ScenarioPanel::tr("Two-batch overlap"),
                       ScenarioPanel::tr("One half batch communicates while the other computes"),
                       &Parallelism::two_batch_overlap);
    validity = new ui::MessageLine;
    validity->setObjectName("validity");
    box->addWidget(validity);
}

QComboBox* ScenarioPanel::Private::addDtype(QFormLayout* form, const QString& label, Dtype Precision::*member) {
    auto* field = new QComboBox;
    letWheelScroll(*field);
    for (const Dtype d : dtypes) field->addItem(qs(to_string(d)), int(d));
    form->addRow(label, field);
    QObject::connect(field, &QComboBox::activated, q, [this, field, member](int index) {
        Precision precision = scenario.precision;
        precision.*member = Dtype(field->itemData(index).toInt());
        emitEdit(SetPrecision{precision});
    });
    return field;
}

void ScenarioPanel::Private::buildPrecision() {
    box->addWidget(heading(ScenarioPanel::tr("Number formats")));
    auto* form = new QFormLayout;
    weights = addDtype(form, ScenarioPanel::tr("Weights"), &Precision::weights);
    experts = addDtype(form, ScenarioPanel::tr("Experts"), &Precision::experts);
    activations = addDtype(form, ScenarioPanel::tr("Activations"), &Precision::activations);
    cache = addDtype(form, ScenarioPanel::tr("KV cache"), &Precision::cache);
    dispatch = addDtype(form, ScenarioPanel::tr("Dispatch"), &Precision::dispatch);
    combine = addDtype(form, ScenarioPanel::tr("Combine"), &Precision::combine);
    box->addLayout(form);
}

ui::UnitField* ScenarioPanel::Private::addField(const QString& label, const QString& example) {
    auto* field = new ui::UnitField;
    field->setLabel(label);
    field->setPlaceholder(example);
    box->addWidget(field);
    fields.push_back(field);
    return field;
}

void ScenarioPanel::Private::buildMoney() {
    box->addWidget(heading(ScenarioPanel::tr("Price and targets")));
    price = addField(ScenarioPanel::tr("Accelerator"), ScenarioPanel::tr("catalogue's, e.g. $2.99 /h"));
    priceFacts = new QLabel;
    priceFacts->setObjectName("secondary");
    priceFacts->setWordWrap(true);
    box->addWidget(priceFacts);
    latencyTarget = addField(ScenarioPanel::tr("Inter-token"), ScenarioPanel::tr("none, e.g. 20 ms"));
    firstTokenTarget = addField(ScenarioPanel::tr("First token"), ScenarioPanel::tr("none, e.g. 2 s"));
    priceTarget = addField(ScenarioPanel::tr("Unit price"), ScenarioPanel::tr("none, e.g. $1.20 /M"));
    price->setValidator(problemWith<DollarsPerSecond>);
    latencyTarget->setValidator(problemWith<Seconds>);
    firstTokenTarget->setValidator(problemWith<Seconds>);
    priceTarget->setValidator(problemWith<DollarsPerToken>);
    latencyTarget->setObjectName("latencyTarget");
    QObject::connect(price, &ui::UnitField::committed, q, [this](const QString& text) {
        emitEdit(SetPrices{
            Prices{quantityIn<DollarsPerSecond>(text), text.trimmed().isEmpty() ? "" : "entered by the user"}});
    });
    const auto target = [this](auto member) {
        return [this, member](const QString& text) {
            Targets targets = scenario.targets;
            using Q = typename std::remove_reference_t<decltype(targets.*member)>::value_type;
            targets.*member = quantityIn<Q>(text);
            emitEdit(SetTargets{targets});
        };
    };
    QObject::connect(latencyTarget, &ui::UnitField::committed, q, target(&Targets::inter_token));
    QObject::connect(firstTokenTarget, &ui::UnitField::committed, q, target(&Targets::first_token));
    QObject::connect(priceTarget, &ui::UnitField::committed, q, target(&Targets::output_price));
}

void ScenarioPanel::Private::buildCalibration() {
    box->addWidget(heading(ScenarioPanel::tr("Overheads (calibration)")));
    stepOverhead = addField(ScenarioPanel::tr("Per step"), ScenarioPanel::tr("e.g. 1 ms"));
    layerOverhead = addField(ScenarioPanel::tr("Per layer"), ScenarioPanel::tr("e.g. 5 us"));
    stepOverhead->setValidator(problemWith<Seconds>);
    layerOverhead->setValidator(problemWith<Seconds>);
    const auto overhead = [this](Figure<Seconds> Calibration::*member) {
        return [this, member](const QString& text) {
            Calibration calibration = scenario.calibration;
            calibration.*member = {
                quantityIn<Seconds>(text).value_or(Seconds(0)), Confidence::assumed, "entered by the user", {}};
            emitEdit(SetCalibration{calibration});
        };
    };
    QObject::connect(stepOverhead, &ui::UnitField::committed, q, overhead(&Calibration::step_overhead));
    QObject::connect(layerOverhead, &ui::UnitField::committed, q, overhead(&Calibration::layer_overhead));
    graphs = new QCheckBox(ScenarioPanel::tr("Kernels captured in a graph"));
    box->addWidget(graphs);
    QObject::connect(graphs, &QCheckBox::toggled, q, [this](bool on) {
        Calibration calibration = scenario.calibration;
        calibration.graphs = on;
        emitEdit(SetCalibration{calibration});
    });
}

void ScenarioPanel::setModels(const std::vector<std::shared_ptr<const ModelShape>>& models) {
    d_->models = models;
    d_->takeModel();
}

void ScenarioPanel::Private::takeModel() {
    model->clear();
    int current = -1;
    for (const auto& shape : models) {
        model->addItem(qs(shape->name));
        if (scenario.model && *shape == *scenario.model) current = model->count() - 1;
    }
    if (scenario.model && current < 0) {
        model->addItem(qs(scenario.model->name), "document");
        current = model->count() - 1;
    }
    model->insertSeparator(model->count());
    model->addItem(ScenarioPanel::tr("Import config.json…"), "import");
    model->setCurrentIndex(current);
    if (current < 0) model->setPlaceholderText(ScenarioPanel::tr("choose a model"));
}

void ScenarioPanel::Private::takeLayout() {
    const Parallelism& l = scenario.layout;
    tensor->setValue(int(l.tensor));
    pipeline->setValue(int(l.pipeline));
    attentionData->setValue(int(l.attention_data));
    expert->setValue(int(l.expert));
    expertTensor->setValue(int(l.expert_tensor));
    replicas->setValue(int(l.replicas));
    sequenceParallel->setChecked(l.sequence_parallel);
    twoBatch->setChecked(l.two_batch_overlap);
    innermost->setCurrentIndex(std::min(int(scenario.placement.order[0]), 2));
}

void ScenarioPanel::Private::takePrecision() {
    const Precision& p = scenario.precision;
    const auto choose = [](QComboBox* field, Dtype d) { field->setCurrentIndex(field->findData(int(d))); };
    choose(weights, p.weights);
    choose(experts, p.experts);
    choose(activations, p.activations);
    choose(cache, p.cache);
    choose(dispatch, p.dispatch);
    choose(combine, p.combine);
}

void ScenarioPanel::Private::takeMoney() {
    price->setText(textOf(scenario.prices.accelerator));
    latencyTarget->setText(textOf(scenario.targets.inter_token));
    firstTokenTarget->setText(textOf(scenario.targets.first_token));
    priceTarget->setText(textOf(scenario.targets.output_price));
    const Calibration& c = scenario.calibration;
    stepOverhead->setText(qs(format_exact(c.step_overhead.value)));
    layerOverhead->setText(qs(format_exact(c.layer_overhead.value)));
    stepOverhead->setNote(
        QStringLiteral("%1; %2").arg(qs(to_string(c.step_overhead.confidence)), qs(c.step_overhead.source)));
    layerOverhead->setNote(
        QStringLiteral("%1; %2").arg(qs(to_string(c.layer_overhead.confidence)), qs(c.layer_overhead.source)));
    graphs->setChecked(c.graphs);
}

void ScenarioPanel::Private::take(const Scenario& next) {
    const bool sameModel = scenario.model == next.model && model->count() > 0;
    scenario = next;
    updating = true;
    phase->setCurrentIndex(int(scenario.workload.phase));
    if (!sameModel) takeModel();
    batch->setValue(double(scenario.workload.batch));
    context->setValue(double(scenario.workload.context));
    output->setValue(double(scenario.workload.output));
    takeLayout();
    takePrecision();
    takeMoney();
    updating = false;
}

void ScenarioPanel::setScenario(const Scenario& scenario) { d_->take(scenario); }

void ScenarioPanel::setReport(const Report& report) {
    if (report.layout) d_->validity->setMessage(ui::Severity::pass, tr("Valid: %1").arg(qs(report.layout->message)));
    else d_->validity->setMessage(ui::Severity::fail, qs(describe(report.layout.error())));
    if (report.model) {
        const ParameterCount& p = report.model->parameters;
        d_->modelFacts->setText(tr("%1 parameters, %2 active (both embeddings), %3 KV per token")
                                    .arg(qs(format_count(double(p.total))), qs(format_count(double(p.active))),
                                         shown(report.model->kv_per_token, 5)));
    } else {
        d_->modelFacts->setText(tr("Choose a model, or drop a config.json onto the window."));
    }
    if (report.prediction)
        d_->priceFacts->setText(tr("%1 (%2; %3)")
                                    .arg(shown(report.prediction->price),
                                         qs(to_string(report.prediction->price_confidence)),
                                         qs(report.prediction->price_source)));
}

void ScenarioPanel::setTheme(const ui::Theme& theme) {
    for (auto* slider : d_->sliders) slider->setTheme(theme);
    for (auto* field : d_->fields) field->setTheme(theme);
    d_->validity->setTheme(theme);
}

bool ScenarioPanel::isDragging() const {
    for (const auto* slider : d_->sliders)
        if (slider->isDragging()) return true;
    return false;
}

}  // namespace crosspoint::app
