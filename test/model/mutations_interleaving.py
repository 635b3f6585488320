"""User message interleaving: I-DATA and I-FORWARD-TSN, where both ends offered them and where not. The near end sends."""

from generate import chunks
from mutations import breaks
from mutations_auth import replace_param
from mutations_setup import once
from scene import NoPlace
from sequels import Sequel
from talks import EXTENSIONS, I_DATA, I_FORWARD_TSN, params_of

BEGIN, END, MIDDLE = chunks.BEGIN, chunks.END, 0


class Interleaved(Sequel):
    """An association whose ends use I-DATA; the near end goes on with its last stream, which it has not used."""

    def __init__(self, scene, where=lambda talk: True):
        super().__init__(scene, where=lambda talk: all({I_DATA, I_FORWARD_TSN} <= talk.extensions(end) for end in (0, 1)) and where(talk),
                         is_interleaved=True)
        self.sid = min(self.talk.value(self.near, 12, 2), self.talk.value(self.far, 14, 2)) - 1
        if any(place.packet["sctp"][place.at + 8:place.at + 10] == self.sid.to_bytes(2, "big") for place in self.talk.places(self.near, I_DATA)):
            raise NoPlace

    def fragments(self, *parts, reserved=0):
        """A packet for each (mid, fsn, flags)."""
        for mid, fsn, flags in parts:
            self.send(self.near, chunks.i_data(self.tsn[self.near], bytes(20), self.sid, mid, fsn, flags, reserved))
            self.tsn[self.near] = self.tsn[self.near] + 1 & 0xFFFFFFFF
        return self


def is_plain(talk):
    return not any({I_DATA, I_FORWARD_TSN} & talk.extensions(end) for end in (0, 1))


@breaks("ID-001")
def i_data_without_negotiation(scene):
    sequel = Sequel(scene, where=is_plain)
    sequel.send(sequel.near, chunks.i_data(sequel.tsn[sequel.near], bytes(20)))
    return sequel.near


@breaks("ID-002")
def data_though_negotiated(scene):
    sequel = Interleaved(scene)
    return sequel.data(sequel.near, sid=sequel.sid).near


@breaks("ID-003")
def forward_tsn_with_i_data(scene):
    sequel = Interleaved(scene)
    return sequel.send(sequel.near, chunks.forward_tsn(sequel.tsn[sequel.near] - 1)).near


@breaks("ID-003", causes=("ID-015",))
def i_forward_tsn_with_data(scene):
    return forwards_without_negotiation(scene)


@breaks("ID-015", causes=("ID-003",))
def i_forward_tsn_without_negotiation(scene):
    return forwards_without_negotiation(scene)


def forwards_without_negotiation(scene):
    sequel = Sequel(scene, where=is_plain)
    return sequel.send(sequel.near, chunks.i_forward_tsn(sequel.tsn[sequel.near] - 1)).near


@breaks("ID-004")
def same_mid(scene):
    return Interleaved(scene).fragments((0, 0, BEGIN | END), (1, 0, BEGIN | END), (1, 0, BEGIN | END)).near


@breaks("ID-005")
def second_fragment_0(scene):
    return Interleaved(scene).fragments((0, 51, BEGIN), (0, 0, END)).near


@breaks("ID-006")
def reserved_field(scene):
    return Interleaved(scene).fragments((0, 0, BEGIN | END), reserved=1).near


@breaks("ID-006")
def reserved_flag(scene):
    return Interleaved(scene).fragments((0, 0, BEGIN | END | 0x40)).near


@breaks("ID-007")
def one_stream_interleaved(scene):
    return Interleaved(scene).fragments((0, 0, BEGIN), (1, 0, BEGIN), (0, 1, END)).near


@breaks("ID-008")
def end_twice(scene):
    return Interleaved(scene).fragments((0, 0, BEGIN), (0, 1, END), (0, 2, END)).near


@breaks("ID-008")
def begin_twice(scene):
    return Interleaved(scene).fragments((0, 0, BEGIN), (0, 1, BEGIN), (0, 2, END)).near


@breaks("ID-010")
def i_forward_tsn_of_length_12(scene):
    sequel = Interleaved(scene)
    return sequel.send(sequel.near, chunks.chunk(I_FORWARD_TSN, 0, (sequel.tsn[sequel.near] - 1 & 0xFFFFFFFF).to_bytes(4, "big") + bytes(4))).near


@breaks("ID-012")
def partial_without_i_forward_tsn(scene):
    """Another extension in the place of I-FORWARD-TSN in the INIT."""
    talk = scene.talk(lambda talk: once(talk) and {I_DATA, chunks.FORWARD_TSN, I_FORWARD_TSN} <= talk.extensions(0) and not talk.is_partial())
    for kind, at, length in params_of(talk.init):
        if kind == EXTENSIONS:
            listed = talk.init.packet["sctp"][at + 4:at + length].replace(bytes([I_FORWARD_TSN]), bytes([chunks.PAD]))
            replace_param(scene, talk.init, at, length, chunks.tlv(EXTENSIONS, listed))
            return 0
    raise NoPlace
