/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checksums that a host leaves to its hardware: behind one of two taps they are right. There the other tap shows none,
 * or what the hardware begins with, which says nothing of its sender. */
#include "feed_parts.h"
#include "track/tracker.h"

static uint8_t *left_to_hardware(sctpa_tracker_t *tracker, uint32_t interface)
{
    return &tracker->left_to_hardware[interface % SCTPA_CHECKSUM_INTERFACES];
}

/* Has the packet no checksum at an interface, and a right one at another? A wrong one at one of them may be damage on
 * the way. */
static bool is_absent_at(sctpa_tracker_t *tracker, uint32_t interface, sctpa_checksum_t checksum,
                         uint32_t other_interface, sctpa_checksum_t other)
{
    if (interface == other_interface || other != SCTPA_CHECKSUM_CRC32C || checksum != SCTPA_CHECKSUM_ZERO)
        return false;
    *left_to_hardware(tracker, interface) = SCTPA_LEFT_TO_HARDWARE;
    return true;
}

sctpa_checksum_t sctpa_checksum_known(sctpa_tracker_t *tracker, uint32_t interface, sctpa_checksum_t checksum)
{
    const bool is_left = *left_to_hardware(tracker, interface) >= SCTPA_LEFT_TO_HARDWARE;
    return is_left && (checksum == SCTPA_CHECKSUM_ZERO || checksum == SCTPA_CHECKSUM_BAD) ? SCTPA_CHECKSUM_UNVERIFIED
                                                                                          : checksum;
}

void sctpa_checksums_compare(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, const sctpa_record_t *record,
                             uint32_t interface, const sctpa_record_t *first, uint32_t first_interface)
{
    const sctpa_checksum_t own = (sctpa_checksum_t)record->checksum, before = (sctpa_checksum_t)first->checksum;
    tracked->sides[record->from].left_to_hardware |= is_absent_at(tracker, interface, own, first_interface, before) ||
                                                     is_absent_at(tracker, first_interface, before, interface, own);
}
