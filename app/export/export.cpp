#include "app/export/export.hpp"

#include <QBuffer>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QImage>
#include <QPageSize>
#include <QPdfWriter>
#include <QScreen>
#include <QSvgGenerator>

#include "core/io/document.hpp"
#include "core/io/figures.hpp"
#include "core/io/report_writers.hpp"

namespace crosspoint::app {
namespace {

tl::unexpected<Error> cannotWrite(const QString& path, const std::string& why, const std::string& hint) {
    Error error{ErrorCode::io, why, hint, {}, path.toStdString(), {}, 0, 0};
    return tl::unexpected<Error>(std::move(error));
}

void paintInto(QPaintDevice& device, const QRectF& target, const PaintFigure& paint) {
    QPainter painter(&device);
    painter.setRenderHint(QPainter::Antialiasing);
    paint(painter, target);
}

QByteArray svgOf(QSize size, const PaintFigure& paint) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator svg;
    svg.setOutputDevice(&buffer);
    svg.setSize(size);
    svg.setViewBox(QRect(QPoint(0, 0), size));
    svg.setResolution(int(QGuiApplication::primaryScreen()->logicalDotsPerInchX()));
    svg.setTitle(QStringLiteral("Crosspoint"));
    paintInto(svg, QRectF(QPointF(0, 0), size), paint);
    return buffer.data();
}

QByteArray pdfOf(QSize size, const PaintFigure& paint) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter pdf(&buffer);
        pdf.setResolution(96);
        pdf.setPageSize(QPageSize(QSizeF(size.width() * 72.0 / 96.0, size.height() * 72.0 / 96.0), QPageSize::Point));
        pdf.setPageMargins(QMarginsF(0, 0, 0, 0));
        paintInto(pdf, QRectF(QPointF(0, 0), size), paint);
    }
    return buffer.data();
}

QByteArray pngOf(QSize size, const PaintFigure& paint) {
    constexpr int scale = 2;
    constexpr int largest = 16000;
    const int factor = std::max(size.width(), size.height()) * scale > largest ? 1 : scale;
    QImage image(size * factor, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(factor);
    image.fill(Qt::white);
    paintInto(image, QRectF(QPointF(0, 0), size), paint);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return buffer.data();
}

std::string_view view(const QByteArray& bytes) { return {bytes.constData(), std::size_t(bytes.size())}; }

Result<void> writeMarkdown(const QString& path, const Scenario& scenario, const Report& report) {
    const QFileInfo info(path);
    const QString prefix = info.completeBaseName() + "-";
    const std::pair<const char*, std::string> figures[] = {{"diagram", diagram_svg(scenario, report)},
                                                           {"layer", layer_timeline_svg(report)},
                                                           {"step", step_timeline_svg(report)},
                                                           {"crossover", crossover_svg(report)},
                                                           {"batch", batch_svg(report)},
                                                           {"tensor", tensor_svg(report)}};
    for (const auto& [name, svg] : figures)
        if (auto done = write_file(info.dir().filePath(prefix + name + ".svg").toStdString(), svg); !done) return done;
    return write_file(path.toStdString(), report_markdown(scenario, report, prefix.toStdString()));
}

}  // namespace

Result<void> writeFigure(const QString& path, QSize size, const PaintFigure& paint) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    size = size.expandedTo(QSize(1, 1));
    if (suffix == "svg") return write_file(path.toStdString(), view(svgOf(size, paint)));
    if (suffix == "pdf") return write_file(path.toStdString(), view(pdfOf(size, paint)));
    if (suffix == "png") return write_file(path.toStdString(), view(pngOf(size, paint)));
    return cannotWrite(path, "'" + suffix.toStdString() + "' is no picture format of this program",
                       "end the name in .svg, .pdf or .png");
}

Result<void> writeReport(const QString& path, const Scenario& scenario) {
    Evaluator evaluator;
    const Report report = evaluator.evaluate(scenario);
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix == "html" || suffix == "htm") return write_file(path.toStdString(), report_html(scenario, report));
    if (suffix == "md") return writeMarkdown(path, scenario, report);
    return cannotWrite(path, "'" + suffix.toStdString() + "' is no report format of this program",
                       "end the name in .html or .md");
}

QString fileNameFor(const QString& title) {
    QString name;
    for (const QChar c : title.toLower()) {
        if (c.isLetterOrNumber()) name += c;
        else if (!name.endsWith('-') && !name.isEmpty()) name += '-';
    }
    while (name.endsWith('-')) name.chop(1);
    return name.isEmpty() ? QStringLiteral("untitled") : name;
}

}  // namespace crosspoint::app
