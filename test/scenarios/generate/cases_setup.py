# SPDX-License-Identifier: GPL-2.0-or-later
"""What can happen to a set-up: restart, repetition, collision, refusal, silence; and how associations end."""

from . import chunks
from .cases_many import collide
from .merge import Case
from .association import Flow, Association, host

SECOND_NS = 1_000_000_000


def _case(count, make, **options):
    flows = []
    for number in range(count):
        flow = Flow(f"association{number}")
        make(flow, number, (host(2 * number + 1), host(2 * number + 2)))
        flows.append(flow)
    return Case("", flows, **options)


def case_restart(rng, count=40):
    """INIT on a live association, and the COOKIE ECHO is accepted (RFC 9260 5.2.4 action A): a new association."""
    def one(flow, number, hosts):
        old = Association(flow, rng, hosts)
        if number % 2:
            old.set_up()
        old.data(0).sack(1).exchange(2)
        new = old.successor()
        if number % 4 >= 2:
            new.ends.reverse()
        new.set_up()
        new.expect.restart_of, new.expect.events = old.key, ("restart",)
        old.expect.end = "restarted"
        new.exchange(2).shut_down()
    return _case(count, one)


def case_restart_not_completed(rng, count=20):
    """INIT on a live association that is answered but never followed by a COOKIE ECHO: the old association lives on."""
    def one(flow, number, hosts):
        old = Association(flow, rng, hosts).set_up().exchange()
        attempt = old.successor()
        attempt.init().init_ack()
        attempt.expect.end, attempt.expect.setup, attempt.expect.initiator = {"failed", "no_answer", "open"}, "partial", 0
        old.exchange(2).shut_down()
    return _case(count, one, end_gap_ns=600 * SECOND_NS)


def case_late_duplicate_init(rng, count=20):
    """The INIT's repetition arrives when the association is up; same tag, same association, also with its useless answer."""
    def one(flow, number, hosts):
        association = Association(flow, rng, hosts).set_up().exchange()
        association.init(0)
        if number % 2:
            association.init_ack(1, tag=rng.randrange(1, 1 << 32))
        association.exchange(2).shut_down()
        association.expect.no_events = ("restart",)
    return _case(count, one)


def case_collision(rng, count=20):
    """Both send INIT; the INITs cross; one association."""
    def one(flow, number, hosts):
        collide(Association(flow, rng, hosts)).exchange(2).shut_down()
    return _case(count, one)


def case_collision_one_init_lost(rng, count=20):
    """Both send INIT, but one of them is lost behind the tap: only the other is answered."""
    def one(flow, number, hosts):
        association = Association(flow, rng, hosts)
        association.init(0).init(1).init_ack(0).cookie_echo(1).cookie_ack(0).exchange(2).shut_down()
        association.expect.setup, association.expect.initiator, association.expect.events = "complete", 0, ("collision",)
    return _case(count, one)


def case_collision_with_tie_tags(rng, count=20):
    """RFC 9260 5.2.1 in COOKIE-ECHOED, 5.2.4 action B: end 1 answers an INIT without keeping state, then sends its own INIT with
    another tag; end 0 answers with its old tag and the tie tags: only that shows that it is no restart. One association, two tags of
    end 1, the last one holds."""
    def one(flow, number, hosts):
        association = Association(flow, rng, hosts)
        forgotten = rng.randrange(1, 1 << 32)
        association.init(0).init_ack(1, tag=forgotten, cookie=b"first...")
        association.cookie_echo(0, b"first...", vtag=forgotten)
        association.init(1, half="any").init_ack(0, cookie=b"second..").cookie_echo(1, b"second..").cookie_ack(0)
        association.exchange(2).shut_down()
        association.expect.setup, association.expect.initiator, association.expect.events = "complete", 0, ("collision",)
    return _case(count, one)


def case_several_init_acks(rng, count=20):
    """A repeated INIT is answered twice, each time with another tag of the responder; the first or the second one is used."""
    def one(flow, number, hosts):
        association = Association(flow, rng, hosts)
        unused = rng.randrange(1, 1 << 32)
        association.init().init(0, gap_ns=SECOND_NS)
        if number % 2:
            association.init_ack(1, tag=unused).init_ack(1)
        else:
            association.init_ack(1).init_ack(1, tag=unused)
        association.cookie_echo().cookie_ack().exchange(2).shut_down()
        association.expect.setup, association.expect.initiator = "complete", 0
    return _case(count, one)


