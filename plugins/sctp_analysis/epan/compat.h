/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one place with conditions on Wireshark's version: 4.0, 4.2, 4.4 and 4.6 build from the same sources through it.
 * Leaves everything that is the same in all of them to the files that use it. */
#ifndef SCTPA_EPAN_COMPAT_H
#define SCTPA_EPAN_COMPAT_H

#include <ws_version.h>

#include <glib.h>
#include <stdbool.h>

#ifdef WIRESHARK_VERSION_MAJOR
#define SCTPA_WS_MAJOR WIRESHARK_VERSION_MAJOR
#define SCTPA_WS_MINOR WIRESHARK_VERSION_MINOR
#endif

#define SCTPA_WS_SINCE(major, minor) \
    (SCTPA_WS_MAJOR > (major) || (SCTPA_WS_MAJOR == (major) && SCTPA_WS_MINOR >= (minor)))

/* Ubuntu's package of 4.2 lacks dfilter-loc.h, without which dfilter.h does not compile. cfile.h, which plugin_if.h
 * includes, needs three names that come with dfilter.h: they are declared here, and dfilter.h is skipped. So this file
 * comes before Wireshark's. */
#if SCTPA_WS_SINCE(4, 2) && !__has_include(<epan/dfilter/dfilter-loc.h>)
#define DFILTER_H
#include <epan/proto.h>
#include <wsutil/regex.h>
typedef struct epan_dfilter dfilter_t;
#endif

/* plugin_describe exists since 4.2; it says what a plugin registers. */
#if SCTPA_WS_SINCE(4, 4)
#include <wsutil/plugins.h>
#define SCTPA_PLUGIN_DESCRIPTION WS_PLUGIN_DESC_DISSECTOR
#else
#define SCTPA_PLUGIN_DESCRIPTION 1
#endif

/* Variable of a boolean preference, and what most callbacks return as a truth value. */
#if SCTPA_WS_SINCE(4, 4)
typedef bool sctpa_gbool_t;
#else
typedef gboolean sctpa_gbool_t;
#endif

/* What the check of a table's row returns. */
#if SCTPA_WS_SINCE(4, 2)
typedef bool sctpa_row_check_t;
#else
typedef gboolean sctpa_row_check_t;
#endif

/* Digits after the point that timestamp_get_precision asks for, -1: as many as the capture has. */
#if SCTPA_WS_SINCE(4, 2)
#define SCTPA_TIME_DIGITS(precision) ((precision) < 0 ? -1 : (precision))
#else
#define SCTPA_TIME_DIGITS(precision) \
    ((precision) <= TS_PREC_AUTO         ? -1 \
     : (precision) <= TS_PREC_FIXED_MSEC ? (precision)-TS_PREC_FIXED_SEC \
     : (precision) == TS_PREC_FIXED_USEC ? 6 \
                                         : 9)
#endif

/* Start callback of a -z statistic. */
#if SCTPA_WS_SINCE(4, 6)
#define SCTPA_STAT_INIT_TYPE bool
#define SCTPA_STAT_INIT_DONE(good) return (good)
#else
#define SCTPA_STAT_INIT_TYPE void
#define SCTPA_STAT_INIT_DONE(good) \
    do { \
        (void)(good); \
        return; \
    } while (0)
#endif

/* Field id of a tree node, -1 for the root. Nodes that are neither shown nor filtered on have no finfo; since 4.6 they
 * still say which field they stand for. */
#if SCTPA_WS_SINCE(4, 6)
#define SCTPA_NODE_FIELD(node) ((node)->hfinfo != NULL ? (node)->hfinfo->id : -1)
#else
#define SCTPA_NODE_FIELD(node) ((node)->finfo != NULL ? (node)->finfo->hfinfo->id : -1)
#endif

/* Value of a field of the tree, as calls of ftypes take it. */
#if SCTPA_WS_SINCE(4, 2)
#define SCTPA_FIELD_FVALUE(field) ((field)->value)
#else
#define SCTPA_FIELD_FVALUE(field) ((fvalue_t *)(uintptr_t) & (field)->value)
#endif

/* Whether a packet's tree is too full for more of a chunk. Since 4.6 Wireshark gives a packet up with "Dissector bug"
 * when 50,000 items in a row begin no later than one before them, as all of ours do after those of the built-in; the
 * rest is for what stands once in a packet. */
#if SCTPA_WS_SINCE(4, 6)
#define SCTPA_TREE_IS_FULL(node) ((node)->tree_data->start_idle_count > 40000)
#else
#define SCTPA_TREE_IS_FULL(node) ((void)(node), false)
#endif

/* Menu group of SCTP statistics. */
#if SCTPA_WS_SINCE(4, 4)
#define SCTPA_STAT_GROUP REGISTER_TELEPHONY_GROUP_SCTP
#else
#define SCTPA_STAT_GROUP REGISTER_STAT_GROUP_TELEPHONY_SCTP
#endif

/* epan/funnel.h lets plugins add to the menu of a packet since 4.2. */
#define SCTPA_HAS_PACKET_MENUS SCTPA_WS_SINCE(4, 2)

/* Callbacks of conversation filters got user data with 4.2. */
#if SCTPA_WS_SINCE(4, 2)
#define SCTPA_FILTER_ARGUMENTS packet_info *pinfo, void *user
#define SCTPA_FILTER_UNUSED (void)user
#define sctpa_filter_register(protocol, title, is_valid, build) \
    register_conversation_filter(protocol, title, is_valid, build, NULL)
#else
#define SCTPA_FILTER_ARGUMENTS packet_info *pinfo
#define SCTPA_FILTER_UNUSED (void)0
#define sctpa_filter_register(protocol, title, is_valid, build) \
    register_conversation_filter(protocol, title, is_valid, build)
#endif

#endif
