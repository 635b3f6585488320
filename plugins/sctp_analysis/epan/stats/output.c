/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes reports to the standard output, and makes tshark's exit status say that one could not be given.
 * Leaves what they say to report/. */
#define _GNU_SOURCE /* dladdr */
#include "output.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <wsutil/report_message.h>

void sctpa_output_take(void *user, const GString *piece)
{
    sctpa_output_t *output = (sctpa_output_t *)user;
    if (output->error == 0 && fwrite(piece->str, 1, piece->len, stdout) != piece->len)
        output->error = errno;
}

bool sctpa_output_end(sctpa_output_t *output)
{
    if (fflush(stdout) != 0 && output->error == 0)
        output->error = errno;
    if (output->error != 0)
        report_failure("-z %s could not be written: %s", output->name, g_strerror(output->error));
    return output->error == 0;
}

/* exit() within exit() goes on with the handlers that are left and takes the later status: glibc and the BSDs promise
 * that. */
static void end_with_failure(void)
{
    exit(1);
}

/* Wireshark unloads plugins amid its own cleaning up, and the handlers of an unloaded module run there: too early for a
 * status, since what comes after it would be skipped. So the module stays. */
void sctpa_output_fail_at_exit(void)
{
    static bool is_told;
    Dl_info self;
    if (is_told)
        return;
    is_told = true;
    if (dladdr(&is_told, &self) != 0 && self.dli_fname != NULL)
        (void)dlopen(self.dli_fname, RTLD_LAZY | RTLD_NODELETE);
    atexit(end_with_failure);
}
