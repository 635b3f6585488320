/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Associations of every kind that the tracker and the reference endpoints keep something of, for the tests of
 * forgetting them: each is the packets of one, whose hosts, ports and tags follow from a number. */
#ifndef ASSOCIATION_KINDS_H
#define ASSOCIATION_KINDS_H

#include "../../plugins/sctp_analysis/core/wire/checksum.h"
#include "data_feed.h"

enum { SECOND_HOST = 1 << 16 };

static feeder_t feeder;
static uint32_t current; /* which association packets are of: its hosts, ports and tags follow from it */

static inline uint32_t tag_of(bool of_a)
{
    return (of_a ? 0x10000000u : 0x90000000u) + current * 4097;
}

/* Begins a packet of the current association that carries tag; hosts: 1 A's, 2 Z's second address. */
static inline void begin_packet(bool from_a, uint32_t tag, unsigned hosts)
{
    uint32_t a = ADDR_A + 256 * current + (hosts & 1 ? SECOND_HOST : 0),
             z = ADDR_Z + 256 * current + (hosts & 2 ? SECOND_HOST : 0);
    begin(&feeder, from_a, tag);
    put16(feeder.bytes + (from_a ? 0 : 2), PORT_A + 2 * current);
    put16(feeder.bytes + (from_a ? 2 : 0), PORT_Z + 2 * current);
    feeder.packet.source = ip(from_a ? a : z);
    feeder.packet.destination = ip(from_a ? z : a);
}

static inline void open_packet(bool from_a, unsigned hosts)
{
    begin_packet(from_a, tag_of(!from_a), hosts);
}

static inline uint8_t *add(uint8_t type, uint32_t value_words)
{
    return chunk(&feeder, type, 0, value_words);
}

static inline void send_init(bool is_ack, uint32_t own_tag, uint32_t vtag, uint32_t param_words)
{
    begin_packet(!is_ack, vtag, 0);
    uint8_t *value = add(is_ack ? SCTPA_CHUNK_INIT_ACK : SCTPA_CHUNK_INIT, (is_ack ? 6 : 4) + param_words);
    put32(value, own_tag);
    put32(value + 4, 65536);
    put32(value + 8, 0x000a000a);
    put32(value + 12, 1000);
    if (is_ack)
        put32(value + 16, 0x00070008);
    for (uint32_t i = 0; i + 1 < param_words; i += 2) { /* addresses */
        put32(value + (is_ack ? 24 : 16) + 4 * i, 0x00050008);
        put32(value + (is_ack ? 24 : 16) + 4 * i + 4, 0x0b000000 + 4096 * current + 2 * i + is_ack);
    }
}

/* Parameters behind those of the packet's only chunk, an INIT or INIT ACK. */
static inline void add_params(const uint32_t *words, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        put32(feeder.bytes + feeder.length + 4 * i, words[i]);
    feeder.length += 4 * n;
    put16(feeder.bytes + SCTPA_HEADER_BYTES + 2, feeder.length - SCTPA_HEADER_BYTES);
}

static inline void send_cookies(void)
{
    open_packet(true, 0);
    add(SCTPA_CHUNK_COOKIE_ECHO, 1);
    feed(&feeder);
    open_packet(false, 0);
    add(SCTPA_CHUNK_COOKIE_ACK, 0);
    feed(&feeder);
}

static inline void send_set_up(uint32_t addresses)
{
    send_init(false, tag_of(true), 0, 2 * addresses);
    feed(&feeder);
    send_init(true, tag_of(false), tag_of(true), 2 * addresses);
    feed(&feeder);
    send_cookies();
}

static inline void send_data(bool from_a, uint32_t tsn, unsigned hosts)
{
    open_packet(from_a, hosts);
    add_data(&feeder, tsn, 4);
    feed(&feeder);
}

static inline void send_sack(bool from_a, uint32_t cum_tsn, const uint16_t *gaps, uint32_t n_gaps)
{
    open_packet(from_a, 0);
    add_sack(&feeder, cum_tsn, 65536, gaps, n_gaps);
    feed(&feeder);
}

/* --- kinds of associations --- */

