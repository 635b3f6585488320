/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One packet of a lab capture for each chunk type that the lab has, for the tests of the wire layer.
 * The packets of PKTDROP and PAD are cut after their first bytes. */
#ifndef SCTPA_TEST_CHUNK_SAMPLES_H
#define SCTPA_TEST_CHUNK_SAMPLES_H

#include "wire/chunk.h"
#include <glib.h>

typedef struct {
    uint32_t type;       /* of a chunk in the packet */
    const char *capture; /* below samples/ of the lab */
    uint32_t wire_bytes;
    const char *hex; /* the captured bytes from the common header on */
} sample_t;

static const sample_t samples[] = {
    { SCTPA_CHUNK_DATA, "linux/init-fail/A.pcapng", 128,
      "dd431389528d31dbd9b59ac900030074606fd72300000000000000006162636465666768696a6b6c6d6e6f707172737475767778797a6162"
      "636465666768696a6b6c6d6e6f707172737475767778797a6162636465666768696a6b6c6d6e6f707172737475767778797a616263646566"
      "6768696a6b6c6d6e6f70717273747576" },
    { SCTPA_CHUNK_INIT, "linux/asconf-auth/A.pcapng", 108,
      "177013880000000011a63b5d0100005ec420fd690001a000000afffff90818b4000c0006000500008000000480080007c1800f00c0000004"
      "800200243837844a3fef63dac3d4f5d7e573a6ecb27f73f5beb076b5e538b26788432d35800400060001000080030006c1800000" },
    { SCTPA_CHUNK_INIT_ACK, "pion/setup-loss30.A.pcap", 76,
      "13881388137bd5a41d8c3cb70200003e9042c87b00100000ffffffff158df7d3000700247fcbfc42a10f083c2873cf03e596d5ef38889635"
      "f5830a0801e2e86f8af3077e8008000682c00000" },
    { SCTPA_CHUNK_SACK, "linux/bulk-loss1/A.pcapng", 36,
      "1388bca23f8c7176e64b588a030000185ccc0fa200014880000200000002001000120012" },
    { SCTPA_CHUNK_HEARTBEAT, "usrsctp/mh-hb-idle/A.pcapng", 60,
      "1388d5289880d1f8c134b80b040000300001002c04b9556900000000835e0e00e1a6e3bf85586303021000000a0100010000000000000000"
      "00000000" },
    { SCTPA_CHUNK_HEARTBEAT_ACK, "linux/restart/A.pcapng", 72,
      "1770138813e8534c78232d990500003c00010038020017700a020001000000000000000000000000000000000000000080e2feff00000000"
      "3d87c0e4352de3d00000000000000000" },
    { SCTPA_CHUNK_ABORT, "usrsctp/aborts/A.pcapng", 24, "ecc4138897dd652c0fdce1350600000b000c000762796500" },
    { SCTPA_CHUNK_SHUTDOWN, "pion/setup-loss30.A.pcap", 20, "138813889042c87bd4939c1c07000008a48f4a0e" },
    { SCTPA_CHUNK_SHUTDOWN_ACK, "pion/setup-loss30.A.pcap", 16, "13881388137bd5a484ab1e2408000004" },
    { SCTPA_CHUNK_ERROR, "linux/init-fail/A.pcapng", 24, "1389dd43afb29ed8c21951ca0900000c000300080002235a" },
    { SCTPA_CHUNK_COOKIE_ECHO, "pion/setup-loss30.A.pcap", 48,
      "138813889042c87bc07a5ced0a0000247fcbfc42a10f083c2873cf03e596d5ef38889635f5830a0801e2e86f8af3077e" },
    { SCTPA_CHUNK_COOKIE_ACK, "pion/setup-loss30.A.pcap", 16, "13881388137bd5a4bd223c460b000004" },
    { SCTPA_CHUNK_ECNE, "usrsctp/ecn/A.pcapng", 40,
      "1388c47e6cb4bf842fc853ff0c00000c2c4c4c2c00000001030000102c4c4c2c0001f98800000000" },
    { SCTPA_CHUNK_CWR, "linux/ecn/A.pcapng", 20, "bca3138812a911fc414f8dc60d0000084a559eec" },
    { SCTPA_CHUNK_SHUTDOWN_COMPLETE, "pion/setup-loss30.A.pcap", 16, "138813889042c87b8cf09ff90e000004" },
    { SCTPA_CHUNK_AUTH, "linux/asconf-auth/A.pcapng", 72,
      "177013881824dd0760a55c9c0f00001c000100012de1f7060e5c4a6cc5ec5612339fcb755ec37379c1000020f90818b4000500080a010001"
      "c001001000000000000500080a020001" },
    { SCTPA_CHUNK_NR_SACK, "usrsctp/us-nrsack-pktdrop/A.pcapng", 64,
      "1388c02d4fb410fe9d13dc7f100000348f2c6e2a0001e62000040004000000000005000500090009000d000d001100110002000400060008"
      "000a000c000e0010" },
    { SCTPA_CHUNK_I_DATA, "dcsctp/idata-pr.A.pcap", 36,
      "13881388eed685bfd68eb8f340080018a2e100ff000100000000002f0000000176777879" },
    { SCTPA_CHUNK_ASCONF_ACK, "linux/asconf-noauth/A.pcapng", 20, "1388177087b84e622d79b74e80000008b40b1fa5" },
    { SCTPA_CHUNK_PKTDROP, "usrsctp/us-nrsack-pktdrop/A.pcapng", 1416,
      "1388c02d4fb410fed137f29d8106057c000200000000000005940000c02d1388fdc20e8191eb4eb6000705888f2c6dca0000000000000000"
      "767778797a6162636465666768696a6b6c6d6e6f707172737475767778797a616263646566676869" },
    { SCTPA_CHUNK_RE_CONFIG, "usrsctp/strreset/A.pcapng", 60,
      "1388fdc86d2a24bc7ecb19ec82000014000d00101fd70b72e83efb371fd70b938200001c0010000ce83efb36000000010010000ce83efb37"
      "00000001" },
    { SCTPA_CHUNK_PAD, "linux/pmtu/A.pcapng", 1200,
      "b03313890ad35c0f0f207cc60400003c00010038020013890a010101000000000000000000000000000000000000000080e5feff00000000"
      "15756fc2b217e8cbb00400000000000084000468000000000000000000000000000000000000000000000000" },
    { SCTPA_CHUNK_FORWARD_TSN, "dcsctp/pr-unordered-ttl.A.pcap", 44,
      "1388138872321cdecd25a5b1c0000008ba2358d000050018ba2358f200010000000000336c6d6e6f70717273" },
    { SCTPA_CHUNK_ASCONF, "linux/asconf-noauth/A.pcapng", 44,
      "1770138808db829e7ba9ce23c1000020b40b1fa5000500080a010001c001001000000000000500080a020001" },
    { SCTPA_CHUNK_I_FORWARD_TSN, "dcsctp/idata-pr.A.pcap", 28,
      "13881388eed685bf916010e7c2000010a2e0fe070001000000000003" },
};

/* Bytes of hex digits; freed by the caller. */
static inline GByteArray *bytes_of_hex(const char *hex)
{
    GByteArray *bytes = g_byte_array_new();
    for (; hex[0] && hex[1]; hex += 2) {
        guint8 byte = (guint8)(g_ascii_xdigit_value(hex[0]) << 4 | g_ascii_xdigit_value(hex[1]));
        g_byte_array_append(bytes, &byte, 1);
    }
    return bytes;
}

#endif
