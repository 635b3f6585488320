/* SPDX-License-Identifier: GPL-2.0-or-later */
/* capng - captures several interfaces of one network namespace into one pcapng file.
 *
 *   capng FILE [-s SNAP_LENGTH] INTERFACE...
 *
 * One AF_PACKET socket for all interfaces, so that packets stand in the order in which the kernel saw them. Nanosecond
 * CLOCK_REALTIME stamps; names in the interface blocks, direction in epb_flags. Writes SCTP, UDP and ICMP errors only.
 * Ends on SIGTERM or SIGINT. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum { SECTION_HEADER = 0x0a0d0d0a, BYTE_ORDER_MAGIC = 0x1a2b3c4d, INTERFACE_DESCRIPTION = 1, ENHANCED_PACKET = 6 };
enum { OPTION_END = 0, IF_NAME = 2, IF_TSRESOL = 9, EPB_FLAGS = 2, EPB_INBOUND = 1, EPB_OUTBOUND = 2 };
enum { LINKTYPE_ETHERNET = 1, NANOSECONDS = 9 };
enum { ICMP = 1, UDP = 17, HOP_BY_HOP = 0, IPV6_FRAGMENT = 44, ICMPV6 = 58, DESTINATION_OPTIONS = 60, SCTP = 132 };

#define MAX_INTERFACES 16
#define MAX_FRAME_BYTES (1 << 17)
#define RECEIVE_BUFFER_BYTES (64 << 20)
#define FIRST_ICMPV6_INFORMATION 128

static FILE *file;
static volatile sig_atomic_t is_stopped;
static int interfaces[MAX_INTERFACES], interface_count;

static void stop(int signal)
{
    (void)signal;
    is_stopped = 1;
}

static void put32(uint32_t value)
{
    fwrite(&value, sizeof value, 1, file);
}
static void put16(uint16_t value)
{
    fwrite(&value, sizeof value, 1, file);
}
static uint32_t padded(uint32_t length)
{
    return (length + 3) / 4 * 4;
}

static void put_padded(const void *bytes, uint32_t length)
{
    static const char zeros[4];
    fwrite(bytes, 1, length, file);
    fwrite(zeros, 1, padded(length) - length, file);
}

static void put_section_header(void)
{
    const uint32_t length = 28;
    put32(SECTION_HEADER);
    put32(length);
    put32(BYTE_ORDER_MAGIC);
    put16(1);
    put16(0);
    put32(UINT32_MAX);
    put32(UINT32_MAX);
    put32(length);
}

static void put_interface(const char *name, uint32_t snap_length)
{
    const uint8_t resolution = NANOSECONDS;
    uint32_t name_length = strlen(name);
    uint32_t length = 16 + 4 + padded(name_length) + 8 + 4 + 4;
    put32(INTERFACE_DESCRIPTION);
    put32(length);
    put16(LINKTYPE_ETHERNET);
    put16(0);
    put32(snap_length);
    put16(IF_NAME);
    put16(name_length);
    put_padded(name, name_length);
    put16(IF_TSRESOL);
    put16(1);
    put_padded(&resolution, 1);
    put32(OPTION_END);
    put32(length);
}

static void put_packet(int interface, const struct timespec *time, const uint8_t *frame, uint32_t length,
                       uint32_t snap_length, bool is_outbound)
{
    uint64_t ns = time->tv_sec * 1000000000ull + time->tv_nsec;
    uint32_t captured = length > snap_length ? snap_length : length;
    uint32_t block_length = 28 + padded(captured) + 8 + 4 + 4;
    put32(ENHANCED_PACKET);
    put32(block_length);
    put32(interface);
    put32(ns >> 32);
    put32((uint32_t)ns);
    put32(captured);
    put32(length);
    put_padded(frame, captured);
    put16(EPB_FLAGS);
    put16(4);
    put32(is_outbound ? EPB_OUTBOUND : EPB_INBOUND);
    put32(OPTION_END);
    put32(block_length);
}

static bool is_wanted(const uint8_t *frame, int length)
{
    if (length < 34)
        return false;
    int type = frame[12] << 8 | frame[13];
    if (type == ETH_P_IP)
        return frame[23] == SCTP || frame[23] == ICMP || frame[23] == UDP;
    if (type != ETH_P_IPV6)
        return false;
    switch (frame[20]) {
    case SCTP:
    case UDP:
    case HOP_BY_HOP:
    case IPV6_FRAGMENT:
    case DESTINATION_OPTIONS: return true;
    case ICMPV6: return length > 54 && frame[54] < FIRST_ICMPV6_INFORMATION;
    }
    return false;
}

static int open_socket(void)
{
    int on = 1, bytes = RECEIVE_BUFFER_BYTES;
    int descriptor = socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL));
    if (descriptor < 0) {
        perror("AF_PACKET");
        exit(1);
    }
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes);
    setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    return descriptor;
}

static int find_interface(int index)
{
    for (int k = 0; k < interface_count; k++)
        if (interfaces[k] == index)
            return k;
    return -1;
}

/* Returns whether a packet was written. */
static bool capture_one(int descriptor, uint32_t snap_length)
{
    static uint8_t frame[MAX_FRAME_BYTES];
    struct sockaddr_ll from;
    struct timespec time = { 0 };
    char control[256];
    struct iovec part = { frame, sizeof frame };
    struct msghdr header = { .msg_name = &from,
                             .msg_namelen = sizeof from,
                             .msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof control };
    int length = recvmsg(descriptor, &header, MSG_DONTWAIT);
    int interface = length < 0 ? -1 : find_interface(from.sll_ifindex);
    if (interface < 0 || !is_wanted(frame, length))
        return false;
    for (struct cmsghdr *item = CMSG_FIRSTHDR(&header); item; item = CMSG_NXTHDR(&header, item))
        if (item->cmsg_level == SOL_SOCKET && item->cmsg_type == SCM_TIMESTAMPNS)
            memcpy(&time, CMSG_DATA(item), sizeof time);
    put_packet(interface, &time, frame, length, snap_length, from.sll_pkttype == PACKET_OUTGOING);
    return true;
}