static inline void plain(void)
{
    send_set_up(0);
    for (uint32_t i = 0; i < 60; i++) {
        send_data(true, 1000 + i, 0);
        send_data(false, 1000 + i, 0);
        send_sack(false, 1000 + i, NULL, 0);
        send_sack(true, 1000 + i, NULL, 0);
    }
}

/* Every other TSN is missing for a while, each is retransmitted, SACKs report duplicates and take TSNs back. */
static inline void with_losses(void)
{
    uint16_t gaps[2 * 40];
    send_set_up(0);
    for (uint32_t i = 0; i < 40; i++) {
        send_data(true, 1001 + 2 * i, 0);
        gaps[2 * i] = gaps[2 * i + 1] = (uint16_t)(2 * i + 2);
        send_sack(false, 999, gaps, i % 7 == 6 ? 2 : i + 1);
    }
    feeder.packet.time_ns += 3000000000;
    for (uint32_t i = 0; i < 80; i++) {
        send_data(true, 1000 + i, 0);
        open_packet(false, 0);
        uint8_t *value = add(SCTPA_CHUNK_SACK, 5);
        put32(value, 1000 + i);
        put16(value + 10, 2);
        put32(value + 12, 1000 + i);
        put32(value + 16, 1001 + i);
        feed(&feeder);
    }
    for (uint32_t i = 0; i < 3; i++) /* far TSNs: lifts */
        send_data(true, 1100 + 0x7f000000u * i, 0);
}

/* Data is lost on a path, HEARTBEATs stay without answer, and new data goes elsewhere. */
static inline void failing_over(void)
{
    send_set_up(2);
    for (uint32_t i = 0; i < 40; i++) {
        send_data(true, 1000 + i, i < 10 ? 0 : 2);
        if (i == 10)
            feeder.packet.time_ns += 3000000000;
        open_packet(true, i % 3);
        put32(add(SCTPA_CHUNK_HEARTBEAT, 2), 0x00010008);
        put32(feeder.bytes + feeder.length - 4, i);
        feed(&feeder);
        if (i != 9)
            send_sack(false, 1000 + i, NULL, 0);
        if (i == 10)
            send_data(true, 1009, 2);
    }
}

/* Requests that wait, keys, causes, texts, unknown chunks, ICMP. */
static inline void with_requests(void)
{
    static const uint32_t random_hmac_chunks[] = {
        0x80020010, 0, 0, 0, 0x80040006, 0x00010000, 0x80030005, 0xC1000000
    };
    send_init(false, tag_of(true), 0, 0);
    add_params(random_hmac_chunks, G_N_ELEMENTS(random_hmac_chunks));
    feed(&feeder);
    send_set_up(0);
    for (unsigned i = 0; i < 3; i++) {
        open_packet(i % 2, 0);
        put32(add(SCTPA_CHUNK_ASCONF, 6 + i), i);
        put32(feeder.bytes + 20, 0x00050008);
        put32(feeder.bytes + 28, 0xc0010010);
        put32(feeder.bytes + 36, 0x00050008);
        feed(&feeder);
        open_packet(i % 2, 0);
        put32(add(SCTPA_CHUNK_RE_CONFIG, 4 + i), 0x000d0010 + 4 * i);
        feed(&feeder);
        open_packet(i % 2, 0);
        put32(add(SCTPA_CHUNK_AUTH, 6), 1);
        add(0x77, i);
        add(SCTPA_CHUNK_ECNE, 1);
        add(SCTPA_CHUNK_CWR, 1);
        add(SCTPA_CHUNK_PKTDROP, 4);
        put32(add(SCTPA_CHUNK_ERROR, 1), 0x00030004);
        feed(&feeder);
    }
    open_packet(true, 0);
    add_data(&feeder, 1000, 1);
    feeder.packet.bytes = feeder.bytes;
    feeder.packet.captured_bytes = feeder.packet.wire_bytes = feeder.length;
    sctpa_feed_icmp(feeder.sctpa, &(sctpa_icmp_t){ .kind = SCTPA_ICMP_UNREACHABLE, .quoted = feeder.packet });
    open_packet(false, 0);
    put32(add(SCTPA_CHUNK_ABORT, 3), 0x000c000c);
    memcpy(feeder.bytes + feeder.length - 8, "farewell", 8);
    feed(&feeder);
}

