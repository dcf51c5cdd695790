#include "widgets/controls/why_panel.hpp"

#include <utility>

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollBar>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

namespace crosspoint::ui {

struct WhyPanel::Private {
    WhyData data;
    Theme theme = Theme::light();
    QTextBrowser* browser;
    QPushButton *text_button, *markdown_button;

    [[nodiscard]] QString html() const;
    [[nodiscard]] QString termRow(const WhyTerm& term) const;
    void show();
};

namespace {
const char* const kObjectScheme = "object:";

QString paragraph(const QString& text, const QString& style) {
    return QStringLiteral("<p style=\"margin:0 0 6px 0; %1\">%2</p>").arg(style, text.toHtmlEscaped());
}
}  // namespace

QString WhyPanel::Private::termRow(const WhyTerm& term) const {
    QString name = term.name.toHtmlEscaped();
    if (!term.object.isEmpty())
        name = QStringLiteral("<a style=\"color:%1\" href=\"%2\">%3</a>")
                   .arg(theme.accent.name(), kObjectScheme + QString::fromLatin1(QUrl::toPercentEncoding(term.object)),
                        name);
    const bool assumed = term.confidence == QLatin1String("assumed");
    const QColor colour = assumed ? theme.severityText(Severity::attention) : theme.secondary;
    return QStringLiteral(
               "<tr><td style=\"padding:2px 12px 2px 0; white-space:nowrap\">%1</td>"
               "<td align=\"right\" style=\"padding:2px 12px 2px 0; white-space:nowrap\"><b>%2</b></td>"
               "<td style=\"padding:2px 12px 2px 0; white-space:nowrap; color:%3\">%4</td><td style=\"padding:2px 0; "
               "color:%5\">%6</td></tr>")
        .arg(name, term.value.toHtmlEscaped(), colour.name(), term.confidence.toHtmlEscaped(), theme.secondary.name(),
             term.source.toHtmlEscaped());
}

QString WhyPanel::Private::html() const {
    const QString quiet = QStringLiteral("color:%1;").arg(theme.secondary.name());
    if (data.title.isEmpty())
        return paragraph(data.empty_text.isEmpty()
                             ? tr("Click a figure, a bar or a verdict to see why it is what it is.")
                             : data.empty_text,
                         quiet);
    QString text =
        QStringLiteral(
            "<p style=\"margin:0 0 6px 0\">%1 &nbsp;<span style=\"font-size:18px; font-weight:600\">%2</span></p>")
            .arg(data.title.toHtmlEscaped(), data.value.toHtmlEscaped());
    const QString mono = QStringLiteral("font-family:'DejaVu Sans Mono';");
    if (!data.formula.isEmpty()) text += paragraph(data.formula, mono + quiet);
    if (!data.substituted.isEmpty()) text += paragraph(data.substituted, mono);
    if (!data.terms.empty()) {
        text += QStringLiteral("<table cellspacing=\"0\">");
        for (const WhyTerm& term : data.terms) text += termRow(term);
        text += QStringLiteral("</table>");
    }
    for (const QString& note : data.notes) text += paragraph(note, quiet + "font-size:11px; margin-top:6px;");
    return text;
}

void WhyPanel::Private::show() {
    const int scroll = browser->verticalScrollBar()->value();
    browser->document()->setDefaultFont(theme.textFont());
    browser->setStyleSheet(QStringLiteral("QTextBrowser { background: %1; color: %2; border: none; }")
                               .arg(theme.panel.name(), theme.text.name()));
    browser->setHtml(html());
    browser->verticalScrollBar()->setValue(scroll);
    text_button->setEnabled(!data.title.isEmpty());
    markdown_button->setEnabled(!data.title.isEmpty());
}

WhyPanel::WhyPanel(QWidget* parent) : QWidget(parent), d_(std::make_unique<Private>()) {
    d_->browser = new QTextBrowser(this);
    d_->browser->setOpenLinks(false);
    d_->browser->setAccessibleName(tr("Why this number"));
    d_->text_button = new QPushButton(tr("Copy text"), this);
    d_->markdown_button = new QPushButton(tr("Copy Markdown"), this);
    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(6, 0, 6, 6);
    buttons->addStretch();
    buttons->addWidget(d_->text_button);
    buttons->addWidget(d_->markdown_button);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 0);
    layout->addWidget(d_->browser);
    layout->addLayout(buttons);
    connect(d_->text_button, &QPushButton::clicked, this, [this] { copyText(); });
    connect(d_->markdown_button, &QPushButton::clicked, this, [this] { copyMarkdown(); });
    connect(d_->browser, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
        const QString target = url.toString(QUrl::FullyEncoded);
        if (!target.startsWith(QLatin1String(kObjectScheme))) return;
        const QString encoded = target.mid(QLatin1String(kObjectScheme).size());
        Q_EMIT objectActivated(QUrl::fromPercentEncoding(encoded.toLatin1()));
    });
    d_->show();
}

WhyPanel::~WhyPanel() = default;

void WhyPanel::setData(WhyData data) {
    const bool other = data.title != d_->data.title;
    d_->data = std::move(data);
    if (other) d_->browser->verticalScrollBar()->setValue(0);
    d_->show();
}

const WhyData& WhyPanel::data() const { return d_->data; }

void WhyPanel::setTheme(const Theme& theme) {
    d_->theme = theme;
    QPalette colours = palette();
    colours.setColor(QPalette::Window, theme.panel);
    setPalette(colours);
    setAutoFillBackground(true);
    d_->show();
}

void WhyPanel::copyText() const { QGuiApplication::clipboard()->setText(why_as_text(d_->data)); }
void WhyPanel::copyMarkdown() const { QGuiApplication::clipboard()->setText(why_as_markdown(d_->data)); }

}  // namespace crosspoint::ui
