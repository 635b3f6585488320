/* SPDX-License-Identifier: GPL-2.0-or-later */
// Protects the menu of the graphs and the keys of its entries, the picture on the clipboard, windows that show the same
// time, steps from association to association, and the way from a row of a table to the graphs.
#include <QClipboard>
#include <QMenu>
#include <QSpinBox>
#include <QTableView>

#include "dialogs/table_pane.h"
#include "graphs_reading.h"
#include "offscreen_main.h"
#include "plots/plot_commands.h"
#include "window_reading.h"

extern "C" {
#include "../../plugins/sctp_analysis/report/tables/window_tables.h"
}

class TestUiGraphsMenu : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init();
    void cleanup();
    void noKeyMeansTwoThings();
    void everyEntryShowsItsKeys();
    void everyKeyDoesWhatItsEntryDoes_data();
    void everyKeyDoesWhatItsEntryDoes();
    void goToIsForPacketsThatArePointedAt();
    void aPictureIsOnTheClipboard();
    void linkedWindowsShowTheSameTime();
    void keysAndBoxShowTheNextAssociation();
    void everyRowWithAPacketIsShownInTheGraphs();
    void aFindingIsShownWithItsRule();

  private:
    void openAnew();
    QByteArray stateOf() const;

    QScopedPointer<PlayedCapture> played_;
    QScopedPointer<SctpaWindows> windows_;
    SctpaGraphsWindow *window_ = nullptr;
    SctpaPlotStack *stack_ = nullptr;
};

void TestUiGraphsMenu::init()
{
    // No test changes the capture.
    if (!played_) {
        played_.reset(new PlayedCapture(packetsOf("demo")));
        played_->open();
    }
    openAnew();
}

// As if nothing had been chosen before.
void TestUiGraphsMenu::openAnew()
{
    windows_.reset();
    QFile::remove(QString::fromUtf8(played_->host()->settings_file));
    windows_.reset(new SctpaWindows(played_->host()));
    window_ = windows_->showGraphs(0);
    stack_ = window_->stack();
    QTRY_VERIFY(!window_->isLoading());
    makeRoom(window_);
    stack_->replot(QCustomPlot::rpImmediateRefresh);
}

void TestUiGraphsMenu::cleanup()
{
    windows_.reset();
}

void TestUiGraphsMenu::noKeyMeansTwoThings()
{
    QSet<int> keys;
    for (const SctpaPlotCommand &command : sctpaPlotCommands()) {
        QVERIFY2(!command.keys.isEmpty(), command.name);
        for (int key : command.keys) {
            QVERIFY2(!keys.contains(key), qPrintable(QKeySequence(key).toString()));
            QCOMPARE(sctpaPlotCommandOf(key), &command);
            keys.insert(key);
        }
    }
}

static QVector<QAction *> entriesOf(const QMenu *menu)
{
    QVector<QAction *> entries;
    for (QAction *action : menu->actions()) {
        if (action->menu())
            entries += entriesOf(action->menu());
        else if (!action->isSeparator())
            entries.append(action);
    }
    return entries;
}

void TestUiGraphsMenu::everyEntryShowsItsKeys()
{
    const QScopedPointer<QMenu> menu(stack_->makeMenu(stack_->plots().front()->rect()->center()));
    const QVector<QAction *> entries = entriesOf(menu.data());
    QCOMPARE(entries.size(), sctpaPlotCommands().size());
    for (int i = 0; i < entries.size(); i++)
        QCOMPARE(entries.at(i)->text().section(QLatin1Char('\t'), 1), sctpaPlotKeysText(sctpaPlotCommands().at(i)));
    QCOMPARE(sctpaPlotKeysText("reset"), QStringLiteral("0, Home, R"));
}

