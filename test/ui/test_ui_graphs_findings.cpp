/* SPDX-License-Identifier: GPL-2.0-or-later */
// Protects the marks of findings in graphs: where they stand, what they say, where they lead, how they are switched off
// and saved.
#include <QFile>
#include <QTemporaryDir>

#include "findings_reading.h"
#include "graphs_reading.h"
#include "offscreen_main.h"

class TestUiGraphsFindings : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init();
    void cleanup();
    void seriesNameEachOccurrence();
    void marksStandAtThePacketsOfTheSeries();
    void aClickOnAMarkGoesToItsPacket();
    void linesOfARuleAreDrawnWhenPointedAt();
    void theLegendSwitchesThemOff();
    void savesThemAsCsv();
    void nothingIsMarkedWhereNothingWasFound();
    void theyGoWhenTheCaptureIsClosed();

  private:
    SctpaGraphsWindow *shown(quint32 assoc);

    QScopedPointer<PlayedCapture> played_;
    QScopedPointer<SctpaWindows> windows_;
};

namespace {

// Rows of the series report about findings, "time_s,frame,endpoint,path,series,value,value2".
QVector<QStringList> findingRows(const PlayedCapture &played, const char *choice)
{
    QVector<QStringList> rows;
    for (const QString &row : seriesRows(played, choice)) {
        const QStringList cells = row.split(QLatin1Char(','));
        if (cells.at(4) == QLatin1String("finding"))
            rows.append(cells);
    }
    return rows;
}

const SctpaEventMarkers *marksOf(const SctpaGraphsWindow *window)
{
    return window->stack()->plots().front()->events();
}

}

void TestUiGraphsFindings::init()
{
    played_.reset(new PlayedCapture(brokenPackets()));
    played_->open();
    windows_.reset(new SctpaWindows(played_->host()));
}

void TestUiGraphsFindings::cleanup()
{
    windows_.reset();
    played_.reset();
}

SctpaGraphsWindow *TestUiGraphsFindings::shown(quint32 assoc)
{
    SctpaGraphsWindow *window = windows_->showGraphs(assoc);
    makeRoom(window);
    showAllPlots(window);
    return window;
}

void TestUiGraphsFindings::seriesNameEachOccurrence()
{
    for (const ReportedFinding &finding : reportedFindings(*played_)) {
        QStringList frames;
        for (const QStringList &row : findingRows(*played_, qPrintable(QString::number(finding.assoc))))
            if (row.at(5) == finding.json[QStringLiteral("rule")].toString() &&
                row.at(2).toInt() == finding.json[QStringLiteral("accused")].toInt()) {
                QCOMPARE(row.at(6), finding.json[QStringLiteral("level")].toString());
                frames.append(row.at(1));
            }
        // As few as one packet may complete several.
        QVERIFY(!frames.isEmpty() && frames.size() <= finding.json[QStringLiteral("count")].toInt());
    }
    const QVector<QStringList> often = findingRows(*played_, "1,0");
    QVERIFY(often.size() >= 3);
    QVERIFY(findingRows(*played_, "0").isEmpty());
}

void TestUiGraphsFindings::marksStandAtThePacketsOfTheSeries()
{
    const SctpaGraphsWindow *window = shown(2);
    QSet<QString> marked, expected;
    for (const SctpaGraphData::Finding &finding : window->data().findings())
        marked.insert(QStringLiteral("%1 %2").arg(finding.frame).arg(QLatin1String(sctpa_level_word(finding.level))));
    for (const QStringList &row : findingRows(*played_, "2"))
        expected.insert(row.at(1) + QLatin1Char(' ') + row.at(6));
    QVERIFY(marked.size() >= 2);
    QCOMPARE(marked, expected);
    QCOMPARE(int(window->data().findings().size()), int(marked.size()));
    // Only the first plot has them.
    for (const auto &plot : window->stack()->plots())
        QCOMPARE(plot->events()->choice.findings != 0, plot == window->stack()->plots().front());
}

