/* SPDX-License-Identifier: GPL-2.0-or-later */
// Protects what explains the windows: hints over heads and tabs, the guide, units; and that Escape costs no zoom.
#include <QTabWidget>
#include <QTextBlock>
#include <QJsonArray>
#include <QJsonObject>
#include <QPointer>
#include <QRegularExpression>
#include <QSet>
#include <QtTest>

#include <utility>

#include "dialogs/table_pane.h"
#include "dialogs/windows.h"
#include "offscreen_main.h"
#include "played_capture.h"
#include "sheet_reading.h"
#include "window_reading.h"

class TestUiHelp : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init();
    void cleanup();
    void everyColumnSaysWhatItMeans();
    void hintsAreOfTheTable();
    void everyTabSaysWhatItAnswers();
    void parametersHaveUnits();
    void everyWindowHasItsPartOfTheGuide();
    void picturesOfTheGuideAreThere();
    void escapeCostsNoZoom();

  private:
    QScopedPointer<PlayedCapture> played_;
    QScopedPointer<SctpaWindows> windows_;
};

void TestUiHelp::init()
{
    played_.reset(new PlayedCapture(qEnvironmentVariable("SCTPA_UI_PACKETS")));
    played_->open();
    windows_.reset(new SctpaWindows(played_->host()));
}

void TestUiHelp::cleanup()
{
    windows_.reset();
    played_.reset();
}

void TestUiHelp::everyColumnSaysWhatItMeans()
{
    QVector<const sctpa_window_table_t *> windowTables = { &sctpa_window_table_assocs };
    for (const sctpa_window_table_page_t *page = sctpa_window_table_pages(); page->name; page++)
        for (unsigned i = 0; i < SCTPA_PAGE_TABLES && page->window_tables[i]; i++)
            windowTables.append(page->window_tables[i]);
    QVERIFY(windowTables.size() > 20);
    QStringList missing;
    for (const sctpa_window_table_t *windowTable : windowTables)
        for (unsigned column = 0; column < windowTable->n_columns; column++)
            if (!windowTable->columns[column].meaning)
                missing.append(QStringLiteral("%1: %2").arg(QString::fromUtf8(windowTable->name),
                                                            QString::fromUtf8(windowTable->columns[column].head)));
    QCOMPARE(missing, QStringList());
}

void TestUiHelp::hintsAreOfTheTable()
{
    const auto hint = [](const SctpaTablePane *pane, const char *head) {
        return pane->proxy()->headerData(columnNamed(*pane->proxy(), head), Qt::Horizontal, Qt::ToolTipRole).toString();
    };
    QCOMPARE(hint(windows_->showAssociations()->pane(), "timeouts"),
             QStringLiteral("<qt><b>timeouts</b>: times that a retransmission timer (T3-rtx) expired, however many "
                            "chunks were then retransmitted</qt>"));
    SctpaAssocWindow *window = windows_->showAssociation(0);
    QVERIFY(hint(window->panes(2).first(), "packets") != hint(window->panes(4).first(), "chunk"));
}

void TestUiHelp::everyTabSaysWhatItAnswers()
{
    const QTabWidget *tabs = windows_->showAssociation(0)->tabs();
    for (int i = 0; i < tabs->count(); i++)
        QVERIFY2(tabs->tabToolTip(i).size() > 10, qPrintable(tabs->tabText(i)));
}

void TestUiHelp::parametersHaveUnits()
{
    static const QRegularExpression unit(QStringLiteral(" \\((ms|s|bytes|packets|errors)\\)$"));
    SctpaCapture *capture = windows_->capture();
    QSet<QString> names;
    for (const QJsonValue &json : played_->jsonAssociations()) {
        SctpaAssociation association(capture, quint32(json.toObject()[QStringLiteral("index")].toInt()));
        refreshAll(association);
        const SctpaWindowTableModel &parameters = *windowTable(association, "learned");
        for (int row = 0; row < parameters.rowCount(); row++)
            names.insert(cell(parameters, row, "parameter"));
    }
    QVERIFY(names.contains(QStringLiteral("RTO.Min (ms)")) || names.contains(QStringLiteral("SACK.Delay (ms)")));
    names.remove(QStringLiteral("chunk headers are outstanding"));
    for (const QString &name : std::as_const(names))
        QVERIFY2(unit.match(name).hasMatch(), qPrintable(name));
}

void TestUiHelp::everyWindowHasItsPartOfTheGuide()
{
    const struct {
        QWidget *window;
        const char *heading;
    } parts[] = {
        { windows_->showSummary(), "2. " },       { windows_->showFindings(), "2. " },
        { windows_->showAssociations(), "3. " },  { windows_->showAssociation(0), "4. " },
        { windows_->showGraphs(0), "5. " },       { windows_->showLadder(0), "Ladder" },
        { windows_->showReport(0), "Report of" },
    };
    for (const auto &part : parts) {
        button(part.window, "Help")->click();
        SctpaHelpWindow *help = windows_->showHelp(QString());
        QVERIFY2(help->guide()->heading().startsWith(QLatin1String(part.heading)),
                 qPrintable(help->guide()->heading()));
        help->guide()->moveCursor(QTextCursor::Start);
        QCOMPARE(action(part.window, "Help")->shortcut(), QKeySequence(QKeySequence::HelpContents));
        action(part.window, "Help")->trigger();
        QVERIFY2(help->guide()->heading().startsWith(QLatin1String(part.heading)),
                 qPrintable(help->guide()->heading()));
    }
}

void TestUiHelp::picturesOfTheGuideAreThere()
{
    SctpaHelpWindow *help = windows_->showHelp(QStringLiteral("graphs"));
    int pictures = 0;
    for (QTextBlock block = help->guide()->document()->begin(); block.isValid(); block = block.next())
        for (auto part = block.begin(); !part.atEnd(); ++part)
            if (part.fragment().charFormat().isImageFormat()) {
                const QString name = part.fragment().charFormat().toImageFormat().name();
                QVERIFY2(!help->guide()->document()->resource(QTextDocument::ImageResource, QUrl(name)).isNull(),
                         qPrintable(name));
                pictures++;
            }
    QVERIFY(pictures >= 5);
}

void TestUiHelp::escapeCostsNoZoom()
{
    QPointer<SctpaLadderWindow> ladder = windows_->showLadder(0);
    QTRY_VERIFY(!ladder->isLoading());
    ladder->plot()->showTime(ladder->plot()->fromNs(), (ladder->plot()->fromNs() + ladder->plot()->toNs()) / 2);
    action(ladder, "")->trigger();
    QVERIFY(ladder->isVisible());
    ladder->plot()->showTime(ladder->plot()->wholeFromNs(), ladder->plot()->wholeToNs());
    action(ladder, "")->trigger();
    QVERIFY(!ladder || !ladder->isVisible());
}

int main(int argc, char *argv[])
{
    return offscreenMain<TestUiHelp>(argc, argv);
}

#include "test_ui_help.moc"
