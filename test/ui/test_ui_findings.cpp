/* SPDX-License-Identifier: GPL-2.0-or-later */
// Protects what windows show of findings: the window of all of them, its explanations, and where associations show
// them.
#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTabWidget>
#include <QTableView>
#include <QTextBlock>
#include <QtTest>

#include "dark_palette.h"
#include "dialogs/finding_panel.h"
#include "dialogs/table_pane.h"
#include "dialogs/windows.h"
#include "findings_reading.h"
#include "models/link_color.h"
#include "offscreen_main.h"
#include "sheet_reading.h"
#include "window_reading.h"

extern "C" {
#include "../../plugins/sctp_analysis/report/tables/window_tables.h"
}

namespace {

const char *const Rule = "FMT-018";

// Of the rule that the capture breaks for certain, in that association; as shown.
int shownRow(const SctpaFindingsWindow *window, int assoc)
{
    const SctpaSortProxy &shown = *window->pane()->proxy();
    for (int row = 0; row < shown.rowCount(); row++)
        if (cell(shown, row, "rule") == QLatin1String(Rule) && cell(shown, row, "#").toInt() == assoc)
            return row;
    QTest::qFail("no such finding", __FILE__, __LINE__);
    return 0;
}

// The links of a document, in order.
QStringList linksOf(const QTextBrowser *browser)
{
    QStringList links;
    for (QTextBlock block = browser->document()->begin(); block.isValid(); block = block.next())
        for (auto it = block.begin(); !it.atEnd(); ++it)
            if (it.fragment().charFormat().isAnchor())
                links.append(it.fragment().charFormat().anchorHref());
    return links;
}

}

class TestUiFindings : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init();
    void cleanup();
    void modelKeepsTheRulesWhileTheCaptureGrows();
    void showsWhatJsonSays();
    void sortsTheWorstFirst();
    void levelsLeaveOutWhatIsLess();
    void filterLineLeavesRowsThatFit();
    void explainsTheSelectedFinding();
    void evidenceLeadsToItsPackets();
    void goesToTheFirstPacket();
    void appliesAFilterOfTheSelectedFindings();
    void opensTheAssociation();
    void copiesWhatIsShown();
    void followsALiveCapture();
    void saysThatNothingWasFoundAndWhatThatIsWorth();
    void staysWhenTheCaptureIsClosed();
    void associationShowsItsFindings();
    void overviewNamesStacksAndVerdicts();
    void associationsAreSortedByTheirFindings();
    void paintsInDarkColours();

  private:
    QScopedPointer<PlayedCapture> played_;
    QScopedPointer<SctpaWindows> windows_;
};

void TestUiFindings::init()
{
    played_.reset(new PlayedCapture(brokenPackets()));
    played_->open();
    windows_.reset(new SctpaWindows(played_->host()));
}

void TestUiFindings::cleanup()
{
    windows_.reset();
    played_.reset();
}

void TestUiFindings::modelKeepsTheRulesWhileTheCaptureGrows()
{
    const auto strict = QAbstractItemModelTester::FailureReportingMode::QtTest;
    played_->open(0);
    SctpaFindingsModel model;
    SctpaSortProxy sorted(&model);
    QAbstractItemModelTester tester(&model, strict), sortedTester(&sorted, strict);
    sorted.sort(SCTPA_FINDING_LEVEL);
    int rows = 0;
    while (played_->report("json").size() > 0 && rows < 1000) {
        played_->feed(3);
        model.refresh(played_->view());
        sorted.settle();
        QVERIFY(model.rowCount() >= rows);
        rows = model.rowCount();
        QCOMPARE(rows, int(reportedFindings(*played_).size()));
        if (sctpa_summary(played_->view().sctpa)->packets == quint32(played_->size()))
            break;
    }
    QVERIFY(rows >= 3);
    // Another level: rows go.
    model.setLevel(SCTPA_LEVEL_MUST);
    model.refresh(played_->view());
    QVERIFY(model.rowCount() > 0 && model.findings() == rows);
    model.clear();
    QCOMPARE(model.rowCount(), 0);
}