// What can be seen of the window that commands change.
QByteArray TestUiGraphsMenu::stateOf() const
{
    QString state = QStringLiteral("%1 %2 %3 %4 %5 %6 %7 %8 ")
                        .arg(stack_->timeRange().lower, 0, 'g', 17)
                        .arg(stack_->timeRange().upper, 0, 'g', 17)
                        .arg(stack_->plotNames().join(QLatin1Char(',')))
                        .arg(stack_->mouse())
                        .arg(stack_->hasCrosshair())
                        .arg(stack_->isTimeAbsolute())
                        .arg(stack_->choice().isRawTsn)
                        .arg(stack_->isLinked());
    state += QStringLiteral("%1 %2 %3 %4")
                 .arg(window_->association()->number())
                 .arg(window_->data().end())
                 .arg(window_->bar()->path())
                 .arg(QApplication::clipboard()->pixmap().width());
    for (const auto &plot : stack_->plots())
        state += QStringLiteral(" %1 %2").arg(plot->valueAxis()->range().lower).arg(plot->valueAxis()->range().upper);
    return state.toUtf8();
}

void TestUiGraphsMenu::everyKeyDoesWhatItsEntryDoes_data()
{
    QTest::addColumn<int>("number");
    for (int i = 0; i < sctpaPlotCommands().size(); i++)
        QTest::addRow("%d %s", i, sctpaPlotCommands().at(i).name) << i;
}

// From the same state, chosen in the menu and by the first of its keys: the same, and something else than before. That
// its other keys are keys of the same command, noKeyMeansTwoThings looks at.
void TestUiGraphsMenu::everyKeyDoesWhatItsEntryDoes()
{
    QFETCH(int, number);
    const SctpaPlotCommand &command = sctpaPlotCommands().at(number);
    QVector<QByteArray> states;
    QByteArray before;
    if (qstrcmp(command.name, "go_to") == 0)
        return; // goToIsForPacketsThatArePointedAt
    const bool isForward = qstrcmp(command.name, "forward") == 0;
    for (const bool byKey : { false, true }) {
        if (byKey)
            openAnew();
        QApplication::clipboard()->clear();
        stack_->showTime(QCPRange(4, 8));
        stack_->showTime(QCPRange(5, 7));
        if (isForward)
            stack_->goBack();
        if (qstrcmp(command.name, "previous_path") == 0 || qstrcmp(command.name, "previous_association") == 0) {
            QTest::keyClick(stack_, qstrcmp(command.name, "previous_path") == 0 ? Qt::Key_P : Qt::Key_PageUp);
            QTRY_VERIFY(!window_->isLoading());
            if (qstrcmp(command.name, "previous_association") == 0)
                stack_->showTime(QCPRange(5, 7));
        }
        stack_->replot(QCustomPlot::rpImmediateRefresh);
        before = stateOf();
        if (!byKey) {
            const QScopedPointer<QMenu> menu(stack_->makeMenu(stack_->plots().front()->rect()->center()));
            QAction *entry = entriesOf(menu.data()).at(number);
            QVERIFY(entry->isEnabled());
            entry->trigger();
        } else {
            const int key = command.keys.first();
            constexpr int Modifiers = int(Qt::SHIFT) | int(Qt::CTRL) | int(Qt::ALT);
            QTest::keyClick(stack_, Qt::Key(key & ~Modifiers), Qt::KeyboardModifiers(key & Modifiers));
        }
        QTRY_VERIFY(!window_->isLoading());
        stack_->replot(QCustomPlot::rpImmediateRefresh);
        states.append(stateOf());
    }
    for (const QByteArray &state : std::as_const(states)) {
        QCOMPARE(state, states.first());
        QVERIFY(state != before);
    }
}

void TestUiGraphsMenu::goToIsForPacketsThatArePointedAt()
{
    const SctpaTrace *trace = traceOf(window_, SCTPA_SERIES_TIMEOUT);
    const sctpa_point_t point = *sctpa_series_point(trace->series().get(), 0);
    const double seconds = window_->data().secondsOf(point.time_ns);
    stack_->showTime(QCPRange(seconds - 0.2, seconds + 0.2));
    stack_->replot(QCustomPlot::rpImmediateRefresh);
    const QScopedPointer<QMenu> menu(stack_->makeMenu(placeOf(window_, trace, point)));
    QAction *goTo = menu->findChild<QAction *>(QStringLiteral("go_to"));
    QVERIFY(goTo && goTo->isEnabled());
    // Away from it the mouse may be when the entry is chosen.
    stack_->point(QPointF(-100, -100));
    goTo->trigger();
    QCOMPARE(played_->frames.last(), window_->data().frameOf(point.packet));
    const QScopedPointer<QMenu> empty(stack_->makeMenu(QPointF(2, 2)));
    QVERIFY(!empty->findChild<QAction *>(QStringLiteral("go_to"))->isEnabled());
}

