/* SPDX-License-Identifier: GPL-2.0-or-later */
// Which events are trouble, so that graphs and ladder colour the same ones.
#ifndef SCTPA_UI_TROUBLE_H
#define SCTPA_UI_TROUBLE_H

#include "models/results.h"

inline bool sctpaIsTrouble(sctpa_event_kind_t kind)
{
    switch (kind) {
    case SCTPA_EVENT_PATH_POTENTIALLY_FAILED:
    case SCTPA_EVENT_PATH_INACTIVE:
    case SCTPA_EVENT_PATH_FAILED:
    case SCTPA_EVENT_FAILOVER:
    case SCTPA_EVENT_ICMP_UNREACHABLE:
    case SCTPA_EVENT_PACKET_TOO_BIG:
    case SCTPA_EVENT_ABORT:
    case SCTPA_EVENT_ABORT_NOT_TAKEN:
    case SCTPA_EVENT_ERROR:
    case SCTPA_EVENT_RESTART:
    case SCTPA_EVENT_COLLISION: return true;
    default: return false;
    }
}

#endif
