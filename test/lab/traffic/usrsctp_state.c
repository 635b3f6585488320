/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the variables of usrsctp's association; compiled with the library's own headers and definitions. Smoothed RTT
 * and its variation are kept scaled there (sctp_calculate_rto). */
#include <netinet/sctp_os.h>
#include <netinet/sctp_var.h>
#include <netinet/sctp_pcb.h>
#include <netinet/sctputil.h>
#include <stdio.h>
#include <string.h>

#include "usrsctp_state.h"

#define SRTT_SHIFT 3
#define RTTVAR_SHIFT 2

static void address_of_path(const struct sctp_nets *path, char *text, socklen_t size)
{
    const struct sockaddr *address = (const struct sockaddr *)&path->ro._l_addr;
    if (address->sa_family == AF_INET)
        inet_ntop(AF_INET, &((const struct sockaddr_in *)address)->sin_addr, text, size);
    else
        inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)address)->sin6_addr, text, size);
}

int usrsctp_state_row(struct socket *socket, char *row, size_t size)
{
    struct sctp_inpcb *endpoint = (struct sctp_inpcb *)socket->so_pcb;
    struct sctp_tcb *control = endpoint ? LIST_FIRST(&endpoint->sctp_asoc_list) : NULL;
    struct sctp_nets *path;
    char address[INET6_ADDRSTRLEN];
    if (!control)
        return 0;
    struct sctp_association *association = &control->asoc;
    int used = snprintf(row, size, "%x\t%u\t%u\t%u\t%u", association->state, association->peers_rwnd,
                        association->total_flight, association->total_output_queue_size, association->last_acked_seq);
    TAILQ_FOREACH(path, &association->nets, sctp_next)
    {
        address_of_path(path, address, sizeof address);
        used += snprintf(row + used, size - used, "\t%s,%x,%u,%u,%u,%u,%u,%d,%d,%u,%u,%u,%d", address, path->dest_state,
                         path->cwnd, path->ssthresh, path->partial_bytes_acked, path->flight_size, path->RTO,
                         path->lastsa >> SRTT_SHIFT, path->lastsv >> RTTVAR_SHIFT, path->error_count, path->mtu,
                         association->fast_retran_loss_recovery, path == association->primary_destination);
    }
    return used;
}
