/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes everything behind sctpa_feed with packets of up to 200 chunks of all types: the input is a sequence of
 * commands to a few endpoints with several addresses, seen at several interfaces, whose halves are joined and parted;
 * copies, ICMP errors, clocks that step to any time; and looks in the middle at numbers, series and reports. After
 * every input the promises of sctpa.h are checked. Packets of few, arbitrary bytes are fuzz_sequence's. */
#include "../../plugins/sctp_analysis/report/report.h"
#include "bundle.h"
#include "forget_check.h"
#include "tracker_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { COMMANDS_MAX = 24, KEPT = 4, BUNDLE_CHUNKS_LEAST = 60, BUNDLE_CHUNKS_MORE = 141 };
static const int64_t SECOND_NS = 1000000000;

typedef struct {
    sctpa_packet_t packet;
    uint8_t *bytes;
} kept_t;

typedef struct {
    const uint8_t *at, *end;
    sctpa_t *sctpa;
    uint32_t frame, packets;
    bool looks; /* else commands that look do nothing */
    int64_t time_ns;
    kept_t kept[KEPT]; /* the last packets, for copies */
    bundle_t bundle;
} player_t;

static uint8_t next(player_t *player)
{
    return player->at < player->end ? *player->at++ : 0;
}

static sctpa_addr_t address(uint32_t number, bool is_v6)
{
    sctpa_addr_t addr = { .bytes = is_v6 ? 16 : 4, .data = { 10 } };
    addr.data[3] = (uint8_t)number;
    return addr;
}

static uint32_t tag_of(unsigned direction)
{
    return 0x11223344u * (1 + direction);
}

/* The tag of the packet: its receiver's, or none that fits. */
static uint32_t tag(unsigned direction, uint8_t how)
{
    static const uint32_t others[] = { 0, 7, 0xFFFFFFFF, 0x10000 };
    return how < 12 ? tag_of(direction ^ 1) : others[how - 12];
}

/* Directions 0 and 1 are two ends between addresses 0 and 1; 2 and 3 the same ends between two others; 4 and 5 the same
 * ends and ports where nothing but their TSNs tells; 6 and 7 another association over IPv6. */
static void set_way(player_t *player, sctpa_packet_t *packet, uint8_t way, uint8_t how)
{
    unsigned direction = way & 7, end = direction & 1, pair = direction / 2, of = pair == 3 ? 6 : end;
    bundle_t *bundle = &player->bundle;
    bundle->direction = pair == 3 ? direction : end;
    bundle->own_tag = tag_of(of == 6 ? 6 + end : end);
    put16(bundle->bytes, end ? 2000 : 1000);
    put16(bundle->bytes + 2, end ? 1000 : 2000);
    put32(bundle->bytes + 4, pair == 2 && !(how & 1) ? 0x01010101u * (2 + end) : tag(of == 6 ? 6 + end : end, how));
    packet->source = address(2 * pair + end, pair == 3);
    packet->destination = address(2 * pair + !end, pair == 3);
}

static void keep(player_t *player, const sctpa_packet_t *packet)
{
    kept_t *kept = &player->kept[player->packets % KEPT];
    g_free(kept->bytes);
    kept->bytes = g_memdup2(packet->bytes, packet->captured_bytes);
    kept->packet = *packet;
}

static void feed(player_t *player, sctpa_packet_t *packet)
{
    uint8_t *copy =
        g_memdup2(packet->bytes, packet->captured_bytes); /* so that a sanitizer sees reads past what is captured */
    keep(player, packet);
    packet->bytes = copy ? copy : player->bundle.bytes;
    g_assert_cmpuint(sctpa_feed(player->sctpa, packet), ==, player->packets);
    player->packets++;
    g_free(copy);
}

static void read_packet(player_t *player, sctpa_packet_t *packet)
{
    uint8_t way = next(player), chunks = next(player), mix = next(player), seed = next(player), place = next(player);
    bundle_t *bundle = &player->bundle;
    bundle->state ^= (uint64_t)seed << 40 ^ (uint64_t)player->packets << 20;
    bundle->direction = (way & 7) >= 6 ? way & 7 : way & 1;
    bundle->own_tag = tag_of(bundle->direction);
    bundle_make(bundle, mix % MIXES,
                chunks & 0x80 ? BUNDLE_CHUNKS_LEAST + (chunks + seed) % BUNDLE_CHUNKS_MORE : chunks % 6, seed);
    *packet = (sctpa_packet_t){ 0 };
    set_way(player, packet, way, way >> 4);
    player->time_ns = (int64_t)((uint64_t)player->time_ns + (place >> 4) * 1000000u);
    packet->frame = player->frame += place & 8 ? 0 : 1;
    if (packet->frame == 0)
        packet->frame = player->frame = 1;
    packet->time_ns = player->time_ns;
    packet->interface = place & 3;
    packet->link_direction = mix >> 4 & 1 ? SCTPA_LINK_SENT : SCTPA_LINK_UNKNOWN;
    packet->ttl = 64;
    packet->ip_id = (uint16_t)(place & 4 ? player->packets + 1 : 0);
    packet->ip_bytes = bundle->length + 20;
    packet->bytes = bundle->bytes;
    packet->wire_bytes = bundle->length;
    packet->captured_bytes = mix & 0x80 && seed & 1 ? MIN(bundle->length, 12 + 8u * seed) : bundle->length;
}

static void play_packet(player_t *player)
{
    sctpa_packet_t packet;
    read_packet(player, &packet);
    feed(player, &packet);
}

