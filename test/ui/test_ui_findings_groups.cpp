/* SPDX-License-Identifier: GPL-2.0-or-later */
// Protects groups of findings by rule and endpoint, and findings that are copied as texts.
#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QTabWidget>
#include <QTableView>
#include <QtTest>

#include "dialogs/finding_panel.h"
#include "dialogs/table_groups.h"
#include "dialogs/table_pane.h"
#include "dialogs/windows.h"
#include "findings_reading.h"
#include "offscreen_main.h"
#include "sheet_reading.h"
#include "window_reading.h"

extern "C" {
#include "../../plugins/sctp_analysis/report/tables/window_tables.h"
}

namespace {

const char *const Host = "10.0.0.1:5001 (0)";
constexpr int Associations = 4, Occurrences = 1 + 2 + 3 + 4;

}

class TestUiFindingsGroups : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init();
    void cleanup();
    void groupsWhatAnEndpointDidInSeveralAssociations();
    void opensByArrowKeysAndEnter();
    void keepsGroupsTogetherInEveryOrder();
    void filtersGroupsByTheirRows();
    void leadsToAllItsPackets();
    void copiesWhatIsShown();
    void canBeSwitchedOff();
    void keepsTheRulesWhileTheCaptureGrows();
    void staysOpenWhileTheCaptureGrows();
    void isExplained();
    void copiesFindingsAsTextAndMarkdown();
    void associationsCopyFindings();

  private:
    const SctpaSortProxy &shown() const { return *window_->pane()->proxy(); }
    int headRow() const;
    void open() { window_->pane()->groups()->setAllOpen(true); }

    QScopedPointer<PlayedCapture> played_;
    QScopedPointer<SctpaWindows> windows_;
    SctpaFindingsWindow *window_ = nullptr;
};

void TestUiFindingsGroups::init()
{
    played_.reset(new PlayedCapture(groupedPackets()));
    played_->open();
    windows_.reset(new SctpaWindows(played_->host()));
    window_ = windows_->showFindings();
}

void TestUiFindingsGroups::cleanup()
{
    windows_.reset();
    played_.reset();
}

// Of the group of FMT-018, as shown.
int TestUiFindingsGroups::headRow() const
{
    for (int row = 0; row < shown().rowCount(); row++)
        if (cell(shown(), row, "rule") == QLatin1String("FMT-018") &&
            cell(shown(), row, "#") == QStringLiteral("%1 associations").arg(Associations))
            return row;
    QTest::qFail("no group", __FILE__, __LINE__);
    return 0;
}

void TestUiFindingsGroups::groupsWhatAnEndpointDidInSeveralAssociations()
{
    const SctpaFindingsModel &model = *window_->model();
    QCOMPARE(model.findingRows(), int(reportedFindings(*played_).size()));
    const int head = headRow();
    QCOMPARE(cell(shown(), head, "endpoint"), QString::fromUtf8(Host));
    QCOMPARE(number(shown(), head, "times"), double(Occurrences));
    QCOMPARE(cell(shown(), head, "level"), QStringLiteral("MUST"));
    QCOMPARE(cell(shown(), head, "frame"), QStringLiteral("1"));
    // The one finding of the peer stands by itself; the rows of a group are not shown before it is opened.
    QCOMPARE(shown().rowCount(), model.groupedRows());
    QVERIFY(shown().rowCount() < model.findingRows());
    QCOMPARE(window_->message(),
             QStringLiteral("%1 findings in %2 rows").arg(model.findingRows()).arg(shown().rowCount()));
}

void TestUiFindingsGroups::opensByArrowKeysAndEnter()
{
    QTableView *view = window_->pane()->view();
    const int closed = shown().rowCount();
    view->selectRow(headRow());
    QTest::keyClick(view, Qt::Key_Right);
    QCOMPARE(shown().rowCount(), closed + Associations);
    for (int row = 1; row <= Associations; row++)
        QCOMPARE(cell(shown(), headRow() + row, "rule"), QStringLiteral("FMT-018"));
    // From a row of the group to its head, and that closes.
    view->selectRow(headRow() + 2);
    QTest::keyClick(view, Qt::Key_Left);
    QCOMPARE(view->currentIndex().row(), headRow());
    QTest::keyClick(view, Qt::Key_Left);
    QCOMPARE(shown().rowCount(), closed);
    QTest::keyClick(view, Qt::Key_Return);
    QCOMPARE(shown().rowCount(), closed + Associations);
    QVERIFY(played_->frames.isEmpty());
    const QModelIndex arrow = shown().index(headRow(), SCTPA_FINDING_LEVEL);
    QTest::mouseClick(view->viewport(), Qt::LeftButton, Qt::NoModifier, view->visualRect(arrow).center());
    QCOMPARE(shown().rowCount(), closed);
    // A row of a group leads to its packet, as ever.
    open();
    view->selectRow(headRow() + 1);
    QTest::keyClick(view, Qt::Key_Return);
    QCOMPARE(played_->frames.size(), 1);
}

