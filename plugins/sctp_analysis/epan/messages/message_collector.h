/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects the messages of a capture while it is dissected, once for all reports that look at the same packets. Leaves
 * finding them in a frame to message_tree.h, what they mean to report/messages. */
#ifndef SCTPA_EPAN_MESSAGE_COLLECTOR_H
#define SCTPA_EPAN_MESSAGE_COLLECTOR_H

#include <glib.h>

#include "report/messages/messages.h"

/* From now on collects messages of the packets that filter selects (NULL: all); nothing when it does so already. From
 * then on Wireshark's dissectors fill their trees for each packet. Returns an error to be freed, NULL when all is well.
 * O(fields of the table). */
GString *sctpa_message_collector_start(const char *filter);
/* Stops collecting for filter, and forgets what it holds. */
void sctpa_message_collector_stop(const char *filter);
/* What was collected for filter so far, NULL: nothing is. O(filters). */
const sctpa_messages_t *sctpa_message_collector_messages(const char *filter);

#endif