/* One of the last packets once more, at another interface or one hop on. */
static void play_copy(player_t *player)
{
    uint8_t which = next(player);
    const kept_t *kept = &player->kept[which % KEPT];
    if (!kept->packet.frame)
        return;
    sctpa_packet_t packet = kept->packet;
    uint8_t *bytes = g_memdup2(kept->bytes, packet.captured_bytes);
    packet.bytes = bytes;
    packet.frame = ++player->frame;
    packet.time_ns = player->time_ns;
    packet.interface ^= which >> 2 & 3;
    packet.ttl = (uint8_t)(packet.ttl - (which >> 4 & 1));
    feed(player, &packet);
    g_free(bytes);
}

static void play_icmp(player_t *player)
{
    uint8_t kind = next(player);
    sctpa_icmp_t icmp = {
        .kind = kind % 3, .type = 3, .code = kind >> 4, .mtu_bytes = 1280, .reporter = address(200, false)
    };
    read_packet(player, &icmp.quoted);
    icmp.quoted.captured_bytes = MIN(icmp.quoted.captured_bytes, kind & 8 ? 8 : 64);
    sctpa_feed_icmp(player->sctpa, &icmp);
}

static void play_clock(player_t *player)
{
    static const int64_t times_ns[] = {
        0, -1, INT64_MAX, INT64_MIN, INT64_MAX / 2, INT64_MIN / 2, 1700000000000000000, 4000000000000000000
    };
    uint8_t how = next(player);
    if (how >= 0xE0)
        player->time_ns = times_ns[how % 8];
    else
        player->time_ns = (int64_t)((uint64_t)player->time_ns +
                                    (uint64_t)((how % 64 - 8) * (how & 0x40 ? SECOND_NS : SECOND_NS / 50)));
}

static GString *report_text(const player_t *player, const sctpa_report_t *report)
{
    GString *text = g_string_new(NULL);
    sctpa_view_t view = { .sctpa = player->sctpa,
                          .file = "fuzzed",
                          .plugin_version = "0",
                          .wireshark_version = "0",
                          .frames = player->frame,
                          .end_ns = sctpa_time_within(player->sctpa, player->time_ns) };
    sctpa_report_append(report, &view, text);
    return text;
}

static void look(player_t *player)
{
    const sctpa_report_t *reports = sctpa_reports();
    uint8_t which = next(player);
    unsigned n = 0;
    if (!player->looks)
        return;
    while (reports[n].name)
        n++;
    g_string_free(report_text(player, &reports[which % n]), TRUE);
    for (uint32_t i = 0; i < sctpa_assoc_count(player->sctpa) && i < 4; i++)
        check_series(player->sctpa, i, which >> 6 & 1);
}

static void play(player_t *player)
{
    uint8_t command = next(player);
    if (command < 0xB0)
        play_packet(player);
    else if (command < 0xD0)
        play_copy(player);
    else if (command < 0xD8)
        play_icmp(player);
    else if (command < 0xF0)
        play_clock(player);
    else
        look(player);
}

/* Numbers and all reports cost as much as the rest: every fourth input. */
static void check_all(player_t *player, bool in_detail)
{
    check_results(player->sctpa, player->packets);
    if (!in_detail)
        return;
    check_numbers(player->sctpa, player->packets);
    for (const sctpa_report_t *report = sctpa_reports(); report->name; report++)
        g_string_free(report_text(player, report), TRUE);
}

static void player_begin(player_t *player, const uint8_t *data, size_t size, bool looks)
{
    uint8_t key_bytes[] = "key";
    sctpa_auth_key_t key = { .key_id = 1, .key = g_bytes_new(key_bytes, 3) };
    memset(player, 0, sizeof *player);
    player->at = data;
    player->end = data + size;
    player->looks = looks;
    player->sctpa = sctpa_new(&key, 1);
    sctpa_count_occasions(player->sctpa);
    player->time_ns = 1700000000 * SECOND_NS;
    player->bundle.state = next(player);
    for (unsigned i = 0; i < BUNDLE_DIRECTIONS; i++)
        player->bundle.tsn[i] = player->bundle.state & 1 ? 0xFFFFFFF0u : 1000;
    g_bytes_unref(key.key);
}

static void play_all(player_t *player)
{
    for (unsigned i = 0; i < COMMANDS_MAX && player->at < player->end; i++)
        play(player);
}

static void player_end(player_t *player)
{
    for (unsigned i = 0; i < KEPT; i++)
        g_free(player->kept[i].bytes);
    forget_all(player->sctpa, (uint32_t)player->packets);
    sctpa_free(player->sctpa);
}

/* Whoever looked or not, what an analysis says is the same. */
static void check_looks_change_nothing(const uint8_t *data, size_t size, const player_t *looked)
{
    static player_t player;
    player_begin(&player, data, size, false);
    play_all(&player);
    for (const sctpa_report_t *report = sctpa_reports(); report->name; report++) {
        GString *with = report_text(looked, report), *without = report_text(&player, report);
        g_assert_true(g_string_equal(with, without));
        g_string_free(with, TRUE);
        g_string_free(without, TRUE);
    }
    player_end(&player);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static player_t player;
    player_begin(&player, data, size, true);
    play_all(&player);
    check_all(&player, size % 4 == 0);
    if (size % 16 == 1)
        check_looks_change_nothing(data, size, &player);
    if (size % 4 == 2) {
        forget_one(player.sctpa, (uint32_t)size);
        check_all(&player, true);
    }
    player_end(&player);
    return 0;
}