def case_refused(rng, count=30):
    """ABORT answers the INIT: with the Initiate Tag (RFC 9260 8.4), or, wrongly but seen, with the T bit and a tag of 0."""
    def one(flow, number, hosts):
        association = Association(flow, rng, hosts).init()
        if number % 2:
            association.abort(1)
        else:
            association.send(1, chunks.abort(t=True), vtag=0)
        association.expect.end, association.expect.setup, association.expect.initiator = "refused", "partial", 0
    return _case(count, one)


def case_unanswered(rng, count=30):
    """INIT again and again, the same tag, nobody answers."""
    def one(flow, number, hosts):
        association = Association(flow, rng, hosts).init()
        for attempt in range(1 + number % 4):
            association.init(gap_ns=SECOND_NS << attempt)
        association.expect.end, association.expect.setup, association.expect.initiator = "no_answer", "partial", 0
    return _case(count, one, end_gap_ns=600 * SECOND_NS)


def case_aborted_in_setup(rng, count=30):
    """A stale cookie that ends the attempt, an ABORT instead of COOKIE ACK, and one whose host forgot everything (T bit)."""
    def one(flow, number, hosts):
        association = Association(flow, rng, hosts).init().init_ack().cookie_echo()
        association.expect.setup, association.expect.initiator = "partial", 0
        if number % 3 == 0:
            association.send(1, chunks.error(chunks.tlv(chunks.STALE_COOKIE, bytes(4))))
            association.expect.end, association.expect.events = {"failed", "refused"}, ("error",)
        else:
            association.abort(1, t=number % 3 == 1)
            association.expect.end = {"refused", "abort", "failed"}
    return _case(count, one, end_gap_ns=600 * SECOND_NS)


def case_stale_cookie_then_success(rng, count=10):
    """RFC 9260 5.2.6: after a stale cookie a new INIT with the same tag asks for a longer life; then it works. One association."""
    def one(flow, number, hosts):
        association = Association(flow, rng, hosts).init().init_ack(tag=rng.randrange(1, 1 << 32))
        wrong = int.from_bytes(flow.items[-1].chunks[0][4:8], "big")
        association.cookie_echo(vtag=wrong).send(1, chunks.error(chunks.tlv(chunks.STALE_COOKIE, bytes(4))))
        association.init(params=chunks.tlv(chunks.COOKIE_PRESERVATIVE, bytes(4))).init_ack().cookie_echo().cookie_ack()
        association.exchange().shut_down()
        association.expect.setup, association.expect.initiator = "complete", 0
    return _case(count, one)


def case_new_attempts(rng, count=20):
    """Refused or unanswered, then again from the same port with a new tag: each attempt is an association of its own."""
    def one(flow, number, hosts):
        for attempt in range(3):
            association = Association(flow, rng, hosts).init(gap_ns=5 * SECOND_NS)
            association.expect.setup, association.expect.initiator = "partial", 0
            if number % 2:
                association.abort(1)
                association.expect.end = "refused"
            else:
                association.expect.end = "no_answer"
                association.init(gap_ns=3 * SECOND_NS)
        Association(flow, rng, hosts).set_up(gap_ns=SECOND_NS).exchange().shut_down()
    return _case(count, one, end_gap_ns=600 * SECOND_NS)


def case_reflected_tags(rng, count=30):
    """ABORT and SHUTDOWN COMPLETE with the T bit carry the tag of the packet that they answer."""
    def one(flow, number, hosts):
        association = Association(flow, rng, hosts).set_up().exchange()
        if number % 3 == 0:
            association.shut_down(0, complete_t=True)
        elif number % 3 == 1:
            association.shut_down(0).send(1, chunks.shutdown_ack()).send(0, chunks.shutdown_complete(True), vtag=association.ends[0].tag)
        else:
            association.abort(number % 2, t=True)
    return _case(count, one)


def case_bundled_setup(rng, count=20):
    """DATA bundled with COOKIE ECHO, SACK with COOKIE ACK, ABORT behind DATA: the whole packet belongs where its tag says."""
    def one(flow, number, hosts):
        association = Association(flow, rng, hosts).init().init_ack()
        end = association.ends[0]
        association.send(0, chunks.cookie_echo(), chunks.data(end.tsn, b"early"))
        end.tsn = end.tsn + 1 & 0xFFFFFFFF
        association.send(1, chunks.cookie_ack(), chunks.sack(end.tsn - 1)).exchange()
        association.send(0, chunks.data(end.tsn, b"last"), chunks.abort(chunks.user_abort(b"enough")))
        association.expect.end, association.expect.setup, association.expect.initiator = "abort", "complete", 0
    return _case(count, one)
