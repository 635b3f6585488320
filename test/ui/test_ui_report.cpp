/* SPDX-License-Identifier: GPL-2.0-or-later */
// Protects what asks for a report and shows what comes of it, with a program in the place of the real one that notes
// how it was called. test_wireshark_report.py has the real one.
#include <QCheckBox>
#include <QClipboard>
#include <QDesktopServices>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QRadioButton>
#include <QSpinBox>
#include <QTableView>
#include <QtTest>

#include "dialogs/table_pane.h"
#include "dialogs/windows.h"
#include "findings_reading.h"
#include "offscreen_main.h"
#include "window_reading.h"

namespace {

// Does what the capture's name says, and notes words and environment beside it.
const char *const Program = R"(
import json, os, pathlib, sys, time
name, out = sys.argv[-1], pathlib.Path(sys.argv[sys.argv.index("--out") + 1])
seen = {name: os.environ.get(name) for name in ("SCTPA_PLUGINS", "SCTPA_CONFIG", "SCTPA_AS_USER", "PYTHONPATH")}
seen["has_folders"] = all(os.path.isdir(os.environ[name]) for name in ("SCTPA_HOME", "SCTPA_LINKS"))
pathlib.Path("called.json").write_text(json.dumps({"words": sys.argv[1:], **seen}))
print("run: step: reading the capture", file=sys.stderr, flush=True)
if name.startswith("slow"):
    time.sleep(60)
if name.startswith("broken"):
    print("run: broken.pcap: has no association 3", file=sys.stderr)
    sys.exit(1)
out.mkdir()
for each in ("report.html", "evidence.pcapng", "issue.md"):
    (out / each).write_text("## Größe\n")
if name.startswith("cut"):
    print("run: cut short in the middle of a packet", file=sys.stderr)
print(f"{out}: report.html, issue.md, and evidence.pcapng with 12 packets of association 2")
sys.exit(name.startswith("cut"))
)";

}

class TestUiReport : public QObject {
    Q_OBJECT

  public Q_SLOTS:
    void noteUrl(const QUrl &url) { opened_.append(url); }

  private Q_SLOTS:
    void init();
    void cleanup();
    void everyWindowAsksForItsAssociation();
    void saysWhatKeepsItFromBeingMade();
    void saysWhatIsNotInstalled();
    void asksToSaveATemporaryCapture();
    void hasTheProgramSayTheSameAsTheWindows();
    void takesAnyName();
    void showsHowFarItIsAndWhatWasWritten();
    void opensWhatWasWritten();
    void saysWhatTheProgramComplainsOf();
    void saysWhatIsLackingThoughItWasWritten();
    void endsWhenCancelled();
    void goesOnWhenTheCaptureIsClosed();
    void proposesAFolderUntilTheUserNamesOne();
    void escapeDoesNotEndIt();

  private:
    QJsonObject called() const;
    QStringList words() const;
    QString said(const SctpaReportWindow *window, const char *label) const
    {
        return window->findChild<QLabel *>(QString::fromUtf8(label))->text();
    }
    void name(const QString &file);
    void make(SctpaReportWindow *window);

    QScopedPointer<QTemporaryDir> folder_;
    QScopedPointer<PlayedCapture> played_;
    QScopedPointer<SctpaWindows> windows_;
    QList<QUrl> opened_;
};

