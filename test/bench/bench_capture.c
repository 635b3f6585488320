/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Feeds the packets of a capture, as test/replay/extract.py wrote them, to the core and prints the CPU time per packet
 * of this process, without what their bytes take to read. Made for valgrind (docs/performance.md), where it counts
 * instructions and misses of the caches of the core alone. Usage: bench_capture FILE */
#include <time.h>

#include "../replay/stored_packet.h"

int main(int argc, char **argv)
{
    gchar *bytes;
    gsize length;
    GError *error = NULL;
    if (argc != 2)
        g_error("usage: bench_capture FILE");
    if (!g_file_get_contents(argv[1], &bytes, &length, &error))
        g_error("%s", error->message);
    sctpa_t *sctpa = sctpa_new(NULL, 0);
    clock_t begun = clock();
    stored_feed(sctpa, bytes, length);
    double cpu_s = (double)(clock() - begun) / CLOCKS_PER_SEC;
    g_print("%.3f us a packet\n", cpu_s / MAX(sctpa_summary(sctpa)->packets, 1) * 1e6);
    return 0;
}