void TestUiFindings::showsWhatJsonSays()
{
    const SctpaFindingsModel &model = *windows_->showFindings()->model();
    const QVector<ReportedFinding> reported = reportedFindings(*played_);
    QCOMPARE(model.rowCount(), int(reported.size()));
    QVERIFY(reported.size() >= 3);
    for (int row = 0; row < model.rowCount(); row++) {
        const QJsonObject &json = reported.at(row).json;
        QCOMPARE(number(model, row, "#"), double(reported.at(row).assoc));
        for (const char *name : { "rule", "level", "clause", "expected", "seen" })
            QCOMPARE(cell(model, row, name), json[QLatin1String(name)].toString());
        QCOMPARE(cell(model, row, "what"), json[QStringLiteral("title")].toString());
        QCOMPARE(number(model, row, "times"), json[QStringLiteral("count")].toDouble());
        QStringList frames;
        for (const QJsonValue &frame : json[QStringLiteral("frames")].toArray())
            frames.append(QString::number(frame.toInt()));
        QCOMPARE(cell(model, row, "frames of the evidence"), frames.join(QStringLiteral(", ")));
        QVERIFY(frames.contains(QString::number(model.frameOfRow(row))));
    }
}

void TestUiFindings::sortsTheWorstFirst()
{
    const SctpaSortProxy &shown = *windows_->showFindings()->pane()->proxy();
    const QStringList levels = { QStringLiteral("MUST"), QStringLiteral("SHOULD"), QStringLiteral("heuristic") };
    for (int row = 1; row < shown.rowCount(); row++) {
        const auto before = levels.indexOf(cell(shown, row - 1, "level")),
                   now = levels.indexOf(cell(shown, row, "level"));
        QVERIFY(before < now || (before == now && number(shown, row - 1, "times") >= number(shown, row, "times")));
    }
    QCOMPARE(number(shown, shownRow(windows_->showFindings(), 1), "times"), 3.0);
}

void TestUiFindings::levelsLeaveOutWhatIsLess()
{
    SctpaFindingsWindow *window = windows_->showFindings();
    const auto reported = reportedFindings(*played_);
    const auto musts = std::count_if(reported.cbegin(), reported.cend(), [](const ReportedFinding &finding) {
        return finding.json[QStringLiteral("level")].toString() == QLatin1String("MUST");
    });
    window->levels()->setCurrentIndex(0);
    QCOMPARE(window->model()->rowCount(), int(musts));
    QVERIFY(window->message().contains(QStringLiteral("finding")));
    // The choice is kept.
    delete window;
    QCOMPARE(windows_->showFindings()->levels()->currentIndex(), 0);
}

void TestUiFindings::filterLineLeavesRowsThatFit()
{
    SctpaFindingsWindow *window = windows_->showFindings();
    auto *filter = window->pane()->findChild<QLineEdit *>(QStringLiteral("filter"));
    QVERIFY(filter->isVisible());
    filter->setText(QStringLiteral("10.0.1.1"));
    QTRY_VERIFY(window->pane()->proxy()->rowCount() < window->model()->rowCount());
    QVERIFY(window->pane()->proxy()->rowCount() > 0);
    // What is only explained is not looked in.
    filter->setText(QStringLiteral("MUST NOT bundle"));
    QTRY_COMPARE(window->pane()->proxy()->rowCount(), 0);
    QVERIFY(window->message().startsWith(QStringLiteral("0 of ")));
}

void TestUiFindings::explainsTheSelectedFinding()
{
    SctpaFindingsWindow *window = windows_->showFindings();
    QVERIFY(window->panel()->isVisible());
    // The first is explained when the window opens, and is no selection of the user's.
    QVERIFY(!window->panel()->toPlainText().isEmpty());
    QCOMPARE(int(window->pane()->text(true).count(QLatin1Char('\n'))), window->pane()->proxy()->rowCount() + 1);
    window->pane()->view()->selectRow(shownRow(window, 1));
    const QString said = window->panel()->toPlainText();
    const sctpa_rule_info_t *info = sctpa_rule_info(SCTPA_RULE_FMT_018);
    for (const char *part : { info->id, "MUST", info->title, info->clause, info->quote, info->why, info->evidence,
                              info->doubt, "one chunk", "2 chunks", "3 times", "10.0.1.1" })
        QVERIFY2(said.contains(QString::fromUtf8(part)), part);
    for (int column : { SCTPA_FINDING_QUOTE, SCTPA_FINDING_WHY, SCTPA_FINDING_DOUBT })
        QVERIFY(window->pane()->view()->isColumnHidden(column));
    for (int column : { SCTPA_FINDING_RULE, SCTPA_FINDING_ASSOC, SCTPA_FINDING_SEEN })
        QVERIFY(!window->pane()->view()->isColumnHidden(column));
}

