/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers by which requests for data channels are read, that rules also say. Leaves out those that only the code has.
 */
#ifndef SCTPA_DATA_CHANNEL_LIMITS_H
#define SCTPA_DATA_CHANNEL_LIMITS_H

/* What separates a request, to open a channel or to close it, that is never answered from one whose answer is
 * retransmitted: three timeouts of a second, each twice as long as the one before, are 7 s. */
#define SCTPA_CHANNEL_UNANSWERED_S 10

#endif
