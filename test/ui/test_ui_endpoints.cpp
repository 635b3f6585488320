/* SPDX-License-Identifier: GPL-2.0-or-later */
// Protects that every window, title, table and text calls an endpoint the same: address and port, its number behind.
#include <QComboBox>
#include <QLabel>
#include <QTextBrowser>
#include <QtTest>

#include "dialogs/finding_panel.h"
#include "dialogs/table_pane.h"
#include "dialogs/windows.h"
#include "findings_reading.h"
#include "offscreen_main.h"
#include "sheet_reading.h"
#include "window_reading.h"

class TestUiEndpoints : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void titlesHaveTheName();
    void tablesHaveTheName();
    void graphsAndLadderHaveTheName();
    void textsHaveTheName();

  private:
    QString both() const { return QStringLiteral("2: %1 – %2").arg(names_[0], names_[1]); }

    QScopedPointer<PlayedCapture> played_;
    QScopedPointer<SctpaWindows> windows_;
    QString names_[2]; // of association 2, from what JSON says of it
};

void TestUiEndpoints::initTestCase()
{
    PlayedCapture played(brokenPackets());
    played.open();
    const QJsonObject json = played.jsonAssociations().at(2).toObject();
    for (int end = 0; end < 2; end++) {
        const QJsonArray addresses =
            json[QStringLiteral("endpoints")].toArray().at(end).toObject()[QStringLiteral("addresses")].toArray();
        names_[end] = QStringLiteral("%1:%2 (%3)")
                          .arg(addresses.first().toString())
                          .arg(json[QStringLiteral("ports")].toArray().at(end).toInt())
                          .arg(end);
    }
    QVERIFY(names_[0].startsWith(QStringLiteral("10.0.2.1:")) && names_[0].endsWith(QStringLiteral(" (0)")));
}

void TestUiEndpoints::init()
{
    played_.reset(new PlayedCapture(brokenPackets()));
    played_->open();
    windows_.reset(new SctpaWindows(played_->host()));
}

void TestUiEndpoints::cleanup()
{
    windows_.reset();
    played_.reset();
}

void TestUiEndpoints::titlesHaveTheName()
{
    for (QWidget *window : std::initializer_list<QWidget *>{ windows_->showAssociation(2), windows_->showGraphs(2),
                                                             windows_->showLadder(2) })
        QVERIFY2(window->windowTitle().contains(both()), qPrintable(window->windowTitle()));
}

void TestUiEndpoints::tablesHaveTheName()
{
    const SctpaAssocsModel &associations = *windows_->showAssociations()->model();
    QCOMPARE(cell(associations, 2, "endpoint 0"), names_[0]);
    QCOMPARE(cell(associations, 2, "endpoint 1"), names_[1]);
    const SctpaFindingsModel &findings = *windows_->showFindings()->model();
    QSet<QString> found;
    for (int row = 0; row < findings.findingRows(); row++)
        if (findings.assocOfRow(row) == 2)
            found.insert(cell(findings, row, "endpoint"));
    QVERIFY(found.contains(names_[0]) && found.contains(names_[1]) && found.size() == 2);
    SctpaAssociation association(windows_->capture(), 2);
    refreshAll(association);
    QCOMPARE(cell(*windowTable(association, "endpoints"), 0, "endpoint 1"), names_[1]);
    for (const SctpaAssociation::Page &page : association.pages())
        for (const SctpaWindowTableModel *each : page.windowTables)
            for (int row = 0; row < each->rowCount(); row++)
                for (int column = 0; column < each->columnCount(); column++)
                    if (qstrcmp(each->windowTable()->columns[column].head, "endpoint") == 0) {
                        const QString name = each->index(row, column).data().toString();
                        QVERIFY2(name == names_[0] || name == names_[1] || name == QLatin1String("-"),
                                 qPrintable(name));
                    }
}

void TestUiEndpoints::graphsAndLadderHaveTheName()
{
    int choices = 0;
    for (const QComboBox *each : windows_->showGraphs(2)->findChildren<QComboBox *>())
        choices += each->findText(names_[0]) == 0 && each->findText(names_[1]) == 1;
    QCOMPARE(choices, 1);
    sctpa_view_t view = played_->view();
    SctpaLadderFacts facts;
    facts.look(view, sctpa_assoc(view.sctpa, 2));
    for (int end = 0; end < 2; end++)
        QCOMPARE(facts.endName(end), names_[end]);
}

void TestUiEndpoints::textsHaveTheName()
{
    const QString summary = windows_->showSummary()->text()->toPlainText();
    QVERIFY2(summary.contains(QStringLiteral("#2 %1 – %2: ").arg(names_[0], names_[1])), qPrintable(summary));
    SctpaReportWindow *report = windows_->showReport(2);
    int said = 0;
    for (const QLabel *label : report->findChildren<QLabel *>())
        said += label->text() == QStringLiteral("%1 – %2").arg(names_[0], names_[1]);
    QCOMPARE(said, 1);
}

int main(int argc, char *argv[])
{
    return offscreenMain<TestUiEndpoints>(argc, argv);
}

#include "test_ui_endpoints.moc"