void TestUiFindings::evidenceLeadsToItsPackets()
{
    SctpaFindingsWindow *window = windows_->showFindings();
    const int row = shownRow(window, 1);
    window->pane()->view()->selectRow(row);
    const QStringList links = linksOf(window->panel());
    QCOMPARE(links.size(), 3);
    Q_EMIT window->panel()->anchorClicked(QUrl(links.last()));
    QCOMPARE(
        played_->frames,
        QVector<quint32>{
            cell(*window->pane()->proxy(), row, "frames of the evidence").section(QLatin1Char(' '), -1).toUInt() });
    played_->hidden.insert(played_->frames.first());
    Q_EMIT window->panel()->anchorClicked(QUrl(links.last()));
    QVERIFY(window->message().contains(QStringLiteral("hidden by the display filter")));
}

void TestUiFindings::goesToTheFirstPacket()
{
    SctpaFindingsWindow *window = windows_->showFindings();
    QPushButton *goTo = button(window, "Go to First Packet");
    QVERIFY(goTo->isEnabled());
    window->pane()->view()->selectRow(shownRow(window, 2));
    QTest::mouseClick(goTo, Qt::LeftButton);
    const quint32 frame = quint32(number(*window->pane()->proxy(), shownRow(window, 2), "frame"));
    QCOMPARE(played_->frames, QVector<quint32>{ frame });
    QTest::keyClick(window->pane()->view(), Qt::Key_Return);
    QCOMPARE(played_->frames, (QVector<quint32>{ frame, frame }));
}

void TestUiFindings::appliesAFilterOfTheSelectedFindings()
{
    SctpaFindingsWindow *window = windows_->showFindings();
    QPushButton *apply = button(window, "Apply as Display Filter");
    window->pane()->view()->selectRow(shownRow(window, 1));
    QTest::mouseClick(apply, Qt::LeftButton);
    const QString one = QStringLiteral("sctp.analysis.finding == \"FMT-018\" && sctp.analysis.assoc == 1");
    QCOMPARE(played_->filter, one);
    window->pane()->view()->selectAll();
    QTest::mouseClick(apply, Qt::LeftButton);
    QVERIFY(played_->filter.startsWith(QLatin1Char('(')) && played_->filter.contains(QStringLiteral(") || (")));
    QVERIFY(played_->filter.contains(one));
}

void TestUiFindings::opensTheAssociation()
{
    SctpaFindingsWindow *window = windows_->showFindings();
    window->pane()->view()->selectRow(shownRow(window, 2));
    QTest::mouseClick(button(window, "Open Association"), Qt::LeftButton);
    QVERIFY(windows_->showAssociation(2)->isVisible());
    int opened = 0;
    for (QWidget *each : QApplication::topLevelWidgets())
        opened += qobject_cast<SctpaAssocWindow *>(each) != nullptr;
    QCOMPARE(opened, 1);
}

void TestUiFindings::copiesWhatIsShown()
{
    SctpaFindingsWindow *window = windows_->showFindings();
    const QStringList lines = window->pane()->text(true).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    QCOMPARE(lines.first().trimmed(), QStringLiteral("level,certainty,rule,#,endpoint,times,frame,what,expected,seen"));
    QCOMPARE(lines.size(), 1 + window->model()->rowCount());
}

void TestUiFindings::followsALiveCapture()
{
    played_->open(0);
    SctpaFindingsWindow *window = windows_->showFindings();
    QVERIFY(window->nothing()->isVisible());
    QVERIFY(!window->pane()->isVisible());
    played_->feed(-1 + played_->size());
    QTRY_VERIFY(window->pane()->isVisible());
    const int row = shownRow(window, 1);
    window->pane()->view()->selectRow(row);
    const QString said = window->panel()->toPlainText();
    QVERIFY(!said.isEmpty());
    const int before = window->model()->rowCount();
    played_->feed(1); // SHUTDOWN COMPLETE with data
    QTRY_VERIFY(window->model()->rowCount() > before);
    QCOMPARE(window->panel()->toPlainText(), said);
}

void TestUiFindings::saysThatNothingWasFoundAndWhatThatIsWorth()
{
    played_->open(4); // a set-up
    SctpaFindingsWindow *window = windows_->showFindings();
    QVERIFY(window->nothing()->isVisible());
    QVERIFY(window->nothing()->text().contains(QStringLiteral("No violations found.")));
    QVERIFY(window->nothing()->text().contains(QStringLiteral("2 of 2 endpoints could be judged")));
    QCOMPARE(window->message(), QString());
}

void TestUiFindings::staysWhenTheCaptureIsClosed()
{
    SctpaFindingsWindow *window = windows_->showFindings();
    window->pane()->view()->selectRow(0);
    windows_->captureClosing();
    played_->close();
    QCOMPARE(window->model()->rowCount(), 0);
    QCOMPARE(window->message(), QStringLiteral("No capture is open."));
    QVERIFY(window->panel()->toPlainText().isEmpty());
    window->grab();
    // Opened again.
    played_->open();
    QTRY_VERIFY(window->model()->rowCount() > 0);
}

