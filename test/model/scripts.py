# SPDX-License-Identifier: GPL-2.0-or-later
"""Violations that are written once: a script is what two ends say to each other, in a synthetic association and in one of a real capture.

A script takes a conversation (generate.conversation): talk.near is the end at the tap, talk.far the other. What it needs of the association is its
setting. A function that has become one by @scripted, or by @violates, is a scenario when it is called without arguments, and with a PacketEditor a
mutation, so that @fires, @silent and @breaks can stand above it as well. So is a function that alters packets which are there already, by @alters.
"""

import dataclasses
import functools
from collections.abc import Callable

import mutations
import register
from generate import chunks
from captured_associations import CapturedAssociation
from continuation import Continuation
from packet_editor import NoPlace, PacketEditor
from replay import extract
from scenario_builder import MS, ScenarioBuilder


@dataclasses.dataclass(frozen=True)
class Setting:
    """The association of a script: a synthetic one is set up so, one of a capture is sought.

    near: the end at the tap; None: either, 0 of a synthetic one. is_young: the script goes on from the COOKIE ACK, else from where all data is
    acknowledged. is_reliable: nobody offered partial reliability. params: of INIT and INIT ACK. addresses: of both ends. where: what an
    association of a capture must be. ways: how many packets of it took. exchanges: rounds of a synthetic one. synthetic, captured: classes of
    conversations with steps of their own. adapt: takes the conversation before the script does, and says or changes what that takes for granted."""

    near: int = None
    is_young: bool = False
    is_reliable: bool = False
    params: tuple = (b"", b"")
    addresses: tuple = ("10.0.0.1", "10.0.0.2")
    where: Callable = lambda association: True
    ways: int = 1
    exchanges: int = 2
    synthetic: type = ScenarioBuilder
    captured: type = Continuation
    adapt: Callable = lambda talk: None

    def also(self, where):
        """The same, but that an association of a capture must be this as well."""
        return dataclasses.replace(self, where=lambda association: self.where(association) and where(association))

    def then(self, adapt):
        """The same, of which more has passed: what adapt makes the ends say."""
        return dataclasses.replace(self, adapt=lambda talk: (self.adapt(talk), adapt(talk)))

    def made(self):
        gaps_ns = (20 * MS, MS // 10) if self.near else (MS // 10, 20 * MS)
        scenario = self.synthetic(self.addresses, *gaps_ns).set_up(self.params).exchange(0 if self.is_young else self.exchanges)
        self.adapt(scenario)
        return scenario

    def sought(self, editor):
        talk = self.captured(editor, self.near, self.where, is_young=self.is_young)
        if len(talk.ways) < self.ways:
            raise NoPlace
        if self.is_reliable:
            editor.deny_partial(talk.association)
        self.adapt(talk)
        return talk


def _open_window(talk):
    """The near end need not wait for the window of its peer."""
    talk.ends[talk.far].a_rwnd = max(talk.ends[talk.far].a_rwnd, 100_000)
    talk.rounds(talk.near)


ESTABLISHED = Setting()
NEAR_1 = Setting(near=1)
YOUNG = Setting(is_young=True)
RELIABLE = Setting(is_reliable=True)
SINGLE = Setting(where=CapturedAssociation.is_single)     # one address each
YOUNG_SINGLE = dataclasses.replace(SINGLE, is_young=True)
# The near end waits neither for a window nor for the answer to a request.
UNHINDERED = Setting(where=lambda association: not association.has(chunks.ASCONF, chunks.RE_CONFIG), adapt=_open_window)


def scripted(setting=ESTABLISHED, by_far=False):
    """The function becomes a scenario and a mutation, in which the near end breaks the rule, or the far one."""
    def decorate(script):
        @functools.wraps(script)
        def run(editor=None):
            talk = setting.made() if editor is None else setting.sought(editor)
            script(talk)
            return talk if editor is None else talk.far if by_far else talk.near
        return run
    return decorate


def violates(rule, setting=ESTABLISHED, by_far=False, causes=(), **options):
    """The script breaks rule, in both. causes: as of breaks. options: of fires."""
    def decorate(script):
        run = scripted(setting, by_far)(script)
        register.fires(rule, int(by_far) ^ (setting.near or 0), **options)(run)
        return mutations.breaks(rule, causes)(run)
    return decorate


class Altered:
    """A scenario some of whose packets a mutation altered."""

    def __init__(self, scenario, alter):
        self.editor = PacketEditor(scenario.packets())
        alter(self.editor)

    def stored(self):
        return b"".join(extract.pack(**packet) for packet in self.editor.packets)


def alters(rule, accused=0, of=ESTABLISHED.made, causes=(), **options):
    """The function takes a PacketEditor and alters packets so that the end that it returns breaks rule: in `of`, where that is `accused`, or None
    for either end; and in captures. causes: as of breaks. options: of fires."""
    def decorate(alter):
        def run(editor=None):
            return Altered(of(), alter) if editor is None else alter(editor)
        functools.update_wrapper(run, alter)
        register.fires(rule, accused, **options)(run)
        return mutations.breaks(rule, causes)(run)
    return decorate