void TestUiGraphsMenu::aPictureIsOnTheClipboard()
{
    QTest::keyClick(stack_, Qt::Key_C, Qt::ControlModifier);
    const QImage picture = QApplication::clipboard()->image();
    QCOMPARE(picture.size(), stack_->size() * stack_->devicePixelRatio());
    QSet<QRgb> colors;
    for (int x = 0; x < picture.width(); x += 3)
        for (int y = 0; y < picture.height(); y += 3)
            colors.insert(picture.pixel(x, y));
    QVERIFY(colors.size() > 10);
    // What is pointed at is no part of the picture, but stays on the screen.
    const QPointF place = stack_->plots().front()->rect()->center();
    stack_->point(place);
    QVERIFY(stack_->crosshair()->isShown());
    const QPointF at = stack_->crosshair()->at();
    QTest::keyClick(stack_, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->image(), picture);
    QVERIFY(stack_->crosshair()->isShown());
    QCOMPARE(stack_->crosshair()->at(), at);
}

void TestUiGraphsMenu::linkedWindowsShowTheSameTime()
{
    SctpaGraphsWindow *other = windows_->showGraphs(2), *third = windows_->showGraphs(3);
    QTRY_VERIFY(!other->isLoading() && !third->isLoading());
    const QCPRange apart = other->stack()->timeRange();
    stack_->showTime(QCPRange(4, 6));
    QCOMPARE(other->stack()->timeRange(), apart);
    // Who links brings the others to what he sees.
    QTest::keyClick(stack_, Qt::Key_L);
    QVERIFY(window_->isLinked() && other->isLinked() && third->isLinked());
    QCOMPARE(stack_->timeRange(), QCPRange(4, 6));
    QCOMPARE(other->stack()->timeRange(), QCPRange(4, 6));
    QCOMPARE(third->stack()->timeRange(), QCPRange(4, 6));
    stack_->showTime(QCPRange(3, 9));
    QCOMPARE(other->stack()->timeRange(), QCPRange(3, 9));
    QCOMPARE(third->stack()->timeRange(), QCPRange(3, 9));
    turnWheel(other->stack(), other->stack()->plots().front()->rect()->center(), 1);
    QVERIFY(other->stack()->timeRange().size() < 6);
    QVERIFY(qAbs(stack_->timeRange().lower - other->stack()->timeRange().lower) < 1e-6);
    QVERIFY(qAbs(stack_->timeRange().upper - other->stack()->timeRange().upper) < 1e-6);
    // A window that opens later is linked, too.
    SctpaGraphsWindow *later = windows_->showGraphs(1);
    QVERIFY(later->isLinked());
    QTest::keyClick(other->stack(), Qt::Key_L);
    QVERIFY(!window_->isLinked() && !other->isLinked() && !third->isLinked() && !later->isLinked());
    const QCPRange stays = stack_->timeRange();
    other->stack()->showTime(QCPRange(1, 2));
    QCOMPARE(stack_->timeRange(), stays);
}