void TestUiFindingsGroups::keepsGroupsTogetherInEveryOrder()
{
    open();
    for (int column = 0; column < SCTPA_FINDING_COLUMNS; column++)
        for (Qt::SortOrder order : { Qt::AscendingOrder, Qt::DescendingOrder }) {
            window_->pane()->view()->sortByColumn(column, order);
            const int head = headRow();
            QSet<QString> numbers;
            for (int row = head + 1; row <= head + Associations; row++) {
                QCOMPARE(cell(shown(), row, "rule"), QStringLiteral("FMT-018"));
                QCOMPARE(cell(shown(), row, "endpoint"), QString::fromUtf8(Host));
                numbers.insert(cell(shown(), row, "#"));
            }
            QCOMPARE(int(numbers.size()), Associations);
        }
    window_->pane()->view()->sortByColumn(SCTPA_FINDING_TIMES, Qt::DescendingOrder);
    for (int row = 1; row <= Associations; row++)
        QCOMPARE(number(shown(), headRow() + row, "times"), double(Associations + 1 - row));
}

void TestUiFindingsGroups::filtersGroupsByTheirRows()
{
    auto *filter = window_->pane()->findChild<QLineEdit *>(QStringLiteral("filter"));
    auto *column = window_->pane()->findChild<QComboBox *>(QString());
    for (QComboBox *each : window_->pane()->findChildren<QComboBox *>())
        column = each->objectName() == QLatin1String("levels") ? column : each;
    column->setCurrentIndex(column->findData(SCTPA_FINDING_TIMES));
    filter->setText(QStringLiteral("= 3"));
    // One of the rows fits; the sum of them does not.
    QTRY_VERIFY(window_->message().startsWith(QStringLiteral("1 of ")));
    QCOMPARE(shown().rowCount(), 1);
    open();
    QCOMPARE(shown().rowCount(), 2);
    QCOMPARE(number(shown(), 1, "times"), 3.0);
    filter->clear();
    QTRY_VERIFY(shown().rowCount() > Associations);
    QCOMPARE(cell(shown(), headRow() + 1, "rule"), QStringLiteral("FMT-018"));
}

void TestUiFindingsGroups::leadsToAllItsPackets()
{
    window_->pane()->view()->selectRow(headRow());
    QTest::mouseClick(button(window_, "Apply as Display Filter"), Qt::LeftButton);
    QCOMPARE(int(played_->filter.count(QStringLiteral("FMT-018"))), Associations);
    QTest::mouseClick(button(window_, "Go to First Packet"), Qt::LeftButton);
    QCOMPARE(played_->frames, QVector<quint32>{ 1 });
    QTest::mouseClick(button(window_, "Open Association"), Qt::LeftButton);
    QVERIFY(windows_->showAssociation(0)->isVisible());
}

void TestUiFindingsGroups::copiesWhatIsShown()
{
    const auto lines = [this] {
        return int(window_->pane()->text(true).split(QLatin1Char('\n'), Qt::SkipEmptyParts).size());
    };
    QCOMPARE(lines(), 1 + window_->model()->groupedRows());
    open();
    QCOMPARE(lines(), 1 + window_->model()->rowCount());
    QVERIFY(window_->pane()->text(true).contains(QStringLiteral("4 associations")));
}

void TestUiFindingsGroups::canBeSwitchedOff()
{
    window_->grouping()->setChecked(false);
    QCOMPARE(shown().rowCount(), window_->model()->findingRows());
    QVERIFY(!window_->model()->hasGroups());
    // And stays so.
    delete window_;
    window_ = windows_->showFindings();
    QVERIFY(!window_->grouping()->isChecked() && !window_->model()->hasGroups());
    window_->grouping()->setChecked(true);
    QVERIFY(window_->model()->hasGroups());
}

