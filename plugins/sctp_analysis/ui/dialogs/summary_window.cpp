/* SPDX-License-Identifier: GPL-2.0-or-later */
// The sentences as a document, made anew when the capture changed.
#include "summary_window.h"

#include <QEvent>
#include <QPushButton>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

#include "models/link_color.h"

extern "C" {
#include "report/text/address_labels.h"
#include "report/triage/summary.h"
}

namespace {

const QSize FirstSize(900, 640);
const char *const FrameScheme = "frame", *const AssocScheme = "association", *const GraphScheme = "graphs";
const char *const MarkName = "marked";
const char *const Below = "margin-left:16px; margin-top:3px; margin-bottom:3px"; // a heading

struct Page {
    const sctpa_view_t *view;
    sctpa_labels_t *labels;
    QString html, linkColor, markColor;
    quint32 marked = SCTPA_NO_ASSOC; // the association whose sentences are
    bool hasMarked = false;

    QString link(const char *scheme, quint32 number, const QString &text) const
    {
        return QStringLiteral("<a style=\"color:%1\" href=\"%2:%3\">%4</a>")
            .arg(linkColor, QLatin1String(scheme))
            .arg(number)
            .arg(text);
    }

    // Who sent the data that a sentence is about to whom, or both endpoints: "10.0.0.1:5000 (0) → 10.0.0.2:5001 (1)"
    QString endpointsOf(const sctpa_summary_line_t &line) const
    {
        const sctpa_assoc_t *assoc = sctpa_assoc(view->sctpa, line.assoc);
        const bool isOfBoth = line.end == SCTPA_NO_END;
        const unsigned first = isOfBoth ? 0 : line.end;
        return QStringLiteral("%1 %2 %3")
            .arg(sctpaEndpointName(labels, assoc, first), QString::fromUtf8(isOfBoth ? "–" : "→"),
                 sctpaEndpointName(labels, assoc, !first))
            .toHtmlEscaped();
    }

    // "#3 10.0.0.1:5000 (0) → 10.0.0.2:5001 (1): sentence. packet 12 to 20 · graphs"
    void addSentence(const sctpa_summary_line_t &line)
    {
        QString links;
        if (line.frames[0] != 0)
            links += SctpaSummaryWindow::tr("packet %1")
                         .arg(link(FrameScheme, line.frames[0], QString::number(line.frames[0])));
        if (line.frames[0] != 0 && line.frames[1] > line.frames[0])
            links += SctpaSummaryWindow::tr(" to %1").arg(
                link(FrameScheme, line.frames[1], QString::number(line.frames[1])));
        links += links.isEmpty() ? QString() : QStringLiteral(" · ");
        links += link(GraphScheme, line.assoc, SctpaSummaryWindow::tr("graphs"));
        const bool isMarked = line.assoc == marked;
        if (isMarked && !hasMarked)
            html += QStringLiteral("<a name=\"%1\"></a>").arg(QLatin1String(MarkName));
        hasMarked |= isMarked;
        html += QStringLiteral("<p style=\"%1\">%2 %3: %4<br>%5</p>")
                    .arg(QLatin1String(Below) +
                             (isMarked ? QStringLiteral("; background-color:%1").arg(markColor) : QString()),
                         link(AssocScheme, line.assoc, QStringLiteral("#%1").arg(line.assoc)), endpointsOf(line),
                         QString::fromUtf8(line.text).toHtmlEscaped(), links);
    }

    void add(const sctpa_summary_line_t &line)
    {
        const QString text = QString::fromUtf8(line.text).trimmed().toHtmlEscaped();
        switch (line.kind) {
        case SCTPA_SUMMARY_STATEMENT:
            html += QStringLiteral("<p><b>%1</b> %2</p>").arg(QString::fromUtf8(line.label).toHtmlEscaped(), text);
            break;
        case SCTPA_SUMMARY_HEADING: html += QStringLiteral("<p><b>%1</b></p>").arg(text); break;
        case SCTPA_SUMMARY_REMARK:
            html += QStringLiteral("<p style=\"%1\">%2</p>").arg(QLatin1String(Below), text);
            break;
        case SCTPA_SUMMARY_SENTENCE: addSentence(line); break;
        case SCTPA_SUMMARY_MORE: html += QStringLiteral("<p style=\"margin-left:16px\">… %1</p>").arg(text); break;
        }
    }
};

}

