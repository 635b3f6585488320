/* SPDX-License-Identifier: GPL-2.0-or-later */
// Protects the files that graphs are saved to: pictures, documents, drawings, and the points of what is shown.
#include <QXmlStreamReader>

#include "graphs_reading.h"
#include "offscreen_main.h"

class TestUiGraphsFiles : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void cleanup();
    void savesPictures();
    void savesThePointsShown();
    void saysWhyAFileCannotBeWritten();

  private:
    PlayedGraphs graphs_;
};

void TestUiGraphsFiles::cleanup()
{
    graphs_.close();
}

void TestUiGraphsFiles::savesPictures()
{
    SctpaGraphsWindow *window = graphs_.open("linux_bulk_loss1_A");
    QTemporaryDir folder;
    for (const char *name : { "a.png", "a.svg", "a.pdf" })
        QCOMPARE(window->save(folder.filePath(QLatin1String(name))), QString());
    const QImage image(folder.filePath(QStringLiteral("a.png")));
    QCOMPARE(image.width(), 2 * window->stack()->width());
    QSet<QRgb> colors;
    for (int y = 0; y < image.height(); y += 3)
        for (int x = 0; x < image.width(); x += 3)
            colors.insert(image.pixel(x, y));
    QVERIFY(colors.size() > 20);

    QFile svg(folder.filePath(QStringLiteral("a.svg"))), pdf(folder.filePath(QStringLiteral("a.pdf")));
    QVERIFY(svg.open(QIODevice::ReadOnly) && pdf.open(QIODevice::ReadOnly));
    QXmlStreamReader reader(&svg);
    QStringList texts;
    int lines = 0;
    while (!reader.atEnd()) {
        reader.readNext();
        lines += reader.isStartElement() &&
                 (reader.name() == QLatin1String("polyline") || reader.name() == QLatin1String("path"));
        if (reader.isStartElement() && reader.name() == QLatin1String("text"))
            texts.append(reader.readElementText());
    }
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    QVERIFY(texts.contains(QStringLiteral("TSN")) && texts.contains(QStringLiteral("fast")) && lines > 50);
    const QByteArray document = pdf.readAll();
    QVERIFY(document.startsWith("%PDF-") && document.trimmed().endsWith("%%EOF") && document.contains("/Page"));
}

// What the report prints, of the series and the time that are in sight.
void TestUiGraphsFiles::savesThePointsShown()
{
    SctpaGraphsWindow *window = graphs_.open("linux_bulk_loss1_A");
    for (Qt::Key key : { Qt::Key_3, Qt::Key_4, Qt::Key_6 })
        QTest::keyClick(window->stack(), key);
    QTRY_VERIFY(!window->isLoading());
    window->stack()->showTime(QCPRange(2, 3));
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("a.csv")));
    QCOMPARE(window->save(file.fileName()), QString());
    QVERIFY(file.open(QIODevice::ReadOnly));
    QStringList expected{ QStringLiteral("time_s,frame,endpoint,path,series,value,value2") };
    const QStringList rows = seriesRows(*graphs_.played, "0,0");
    for (const QString &row : rows) {
        const double seconds = row.section(QLatin1Char(','), 0, 0).toDouble();
        const QString series = row.section(QLatin1Char(','), 4, 4);
        if (seconds >= 2 && seconds <= 3 && !series.endsWith(QLatin1String("_bps")) &&
            !series.endsWith(QLatin1String("rtt")) && !series.startsWith(QLatin1String("rto")) &&
            series != QLatin1String("hol_delay") && series != QLatin1String("message_delay"))
            expected.append(row);
    }
    QVERIFY(expected.size() > 100 && expected.size() < rows.size());
    QCOMPARE(QString::fromUtf8(file.readAll()).trimmed().split(QLatin1Char('\n')), expected);
}

void TestUiGraphsFiles::saysWhyAFileCannotBeWritten()
{
    SctpaGraphsWindow *window = graphs_.open("linux_zerowin_A");
    for (const char *suffix : { "png", "svg", "pdf", "csv" }) {
        const QString file = QStringLiteral("/nonexistent/a.") + QLatin1String(suffix);
        QVERIFY2(window->save(file).startsWith(file + QStringLiteral(" could not be written")), suffix);
    }
}

int main(int argc, char *argv[])
{
    return offscreenMain<TestUiGraphsFiles>(argc, argv);
}

#include "test_ui_graphs_files.moc"