/* Over UDP: padding, marks of congestion, SACKs beside data, TSNs that are given up, messages that are out of order. */
static inline void with_extensions(void)
{
    static const uint32_t params[] = { 0x80000004, 0xC0000004, 0x80050014, 1, 2, 3, 4 }; /* ECN, FORWARD-TSN, PADDING */
    feeder.packet.encapsulation = SCTPA_OVER_UDP;
    feeder.packet.udp_source = feeder.packet.udp_destination = 9899;
    send_init(false, tag_of(true), 0, 0);
    add_params(params, G_N_ELEMENTS(params));
    feed(&feeder);
    send_init(true, tag_of(false), tag_of(true), 0);
    add_params(params, 2);
    feed(&feeder);
    send_cookies();
    feeder.packet.tos = 3;
    for (uint32_t i = 0; i < 12; i++) {
        open_packet(i % 2, 0);
        add_data(&feeder, 1000 + i / 2, 4);
        put16(feeder.bytes + SCTPA_HEADER_BYTES + 8, i * 4);                 /* streams */
        feeder.bytes[SCTPA_HEADER_BYTES + 1] = (uint8_t)(i % 5 < 3 ? 2 : 1); /* messages that begin and do not end */
        add_sack(&feeder, 999 + i / 2, 65536, NULL, 0);
        feed(&feeder);
    }
    feeder.packet.tos = 0;
    open_packet(true, 0);
    put32(add(SCTPA_CHUNK_FORWARD_TSN, 1), 1010);
    feed(&feeder);
    feeder.packet.encapsulation = SCTPA_OVER_IP;
    feeder.packet.udp_source = feeder.packet.udp_destination = 0;
}

/* More is outstanding than the window lets, which closes; A leaves out the checksum once it has sent a right one. */
static inline void beyond_the_window(void)
{
    send_set_up(0);
    for (uint32_t i = 0; i < 12; i++) {
        open_packet(true, 0);
        add_data(&feeder, 1000 + i, 350);
        if (i == 0)
            put32(feeder.bytes + 8, sctpa_packet_crc32c(feeder.bytes, feeder.length));
        feed(&feeder);
        if (i > 3)
            continue;
        open_packet(false, 0);
        add_sack(&feeder, 1000 + i, 1000 - 250 * i, NULL, 0);
        feed(&feeder);
    }
}

/* T3-rtx expires twice; SACKs come for the second packet, leave out what passed long before, and do not list what came
 * again. */
static inline void with_waits(void)
{
    const uint16_t second[] = { 2, 2 };
    send_set_up(0);
    send_data(true, 1000, 0);
    send_data(true, 1001, 0);
    feeder.packet.time_ns -= 9900000;
    send_sack(false, 1001, NULL, 0);
    for (uint32_t i = 0; i < 3; i++) {
        open_packet(true, 0);
        add_data(&feeder, 1001, 4);
        put32(feeder.bytes + 8, sctpa_packet_crc32c(feeder.bytes, feeder.length));
        feed(&feeder);
        send_sack(false, 1001, NULL, 0);
    }
    send_data(true, 1002, 0);
    feeder.packet.time_ns += 1000000000;
    send_data(true, 1003, 0);
    send_sack(false, 1001, second, 1);
    send_sack(false, 1003, NULL, 0);
    for (uint32_t i = 0; i < 3; i++) {
        send_data(true, 1004, 0);
        feeder.packet.time_ns += 3000000000;
    }
}

static inline void restarted(void)
{
    plain();
    for (uint32_t tag = 1; tag < 4; tag++) {
        send_init(false, tag_of(true) + tag, 0, 0);
        feed(&feeder);
        send_init(true, tag_of(false) + tag, tag_of(true) + tag, 0);
        feed(&feeder);
        begin_packet(true, tag_of(false) + tag, 0);
        add(SCTPA_CHUNK_COOKIE_ECHO, 1);
        feed(&feeder);
        begin_packet(false, tag_of(true) + tag, 0);
        add(SCTPA_CHUNK_COOKIE_ACK, 0);
        feed(&feeder);
    }
}

/* Many INIT ACKs, each with another tag, and an INIT of either endpoint. */
static inline void with_many_tags(void)
{
    send_init(false, tag_of(true), 0, 0);
    feed(&feeder);
    for (uint32_t tag = 1; tag < 20; tag++) {
        send_init(true, tag_of(false) + tag % 12, tag_of(true), 0);
        feed(&feeder);
    }
    send_set_up(0);
}