SctpaSummaryWindow::SctpaSummaryWindow(SctpaCapture *capture, SctpaChoices *choices, QWidget *parent)
    : SctpaWindow(capture, choices, QStringLiteral("summary"), FirstSize, parent), text_(new QTextBrowser(this))
{
    text_->setObjectName(QStringLiteral("summary"));
    text_->setAccessibleName(tr("Summary of the capture"));
    text_->setOpenLinks(false);
    contents()->addWidget(text_);
    connect(text_, &QTextBrowser::anchorClicked, this, [this](const QUrl &link) {
        const quint32 number = link.path().toUInt();
        if (link.scheme() == QLatin1String(FrameScheme))
            goToFrame(number);
        else if (link.scheme() == QLatin1String(GraphScheme))
            Q_EMIT graphsWanted(number);
        else if (link.scheme() == QLatin1String(AssocScheme))
            Q_EMIT assocWanted(number);
    });
    connect(addButton(tr("&Associations")), &QPushButton::clicked, this, &SctpaSummaryWindow::associationsWanted);
    connect(addButton(tr("&Findings")), &QPushButton::clicked, this, &SctpaSummaryWindow::findingsWanted);
    addReport();
    follow();
    text_->setFocus();
}

void SctpaSummaryWindow::follow()
{
    sctpa_view_t view;
    const bool isOpen = capture()->look(&view);
    sctpa_labels_t *labels = isOpen ? sctpa_labels_new_spelled_out(&view) : nullptr;
    Page page{ &view, labels, QString(), SctpaLinkColor::on(palette()).name(), markColor().name(), marked_ };
    if (isOpen) {
        sctpa_summary_each(
            &view, [](void *to, const sctpa_summary_line_t *line) { static_cast<Page *>(to)->add(*line); }, &page);
        sctpa_labels_free(labels);
    }
    if (isOpen && page.html.isEmpty())
        page.html = tr("The capture has no SCTP association.");
    showPage(page.html);
    const QString name = capture()->name();
    setWindowTitle(name.isEmpty() ? tr("SCTP Summary") : tr("SCTP Summary · %1").arg(name));
    setStatus(isOpen ? markedText(page.hasMarked) : tr("No capture is open."));
}

// Between the ground and the colour of a selection, so that text and links stay readable on it.
QColor SctpaSummaryWindow::markColor() const
{
    constexpr double OfSelection = 0.18;
    const QColor base = palette().color(QPalette::Base), mark = palette().color(QPalette::Highlight);
    const auto mixed = [](double a, double b) { return a + (b - a) * OfSelection; };
    return QColor::fromRgbF(float(mixed(base.redF(), mark.redF())), float(mixed(base.greenF(), mark.greenF())),
                            float(mixed(base.blueF(), mark.blueF())));
}

QString SctpaSummaryWindow::markedText(bool hasSentences) const
{
    if (markedFrame_ == 0)
        return QString();
    if (marked_ == SCTPA_NO_ASSOC)
        return tr("Packet %1 belongs to no SCTP association.").arg(markedFrame_);
    return (hasSentences ? tr("Marked: what is said of association %1, to which packet %2 belongs.")
                         : tr("Nothing is said of association %1, to which packet %2 belongs."))
        .arg(marked_)
        .arg(markedFrame_);
}

void SctpaSummaryWindow::selectFrame(quint32 assoc, quint32 frame)
{
    marked_ = frame != 0 ? assoc : SCTPA_NO_ASSOC;
    markedFrame_ = frame;
    follow();
    text_->scrollToAnchor(QLatin1String(MarkName));
}

// A live capture would scroll it back twice a second.
void SctpaSummaryWindow::showPage(const QString &html)
{
    if (html == shown_)
        return;
    shown_ = html;
    text_->setHtml(html);
}

void SctpaSummaryWindow::letGo()
{
    // In another capture the number stands for another one.
    marked_ = SCTPA_NO_ASSOC;
    markedFrame_ = 0;
    showPage(QString());
    setWindowTitle(tr("SCTP Summary"));
    setStatus(tr("No capture is open."));
}

void SctpaSummaryWindow::changeEvent(QEvent *event)
{
    SctpaWindow::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && text_)
        follow();
}
