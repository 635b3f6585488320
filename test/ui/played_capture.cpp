/* SPDX-License-Identifier: GPL-2.0-or-later */
// The host's functions, over the one capture that is played.
#include "played_capture.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtEndian>
#include <QtTest>

#include <cstring>

#include "../replay/stored_packet.h"

namespace {

PlayedCapture *played;

// Borrows the bytes.
sctpa_packet_t packetOf(const QByteArray &stored)
{
    stored_packet_t head;
    std::memcpy(&head, stored.cbegin(), sizeof head);
    return stored_packet(&head, reinterpret_cast<const uint8_t *>(stored.cbegin()) + sizeof head);
}

void appendDate(void *, int64_t time_ns, GString *out)
{
    GDateTime *date = g_date_time_new_from_unix_utc(time_ns / 1000000000);
    char *text = g_date_time_format(date, "%Y-%m-%d %H:%M:%S");
    g_string_append_printf(out, "%s.%06u", text, unsigned(time_ns % 1000000000 / 1000));
    g_free(text);
    g_date_time_unref(date);
}

}

PlayedCapture::PlayedCapture(const QString &file)
{
    played = this;
    settingsFile_ = folder_.filePath(QStringLiteral("settings.ini")).toUtf8();
    if (!file.isEmpty()) {
        QFile stored(file);
        if (!stored.open(QIODevice::ReadOnly))
            qFatal("no packets in %s", qPrintable(file));
        const QByteArray bytes = stored.readAll();
        for (int at = 0; at + int(sizeof(stored_packet_t)) <= bytes.size();) {
            stored_packet_t head;
            std::memcpy(&head, bytes.constData() + at, sizeof head);
            packets_.append(bytes.mid(at, int(sizeof head + head.captured_bytes)));
            at += int(sizeof head + head.captured_bytes);
        }
    }
    host_.interface_id = "test";
    host_.settings_file = settingsFile_.constData();
    host_.choose = [](sctpa_host_window_t shown, bool isOfPacket) {
        if (isOfPacket)
            played->chosen.append(shown);
    };
    host_.state = [](sctpa_host_state_t *state) {
        *state = {};
        if (played->analysis_)
            *state = { played->number_, sctpa_summary(played->analysis_)->packets, played->frames_, played->settings };
    };
    host_.view = [](sctpa_view_t *view) {
        played->looks++;
        if (played->analysis_)
            *view = played->view();
        return played->analysis_ != nullptr;
    };
    host_.current_frame = [] { return played->selected; };
    host_.assoc_of_frame = [](uint32_t frame) {
        sctpa_packet_result_t result;
        const uint32_t index = sctpa_packet_find(played->analysis_, frame, 0);
        return sctpa_packet_result(played->analysis_, index, &result) ? result.assoc : uint32_t(SCTPA_NO_ASSOC);
    };
    host_.go_to_frame = [](uint32_t frame) {
        const bool isShown = !played->hidden.contains(frame);
        if (isShown)
            played->frames.append(frame);
        return isShown;
    };
    host_.is_shown = [](uint32_t frame) { return !played->hidden.contains(frame); };
    host_.apply_filter = [](const char *text) { played->filter = QString::fromUtf8(text); };
    host_.file = [](sctpa_host_file_t *file) {
        played->nameBytes_ = QFile::encodeName(played->name);
        *file = { played->nameBytes_.constData(), played->isTemporary, played->hasUnsavedChanges, played->isWhole };
        return played->analysis_ != nullptr;
    };
    host_.preferences = [](bool isDefault) {
        const QStringList &wanted = isDefault ? played->defaults : played->options;
        char **options = g_new0(char *, gsize(wanted.size()) + 1);
        for (int i = 0; i < wanted.size(); i++)
            options[i] = g_strdup(wanted.at(i).toUtf8().constData());
        return options;
    };
    host_.profile_folder = [] { return g_strdup(played->profileBytes_.constData()); };
    profileBytes_ = QFile::encodeName(folder_.path());
    host_.watch_change = [](void (*aboutToChange)(void *), void *user) {
        played->aboutToChange_ = aboutToChange;
        played->changeUser_ = user;
    };
}

void PlayedCapture::setPluginFolder(const QString &folder)
{
    pluginBytes_ = QFile::encodeName(folder);
    host_.plugin_folder = pluginBytes_.constData();
}

PlayedCapture::~PlayedCapture()
{
    close();
    played = nullptr;
}

void PlayedCapture::open(int packets)
{
    close();
    analysis_ = sctpa_new(nullptr, 0);
    sctpa_keep_owed(analysis_);
    judged_ = 0;
    number_++;
    feed(packets < 0 ? int(packets_.size()) : packets);
}

void PlayedCapture::change() const
{
    if (aboutToChange_)
        aboutToChange_(changeUser_);
}

void PlayedCapture::feedOne(const QByteArray &packet)
{
    const sctpa_packet_t fed = packetOf(packet);
    frames_ = fed.frame;
    change();
    sctpa_feed(analysis_, &fed);
}

SctpaTally PlayedCapture::tallyOf(qint64 fromNs, qint64 toNs) const
{
    SctpaTally tally(sctpa_tally_new());
    for (const QByteArray &stored : packets_) {
        const sctpa_packet_t packet = packetOf(stored);
        if (packet.time_ns >= fromNs && packet.time_ns <= toNs)
            sctpa_tally_add(tally.get(), analysis_, sctpa_packet_find(analysis_, packet.frame, 0), &packet);
    }
    return tally;
}