static unsigned long capture_until_stopped(int descriptor, uint32_t snap_length)
{
    unsigned long count = 0;
    for (;;) {
        struct pollfd readable = { descriptor, POLLIN, 0 };
        if (poll(&readable, 1, is_stopped ? 0 : 200) > 0) {
            count += capture_one(descriptor, snap_length);
            continue;
        }
        fflush(file);
        if (is_stopped)
            return count;
    }
}

static void add_interface(const char *name, uint32_t snap_length)
{
    int index = if_nametoindex(name);
    if (!index || interface_count == MAX_INTERFACES) {
        perror(name);
        exit(1);
    }
    interfaces[interface_count++] = index;
    put_interface(name, snap_length);
}

int main(int argc, char **argv)
{
    struct sigaction action = { .sa_handler = stop };
    uint32_t snap_length = 65535;
    int first = 2;
    if (argc > 3 && !strcmp(argv[2], "-s")) {
        snap_length = atoi(argv[3]);
        first = 4;
    }
    if (argc <= first || !(file = fopen(argv[1], "wb"))) {
        fprintf(stderr, "usage: capng FILE [-s SNAP_LENGTH] INTERFACE...\n");
        return 2;
    }
    put_section_header();
    for (int k = first; k < argc; k++)
        add_interface(argv[k], snap_length);
    int descriptor = open_socket();
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    fprintf(stderr, "capng ready\n");
    unsigned long count = capture_until_stopped(descriptor, snap_length);
    struct tpacket_stats statistics;
    socklen_t length = sizeof statistics;
    getsockopt(descriptor, SOL_PACKET, PACKET_STATISTICS, &statistics, &length);
    fclose(file);
    fprintf(stderr, "capng: %lu packets written, kernel dropped %u\n", count, statistics.tp_drops);
    return 0;
}