void TestUiFindings::associationShowsItsFindings()
{
    SctpaAssocWindow *window = windows_->showAssociation(2);
    int page = 0;
    while (window->association()->pages().at(page).name != QLatin1String("findings"))
        page++;
    window->tabs()->setCurrentIndex(page);
    SctpaTablePane *pane = window->panes(page).last();
    auto *panel = window->findChild<SctpaFindingPanel *>();
    QVERIFY(panel->isVisible());
    QVERIFY(pane->view()->isColumnHidden(SCTPA_FINDING_ASSOC));
    QVERIFY(pane->view()->isColumnHidden(SCTPA_FINDING_QUOTE));
    QCoreApplication::processEvents();
    for (const SctpaTablePane *each : window->panes(page))
        QVERIFY(each->height() >= each->minimumSizeHint().height());
    pane->view()->selectRow(0);
    const QStringList links = linksOf(panel);
    QVERIFY(!links.isEmpty());
    Q_EMIT panel->anchorClicked(QUrl(links.first()));
    QCOMPARE(played_->frames.size(), 1);
    // Where nothing is wrong there is no explanation.
    SctpaAssocWindow *good = windows_->showAssociation(0);
    good->tabs()->setCurrentIndex(page);
    QVERIFY(!good->findChild<SctpaFindingPanel *>()->isVisible());
}

void TestUiFindings::overviewNamesStacksAndVerdicts()
{
    SctpaCapture capture(played_->host());
    for (const QJsonValue &json : played_->jsonAssociations()) {
        SctpaAssociation association(&capture, quint32(json.toObject()[QStringLiteral("index")].toInt()));
        association.refresh(0);
        const SctpaWindowTableModel &ends = *windowTable(association, "endpoints");
        int said = 0;
        for (int row = 0; row < ends.rowCount(); row++)
            for (int e = 0; e < 2; e++) {
                const QJsonObject end = json.toObject()[QStringLiteral("endpoints")].toArray().at(e).toObject();
                const QString text = ends.index(row, 1 + e).data().toString(), property = cell(ends, row, "property");
                const QString verdict =
                    end[QStringLiteral("verdict")].toString().replace(QLatin1Char('_'), QLatin1Char(' '));
                const QJsonObject stack = end[QStringLiteral("stack")].toObject();
                if (property == QLatin1String("verdict"))
                    QVERIFY2(text == verdict || text.startsWith(verdict + QStringLiteral(": ")), qPrintable(text));
                else if (property == QLatin1String("stack"))
                    QCOMPARE(text, stack.isEmpty()
                                       ? QStringLiteral("-")
                                       : QStringLiteral("%1: %2").arg(stack[QStringLiteral("name")].toString(),
                                                                      stack[QStringLiteral("evidence")].toString()));
                else
                    continue;
                said++;
            }
        QCOMPARE(said, 4);
    }
}

void TestUiFindings::associationsAreSortedByTheirFindings()
{
    SctpaAssocsWindow *window = windows_->showAssociations();
    const SctpaSortProxy &shown = *window->pane()->proxy();
    // Two ends that broke a rule are worse than one, whatever came first.
    QCOMPARE(cell(shown, 0, "#"), QStringLiteral("2"));
    QVERIFY(cell(shown, 0, "findings").contains(QStringLiteral("2 MUST")));
    QCOMPARE(cell(shown, 1, "#"), QStringLiteral("1"));
    QCOMPARE(cell(shown, 2, "findings"), QStringLiteral("-"));
    // Until the user orders them.
    window->pane()->view()->sortByColumn(0, Qt::AscendingOrder);
    windows_->capture()->refresh();
    QCOMPARE(cell(shown, 0, "#"), QStringLiteral("0"));
}

void TestUiFindings::paintsInDarkColours()
{
    const QPalette before = QApplication::palette();
    QApplication::setPalette(darkPalette());
    SctpaFindingsWindow *window = windows_->showFindings();
    window->pane()->view()->selectRow(0);
    QVERIFY(window->grab()
                .toImage()
                .pixelColor(window->panel()->mapTo(window, QPoint(30, window->panel()->height() - 8)))
                .lightnessF() < 0.3);
    QVERIFY(window->panel()->toHtml().contains(SctpaLinkColor::on(darkPalette()).name(), Qt::CaseInsensitive));
    QApplication::setPalette(before);
}

int main(int argc, char *argv[])
{
    return offscreenMain<TestUiFindings>(argc, argv);
}

#include "test_ui_findings.moc"
