# SPDX-License-Identifier: GPL-2.0-or-later
"""A file opened again in a program that lives on, as Wireshark does, shows what it showed the first time, whatever was opened between.

sharkd is driven: it keeps its state from file to file as the GUI does, with its own dissection of a frame asked for.
"""

import json
import pathlib
import tempfile

import pytest

CAPTURES = pathlib.Path(__file__).resolve().parent.parent / "captures"
FRAMES = 120
PAIRS = (("linux/bulk-loss1", "usrsctp/mh-failover"), ("usrsctp/prsctp", "linux/vantage-bulk"), ("dcsctp/vantage-outage", "linux/asconf-auth"))


def capture_of(scenario):
    return next(iter(sorted((CAPTURES / scenario).glob("A.pcap*"))))


def trees(answers, first_id):
    """Frame -> labels of our subtree, of the answers to the requests from first_id on."""
    found = {}
    for answer in answers:
        if first_id <= answer["id"] < first_id + FRAMES and "result" in answer:
            found[answer["id"] - first_id + 1] = sorted(labels(answer["result"].get("tree", [])))
    return found


def labels(nodes, ours=False):
    for node in nodes:
        inside = ours or node.get("f", "").startswith("sctp.analysis") or node.get("l", "").startswith("SCTP analysis")
        if inside:
            yield node.get("l", "")
        yield from labels(node.get("n", []), inside)


def session(tshark, tmp_path, captures):
    """Opens the captures one after the other in one sharkd; our subtrees of the first frames of each."""
    requests, starts, number = [], [], 1
    for capture in captures:
        requests.append({"jsonrpc": "2.0", "id": number, "method": "load", "params": {"file": str(tshark._readable(capture))}})
        starts.append(number + 1)
        requests += [{"jsonrpc": "2.0", "id": number + frame, "method": "frame", "params": {"frame": frame, "proto": True}}
                     for frame in range(1, FRAMES + 1)]
        number += FRAMES + 1
    with tempfile.TemporaryFile(dir=tmp_path) as stdin:
        stdin.write("".join(json.dumps(request) + "\n" for request in requests).encode())
        stdin.seek(0)
        run = tshark("-", program="sharkd", stdin=stdin)
    answers = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    assert all("error" not in answer for answer in answers if answer["id"] in [start - 1 for start in starts]), run.stderr
    return [trees(answers, start) for start in starts]


@pytest.mark.parametrize("scenario, between", PAIRS)
def test_a_file_shows_the_same_when_it_is_opened_again(scenario, between, tshark, tmp_path):
    one, other = capture_of(scenario), capture_of(between)
    first, second, elsewhere, third = session(tshark, tmp_path, [one, one, other, one])
    assert sum(len(tree) for tree in first.values()) > 100
    assert first == second == third
    assert elsewhere != first
    assert elsewhere == session(tshark, tmp_path, [other])[0]