void TestUiReport::init()
{
    folder_.reset(new QTemporaryDir);
    const QString program = folder_->filePath(QStringLiteral("plugins/4.0/epan/sctp_analysis/report/sctpa/report"));
    QVERIFY(QDir().mkpath(program));
    QFile file(program + QStringLiteral("/__main__.py"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(Program) > 0);
    file.close();
    played_.reset(new PlayedCapture(brokenPackets()));
    played_->setPluginFolder(folder_->filePath(QStringLiteral("plugins/4.0/epan")));
    name(QStringLiteral("demo.pcapng.gz"));
    played_->open();
    windows_.reset(new SctpaWindows(played_->host()));
    QDesktopServices::setUrlHandler(QStringLiteral("file"), this, "noteUrl");
    opened_.clear();
}

void TestUiReport::cleanup()
{
    QDesktopServices::unsetUrlHandler(QStringLiteral("file"));
    windows_.reset();
    played_.reset();
    folder_.reset();
}

// Makes that file, and has it be the open capture.
void TestUiReport::name(const QString &file)
{
    const QString path = folder_->filePath(file);
    QFile made(path);
    QVERIFY(QDir().mkpath(QFileInfo(path).path()) && made.open(QIODevice::WriteOnly));
    played_->name = path;
}

QJsonObject TestUiReport::called() const
{
    QFile file(QFileInfo(played_->name).dir().filePath(QStringLiteral("called.json")));
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

QStringList TestUiReport::words() const
{
    return called()[QStringLiteral("words")].toVariant().toStringList();
}

void TestUiReport::make(SctpaReportWindow *window)
{
    QTest::mouseClick(button(window, "Make Report"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!window->run()->isRunning(), 30000);
}

void TestUiReport::everyWindowAsksForItsAssociation()
{
    SctpaFindingsWindow *findings = windows_->showFindings();
    SctpaAssocsWindow *associations = windows_->showAssociations();
    findings->pane()->view()->selectRow(0);
    associations->pane()->view()->selectRow(1);
    const quint32 ofFinding = findings->model()->assocOfRow(findings->pane()->selectedRows().first());
    const quint32 ofRow = associations->model()->numberOfRow(associations->pane()->selectedRows().first());
    windows_->showSummary()->selectFrame(2, 1);
    const std::pair<SctpaWindow *, quint32> asked[] = {
        { findings, ofFinding },        { associations, ofRow },        { windows_->showAssociation(1), 1 },
        { windows_->showGraphs(2), 2 }, { windows_->showLadder(0), 0 }, { windows_->showSummary(), 2 },
    };
    for (const auto &each : asked) {
        QTest::mouseClick(button(each.first, "Report…"), Qt::LeftButton);
        SctpaReportWindow *window = nullptr;
        for (QWidget *top : QApplication::topLevelWidgets())
            window = qobject_cast<SctpaReportWindow *>(top) ? qobject_cast<SctpaReportWindow *>(top) : window;
        QVERIFY(window && window->isVisible());
        QCOMPARE(window->findChild<QSpinBox *>()->value(), int(each.second));
        QVERIFY(window->findChildren<QRadioButton *>().first()->isChecked());
    }
    // Of no association in particular: the worst.
    windows_->showSummary()->selectFrame(0, 0);
    QTest::mouseClick(button(windows_->showSummary(), "Report…"), Qt::LeftButton);
    make(windows_->showReport(SCTPA_NO_ASSOC));
    QVERIFY(!words().contains(QStringLiteral("--association")));
}

void TestUiReport::saysWhatKeepsItFromBeingMade()
{
    SctpaReportWindow *window = windows_->showReport(2);
    const QPushButton *makes = button(window, "Make Report");
    QVERIFY(makes->isEnabled() && window->findChild<QSpinBox *>()->isEnabled());
    QCOMPARE(said(window, "state"), QString());
    played_->isWhole = false;
    QTRY_VERIFY(!makes->isEnabled());
    QVERIFY(said(window, "state").contains(QStringLiteral("being recorded or read")));
    played_->isWhole = true;
    QTRY_VERIFY(makes->isEnabled());
    played_->hasUnsavedChanges = true;
    QTRY_VERIFY(said(window, "state").contains(QStringLiteral("unsaved changes")));
    QVERIFY(makes->isEnabled());
    QVERIFY(QFile::remove(played_->name));
    QTRY_VERIFY(!makes->isEnabled());
    QVERIFY(said(window, "state").contains(QStringLiteral("no longer readable")));
    windows_->captureClosing();
    played_->close();
    QTRY_COMPARE(said(window, "state"), QStringLiteral("No capture is open."));
    QVERIFY(!window->findChild<QSpinBox *>()->isEnabled());
}

void TestUiReport::saysWhatIsNotInstalled()
{
    SctpaReportWindow *window = windows_->showReport(2);
    QVERIFY(QDir(folder_->filePath(QStringLiteral("plugins"))).removeRecursively());
    QTRY_VERIFY(said(window, "state").startsWith(QStringLiteral("The report program is not installed")));
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", folder_->path().toUtf8());
    QTRY_COMPARE(said(window, "state"), QStringLiteral("Reports need tshark, which is not installed. On Debian it is "
                                                       "in package tshark."));
    qputenv("PATH", path);
}

void TestUiReport::asksToSaveATemporaryCapture()
{
    played_->isTemporary = true;
    SctpaReportWindow *window = windows_->showReport(2);
    QPushButton *save = button(window, "Save Capture…");
    QVERIFY(save->isVisible() && !button(window, "Make Report")->isEnabled());
    QVERIFY(said(window, "state").contains(QStringLiteral("save the capture first")));
    QSignalSpy wanted(window, &SctpaReportWindow::saveWanted);
    window->blockSignals(false);
    window->disconnect(windows_.data());
    QTest::mouseClick(save, Qt::LeftButton);
    QCOMPARE(wanted.count(), 1);
    // Saved: nothing more is to be done.
    played_->isTemporary = false;
    QTRY_VERIFY(button(window, "Make Report")->isEnabled());
    QVERIFY(!save->isVisible() && window->folder().endsWith(QStringLiteral("demo_association_2")));
}

void TestUiReport::hasTheProgramSayTheSameAsTheWindows()
{
    played_->defaults = QStringList{ QStringLiteral("sctp_analysis.rules:all") };
    played_->options =
        QStringList{ QStringLiteral("sctp_analysis.capture_complete:TRUE"),
                     QStringLiteral("sctp_analysis.endpoint_parameters:10.0.0.1 RTO.Min=500; * PMTU=9") };
    SctpaReportWindow *window = windows_->showReport(2);
    window->findChild<QCheckBox *>()->setChecked(true);
    make(window);
    const QStringList expected{ QStringLiteral("--progress"), QStringLiteral("--setting"),
                                played_->defaults.first(),    QStringLiteral("--option"),
                                played_->options.first(),     QStringLiteral("--option"),
                                played_->options.last(),      QStringLiteral("--association"),
                                QStringLiteral("2"),          QStringLiteral("--anonymise"),
                                QStringLiteral("--out"),      window->folder(),
                                QStringLiteral("--"),         QStringLiteral("demo.pcapng.gz") };
    QCOMPARE(words(), expected);
    const QJsonObject seen = called();
    QCOMPARE(seen[QStringLiteral("SCTPA_PLUGINS")].toString(), folder_->filePath(QStringLiteral("plugins")));
    QCOMPARE(seen[QStringLiteral("PYTHONPATH")].toString(),
             folder_->filePath(QStringLiteral("plugins/4.0/epan/sctp_analysis/report")));
    QVERIFY(seen[QStringLiteral("has_folders")].toBool());
    QVERIFY(seen[QStringLiteral("SCTPA_AS_USER")].toString().isEmpty());
    QVERIFY(!seen[QStringLiteral("SCTPA_CONFIG")].toString().isEmpty());
}

void TestUiReport::takesAnyName()
{
    for (const QString &each : { QStringLiteral("-o größer als & \"das\" $HOME.pcapng.zst"),
                                 QStringLiteral("mit leer/日本 'x'.pcap"), QStringLiteral("--help") }) {
        name(each);
        windows_->capture()->refresh();
        SctpaReportWindow *window = windows_->showReport(1);
        make(window);
        QCOMPARE(words().last(), QFileInfo(each).fileName());
        QVERIFY2(QFileInfo::exists(window->folder() + QStringLiteral("/report.html")), qPrintable(window->folder()));
        QVERIFY(window->folder().contains(QFileInfo(each).fileName().section(QLatin1Char('.'), 0, 0)));
    }
}

void TestUiReport::showsHowFarItIsAndWhatWasWritten()
{
    name(QStringLiteral("slow.pcap"));
    SctpaReportWindow *window = windows_->showReport(2);
    QTest::mouseClick(button(window, "Make Report"), Qt::LeftButton);
    QTRY_COMPARE(said(window, "state"), QStringLiteral("Reading the capture…"));
    QVERIFY(!window->findChild<QLineEdit *>(QStringLiteral("folder"))->isEnabled());
    QVERIFY(!button(window, "Make Report")->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(said(window, "state").endsWith(QStringLiteral(" s)")), 10000);
    window->run()->cancel();
    QTRY_VERIFY(!window->run()->isRunning());
    name(QStringLiteral("quick.pcap"));
    windows_->capture()->refresh();
    make(window);
    QVERIFY(said(window, "result")
                .endsWith(QStringLiteral("quick_association_2: report.html, issue.md, and evidence.pcapng with 12 "
                                         "packets of association 2")));
}

void TestUiReport::opensWhatWasWritten()
{
    SctpaReportWindow *window = windows_->showReport(2);
    QVERIFY(!button(window, "Open Report")->isVisible());
    make(window);
    QTest::mouseClick(button(window, "Open Report"), Qt::LeftButton);
    QTest::mouseClick(button(window, "Open Folder"), Qt::LeftButton);
    QCOMPARE(opened_, (QList<QUrl>{ QUrl::fromLocalFile(window->folder() + QStringLiteral("/report.html")),
                                    QUrl::fromLocalFile(window->folder() + QLatin1Char('/')) }));
    QTest::mouseClick(button(window, "Copy Issue Text"), Qt::LeftButton);
    QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("## Größe\n"));
}

void TestUiReport::saysWhatTheProgramComplainsOf()
{
    name(QStringLiteral("broken.pcap"));
    SctpaReportWindow *window = windows_->showReport(2);
    make(window);
    QCOMPARE(said(window, "result"), QStringLiteral("broken.pcap: has no association 3"));
    QVERIFY(!button(window, "Open Report")->isVisible() && button(window, "Make Report")->isEnabled());
}

void TestUiReport::saysWhatIsLackingThoughItWasWritten()
{
    name(QStringLiteral("cut.pcap"));
    SctpaReportWindow *window = windows_->showReport(2);
    make(window);
    QVERIFY(said(window, "result").endsWith(QStringLiteral("association 2. cut short in the middle of a packet")));
    QVERIFY(button(window, "Open Report")->isVisible());
}

void TestUiReport::endsWhenCancelled()
{
    name(QStringLiteral("slow.pcap"));
    SctpaReportWindow *window = windows_->showReport(2);
    QTest::mouseClick(button(window, "Make Report"), Qt::LeftButton);
    QTRY_COMPARE(said(window, "state"), QStringLiteral("Reading the capture…"));
    QTest::mouseClick(button(window, "Cancel"), Qt::LeftButton);
    QTRY_COMPARE(said(window, "result"), QStringLiteral("Cancelled; the report is incomplete."));
    QVERIFY(!button(window, "Cancel")->isVisible() && button(window, "Make Report")->isEnabled());
    // And so does Wireshark's end.
    QTest::mouseClick(button(window, "Make Report"), Qt::LeftButton);
    QTRY_COMPARE(said(window, "state"), QStringLiteral("Reading the capture…"));
    QElapsedTimer clock;
    clock.start();
    windows_.reset();
    QVERIFY(clock.elapsed() < 5000);
}

void TestUiReport::goesOnWhenTheCaptureIsClosed()
{
    name(QStringLiteral("slow.pcap"));
    SctpaReportWindow *window = windows_->showReport(2);
    QTest::mouseClick(button(window, "Make Report"), Qt::LeftButton);
    QTRY_COMPARE(said(window, "state"), QStringLiteral("Reading the capture…"));
    windows_->captureClosing();
    played_->close();
    QTRY_COMPARE(said(window, "state"), QStringLiteral("Reading the capture…"));
    QVERIFY(window->run()->isRunning());
    // Another one may be asked for meanwhile, and changes nothing.
    played_->open();
    windows_->showReport(1);
    QCOMPARE(window->findChild<QSpinBox *>()->value(), 2);
}

void TestUiReport::proposesAFolderUntilTheUserNamesOne()
{
    SctpaReportWindow *window = windows_->showReport(2);
    QCOMPARE(window->folder(), folder_->filePath(QStringLiteral("demo_association_2")));
    window->findChild<QSpinBox *>()->setValue(1);
    QCOMPARE(window->folder(), folder_->filePath(QStringLiteral("demo_association_1")));
    windows_->showReport(SCTPA_NO_ASSOC);
    QCOMPARE(window->folder(), folder_->filePath(QStringLiteral("demo_report")));
    window->findChild<QLineEdit *>(QStringLiteral("folder"))->setText(folder_->filePath(QStringLiteral("mine")));
    windows_->showReport(1);
    QCOMPARE(window->folder(), folder_->filePath(QStringLiteral("mine")));
    window->findChild<QLineEdit *>(QStringLiteral("folder"))->clear();
    QCOMPARE(said(window, "state"), QStringLiteral("Choose a folder."));
}

void TestUiReport::escapeDoesNotEndIt()
{
    name(QStringLiteral("slow.pcap"));
    SctpaReportWindow *window = windows_->showReport(2);
    QTest::mouseClick(button(window, "Make Report"), Qt::LeftButton);
    QTRY_COMPARE(said(window, "state"), QStringLiteral("Reading the capture…"));
    QTest::keyClick(window, Qt::Key_Escape);
    QVERIFY(window->isVisible() && window->run()->isRunning());
    window->run()->cancel();
    QTRY_VERIFY(!window->run()->isRunning());
    QPointer<SctpaReportWindow> closed(window);
    QTest::keyClick(window, Qt::Key_Escape);
    QTRY_VERIFY(!closed);
}

int main(int argc, char *argv[])
{
    return offscreenMain<TestUiReport>(argc, argv);
}

#include "test_ui_report.moc"