void TestUiGraphsFindings::aClickOnAMarkGoesToItsPacket()
{
    SctpaGraphsWindow *window = shown(1);
    const SctpaGraphData::Finding &finding = window->data().findings().first();
    const QPoint place = marksOf(window)->placeOf(finding).toPoint();
    const SctpaFound found = window->stack()->find(place);
    QCOMPARE(found.frame, finding.frame);
    QVERIFY2(found.text.contains(QStringLiteral("FMT-018 MUST by 10.0.1.1")), qPrintable(found.text));
    // Beside it, too, where the line of an event is nearer.
    QVERIFY(window->stack()->find(place + QPoint(0, 4)).text.contains(QStringLiteral("FMT-018")));
    QTest::mouseClick(window->stack(), Qt::LeftButton, Qt::NoModifier, place);
    QCOMPARE(played_->frames, QVector<quint32>{ finding.frame });
}

// Flags alone leave the data in sight.
void TestUiGraphsFindings::linesOfARuleAreDrawnWhenPointedAt()
{
    SctpaGraphsWindow *window = shown(1);
    const SctpaCrosshair *crosshair = window->stack()->crosshair();
    QVERIFY(crosshair->marked().isEmpty());
    const SctpaGraphData::Finding &finding = window->data().findings().first();
    const QPoint place = marksOf(window)->placeOf(finding).toPoint();
    window->stack()->point(place);
    QCOMPARE(int(crosshair->marked().size()), int(marksOf(window)->secondsOf(finding.rules).size()));
    QVERIFY(crosshair->marked().size() >= 3);
    window->stack()->point(QPointF(place.x(), marksOf(window)->placeOf(finding).y() - 100));
    QVERIFY(crosshair->marked().isEmpty());
    // A click keeps them.
    QTest::mouseClick(window->stack(), Qt::LeftButton, Qt::NoModifier, place);
    window->stack()->point(QPointF(place.x(), marksOf(window)->placeOf(finding).y() - 100));
    QVERIFY(crosshair->marked().size() >= 3);
}

void TestUiGraphsFindings::theLegendSwitchesThemOff()
{
    SctpaGraphsWindow *window = shown(1);
    SctpaLegend *labels = window->stack()->plots().front()->legend();
    int entry = 0;
    while (entry < labels->entries().size() && labels->entries().at(entry).label != sctpaFindingLabel(SCTPA_LEVEL_MUST))
        entry++;
    QVERIFY(entry < labels->entries().size() && labels->entries().at(entry).isOn);
    const QPoint place = (labels->rectOf(entry).center() + labels->outerRect().topLeft()).toPoint();
    const QImage before = window->stack()->toPixmap().toImage();
    QTest::mouseClick(window->stack(), Qt::LeftButton, Qt::NoModifier, place);
    QVERIFY(!(marksOf(window)->choice.findings & 1u << SCTPA_LEVEL_MUST));
    QVERIFY(!labels->entries().at(entry).isOn);
    QVERIFY(window->stack()->toPixmap().toImage() != before);
    QVERIFY(!window->stack()
                 ->find(marksOf(window)->placeOf(window->data().findings().first()))
                 .text.contains(QStringLiteral("FMT-018")));
}

void TestUiGraphsFindings::savesThemAsCsv()
{
    SctpaGraphsWindow *window = shown(1);
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("graphs.csv"));
    QCOMPARE(window->save(file), QString());
    QFile saved(file);
    QVERIFY(saved.open(QIODevice::ReadOnly));
    QCOMPARE(int(saved.readAll().count(",finding,FMT-018,MUST\n")), 3);
}

void TestUiGraphsFindings::nothingIsMarkedWhereNothingWasFound()
{
    const SctpaGraphsWindow *window = shown(0);
    QVERIFY(window->data().findings().isEmpty());
    for (const SctpaLegend::Entry &entry : window->stack()->plots().front()->legend()->entries())
        QVERIFY(!entry.name.startsWith(QStringLiteral("finding/")));
}

void TestUiGraphsFindings::theyGoWhenTheCaptureIsClosed()
{
    SctpaGraphsWindow *window = shown(1);
    windows_->captureClosing();
    played_->close();
    QVERIFY(window->data().findings().isEmpty());
    window->grab();
}

int main(int argc, char *argv[])
{
    return offscreenMain<TestUiGraphsFindings>(argc, argv);
}

#include "test_ui_graphs_findings.moc"
