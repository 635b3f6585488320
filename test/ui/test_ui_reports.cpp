/* SPDX-License-Identifier: GPL-2.0-or-later */
// Protects that the models show what the reports and JSON say of the same capture.
#include <QJsonObject>
#include <QRegularExpression>
#include <QtTest>

#include "models/assocs_model.h"
#include "offscreen_main.h"
#include "played_capture.h"
#include "sheet_reading.h"

extern "C" {
#include "wire/types.h"
}

namespace {

// Do the cells of these columns stand in this order on one line of text, and nothing behind them but what lies in
// columns after these?
bool hasLine(const QString &text, const QAbstractItemModel &model, int row, int from, int to, int leftOut = -1,
             int leftOutTo = -1)
{
    QStringList cells;
    for (int column = from; column < to; column++) {
        QString shown = model.index(row, column).data().toString();
        // Windows have the number of an endpoint behind its name.
        if (model.headerData(column, Qt::Horizontal).toString().startsWith(QStringLiteral("endpoint")))
            shown.remove(QRegularExpression(QStringLiteral(" \\([01]\\)$")));
        if (!shown.isEmpty() && (column < leftOut || column >= leftOutTo))
            cells.append(QRegularExpression::escape(shown));
    }
    const QString rest = to < model.columnCount() ? QStringLiteral("( .*)?$") : QStringLiteral(" *$");
    return QRegularExpression(QStringLiteral("^ *") + cells.join(QStringLiteral(" +")) + rest,
                              QRegularExpression::MultilineOption)
        .match(text)
        .hasMatch();
}

// "RTO.Min (ms)" is "rto_min_ms" in JSON.
QString wordOf(const QString &parameter)
{
    const QByteArray name = parameter.section(QStringLiteral(" ("), 0, 0).toUtf8();
    for (int i = 0; i < SCTPA_PARAMETERS; i++) {
        const sctpa_parameter_row_t *row = sctpa_parameter_row(sctpa_parameter_t(i));
        if (row->word && name == row->rfc_name)
            return QString::fromUtf8(row->word);
    }
    return QString();
}

}

class TestUiReports : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init();
    void cleanup();
    void associationsShowWhatTheReportPrints();
    void associationsShowWhatJsonSays();
    void associationsShowTheirTroubleFirst();
    void sheetsShowWhatTheReportsPrint();
    void overviewShowsWhatJsonSays();
    void pathsStreamsAndChunksShowWhatJsonSays();
    void retransmissionsShowWhatJsonAndSeriesSay();
    void parametersAndEventsShowWhatJsonSays();

  private:
    QScopedPointer<PlayedCapture> played_;
    QScopedPointer<SctpaCapture> capture_;
};

void TestUiReports::init()
{
    played_.reset(new PlayedCapture(qEnvironmentVariable("SCTPA_UI_PACKETS")));
    capture_.reset(new SctpaCapture(played_->host()));
    played_->open();
}

void TestUiReports::cleanup()
{
    capture_.reset();
    played_.reset();
}

void TestUiReports::associationsShowWhatTheReportPrints()
{
    SctpaAssocsModel model;
    const QString text = played_->report("assocs");
    model.refresh(played_->view());
    QVERIFY(model.rowCount() > 0);
    const int who = SCTPA_ASSOCS_FINDINGS + 2, tags = who + 2, all = model.columnCount();
    for (int row = 0; row < qMin(model.rowCount(), 50); row++) {
        const QString number = model.index(row, 0).data().toString();
        QVERIFY2(hasLine(text, model, row, 0, tags + 2, SCTPA_ASSOCS_OUTCOME, who), qPrintable(number));
        QVERIFY2(text.contains(cell(model, row, "outcome")), qPrintable(number));
        QVERIFY2(text.contains(cell(model, row, "start s")), qPrintable(number));
        QVERIFY2(text.contains(model.index(row, all - 2).data().toString()), qPrintable(number));
    }
}

