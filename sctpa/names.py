# SPDX-License-Identifier: GPL-2.0-or-later
"""Text from outside made harmless: for terminals and pages (safe_text) and for spreadsheets (csv_cell); how an endpoint is called, and why a file
cannot be used.

The same rules as report/text/text.c and ui/models/table_text.cpp. Leaves markup to the templates, which escape all they are given.
"""

import unicodedata

NO_FILE, NO_PERMISSION = "there is no such file", "no permission to read it"
UNSAFE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def _safe(character):
    if 0xDC80 <= ord(character) <= 0xDCFF:
        return f"\\x{ord(character) - 0xDC00:02x}"
    if unicodedata.category(character) not in UNSAFE:
        return character
    return f"\\x{ord(character):02x}" if ord(character) < 0x80 else f"\\u{{{ord(character):x}}}"


def safe_text(text):
    """Control, format, private and unassigned characters as \\xNN or \\u{N}, bytes that are no UTF-8 (surrogates) as \\xNN."""
    return text if text.isascii() and text.isprintable() else "".join(map(_safe, text))


def address_and_port(addresses, port):
    """ "10.0.0.1:5000", "[2001:db8::1]:5000": by the first of the addresses, which may be none."""
    address = addresses[0] if addresses else "?"
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


def cause(error):
    """What an OSError says, without the name of the file."""
    return (error.strerror or str(error)).lower()


def unreadable_cause(error):
    """The same of a file that was to be read."""
    return (
        NO_FILE
        if isinstance(error, FileNotFoundError)
        else NO_PERMISSION
        if isinstance(error, PermissionError)
        else cause(error)
    )


def csv_cell(value):
    """A cell that no spreadsheet takes for a formula: text that starts with = + - @ gets a leading apostrophe, numbers none."""
    if value is None:
        return ""
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@"):
        return "'" + value
    return value
