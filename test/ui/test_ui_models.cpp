/* SPDX-License-Identifier: GPL-2.0-or-later */
// Protects the models: the rules of Qt's models, sorting, filters, text, and finding an association again.
#include <QAbstractItemModelTester>
#include <QtTest>

#include "models/assocs_model.h"
#include "models/link_color.h"
#include "models/sort_proxy.h"
#include "models/table_text.h"
#include "offscreen_main.h"
#include "played_capture.h"
#include "sheet_reading.h"
#include "window_reading.h"

class TestUiModels : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init();
    void cleanup();
    void framesOfTheOverviewAreLinks();
    void everyModelKeepsTheRulesWhileTheCaptureGrows();
    void everyModelIsEmptyAfterClear();
    void sortsByValue();
    void sortsTextsNaturally();
    void filtersByTextAndByNumber();
    void writesTextAndCsv();
    void momentsFollowTheHost();
    void filterNamesAssociationsInRanges();
    void findsTheAssociationAgainAfterReload();
    void linksCanBeReadOnEveryPalette();

  private:
    QScopedPointer<PlayedCapture> played_;
    QScopedPointer<SctpaCapture> capture_;
};

void TestUiModels::init()
{
    played_.reset(new PlayedCapture(qEnvironmentVariable("SCTPA_UI_PACKETS")));
    capture_.reset(new SctpaCapture(played_->host()));
    played_->open();
}

void TestUiModels::cleanup()
{
    capture_.reset();
    played_.reset();
}

void TestUiModels::everyModelKeepsTheRulesWhileTheCaptureGrows()
{
    const auto strict = QAbstractItemModelTester::FailureReportingMode::QtTest;
    played_->open(40);
    SctpaAssocsModel associations;
    SctpaAssociation association(capture_.get(), 0);
    SctpaSortProxy sorted(&associations);
    QList<QAbstractItemModelTester *> testers = { new QAbstractItemModelTester(&associations, strict, this),
                                                  new QAbstractItemModelTester(&sorted, strict, this) };
    QList<SctpaSortProxy *> proxies = { &sorted };
    for (const SctpaAssociation::Page &page : association.pages())
        for (SctpaWindowTableModel *windowTable : page.windowTables) {
            proxies.append(new SctpaSortProxy(windowTable, &association));
            testers.append(new QAbstractItemModelTester(windowTable, strict, this));
            testers.append(new QAbstractItemModelTester(proxies.last(), strict, this));
        }
    for (int step = 0; step < 20; step++) {
        associations.refresh(played_->view());
        refreshAll(association);
        for (SctpaSortProxy *proxy : proxies) {
            proxy->sort(step % proxy->columnCount(), step % 2 ? Qt::AscendingOrder : Qt::DescendingOrder);
            proxy->setFilter(SctpaSortProxy::AnyColumn, step % 3 ? QString() : QStringLiteral("1"));
            proxy->settle();
        }
        played_->feed(played_->size() / 20);
    }
    QVERIFY(associations.rowCount() > 1);
    qDeleteAll(testers);
}

void TestUiModels::everyModelIsEmptyAfterClear()
{
    SctpaAssocsModel associations;
    SctpaAssociation association(capture_.get(), 0);
    associations.refresh(played_->view());
    refreshAll(association);
    associations.clear();
    association.clear();
    played_->close();
    QCOMPARE(associations.rowCount(), 0);
    for (const SctpaAssociation::Page &page : association.pages())
        for (SctpaWindowTableModel *windowTable : page.windowTables)
            QCOMPARE(windowTable->rowCount(), 0);
    QCOMPARE(association.state(), SctpaAssociation::Closed);
}

