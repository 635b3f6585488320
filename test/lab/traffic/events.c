/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stack's notifications: subscribing to them, writing them to the log. */
#include "stack.h"

#include <errno.h>
#include <string.h>

void subscribe_events(void)
{
    static const int types[] = { SCTP_ASSOC_CHANGE,      SCTP_PEER_ADDR_CHANGE,   SCTP_SEND_FAILED_EVENT,
                                 SCTP_REMOTE_ERROR,      SCTP_SHUTDOWN_EVENT,     SCTP_STREAM_RESET_EVENT,
                                 SCTP_ASSOC_RESET_EVENT, SCTP_STREAM_CHANGE_EVENT };
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        struct sctp_event setting = { .se_assoc_id = SCTP_FUTURE_ASSOC, .se_type = types[k], .se_on = 1 };
        set_option(SCTP_EVENT, &setting, sizeof setting, "EVENT");
    }
}

static const char *association_state(int state)
{
    switch (state) {
    case SCTP_COMM_UP: return "COMM_UP";
    case SCTP_COMM_LOST: return "COMM_LOST";
    case SCTP_RESTART: return "RESTART";
    case SCTP_SHUTDOWN_COMP: return "SHUTDOWN_COMP";
    case SCTP_CANT_STR_ASSOC: return "CANT_STR";
    }
    return "?";
}

static const char *address_state(int state)
{
    switch (state) {
    case SCTP_ADDR_AVAILABLE: return "AVAILABLE";
    case SCTP_ADDR_UNREACHABLE: return "UNREACHABLE";
    case SCTP_ADDR_REMOVED: return "REMOVED";
    case SCTP_ADDR_ADDED: return "ADDED";
    case SCTP_ADDR_MADE_PRIM: return "MADE_PRIM";
    case SCTP_ADDR_CONFIRMED: return "CONFIRMED";
    }
    return "POTENTIALLY_FAILED";
}

static void note_association(const struct sctp_assoc_change *change)
{
    write_log("EV assoc %s err=%u out=%u in=%u", association_state(change->sac_state), change->sac_error,
              change->sac_outbound_streams, change->sac_inbound_streams);
    process.association = change->sac_assoc_id;
    if (change->sac_state != SCTP_COMM_UP && change->sac_state != SCTP_RESTART)
        process.peer_finished = true;
}

static void note_address(const struct sctp_paddr_change *change)
{
    struct sockaddr_storage address;
    char text[INET6_ADDRSTRLEN];
    memcpy(&address, &change->spc_aaddr, sizeof address);
    write_log("EV paddr %s %s err=%d", address_text((struct sockaddr *)&address, text, sizeof text),
              address_state(change->spc_state), change->spc_error);
}

void note_event(const union sctp_notification *event)
{
    const struct sctp_stream_change_event *streams = (const void *)event;
    switch (event->sn_header.sn_type) {
    case SCTP_ASSOC_CHANGE: note_association(&event->sn_assoc_change); break;
    case SCTP_PEER_ADDR_CHANGE: note_address(&event->sn_paddr_change); break;
    case SCTP_STREAM_RESET_EVENT:
        write_log("EV stream_reset flags=%x", ((const struct sctp_stream_reset_event *)event)->strreset_flags);
        break;
    case SCTP_ASSOC_RESET_EVENT:
        write_log("EV assoc_reset flags=%x", ((const struct sctp_assoc_reset_event *)event)->assocreset_flags);
        break;
    case SCTP_STREAM_CHANGE_EVENT:
        write_log("EV stream_change flags=%x in=%u out=%u", streams->strchange_flags, streams->strchange_instrms,
                  streams->strchange_outstrms);
        break;
    case SCTP_SEND_FAILED_EVENT: write_log("EV send_failed"); break;
    case SCTP_REMOTE_ERROR: write_log("EV remote_error %04x", ntohs(event->sn_remote_error.sre_error)); break;
    case SCTP_SHUTDOWN_EVENT:
        write_log("EV shutdown");
        process.peer_finished = true;
        break;
    default: write_log("EV %x", event->sn_header.sn_type);
    }
}

/* Reads one piece of a message or one event; false when there will be no more. */
bool read_once(size_t wanted_bytes)
{
    static char buffer[1 << 20] __attribute__((aligned(8)));
    bool is_event = false, ends_message = false;
    if (wanted_bytes > sizeof buffer)
        wanted_bytes = sizeof buffer;
    int bytes = stack_receive(buffer, wanted_bytes, &is_event, &ends_message);
    if (bytes <= 0) {
        write_log("recv=%d %s", bytes, bytes < 0 ? strerror(errno) : "EOF");
        process.peer_finished = true;
        return false;
    }
    if (is_event) {
        note_event((const union sctp_notification *)buffer);
        return true;
    }
    process.bytes_received += bytes;
    process.messages_received += ends_message;
    return true;
}