void TestUiReports::associationsShowWhatJsonSays()
{
    SctpaAssocsModel model;
    const QJsonArray associations = played_->jsonAssociations();
    model.refresh(played_->view());
    QCOMPARE(model.rowCount(), associations.size());
    for (int row = 0; row < model.rowCount(); row++) {
        const QJsonObject json = associations.at(row).toObject();
        QCOMPARE(number(model, row, "#"), json[QStringLiteral("index")].toDouble());
        QCOMPARE(model.numberOfRow(row), quint32(json[QStringLiteral("index")].toInt()));
        QCOMPARE(number(model, row, "first frame"), json[QStringLiteral("first_frame")].toDouble());
        QCOMPARE(number(model, row, "last frame"), json[QStringLiteral("last_frame")].toDouble());
        QCOMPARE(model.frameOfRow(row), quint32(json[QStringLiteral("first_frame")].toInt()));
        QCOMPARE(number(model, row, "start s"), json[QStringLiteral("start_s")].toDouble());
        QCOMPARE(number(model, row, "duration s"), json[QStringLiteral("duration_s")].toDouble());
        QCOMPARE(cell(model, row, "set-up"), json[QStringLiteral("setup")].toString());
        QCOMPARE(cell(model, row, "outcome"),
                 json[QStringLiteral("end")].toString().replace(QLatin1Char('_'), QLatin1Char(' ')));
        QCOMPARE(number(model, row, "packets 0→1") + number(model, row, "packets 1→0"),
                 json[QStringLiteral("packets")].toDouble());
    }
}

void TestUiReports::associationsShowTheirTroubleFirst()
{
    SctpaAssocsModel model;
    const QJsonArray associations = played_->jsonAssociations();
    double all[5] = {};
    model.refresh(played_->view());
    for (int row = 0; row < model.rowCount(); row++) {
        const QJsonObject json = associations.at(row).toObject();
        double timeouts = 0, retransmissions = 0, chunks = 0, closed = 0, pauses = 0, failed = 0;
        for (const QJsonValue &value : json[QStringLiteral("directions")].toArray()) {
            const QJsonObject direction = value.toObject(),
                              kinds = direction[QStringLiteral("retransmissions")].toObject();
            for (const QJsonValue &kind : kinds)
                retransmissions += kind.toDouble();
            timeouts += direction[QStringLiteral("timeouts")].toDouble();
            chunks += direction[QStringLiteral("data_chunks")].toDouble();
            closed += direction[QStringLiteral("zero_windows")].toDouble();
            pauses += direction[QStringLiteral("pauses")].toObject()[QStringLiteral("list")].toArray().size();
        }
        for (const QJsonValue &event : json[QStringLiteral("events")].toArray())
            failed += event.toObject()[QStringLiteral("kind")].toString() == QLatin1String("path_failed");
        QCOMPARE(number(model, row, "timeouts"), timeouts);
        QCOMPARE(number(model, row, "failed paths"), failed);
        QCOMPARE(number(model, row, "closed windows"), closed);
        QCOMPARE(number(model, row, "pauses"), pauses);
        if (chunks > 0)
            QVERIFY(qAbs(number(model, row, "retransmitted %") - 100 * retransmissions / chunks) < 0.06);
        const double seen[] = { timeouts, retransmissions, closed, pauses, failed };
        for (int i = 0; i < 5; i++)
            all[i] += seen[i];
    }
    for (double sum : all)
        QVERIFY(sum > 0);
}

void TestUiReports::sheetsShowWhatTheReportsPrint()
{
    const struct {
        const char *windowTable, *report;
    } pairs[] = {
        { "chunks", "chunks" },    { "paths", "paths" },      { "path_data", "paths" },     { "failovers", "paths" },
        { "theory", "paths" },     { "streams", "streams" },  { "waits", "streams" },       { "resent_sums", "rtx" },
        { "resent_kinds", "rtx" }, { "resent_paths", "rtx" }, { "sender_fits", "learned" }, { "efficiency", "chunks" },
    };
    QHash<QString, int> rows;
    for (const QJsonValue &json : played_->jsonAssociations()) {
        SctpaAssociation association(capture_.get(), quint32(json.toObject()[QStringLiteral("index")].toInt()));
        refreshAll(association);
        for (const auto &pair : pairs) {
            const SctpaWindowTableModel *model = windowTable(association, pair.windowTable);
            const QString text = played_->report(pair.report);
            for (int row = 0; row < model->rowCount(); row++) {
                const QString what = QStringLiteral("%1 row %2 of association %3")
                                         .arg(QString::fromUtf8(pair.windowTable))
                                         .arg(row)
                                         .arg(association.name());
                // The report wraps the PPIDs of a stream, and the words for a sender.
                const QLatin1String name(pair.windowTable);
                const bool isWrapped = name == QLatin1String("streams") || name == QLatin1String("sender_fits");
                QVERIFY2(hasLine(text, *model, row, 0, model->columnCount() - isWrapped), qPrintable(what));
                rows[QString::fromUtf8(pair.windowTable)]++;
            }
        }
    }
    // The demo has something for each of them: nothing was compared with nothing.
    for (const auto &pair : pairs)
        QVERIFY2(rows[QString::fromUtf8(pair.windowTable)] > 0, pair.windowTable);
}

