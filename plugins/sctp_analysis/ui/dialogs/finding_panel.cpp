/* SPDX-License-Identifier: GPL-2.0-or-later */
// The explanation as a document; all that is said stands in the row.
#include "finding_panel.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QEvent>
#include <QItemSelectionModel>
#include <QMenu>
#include <QRegularExpression>
#include <QTableView>
#include <QUrl>

#include <memory>

#include "models/capture.h"
#include "models/link_color.h"
#include "models/table_text.h"
#include "table_pane.h"

namespace {

const char *const FrameScheme = "frame";
constexpr int LeastLines = 9;

QString meaningOf(const QString &level)
{
    if (level == QLatin1String(sctpa_level_word(SCTPA_LEVEL_MUST)))
        return SctpaFindingPanel::tr("violates a requirement");
    if (level == QLatin1String(sctpa_level_word(SCTPA_LEVEL_SHOULD)))
        return SctpaFindingPanel::tr("violates a recommendation");
    return SctpaFindingPanel::tr("note; does not affect the verdict");
}

QString meaningOfCertainty(const QString &certainty)
{
    if (certainty == QLatin1String(sctpa_certainty_word(SCTPA_CERTAINTY_PROVEN)))
        return SctpaFindingPanel::tr("no packet missing from the capture could explain it");
    if (certainty == QLatin1String(sctpa_certainty_word(SCTPA_CERTAINTY_PROBABLE)))
        return SctpaFindingPanel::tr("a false positive is possible, but unlikely");
    return SctpaFindingPanel::tr("worth a look; does not affect the verdict");
}

}

SctpaFindingPanel::SctpaFindingPanel(SctpaTablePane *pane, const SctpaCapture *capture, QWidget *parent)
    : QTextBrowser(parent), pane_(pane), capture_(capture)
{
    setObjectName(QStringLiteral("finding"));
    setAccessibleName(tr("Explanation of the finding"));
    setOpenLinks(false);
    setPlaceholderText(tr("Select a finding to see what it means."));
    setMinimumHeight(LeastLines * fontMetrics().lineSpacing());
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl &link) {
        if (link.scheme() == QLatin1String(FrameScheme))
            Q_EMIT frameWanted(link.path().toUInt());
    });
    addCopies();
    connect(pane, &SctpaTablePane::settled, this, &SctpaFindingPanel::explain);
    connect(pane->view()->selectionModel(), &QItemSelectionModel::selectionChanged, this, &SctpaFindingPanel::explain);
    explain();
}

// In the menu of the table and of this.
void SctpaFindingPanel::addCopies()
{
    const auto add = [this](const QString &entry, QString (*textOf)(const SctpaTableModel &, int, const QString &)) {
        copies_.append(pane_->addRowEntry(entry, [this, textOf](const QVector<int> &rows) {
            QStringList texts;
            for (int row : rows)
                texts.append(textOf(*pane_->proxy()->table(), row, capture_->name()));
            QApplication::clipboard()->setText(texts.join(QLatin1Char('\n')));
        }));
    };
    add(tr("Copy Finding as &Text"), &SctpaFindingText::plain);
    add(tr("Copy Finding as &Markdown"), &SctpaFindingText::markdown);
}

void SctpaFindingPanel::contextMenuEvent(QContextMenuEvent *event)
{
    const std::unique_ptr<QMenu> menu(createStandardContextMenu(event->pos()));
    menu->addSeparator();
    menu->addActions(copies_);
    menu->exec(event->globalPos());
}

void SctpaFindingPanel::changeEvent(QEvent *event)
{
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        explain();
}

// Written anew only when it says something else: a live capture would scroll it back twice a second.
void SctpaFindingPanel::explain()
{
    const QVector<int> rows = pane_->selectedRows();
    const QString html = rows.isEmpty() ? QString() : htmlOf(rows.first());
    setVisible(pane_->proxy()->table()->rowCount() > 0);
    if (html == shown_)
        return;
    shown_ = html;
    setHtml(html);
}

QString SctpaFindingPanel::text(int row, sctpa_finding_column_t column) const
{
    return pane_->proxy()->table()->index(row, column).data().toString().toHtmlEscaped();
}

QString SctpaFindingPanel::linksOf(const QString &frames) const
{
    static const QRegularExpression number(QStringLiteral("([0-9]+)"));
    QString links = frames;
    return links.replace(number, QStringLiteral("<a style=\"color:%1\" href=\"%2:\\1\">\\1</a>")
                                     .arg(SctpaLinkColor::on(palette()).name(), QLatin1String(FrameScheme)));
}

QString SctpaFindingPanel::headOf(int row) const
{
    const QString level = text(row, SCTPA_FINDING_LEVEL), certainty = text(row, SCTPA_FINDING_CERTAINTY);
    const SctpaTableModel &table = *pane_->proxy()->table();
    return QStringLiteral("<p><big><b>%1 · %2</b></big><br>%3</p>")
        .arg(text(row, SCTPA_FINDING_RULE), text(row, SCTPA_FINDING_WHAT),
             tr("<b>%1</b>: %2 · <b>%3</b>: %4 · %5, by %6, %7")
                 .arg(level, meaningOf(level), certainty, meaningOfCertainty(certainty),
                      SctpaFindingText::where(table, row), text(row, SCTPA_FINDING_END),
                      SctpaFindingText::howOften(table, row)));
}

QString SctpaFindingPanel::rowOf(int row, sctpa_finding_column_t column) const
{
    const QString head = pane_->proxy()->table()->headerData(column, Qt::Horizontal).toString().toHtmlEscaped();
    const QString said = text(row, column);
    return QStringLiteral("<tr><td style=\"white-space:pre\">%1&nbsp;&nbsp;</td><td>%2</td></tr>")
        .arg(head, column == SCTPA_FINDING_FRAMES ? linksOf(said) : said);
}

QString SctpaFindingPanel::htmlOf(int row) const
{
    QString rows = QStringLiteral("<tr><td>%1</td><td><i>%2</i></td></tr>")
                       .arg(text(row, SCTPA_FINDING_CLAUSE), tr("“%1”").arg(text(row, SCTPA_FINDING_QUOTE)));
    for (sctpa_finding_column_t column : { SCTPA_FINDING_EXPECTED, SCTPA_FINDING_SEEN, SCTPA_FINDING_FRAMES,
                                           SCTPA_FINDING_WHY, SCTPA_FINDING_EVIDENCE, SCTPA_FINDING_DOUBT })
        rows += rowOf(row, column);
    if (!text(row, SCTPA_FINDING_RESTS_ON).isEmpty())
        rows += rowOf(row, SCTPA_FINDING_RESTS_ON);
    return headOf(row) + QStringLiteral("<table cellspacing=\"3\">%1</table>").arg(rows);
}