void PlayedCapture::feed(int packets)
{
    for (int i = 0; i < packets && next_ < packets_.size(); i++)
        feedOne(packets_.at(next_++));
}

void PlayedCapture::feedFlood(int n)
{
    QByteArray packet(sizeof(stored_packet_t) + 32, '\0');
    stored_packet_t head = {};
    head.captured_bytes = head.wire_bytes = 32;
    head.header_bytes = 34;
    head.address_bytes = 4;
    auto *sctp = reinterpret_cast<uint8_t *>(packet.data()) + sizeof head;
    for (const uint32_t end = frames_ + uint32_t(n); frames_ < end;) {
        const uint32_t i = frames_;
        head.frame = i + 1;
        head.time_ns = 1700000000000000000 + int64_t(i) * 1000;
        const uint8_t from[4] = { 10, uint8_t(i >> 16), uint8_t(i >> 8), uint8_t(i) }, to[4] = { 192, 0, 2, 1 };
        std::memcpy(head.source, from, 4);
        std::memcpy(head.destination, to, 4);
        std::memcpy(packet.data(), &head, sizeof head);
        const uint8_t init[32] = { 0x8e,
                                   0x3c,
                                   0x96,
                                   0x0c,
                                   0,
                                   0,
                                   0,
                                   0,
                                   0,
                                   0,
                                   0,
                                   0,
                                   1,
                                   0,
                                   0,
                                   20,
                                   uint8_t(0x80 | i >> 24),
                                   uint8_t(i >> 16),
                                   uint8_t(i >> 8),
                                   uint8_t(i),
                                   0,
                                   1,
                                   0,
                                   0,
                                   0,
                                   10,
                                   0,
                                   10,
                                   0,
                                   0,
                                   0,
                                   1 };
        std::memcpy(sctp, init, sizeof init);
        feedOne(packet);
    }
}

// A DATA chunk with 16 bytes, or a SACK with a gap block from 2 to gapEnd, 0 none.
void PlayedCapture::feedChunk(bool isData, quint32 tsn, quint32 gapEnd)
{
    const quint32 bytes = isData ? 12 + 16 + 16 : gapEnd ? 12 + 20 : 12 + 16;
    uint8_t content[64] = {};
    stored_packet_t head = {};
    head.captured_bytes = head.wire_bytes = bytes;
    head.header_bytes = 34;
    head.address_bytes = 4;
    head.ttl = 64;
    head.frame = frames_ + 1;
    head.time_ns = 1700000000000000000 + int64_t(frames_) * 10000;
    const uint8_t ends[2][4] = { { 10, 0, 0, 1 }, { 10, 0, 0, 2 } };
    std::memcpy(head.source, ends[!isData], 4);
    std::memcpy(head.destination, ends[isData], 4);
    const auto put32 = [&content](int offset, quint32 value) { qToBigEndian(value, content + offset); };
    put32(0, isData ? 5000u << 16 | 5001 : 5001u << 16 | 5000);
    put32(4, isData ? 0x12345678 : 0x98765432);
    put32(12, (isData ? 0x00030000u : 0x03000000u) | (bytes - 12));
    put32(16, tsn);
    put32(20, isData ? 0 : 100000);
    if (gapEnd) {
        put32(24, 1u << 16);
        put32(28, 2u << 16 | gapEnd);
    }
    QByteArray packet(reinterpret_cast<const char *>(&head), int(sizeof head));
    packet.append(reinterpret_cast<const char *>(content), int(bytes));
    feedOne(packet);
}

void PlayedCapture::feedTransfer(int n)
{
    constexpr quint32 LossEvery = 1000, LostAt = 500, SentAgainAfter = 8;
    quint32 lost = 0;
    for (quint32 tsn = 1; tsn <= quint32(n); tsn++) {
        feedChunk(true, tsn, 0);
        lost = tsn % LossEvery == LostAt ? tsn : lost;
        if (lost && tsn == lost + SentAgainAfter) {
            feedChunk(true, lost, 0);
            lost = 0;
        }
        if (tsn % 2 == 0 && tsn != lost)
            feedChunk(false, lost ? lost - 1 : tsn, lost ? tsn - lost + 1 : 0);
    }
}

void PlayedCapture::close()
{
    sctpa_free(analysis_);
    analysis_ = nullptr;
    next_ = 0;
    frames_ = 0;
}

// As the plugin does before it shows anything: judges what was owed when the capture ended, once for all packets fed.
void PlayedCapture::judgeEnd() const
{
    const uint64_t packets = sctpa_summary(analysis_)->packets;
    if (judged_ == packets)
        return;
    change();
    sctpa_judge_end(analysis_, sctpa_summary(analysis_)->last_ns);
    judged_ = packets;
}

sctpa_view_t PlayedCapture::view() const
{
    judgeEnd();
    sctpa_view_t view = {};
    const_cast<PlayedCapture *>(this)->nameBytes_ = name.toUtf8();
    view.sctpa = analysis_;
    view.file = nameBytes_.constData();
    view.plugin_version = view.wireshark_version = "test";
    view.frames = frames_;
    view.moment = formatsMoments ? appendDate : nullptr;
    return view;
}

QString PlayedCapture::report(const char *name) const
{
    const sctpa_view_t view = this->view();
    GString *out = g_string_new(nullptr);
    sctpa_report_append(sctpa_report_named(name), &view, out);
    const QString text = QString::fromUtf8(out->str);
    g_string_free(out, TRUE);
    return text;
}

QJsonArray PlayedCapture::jsonAssociations() const
{
    return QJsonDocument::fromJson(report("json").toUtf8()).object().value(QStringLiteral("associations")).toArray();
}