void TestUiReports::overviewShowsWhatJsonSays()
{
    for (const QJsonValue &json : played_->jsonAssociations()) {
        SctpaAssociation association(capture_.get(), quint32(json.toObject()[QStringLiteral("index")].toInt()));
        association.refresh(0);
        const SctpaWindowTableModel &ends = *windowTable(association, "endpoints");
        QHash<QString, int> rows;
        for (int row = 0; row < ends.rowCount(); row++)
            if (!cell(ends, row, "property").isEmpty())
                rows[cell(ends, row, "property")] = row;
        for (int e = 0; e < 2; e++) {
            const char *head = e == 0 ? "endpoint 0" : "endpoint 1";
            const QJsonObject end = json.toObject()[QStringLiteral("endpoints")].toArray().at(e).toObject();
            const QJsonObject direction = json.toObject()[QStringLiteral("directions")].toArray().at(e).toObject();
            const QJsonArray addresses = end[QStringLiteral("addresses")].toArray();
            const auto shown = [&](const char *property) {
                return exact(ends, rows.value(QString::fromUtf8(property)), head);
            };
            for (int i = 0; i < addresses.size(); i++)
                QVERIFY(
                    cell(ends, rows.value(QStringLiteral("address")) + i, head).startsWith(addresses.at(i).toString()));
            QCOMPARE(shown("verification tag").toString(), end[QStringLiteral("vtag")].toString());
            QCOMPARE(shown("initial TSN").toDouble(), end[QStringLiteral("initial_tsn")].toDouble());
            QCOMPARE(shown("a_rwnd at set-up, bytes").toDouble(), end[QStringLiteral("a_rwnd")].toDouble());
            QCOMPARE(shown("outbound streams wanted").toDouble(), end[QStringLiteral("outbound_streams")].toDouble());
            QCOMPARE(shown("inbound streams allowed").toDouble(), end[QStringLiteral("inbound_streams")].toDouble());
            QCOMPARE(shown("RTT from tap, ms").toDouble(), end[QStringLiteral("distance_ms")].toDouble());
            QCOMPARE(shown("user bytes").toDouble(), direction[QStringLiteral("user_bytes")].toDouble());
            QCOMPARE(shown("DATA chunks sent").toDouble(), direction[QStringLiteral("data_chunks")].toDouble());
            for (const QJsonValue &word : end[QStringLiteral("extensions")].toArray())
                QCOMPARE(cell(ends, rows.value(QStringLiteral("extension ") + word.toString(), -1), head),
                         QStringLiteral("yes"));
        }
    }
}

void TestUiReports::pathsStreamsAndChunksShowWhatJsonSays()
{
    for (const QJsonValue &json : played_->jsonAssociations()) {
        SctpaAssociation association(capture_.get(), quint32(json.toObject()[QStringLiteral("index")].toInt()));
        refreshAll(association);
        int row = 0;
        const SctpaWindowTableModel &paths = *windowTable(association, "paths"),
                                    &streams = *windowTable(association, "streams"),
                                    &chunks = *windowTable(association, "chunks");
        for (const QJsonValue &value : json.toObject()[QStringLiteral("paths")].toArray()) {
            const QJsonObject path = value.toObject();
            if (path[QStringLiteral("packets")].toInt() == 0)
                continue;
            QCOMPARE(number(paths, row, "from"), path[QStringLiteral("from")].toDouble());
            QCOMPARE(number(paths, row, "path"), path[QStringLiteral("index")].toDouble());
            QCOMPARE(cell(paths, row, "destination"), path[QStringLiteral("destination")].toString());
            QCOMPARE(number(paths, row, "packets"), path[QStringLiteral("packets")].toDouble());
            QCOMPARE(number(paths, row, "bytes"), path[QStringLiteral("wire_bytes")].toDouble());
            QCOMPARE(number(paths, row, "HB"), path[QStringLiteral("heartbeats")].toDouble());
            QCOMPARE(number(paths, row++, "unanswered"), path[QStringLiteral("heartbeats_lost")].toDouble());
        }
        QCOMPARE(row, paths.rowCount());
        row = 0;
        for (const QJsonValue &value : json.toObject()[QStringLiteral("streams")].toArray()) {
            QCOMPARE(number(streams, row, "from"), value.toObject()[QStringLiteral("from")].toDouble());
            QCOMPARE(number(streams, row, "stream"), value.toObject()[QStringLiteral("id")].toDouble());
            QCOMPARE(number(streams, row, "messages"), value.toObject()[QStringLiteral("messages")].toDouble());
            QCOMPARE(number(streams, row++, "bytes"), value.toObject()[QStringLiteral("user_bytes")].toDouble());
        }
        QCOMPARE(row, streams.rowCount());
        const QJsonObject counts = json.toObject()[QStringLiteral("chunks")].toObject();
        QCOMPARE(chunks.rowCount(), counts.size());
        for (row = 0; row < chunks.rowCount(); row++) {
            QCOMPARE(number(chunks, row, "0→1"), counts[cell(chunks, row, "chunk")].toArray().at(0).toDouble(-1));
            QCOMPARE(number(chunks, row, "1→0"), counts[cell(chunks, row, "chunk")].toArray().at(1).toDouble(-1));
        }
    }
}

