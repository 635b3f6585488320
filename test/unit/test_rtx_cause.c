/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Protects the kind of a retransmission near its sender: what three misses marked, and what a timer may have sent. */
#include "timed_play.h"

static void assert_kind(const play_t *play, uint32_t number, uint32_t packet, sctpa_rtx_kind_t kind)
{
    const sctpa_direction_t *direction = sctpa_direction(play->feeder.sctpa, 0, 0);
    const sctpa_rtx_t *rtx;
    sctpa_direction_transmission(direction, sctpa_direction_tsn(direction, number), packet, &rtx);
    g_assert_cmpstr(sctpa_rtx_word(rtx->kind), ==, sctpa_rtx_word(kind));
}

/* TSN 0 is acked after 40 ms: an RTO is 105 ms at least. TSNs 1..n of 1..20 are missing: three SACKs say so, from 92
 * ms on. */
static void lose(play_t *play, uint32_t n)
{
    send(play, 0, 0);
    acked(play, 40, 0);
    for (uint32_t i = 1; i <= 20; i++)
        send(play, 50 + i / 10.0, i);
    for (uint32_t i = 0; i < SCTPA_MISSES_FAST; i++)
        acked_beyond(play, 92 + i, 0, n + 1, n + 1 + i);
}

/* What cwnd holds back is fast however long it takes: the timer would send the lowest TSN. */
static void test_held_back(void)
{
    play_t play;
    play_begin(&play);
    lose(&play, 2);
    assert_kind(&play, 1, send(&play, 94.1, 1), SCTPA_RTX_FAST);
    assert_kind(&play, 2, send(&play, 400, 2), SCTPA_RTX_FAST);
    play_end(&play);
}

/* A sender that gives TSNs up may not have told yet: its timer may send any. */
static void test_given_up(void)
{
    play_t play;
    play_begin(&play);
    lose(&play, 2);
    assert_kind(&play, 1, send(&play, 94.1, 1), SCTPA_RTX_FAST);
    begin(&play.feeder, true, TAG_Z);
    put32(chunk(&play.feeder, SCTPA_CHUNK_FORWARD_TSN, 0, 1), TAG_A);
    again(&play.feeder);
    assert_kind(&play, 2, send(&play, 400, 2), SCTPA_RTX_UNKNOWN);
    play_end(&play);
}

/* The lowest TSN in silence, and what was sent before it since, may be a timer's. */
static void test_after_unknown(void)
{
    play_t play;
    play_begin(&play);
    lose(&play, 2);
    assert_kind(&play, 1, send(&play, 200, 1), SCTPA_RTX_UNKNOWN);
    assert_kind(&play, 2, send(&play, 400, 2), SCTPA_RTX_UNKNOWN);
    play_end(&play);
}

static void miss_again(play_t *play, double at_ms, uint32_t first)
{
    for (uint32_t i = 0; i < SCTPA_MISSES_FAST; i++)
        acked_beyond(play, at_ms + i, 0, 2, first + i);
}

/* Retransmitted fast, a TSN is "ineligible for a subsequent Fast Retransmit" (RFC 9260 7.2.4): a timer may have sent it
 * again. */
static void test_twice(void)
{
    play_t play;
    play_begin(&play);
    lose(&play, 1);
    assert_kind(&play, 1, send(&play, 94.1, 1), SCTPA_RTX_FAST);
    miss_again(&play, 95, 5);
    acked_beyond(&play, 190, 0, 2, 8);
    assert_kind(&play, 1, send(&play, 190.1, 1), SCTPA_RTX_UNKNOWN);
    play_end(&play);
}

/* A sender that did so when no timer had the time to does it again. */
static void test_repeated(void)
{
    play_t play;
    play_begin(&play);
    lose(&play, 1);
    assert_kind(&play, 1, send(&play, 94.1, 1), SCTPA_RTX_FAST);
    miss_again(&play, 95, 5);
    assert_kind(&play, 1, send(&play, 97.1, 1), SCTPA_RTX_FAST);
    miss_again(&play, 98, 8);
    acked_beyond(&play, 190, 0, 2, 11);
    assert_kind(&play, 1, send(&play, 190.1, 1), SCTPA_RTX_FAST);
    play_end(&play);
}

/* Two paths at once, one of 40 and one of 200 ms: what the quick one brings says nothing of the slow one, nor of the
 * capture. */
static void test_two_paths(void)
{
    play_t play;
    play_begin(&play);
    send(&play, 0, 0);
    send_to(&play, 1, 1, ADDR_Z + 1);
    acked(&play, 41, 1);
    send_to(&play, 50, 2, ADDR_Z + 1);
    for (uint32_t i = 3; i < 20; i++)
        send(&play, 200 + i, i);
    for (uint32_t i = 3; i < 8; i++)
        acked_beyond(&play, 241 + i, 1, 3, i);
    acked(&play, 250, 8);
    for (uint32_t i = 10; i < 13; i++)
        acked_beyond(&play, 241 + i, 8, 10, i);
    assert_kind(&play, 9, send(&play, 253.1, 9), SCTPA_RTX_FAST);
    play_end(&play);
}

/* Z gives up its second address: ASCONF at at_ms, granted 1 ms later. */
static void give_up_address(play_t *play, double at_ms)
{
    begin(&play->feeder, false, TAG_A);
    play->feeder.packet.time_ns = play_ns(play, at_ms);
    uint8_t *value = chunk(&play->feeder, SCTPA_CHUNK_ASCONF, 0, 7);
    put32(value, 1);
    put32(value + 4, 0x00050008); /* IPv4 Address Parameter */
    put32(value + 8, ADDR_Z);
    put32(value + 12, 0xC0020010); /* Delete IP Address */
    put32(value + 16, 1);
    put32(value + 20, 0x00050008);
    put32(value + 24, ADDR_Z + 1);
    again(&play->feeder);
    begin(&play->feeder, true, TAG_Z);
    play->feeder.packet.time_ns = play_ns(play, at_ms + 1);
    put32(chunk(&play->feeder, SCTPA_CHUNK_ASCONF_ACK, 0, 1), 1);
    again(&play->feeder);
}

/* What was on its way to an address that is given up goes elsewhere; a timer that could have expired before leaves it
 * open. */
static void test_handover(void)
{
    static const struct {
        double asconf_ms, resent_ms;
        sctpa_rtx_kind_t kind;
    } cases[] = {
        { 60, 61.5, SCTPA_RTX_HANDOVER },
        { 60, 190, SCTPA_RTX_HANDOVER },
        { 200, 201.5, SCTPA_RTX_UNKNOWN },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        play_t play;
        play_begin(&play);
        send(&play, 0, 0);
        send_to(&play, 1, 1, ADDR_Z + 1);
        acked(&play, 41, 1);
        send_to(&play, 50, 2, ADDR_Z + 1);
        give_up_address(&play, cases[i].asconf_ms);
        assert_kind(&play, 2, send(&play, cases[i].resent_ms, 2), cases[i].kind);
        play_end(&play);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/kind/held_back", test_held_back);
    g_test_add_func("/kind/given_up", test_given_up);
    g_test_add_func("/kind/after_unknown", test_after_unknown);
    g_test_add_func("/kind/twice", test_twice);
    g_test_add_func("/kind/repeated", test_repeated);
    g_test_add_func("/kind/two_paths", test_two_paths);
    g_test_add_func("/kind/handover", test_handover);
    return g_test_run();
}