void TestUiGraphsMenu::keysAndBoxShowTheNextAssociation()
{
    QSpinBox *box = window_->bar()->associations();
    QCOMPARE(box->value(), 0);
    QCOMPARE(quint32(box->maximum()), sctpa_assoc_count(played_->view().sctpa) - 1);
    QTest::keyClick(stack_, Qt::Key_PageUp);
    QTRY_VERIFY(!window_->isLoading());
    QCOMPARE(window_->association()->number(), 1u);
    box->setValue(2);
    QTRY_VERIFY(!window_->isLoading());
    QCOMPARE(window_->association()->number(), 2u);
    QVERIFY(window_->windowTitle().startsWith(QStringLiteral("SCTP Graphs 2: ")));
    QVERIFY(traceOf(window_, SCTPA_SERIES_SENT));
    // All of it, not the time of the one before.
    QCOMPARE(stack_->timeRange(), stack_->wholeTime());
    QTest::keyClick(stack_, Qt::Key_PageDown);
    QTRY_VERIFY(!window_->isLoading());
    QCOMPARE(window_->association()->number(), 1u);
    QTest::keyClick(stack_, Qt::Key_PageDown);
    QTest::keyClick(stack_, Qt::Key_PageDown);
    QTRY_VERIFY(!window_->isLoading());
    QCOMPARE(window_->association()->number(), 0u);
    QCOMPARE(box->value(), 0);
}

// Retransmissions, events, pauses, findings and all other tables whose rows name packets.
void TestUiGraphsMenu::everyRowWithAPacketIsShownInTheGraphs()
{
    SctpaAssocWindow *association = windows_->showAssociation(0);
    QStringList shown;
    for (int page = 0; page < association->tabs()->count(); page++) {
        association->tabs()->setCurrentIndex(page);
        for (SctpaTablePane *pane : association->panes(page)) {
            const SctpaTableModel *model = pane->proxy()->table();
            const auto entries = pane->menu()->actions();
            const auto entry = std::find_if(entries.cbegin(), entries.cend(), [](const QAction *action) {
                return action->text() == QLatin1String("Show in &Graph");
            });
            QCOMPARE(entry != entries.cend(), model->hasFrames());
            for (int row = 0; entry != entries.cend() && row < qMin(3, pane->proxy()->rowCount()); row++) {
                const quint32 frame = model->frameOfRow(pane->proxy()->mapToSource(pane->proxy()->index(row, 0)).row());
                pane->view()->selectRow(row);
                QVERIFY((*entry)->isEnabled());
                (*entry)->trigger();
                QTRY_VERIFY(!window_->isLoading());
                if (frame == 0)
                    continue;
                const quint32 packet = window_->data().packetOf(frame);
                QCOMPARE(stack_->markedFrame(), packet == SCTPA_NO_PACKET_INDEX ? 0 : frame);
                if (packet == SCTPA_NO_PACKET_INDEX)
                    continue;
                QVERIFY(stack_->timeRange().contains(window_->data().secondsOf(window_->data().packetTimeNs(packet))));
                shown.append(pane->objectName());
            }
        }
    }
    shown.removeDuplicates();
    for (const char *name : { "events", "pauses", "resent", "failovers" })
        QVERIFY2(shown.contains(QLatin1String(name)), qPrintable(shown.join(' ')));
}

void TestUiGraphsMenu::aFindingIsShownWithItsRule()
{
    SctpaFindingsWindow *findings = windows_->showFindings();
    findings->pane()->view()->selectRow(0);
    const int row = findings->pane()->selectedRows().first();
    const quint32 number = findings->model()->assocOfRow(row), frame = findings->model()->frameOfRow(row);
    action(findings, "Show in Graph")->trigger();
    SctpaGraphsWindow *window = windows_->showGraphs(number);
    QTRY_VERIFY(!window->isLoading());
    QCOMPARE(window->stack()->markedFrame(), frame);
    QCOMPARE(window->stack()->chosenRules().size(), 1);
    const auto rule = sctpa_rule_t(window->stack()->chosenRules().first() >> 1);
    QCOMPARE(findings->model()->index(row, SCTPA_FINDING_RULE).data().toString(),
             QString::fromUtf8(sctpa_rule_info(rule)->id));
    window->stack()->replot(QCustomPlot::rpImmediateRefresh);
    QVERIFY(!window->stack()->crosshair()->marked().isEmpty());
}

int main(int argc, char *argv[])
{
    return offscreenMain<TestUiGraphsMenu>(argc, argv);
}

#include "test_ui_graphs_menu.moc"
