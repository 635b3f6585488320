# SPDX-License-Identifier: GPL-2.0-or-later
"""The JSON report of files read as one capture, and of the whole capture, as bytes that can be compared. Leaves cutting to cutting.py."""

import hashlib
import io
import json
import os
import sys
import threading

from conftest import TOP

sys.path.append(str(TOP))

from sctpa.sequence import rings, stream, table  # noqa: E402


def joined(tshark, paths, folder, *words):
    """(stdout, stderr, what was read of each file) of tshark on the files as one capture, through a pipe as ./run reads them."""
    kept = folder / "table"
    sequence, reads = rings.of_one([str(path) for path in paths]), []
    source, sink = os.pipe()

    def feed():
        with open(sink, "wb") as pipe, open(kept, "wb", buffering=0) as lines:
            one = stream.Stream(pipe.write)
            reads.extend(table.kept(map(one.add, sequence.parts), lines))

    thread = threading.Thread(target=feed)
    thread.start()
    with open(source, "rb") as stdin:
        result = tshark("-n", "-q", "-r", "-", "-o", f"sctp_analysis.capture_files:{kept}", *words, stdin=stdin, text=False)
    thread.join()
    return result.stdout, result.stderr, reads


def json_of(tshark, paths, folder, *words):
    """The JSON of files as one capture, as bytes."""
    return joined(tshark, paths, folder, *words, "-z", "sctp,json")[0]


def without_files(document):
    """The bytes of a JSON report but for what names its files. Fails where there is no such."""
    data = document if isinstance(document, bytes) else document.encode("utf-8", "surrogateescape")
    described = json.loads(data)["capture"]
    begin, end = data.index(b'"file":'), data.index(b'"start_epoch_s":')
    assert {"file", "files"} <= set(described)
    return data[:begin] + data[end:]


def joined_bytes(folder, forms):
    """(the pcapng of files of these contents as one capture, in this order, what was read of each); the files are called 1, 2 and so on."""
    one, kept = io.BytesIO(), []
    joined_file = stream.Stream(one.write)
    for number, form in enumerate(forms, 1):
        path = folder / f"{number}.part"
        path.write_bytes(form)
        kept.append(joined_file.add(stream.Part(str(path), str(number))))
    return one.getvalue(), kept


def frames_of(tshark, folder, data, *fields):
    """These fields of each frame of a capture, without the plugin."""
    path = folder / "joined.pcapng"
    path.write_bytes(data)
    result = tshark("-n", "-r", path, "-T", "fields", *(word for field in fields for word in ("-e", field)), plugin=False)
    assert result.returncode == 0 and "cut short" not in result.stderr, result.stderr
    return [line.split("\t") for line in result.stdout.splitlines()]


def digest_of(paths):
    """(hash of the pcapng of these files as one capture, how many frames it has). Fails where one was not read to its end, or is odd."""
    digest = hashlib.sha256()
    one = stream.Stream(digest.update)
    reads = [one.add(part) for part in rings.of_one([str(path) for path in paths]).parts]
    assert all(read.whole and not read.remarks() for read in reads), reads
    return digest.hexdigest(), sum(read.frames for read in reads)