/* The last packet once more, at another interface, as a NAT changed it. */
static inline void see_again(uint8_t address, uint16_t port)
{
    feeder.packet.interface = 1;
    feeder.packet.source.data[2] = address;
    put16(feeder.bytes, port);
    again(&feeder);
    feeder.packet.interface = 0;
}

/* Two directions on other addresses, each with events, that a SACK joins. */
static inline void joined(void)
{
    for (uint32_t i = 0; i < 5; i++) {
        send_data(true, 70000 * current + i, 0);
        open_packet(false, 3);
        put32(add(SCTPA_CHUNK_ERROR, 1), 0x00030004);
        feed(&feeder);
        if (i == 0)
            see_again(0xf0, 7000);
    }
    for (uint32_t i = 0; i < 5; i++) {
        open_packet(false, 3);
        add_sack(&feeder, 70000 * current + i, 65536, NULL, 0);
        feed(&feeder);
    }
    send_data(true, 70000 * current + 5, 0);
    send_data(true, 70000 * current + 6, 2);
}

/* Two directions between the same addresses that a later SACK parts; the second one comes from another, too. */
static inline void parted(void)
{
    for (uint32_t i = 0; i < 5; i++) {
        send_data(true, 1000 + i, i % 2);
        open_packet(false, i == 3 ? 2 : 0);
        put32(add(SCTPA_CHUNK_HEARTBEAT, 2), 0x00010008);
        feed(&feeder);
    }
    send_sack(false, 0x70000000, NULL, 0);
    send_data(true, 1005, 0);
    send_sack(false, 0x70000001, NULL, 0);
}

/* Over UDP, in IPv6, at two interfaces, with copies that a NAT changed. */
static inline void seen_twice(void)
{
    for (unsigned i = 0; i < 12; i++) {
        open_packet(i % 2, 0);
        feeder.packet.source.bytes = feeder.packet.destination.bytes = 16;
        feeder.packet.udp_source = feeder.packet.udp_destination = (uint16_t)(9899 + i / 4);
        add_data(&feeder, 1000 + i, 2);
        feed(&feeder);
        see_again((uint8_t)i, (uint16_t)(7000 + i % 3));
    }
    feeder.packet.udp_source = feeder.packet.udp_destination = 0;
}

/* More addresses than are listed, more pairs than an endpoint has. */
static inline void with_many_addresses(void)
{
    send_set_up(200);
    for (uint32_t i = 0; i < 400; i++) {
        open_packet(true, 0);
        feeder.packet.source = ip(0x0c000000 + 1024 * current + i);
        feeder.packet.destination = ip(0x0d000000 + 1024 * current + i % 300);
        add_data(&feeder, 1000 + i, 1);
        feed(&feeder);
    }
}

static inline void unanswered(void)
{
    send_init(false, tag_of(true), 0, 4);
    feed(&feeder);
}

/* Packets with a wrong tag, and what a right one shows of them. */
static inline void with_strays(void)
{
    plain();
    for (uint32_t i = 0; i < 3; i++) {
        begin_packet(true, tag_of(false) + 1, 0);
        add_data(&feeder, 1060, 4);
        feed(&feeder);
    }
    send_data(true, 1060, 0);
}

/* DATA_CHANNEL_OPEN (RFC 8832 5.1) in a packet of its own. */
static inline void with_data_channels(void)
{
    feeder.packet.encapsulation = SCTPA_OVER_DTLS;
    send_set_up(0);
    open_packet(true, 0);
    add_data(&feeder, 1000, 12);
    put32(feeder.bytes + SCTPA_HEADER_BYTES + 12, 50);
    feeder.bytes[SCTPA_HEADER_BYTES + 16] = 3;
    feed(&feeder);
    feeder.packet.encapsulation = SCTPA_OVER_IP;
}

static void (*const kinds[])(void) = { plain,         with_losses,     failing_over,
                                       with_requests, with_extensions, beyond_the_window,
                                       with_waits,    restarted,       with_many_tags,
                                       joined,        parted,          seen_twice,
                                       unanswered,    with_strays,     with_data_channels };

#endif
