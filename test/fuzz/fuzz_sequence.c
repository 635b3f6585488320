/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes the tracker: the input is a sequence of commands, each a packet (built from few addresses, ports and tags, so
 * that they meet) or an ICMP error, a jump in time, an association to forget, a look in the middle. After every input
 * the promises of sctpa.h are checked. */
#include <glib.h>
#include <string.h>

#include "../put_bytes.h"
#include "forget_check.h"
#include "tracker_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PACKET_BYTES_MAX = 600, PACKETS_MAX = 2000 };

typedef struct {
    const uint8_t *at, *end;
    sctpa_t *sctpa;
    uint32_t frame, packets, icmp;
    int64_t time_ns;
    uint8_t built[PACKET_BYTES_MAX];
} player_t;

static uint8_t next(player_t *player)
{
    return player->at < player->end ? *player->at++ : 0;
}

/* Stamps may be anything of 64 bits: time goes round. */
static void jump(player_t *player, int64_t by_ns)
{
    player->time_ns = (int64_t)((uint64_t)player->time_ns + (uint64_t)by_ns);
}

static sctpa_addr_t address(uint8_t choice)
{
    sctpa_addr_t addr = { .bytes = choice & 0x40 ? 16 : choice == 0xFF ? 0 : 4 };
    addr.data[0] = 10;
    addr.data[3] = choice & 7;
    return addr;
}

/* Tags: few, so that directions meet; 0 for INIT. */
static uint32_t tag(uint8_t choice)
{
    return choice & 8 ? (choice & 7) : (choice & 7) * 0x11223344u;
}

/* One chunk from the input: type, flags, and a value of which the first bytes are tags or TSNs near each other. */
static uint32_t put_chunk(player_t *player, uint32_t at)
{
    static const uint8_t types[] = { 0,  1,  2,  3,  4,    5,    6,    7,    8,    9,    10,   11,   12,
                                     13, 14, 15, 16, 0x40, 0x80, 0x81, 0x82, 0xC0, 0xC1, 0xC2, 0x41, 0x77 };
    uint8_t choice = next(player), how = next(player);
    uint32_t value = MIN(next(player) % 64u, PACKET_BYTES_MAX - 8 - at), length = 4 + value;
    uint8_t *chunk = player->built + at;
    chunk[0] = choice < 0xE0 ? types[choice % sizeof types] : choice;
    chunk[1] = how & 0x0F;
    chunk[2] = 0;
    chunk[3] = (uint8_t)(how & 0x80 ? length + next(player) % 8 : length);
    for (uint32_t i = 0; i < value; i++)
        chunk[4 + i] = next(player);
    if (value >= 4 && !(how & 0x40))
        put32(chunk + 4, chunk[0] == 1 || chunk[0] == 2 ? tag(chunk[7]) : chunk[7] * 300u);
    while (length % 4)
        chunk[length++] = 0;
    return at + length;
}

static void packet_read(player_t *player, sctpa_packet_t *packet)
{
    uint8_t addrs = next(player), ports = next(player), place = next(player), chunks = next(player);
    uint32_t bytes = SCTPA_HEADER_BYTES;

    memset(player->built, 0, sizeof player->built);
    player->built[1] = ports & 1;
    player->built[3] = ports >> 1 & 1;
    put32(player->built + 4, tag(ports >> 2));
    for (unsigned i = 0; i < (chunks & 3u) && bytes + 8 < PACKET_BYTES_MAX - 70; i++)
        bytes = put_chunk(player, bytes);
    jump(player, (int64_t)(place >> 4) * 1000000);
    *packet = (sctpa_packet_t){
        .frame = player->frame += chunks >> 7 ? 0 : 1,
        .time_ns = player->time_ns,
        .interface = place & 1,
        .link_direction = place >> 1 & 1,
        .ttl = 64,
        .ip_id = place & 4 ? chunks : 0,
        .source = address(addrs & 0x47),
        .destination = address((addrs >> 3 & 7) | (addrs & 0x40)),
        .ip_bytes = bytes + 20,
        .bytes = player->built,
        .wire_bytes = bytes,
        .captured_bytes = place & 8 ? MIN(bytes, (uint32_t)next(player)) : bytes,
    };
    if (packet->frame == 0)
        packet->frame = player->frame = 1;
}

static void play_packet(player_t *player)
{
    sctpa_packet_t packet;
    packet_read(player, &packet);
    uint8_t *copy = g_memdup2(packet.bytes, packet.captured_bytes);
    packet.bytes = copy ? copy : player->built;
    uint32_t index = sctpa_feed(player->sctpa, &packet);
    g_assert_cmpuint(index, ==, player->packets++);
    g_free(copy);
}

static void play_icmp(player_t *player)
{
    sctpa_icmp_t icmp = {
        .kind = next(player) % 3, .type = 3, .code = next(player), .mtu_bytes = 1280, .reporter = address(next(player))
    };
    packet_read(player, &icmp.quoted);
    sctpa_feed_icmp(player->sctpa, &icmp);
    player->icmp++;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t key_bytes[] = "key";
    sctpa_auth_key_t key = { .key_id = 1, .key = g_bytes_new(key_bytes, 3) };
    player_t player = { .at = data, .end = data + size, .sctpa = sctpa_new(&key, 1) };

    sctpa_count_occasions(player.sctpa);
    while (player.at < player.end && player.packets < PACKETS_MAX) {
        uint8_t command = next(&player);
        if (command < 0xF0)
            play_packet(&player);
        else if (command < 0xF8)
            play_icmp(&player);
        else if (command < 0xFD)
            jump(&player, (int64_t)next(&player) * 1000000000);
        else if (command < 0xFE)
            jump(&player, (int64_t)((uint64_t)next(&player) << 56));
        else if (command < 0xFF)
            forget_one(player.sctpa, next(&player));
        else
            check_results(player.sctpa, player.packets);
    }
    check_results(player.sctpa, player.packets);
    check_numbers(player.sctpa, player.packets);
    forget_all(player.sctpa, (uint32_t)size);
    check_results(player.sctpa, player.packets);
    sctpa_free(player.sctpa);
    g_bytes_unref(key.key);
    return 0;
}
