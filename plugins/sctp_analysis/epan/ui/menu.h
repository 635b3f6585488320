/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The entries of the dialogs under Telephony > SCTP. */
#ifndef SCTPA_EPAN_MENU_H
#define SCTPA_EPAN_MENU_H

/* protocol: the one they belong to. */
void sctpa_menu_register(int protocol);

#endif
