/* SPDX-License-Identifier: GPL-2.0-or-later */
// The sentences as a document, made anew when the capture changed.
#include "summary_window.h"

#include <QDialogButtonBox>
#include <QEvent>
#include <QPushButton>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

#include "models/link_color.h"

extern "C" {
#include "report/triage/summary.h"
}

namespace {

const QSize FirstSize(900, 640);
const char *const FrameScheme = "frame", *const AssocScheme = "association", *const GraphScheme = "graphs";

struct Page {
    QString html, linkColor;

    QString link(const char *scheme, quint32 number, const QString &text) const
    {
        return QStringLiteral("<a style=\"color:%1\" href=\"%2:%3\">%4</a>")
            .arg(linkColor, QLatin1String(scheme))
            .arg(number)
            .arg(text);
    }

    // "association 3, 0→1: sentence. Packets 12 to 20 · Graphs"
    void addSentence(const sctpa_summary_line_t &line)
    {
        static const char *const ends[] = { " 0→1", " 1→0", "" };
        QString links;
        if (line.frames[0] != 0)
            links += SctpaSummaryWindow::tr("packet %1")
                         .arg(link(FrameScheme, line.frames[0], QString::number(line.frames[0])));
        if (line.frames[0] != 0 && line.frames[1] > line.frames[0])
            links += SctpaSummaryWindow::tr(" to %1").arg(
                link(FrameScheme, line.frames[1], QString::number(line.frames[1])));
        links += links.isEmpty() ? QString() : QStringLiteral(" · ");
        links += link(GraphScheme, line.assoc, SctpaSummaryWindow::tr("graphs"));
        html += QStringLiteral("<p style=\"margin-left:16px; margin-top:3px; margin-bottom:3px\">%1%2: %3<br>%4</p>")
                    .arg(link(AssocScheme, line.assoc, QStringLiteral("#%1").arg(line.assoc)),
                         QString::fromUtf8(ends[qMin<unsigned>(line.end, SCTPA_NO_END)]),
                         QString::fromUtf8(line.text).toHtmlEscaped(), links);
    }

    void add(const sctpa_summary_line_t &line)
    {
        const QString text = QString::fromUtf8(line.text).trimmed().toHtmlEscaped();
        switch (line.kind) {
        case SCTPA_SUMMARY_STATEMENT:
            html += QStringLiteral("<p><b>%1</b> %2</p>").arg(QString::fromUtf8(line.label).toHtmlEscaped(), text);
            break;
        case SCTPA_SUMMARY_REMARKS: html += QStringLiteral("<pre>%1</pre>").arg(text); break;
        case SCTPA_SUMMARY_HEADING: html += QStringLiteral("<p><b>%1</b></p>").arg(text); break;
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
    auto *associations = new QPushButton(tr("&Associations"), this);
    auto *findings = new QPushButton(tr("&Findings"), this);
    for (QPushButton *button : { associations, findings }) {
        button->setAutoDefault(false);
        buttons()->addButton(button, QDialogButtonBox::ActionRole);
    }
    connect(associations, &QPushButton::clicked, this, &SctpaSummaryWindow::associationsWanted);
    connect(findings, &QPushButton::clicked, this, &SctpaSummaryWindow::findingsWanted);
    follow();
    text_->setFocus();
}

void SctpaSummaryWindow::follow()
{
    sctpa_view_t view;
    Page page{ QString(), SctpaLinkColor::on(palette()).name() };
    const bool isOpen = capture()->look(&view);
    if (isOpen)
        sctpa_summary_each(
            &view, [](void *to, const sctpa_summary_line_t *line) { static_cast<Page *>(to)->add(*line); }, &page);
    if (isOpen && page.html.isEmpty())
        page.html = tr("The capture has no SCTP association.");
    showPage(page.html);
    const QString name = capture()->name();
    setWindowTitle(name.isEmpty() ? tr("SCTP Summary") : tr("SCTP Summary · %1").arg(name));
    setStatus(isOpen ? QString() : tr("No capture is open."));
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
