"""Partial reliability: FORWARD-TSN, and data that was given up. The near end sends."""

from generate import chunks
from mutations import breaks
from mutations_auth import replace_param
from mutations_setup import once
from scene import NoPlace
from sequels import S, Sequel
from talks import FORWARD_TSN, FORWARD_TSN_SUPPORTED, RE_CONFIG, pack, params_of

BEGIN, END = chunks.BEGIN, chunks.END


def is_offered(talk):
    return all(talk.param(end, FORWARD_TSN_SUPPORTED) is not None or FORWARD_TSN in talk.extensions(end) for end in (0, 1))


class Partial(Sequel):
    """An association whose ends offered partial reliability; the near end has sent three messages of a stream."""

    def __init__(self, scene, where=lambda talk: True):
        super().__init__(scene, where=lambda talk: is_offered(talk) and talk.is_single() and where(talk))
        self.rounds(self.near, 3)
        self.sid = next(iter(self.ssn[self.near]))

    def forward(self, *streams, below=0):
        """New cumulative TSN: the last that was sent, or `below` less."""
        return self.send(self.near, chunks.forward_tsn(self.tsn[self.near] - 1 - below, streams))

    def lose_two(self):
        """Two messages of a stream are missing, the third one, of another, is not: SSN of the second."""
        for _ in range(2):
            self.data(self.near, sid=self.sid)
        self.lost = self.sent
        self.data(self.near, sid=self.sid + 1).wait(S).sack(self.far, 3, gaps=((3, 3),)).wait(S)
        return self.ssn[self.near][self.sid]


@breaks("PR-001")
def peer_did_not_offer(scene):
    sequel = Sequel(scene)
    scene.deny_partial(sequel.talk)
    sequel.send(sequel.near, chunks.forward_tsn(sequel.tsn[sequel.near] - 1))
    return sequel.near


@breaks("PR-002")
def forward_tsn_of_length_10(scene):
    sequel = Partial(scene)
    return sequel.send(sequel.near, chunks.chunk(FORWARD_TSN, 0, pack(sequel.tsn[sequel.near] - 1) + bytes(2))).near


@breaks("PR-003")
def supported_of_length_8(scene):
    talk = scene.talk(once)
    end = scene.rng.randrange(2)
    place = (talk.init, talk.init_ack)[end]
    for kind, at, length in params_of(place):
        if kind == FORWARD_TSN_SUPPORTED:
            replace_param(scene, place, at, length, chunks.tlv(FORWARD_TSN_SUPPORTED, bytes(4)))
            return end
    raise NoPlace


@breaks("PR-004")
def far_ahead(scene):
    return Partial(scene).forward(below=-5000).near


@breaks("PR-007")
def stream_not_listed(scene):
    sequel = Partial(scene)
    sequel.lose_two()
    return sequel.forward().near


@breaks("PR-008")
def stream_listed_twice(scene):
    sequel = Partial(scene)
    ssn = sequel.lose_two()
    return sequel.forward((sequel.sid, ssn - 1 & 0xFFFF), (sequel.sid, ssn)).near


@breaks("PR-009")
def lower_sequence_number_listed(scene):
    sequel = Partial(scene, lambda talk: not talk.has(RE_CONFIG))
    ssn = sequel.lose_two()
    return sequel.forward((sequel.sid, ssn - 1 & 0xFFFF)).near


@breaks("PR-010")
def rest_of_the_message_sent_again(scene):
    sequel = Partial(scene)
    near = sequel.near
    rest = sequel.data(near, sid=sequel.sid, flags=BEGIN).data(near, sid=sequel.sid, flags=END).sent
    ssn = sequel.ssn[near][sequel.sid]
    sequel.data(near, sid=sequel.sid + 1).wait(S).sack(sequel.far, 3, gaps=((3, 3),)).wait(S).forward((sequel.sid, ssn), below=2)
    return sequel.send(near, rest, gap_ns=S).near


@breaks("PR-011")
def sent_again_after_it_was_given_up(scene):
    sequel = Partial(scene)
    ssn = sequel.lose_two()
    return sequel.forward((sequel.sid, ssn)).send(sequel.near, sequel.lost, gap_ns=S).near
