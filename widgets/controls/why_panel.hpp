// "Why this number": the formula, the same with numbers, and every input with its value, source and confidence.
#pragma once

#include <memory>
#include <vector>

#include <QString>
#include <QStringList>
#include <QWidget>

#include "widgets/theme/theme.hpp"

namespace crosspoint::ui {

struct WhyTerm {
    QString name;   ///< "usable bandwidth of NDR 400G"
    QString value;  ///< with unit
    QString source;
    QString confidence;  ///< "measured"
    QString object;      ///< id of what it belongs to; empty: no link
};

struct WhyData {
    QString title;        ///< "Inter-token latency"
    QString value;        ///< "15.1 ms"
    QString formula;      ///< in symbols
    QString substituted;  ///< with numbers and units
    std::vector<WhyTerm> terms;
    QStringList notes;   ///< what is not modelled, conventions
    QString empty_text;  ///< shown without a title
};

QString why_as_text(const WhyData& data);
QString why_as_markdown(const WhyData& data);

class WhyPanel : public QWidget {
    Q_OBJECT
public:
    explicit WhyPanel(QWidget* parent = nullptr);
    ~WhyPanel() override;

    void setData(WhyData data);
    [[nodiscard]] const WhyData& data() const;
    void setTheme(const Theme& theme);
    void copyText() const;
    void copyMarkdown() const;

Q_SIGNALS:
    void objectActivated(const QString& id);

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

}  // namespace crosspoint::ui
