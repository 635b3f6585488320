# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads what `-z sctp,json` prints, one association at a time, however many there are. Leaves their contents alone."""

import codecs
import json

CHUNK_BYTES = 1 << 16
OBJECT_MAX = 256 << 20


class Broken(Exception):
    """What was printed is not such a document."""


class Document:
    """A document in a binary stream. Memory: the text of the largest association, at most OBJECT_MAX characters."""

    def __init__(self, stream):
        self._stream = stream
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._text = ""
        self._at = 0
        self.tail = {}
        self._scan = json.JSONDecoder().raw_decode

    def _more(self):
        """Reads as much as there is already, so that the work is proportional to the length; False at the end."""
        rest = len(self._text) - self._at
        if rest > OBJECT_MAX:
            raise Broken(f"an association takes more than {OBJECT_MAX >> 20} MiB")
        parts = [self._text[self._at:]]
        read = 0
        while read <= rest:
            piece = self._stream.read1(CHUNK_BYTES)
            if not piece:
                break
            parts.append(self._decode(piece))
            read += len(piece)
        self._text, self._at = "".join(parts), 0
        return read > 0

    def _skip(self, characters):
        """The next character that is none of these; '' at the end."""
        while True:
            while self._at < len(self._text) and self._text[self._at] in characters:
                self._at += 1
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def _value(self, prefix=""):
        while True:
            try:
                value, end = self._scan(prefix + self._text[self._at:] if prefix else self._text, 0 if prefix else self._at)
            except json.JSONDecodeError as error:
                if not self._more():
                    raise Broken("the document ends too early") from error
                continue
            self._at += end if prefix else end - self._at
            self._at -= len(prefix)
            return value

    def head(self):
        """What stands before the associations, and the exact text of capture.start_epoch_s."""
        mark = '"associations":'
        if self._skip(" \r\n\t") != "{":
            raise Broken("no document")
        while (end := self._text.find(mark, self._at)) < 0 or "[" not in self._text[end:]:
            if not self._more():
                raise Broken("a document without associations")
        text = self._text[self._at:end] + mark + "[]}"
        self._at = self._text.index("[", end) + 1
        try:
            exact = json.loads(text, parse_float=str)["capture"]["start_epoch_s"]
            return json.loads(text), exact
        except (ValueError, LookupError, TypeError) as error:
            raise Broken("a head of another form") from error

    def associations(self):
        """Each association, then nothing; to be read to the end before rest() and tail, what stands behind them in the document."""
        while (character := self._skip(" \r\n\t,")) == "{":
            yield self._value()
        if character != "]":
            raise Broken("the document ends too early")
        self._at += 1
        if self._skip(" \r\n\t,") == "}":
            self._at += 1
        else:
            self.tail = self._value("{")

    def rest(self):
        """Lines of bytes behind the document, in lists."""
        tail = self._text[self._at:].encode("utf-8")
        self._text, self._at = "", 0
        while True:
            lines = tail.split(b"\n")
            tail = lines.pop()
            if lines:
                yield lines
            piece = self._stream.read1(CHUNK_BYTES)
            if not piece:
                break
            tail += piece
        if tail:
            yield [tail]