void TestUiFindingsGroups::keepsTheRulesWhileTheCaptureGrows()
{
    const auto strict = QAbstractItemModelTester::FailureReportingMode::QtTest;
    played_->open(0);
    SctpaFindingsModel model;
    SctpaSortProxy sorted(&model);
    QAbstractItemModelTester tester(&model, strict), sortedTester(&sorted, strict);
    sorted.sort(SCTPA_FINDING_LEVEL);
    for (int fed = 0; fed < played_->size(); fed++) {
        played_->feed(1);
        model.refresh(played_->view());
        sorted.settle();
        for (int row = model.findingRows(); row < model.rowCount(); row++)
            model.setOpen(row, fed % 2 == 0);
        sorted.settle();
    }
    QVERIFY(model.hasGroups());
    model.setLevel(SCTPA_LEVEL_MUST);
    model.refresh(played_->view());
    model.setGrouped(false);
    model.refresh(played_->view());
    QVERIFY(!model.hasGroups());
    model.clear();
    QCOMPARE(model.rowCount(), 0);
}

void TestUiFindingsGroups::staysOpenWhileTheCaptureGrows()
{
    played_->open(0);
    windows_->capture()->refresh();
    int fed = 0;
    for (; !window_->model()->hasGroups() && fed < played_->size(); fed++) {
        played_->feed(1);
        windows_->capture()->refresh();
    }
    open();
    const int rows = shown().rowCount();
    window_->pane()->view()->selectRow(0);
    played_->feed(played_->size() - fed);
    windows_->capture()->refresh();
    QVERIFY(shown().rowCount() > rows);
    QVERIFY(window_->pane()->view()->selectionModel()->hasSelection());
    QVERIFY(window_->model()->isOpen(window_->model()->findingRows()));
}

void TestUiFindingsGroups::isExplained()
{
    window_->pane()->view()->selectRow(headRow());
    const QString said = window_->panel()->toPlainText();
    for (const char *part : { "FMT-018", "4 associations", Host, "10 times" })
        QVERIFY2(said.contains(QString::fromUtf8(part)), part);
    QVERIFY(!said.contains(QStringLiteral("association 4 associations")));
}

void TestUiFindingsGroups::copiesFindingsAsTextAndMarkdown()
{
    open();
    const SctpaSortProxy &proxy = shown();
    window_->pane()->view()->selectRow(headRow() + 1);
    const int row = headRow() + 1;
    action(window_, "Copy Finding as Markdown")->trigger();
    const sctpa_rule_info_t *info = sctpa_rule_info(SCTPA_RULE_FMT_018);
    const QString markdown = QApplication::clipboard()->text();
    const QStringList lines = markdown.split(QLatin1Char('\n'));
    QCOMPARE(lines.at(0), QStringLiteral("### FMT-018: %1").arg(QString::fromUtf8(info->title)));
    QCOMPARE(lines.at(2),
             QStringLiteral("MUST, %1, %2; by %3, %4; association %5 of `demo.pcapng`.")
                 .arg(cell(proxy, row, "certainty"), QString::fromUtf8(info->clause), QString::fromUtf8(Host),
                      cell(proxy, row, "times") == QLatin1String("1")
                          ? QStringLiteral("once")
                          : QStringLiteral("%1 times").arg(cell(proxy, row, "times")),
                      cell(proxy, row, "#")));
    QCOMPARE(lines.at(4), QStringLiteral("> %1").arg(QString::fromUtf8(info->quote)));
    QVERIFY(markdown.contains(QStringLiteral("\n- Expected: ")) &&
            markdown.contains(QStringLiteral("\n- Frames of the ")));
    action(window_, "Copy Finding as Text")->trigger();
    const QString text = QApplication::clipboard()->text();
    QVERIFY(text.startsWith(QStringLiteral("FMT-018: ")) && text.contains(QStringLiteral("\nSeen: ")));
    QVERIFY(!text.contains(QLatin1Char('#')) && !text.contains(QLatin1Char('`')));
    // Several, and a group.
    window_->pane()->view()->selectAll();
    action(window_, "Copy Finding as Markdown")->trigger();
    QCOMPARE(int(QApplication::clipboard()->text().count(QStringLiteral("### "))), window_->model()->rowCount());
    QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("10 times; 4 associations of `demo.pcapng`.")));
    // Without a selection there is nothing to copy, in the menu of the explanation either.
    window_->pane()->view()->clearSelection();
    QVERIFY(!action(window_, "Copy Finding as Text")->isEnabled());
}

void TestUiFindingsGroups::associationsCopyFindings()
{
    SctpaAssocWindow *window = windows_->showAssociation(1);
    int page = 0;
    while (window->association()->pages().at(page).name != QLatin1String("findings"))
        page++;
    window->tabs()->setCurrentIndex(page);
    window->panes(page).last()->view()->selectRow(0);
    action(window, "Copy Finding as Text")->trigger();
    QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("; association 1 of demo.pcapng.")));
}

int main(int argc, char *argv[])
{
    return offscreenMain<TestUiFindingsGroups>(argc, argv);
}

#include "test_ui_findings_groups.moc"