void TestUiReports::retransmissionsShowWhatJsonAndSeriesSay()
{
    int resent = 0;
    for (const QJsonValue &json : played_->jsonAssociations()) {
        SctpaAssociation association(capture_.get(), quint32(json.toObject()[QStringLiteral("index")].toInt()));
        refreshAll(association);
        const SctpaWindowTableModel &each = *windowTable(association, "resent");
        QHash<QString, int> counted;
        for (int row = 0; row < each.rowCount(); row++) {
            counted[cell(each, row, "sent") + cell(each, row, "kind")]++;
            QCOMPARE(each.frameOfRow(row), quint32(number(each, row, "frame")));
        }
        for (int e = 0; e < 2; e++) {
            const QJsonObject kinds = json.toObject()[QStringLiteral("directions")]
                                          .toArray()
                                          .at(e)
                                          .toObject()[QStringLiteral("retransmissions")]
                                          .toObject();
            for (const QString &kind : kinds.keys()) {
                QCOMPARE(counted.value((e == 0 ? QStringLiteral("0→1") : QStringLiteral("1→0")) + kind),
                         kinds[kind].toInt());
                resent += kinds[kind].toInt();
            }
        }
    }
    QVERIFY(resent > 0);
}

void TestUiReports::parametersAndEventsShowWhatJsonSays()
{
    int learned = 0, happened = 0;
    for (const QJsonValue &json : played_->jsonAssociations()) {
        SctpaAssociation association(capture_.get(), quint32(json.toObject()[QStringLiteral("index")].toInt()));
        refreshAll(association);
        const SctpaWindowTableModel &parameters = *windowTable(association, "learned"),
                                    &events = *windowTable(association, "events");
        int row = 0;
        for (int e = 0; e < 2; e++) {
            const QJsonObject end = json.toObject()[QStringLiteral("endpoints")].toArray().at(e).toObject();
            for (const QString &word : end[QStringLiteral("learned")].toObject().keys())
                row += !end[QStringLiteral("learned")].toObject()[word].isNull();
        }
        QCOMPARE(parameters.rowCount(), row);
        for (row = 0; row < parameters.rowCount(); row++) {
            const int e = parameters.rowCount() > 0 && row > 0 &&
                          cell(parameters, row, "endpoint") != cell(parameters, 0, "endpoint");
            bool isSaid = false;
            for (int end = e; end < 2; end++)
                isSaid |= json.toObject()[QStringLiteral("endpoints")]
                              .toArray()
                              .at(end)
                              .toObject()[QStringLiteral("learned")]
                              .toObject()[wordOf(cell(parameters, row, "parameter"))]
                              .toObject()[QStringLiteral("value")]
                              .toDouble(-1) == number(parameters, row, "value");
            QVERIFY2(isSaid, qPrintable(cell(parameters, row, "parameter")));
            QVERIFY(parameters.frameOfRow(row) > 0);
            learned++;
        }
        const QJsonArray listed = json.toObject()[QStringLiteral("events")].toArray();
        QCOMPARE(events.rowCount(), listed.size());
        for (row = 0; row < events.rowCount(); row++) {
            const QJsonObject event = listed.at(row).toObject();
            QCOMPARE(number(events, row, "time s"), event[QStringLiteral("time_s")].toDouble());
            QCOMPARE(events.frameOfRow(row), quint32(event[QStringLiteral("frame")].toInt()));
            QCOMPARE(cell(events, row, "event"),
                     event[QStringLiteral("kind")].toString().replace(QLatin1Char('_'), QLatin1Char(' ')));
            QCOMPARE(cell(events, row, "detail"), event[QStringLiteral("detail")].toString());
            happened++;
        }
    }
    QVERIFY(learned > 0 && happened > 0);
}

int main(int argc, char *argv[])
{
    return offscreenMain<TestUiReports>(argc, argv);
}

#include "test_ui_reports.moc"