void TestUiModels::sortsByValue()
{
    SctpaAssocsModel model;
    SctpaSortProxy proxy(&model);
    model.refresh(played_->view());
    proxy.settle();
    for (int column = 0; column < model.columnCount(); column++) {
        proxy.sort(column, Qt::AscendingOrder);
        for (int row = 1; row < proxy.rowCount(); row++) {
            const SctpaKey before = model.key(proxy.mapToSource(proxy.index(row - 1, 0)).row(), column);
            const SctpaKey after = model.key(proxy.mapToSource(proxy.index(row, 0)).row(), column);
            QVERIFY(!(after < before));
        }
    }
    // "9" and "10", "1,835" and "390" would stand otherwise by their texts.
    proxy.sort(0, Qt::DescendingOrder);
    QCOMPARE(proxy.index(0, 0).data().toInt(), proxy.rowCount() - 1);
}

void TestUiModels::sortsTextsNaturally()
{
    const auto text = [](const char *text) { return SctpaKey{ SctpaKey::Text, 0, QString::fromUtf8(text) }; };
    QVERIFY(text("10.0.0.9:5") < text("10.0.0.10:5"));
    QVERIFY(!(text("10.0.0.10:5") < text("10.0.0.9:5")));
    QVERIFY(!(text("a") < text("a")));
    QVERIFY(text("a") < text("ab"));
    QVERIFY(SctpaKey{} < text("a"));
    QVERIFY((SctpaKey{ SctpaKey::Number, 2, QString() }) < (SctpaKey{ SctpaKey::Number, 10, QString() }));
}

void TestUiModels::filtersByTextAndByNumber()
{
    SctpaAssocsModel model;
    SctpaSortProxy proxy(&model);
    model.refresh(played_->view());
    proxy.settle();
    const auto rowsWith = [&](auto isWanted) {
        int rows = 0;
        for (int row = 0; row < model.rowCount(); row++)
            rows += isWanted(row);
        return rows;
    };
    const int last = columnNamed(model, "last frame");
    proxy.setFilter(SctpaSortProxy::AnyColumn, QStringLiteral("SHUTDOWN"));
    QCOMPARE(proxy.rowCount(),
             rowsWith([&](int row) { return cell(model, row, "outcome") == QStringLiteral("shutdown"); }));
    QVERIFY(proxy.rowCount() > 0 && proxy.rowCount() < model.rowCount());
    proxy.setFilter(last, QStringLiteral(">= 3,998"));
    QCOMPARE(proxy.rowCount(), rowsWith([&](int row) { return number(model, row, "last frame") >= 3998; }));
    QVERIFY(proxy.rowCount() > 0 && proxy.rowCount() < model.rowCount());
    proxy.setFilter(0, QStringLiteral("=3"));
    QCOMPARE(proxy.rowCount(), 1);
    proxy.setFilter(0, QStringLiteral("<3"));
    QCOMPARE(proxy.rowCount(), 3);
    proxy.setFilter(0, QString());
    QCOMPARE(proxy.rowCount(), model.rowCount());
}

void TestUiModels::writesTextAndCsv()
{
    SctpaAssociation association(capture_.get(), 0);
    refreshAll(association);
    const SctpaWindowTableModel &paths = *windowTable(association, "paths");
    QVERIFY(number(paths, 1, "bytes") >= 1000);
    const QVector<int> columns = { 0, 2, 4 }, row = { 1 };
    const QString destination = cell(paths, 1, "destination"), bytes = cell(paths, 1, "bytes");
    QCOMPARE(SctpaText::plainText(paths, row, columns),
             QStringLiteral("from\tdestination\tbytes\n%1\t%2\t%3\n").arg(cell(paths, 1, "from"), destination, bytes));
    QCOMPARE(SctpaText::csvText(paths, row, columns),
             QStringLiteral("from,destination,bytes\n%1,%2,%3\n")
                 .arg(cell(paths, 1, "from"), destination, QString(bytes).remove(QLatin1Char(','))));
    // Unknown is nothing; a comma is quoted.
    const SctpaWindowTableModel &events = *windowTable(association, "events");
    const QString csv = SctpaText::csvText(events, SctpaText::firstNumbers(events.rowCount()), { 3, 5 });
    QVERIFY(csv.startsWith(QStringLiteral("endpoint,detail\n,\n")));
    QVERIFY(csv.contains(QStringLiteral("(0),\"path 0 -> 1, ")));
}

