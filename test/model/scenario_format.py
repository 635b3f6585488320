"""Packets and chunks by themselves."""

from generate import chunks
from plays import Play
from scenarios import fires, silent


@fires("FMT-018")
def init_with_data():
    play = Play()
    end = play.ends[0]
    return play.send(0, chunks.init(end.tag, end.tsn), chunks.data(end.tsn, b"early"), vtag=0)


@silent("FMT-018")
def init_alone():
    return Play().set_up()