void TestUiModels::momentsFollowTheHost()
{
    SctpaAssocsModel model;
    model.refresh(played_->view());
    const int start = columnNamed(model, "start s");
    QCOMPARE(model.headerData(start, Qt::Horizontal).toString(), QStringLiteral("start s"));
    const double seconds = model.index(2, start).data(SctpaTableModel::ExactRole).toDouble();
    played_->formatsMoments = true;
    model.refresh(played_->view());
    QCOMPARE(model.headerData(start, Qt::Horizontal).toString(), QStringLiteral("start"));
    QVERIFY(model.index(2, start).data().toString().startsWith(QStringLiteral("20")));
    QCOMPARE(model.index(2, start).data(SctpaTableModel::ExactRole).toDouble(), seconds);
}

void TestUiModels::filterNamesAssociationsInRanges()
{
    QCOMPARE(SctpaAssocsModel::filterFor({}), QString());
    QCOMPARE(SctpaAssocsModel::filterFor({ 7 }), QStringLiteral("sctp.analysis.assoc == 7"));
    QCOMPARE(SctpaAssocsModel::filterFor({ 7, 1, 2, 3, 9 }), QStringLiteral("sctp.analysis.assoc in {1 .. 3, 7, 9}"));
}

void TestUiModels::findsTheAssociationAgainAfterReload()
{
    SctpaAssociation association(capture_.get(), 2);
    association.refresh(0);
    const quint32 frame = association.firstFrame();
    QCOMPARE(association.state(), SctpaAssociation::Shown);
    association.clear();
    played_->open();
    association.refresh(0);
    QCOMPARE(association.state(), SctpaAssociation::Shown);
    QCOMPARE(association.firstFrame(), frame);
    // Another capture, which has none like it.
    association.clear();
    played_->open(0);
    played_->feedFlood(5);
    association.refresh(0);
    QCOMPARE(association.state(), SctpaAssociation::Gone);
    QCOMPARE(windowTable(association, "endpoints")->rowCount(), 0);
}

// Blue as on white stays; where the ground is dark, or nearly as blue, it moves towards the text.
void TestUiModels::linksCanBeReadOnEveryPalette()
{
    QCOMPARE(qRound(SctpaLinkColor::contrast(Qt::black, Qt::white)), 21);
    QPalette palette;
    palette.setColor(QPalette::Link, QColor(0, 0, 0xFF));
    for (const QColor &ground :
         { QColor(Qt::white), QColor(0x20, 0x22, 0x26), QColor(0x5a, 0x58, 0x56), QColor(0, 0, 0x80) }) {
        const bool isLight = ground == Qt::white;
        palette.setColor(QPalette::Base, ground);
        palette.setColor(QPalette::AlternateBase, isLight ? ground.darker(105) : ground.lighter(115));
        palette.setColor(QPalette::Text, isLight ? Qt::black : Qt::white);
        const QColor link = SctpaLinkColor::on(palette);
        QVERIFY(SctpaLinkColor::contrast(link, palette.color(QPalette::Base)) >= 4.5);
        QVERIFY(SctpaLinkColor::contrast(link, palette.color(QPalette::AlternateBase)) >= 4.5);
        QCOMPARE(link == palette.color(QPalette::Link), isLight);
    }
}

void TestUiModels::framesOfTheOverviewAreLinks()
{
    SctpaAssociation association(capture_.get(), 7);
    refreshAll(association);
    const SctpaWindowTableModel *overview = windowTable(association, "association");
    int links = 0;
    for (int row = 0; row < overview->rowCount(); row++) {
        const QString property = overview->index(row, 0).data().toString();
        const QVariant frame = overview->index(row, 1).data(SctpaTableModel::FrameRole);
        QCOMPARE(frame.isValid(), property.endsWith(QStringLiteral("frame")));
        links += frame.isValid();
        if (frame.isValid())
            QCOMPARE(overview->index(row, 1).data().toString(), frame.toString());
    }
    QCOMPARE(links, 2);
}

int main(int argc, char *argv[])
{
    return offscreenMain<TestUiModels>(argc, argv);
}

#include "test_ui_models.moc"
