# SPDX-License-Identifier: GPL-2.0-or-later
"""Violations that are written once: a script is what two ends say to each other, in a synthetic association and in one of a real capture.

A script takes a conversation (generate.conversation): talk.near is the end at the tap, talk.far the other. What it needs of the association is its
setting. A function that has become one by @scripted, or by @violates, is a scenario when it is called without arguments, and with a PacketEditor a
mutation, so that @fires, @silent and @breaks can stand above it as well.
"""

import dataclasses
import functools
from collections.abc import Callable

import mutations
import register
from continuation import Continuation
from scenario_builder import MS, ScenarioBuilder


@dataclasses.dataclass(frozen=True)
class Setting:
    """The association of a script: a synthetic one is set up so, one of a capture is sought.

    near: the end at the tap; None: either, 0 of a synthetic one. is_young: the script goes on from the COOKIE ACK, else from where all data is
    acknowledged. params: of INIT and INIT ACK. addresses: of both ends. where: what an association of a capture must be. adapt: takes the
    conversation before the script does, and says or changes what the script takes for granted."""

    near: int = None
    is_young: bool = False
    params: tuple = (b"", b"")
    addresses: tuple = ("10.0.0.1", "10.0.0.2")
    where: Callable = lambda association: True
    adapt: Callable = lambda talk: None

    def made(self):
        gaps_ns = (20 * MS, MS // 10) if self.near else (MS // 10, 20 * MS)
        scenario = ScenarioBuilder(self.addresses, *gaps_ns).set_up(self.params)
        return scenario if self.is_young else scenario.exchange(2)

    def sought(self, editor):
        return Continuation(editor, self.near, self.where, is_young=self.is_young)


ESTABLISHED = Setting()
YOUNG = Setting(is_young=True)


def scripted(setting=ESTABLISHED, by_far=False):
    """The function becomes a scenario and a mutation, in which the near end breaks the rule, or the far one."""
    def decorate(script):
        @functools.wraps(script)
        def run(editor=None):
            talk = setting.made() if editor is None else setting.sought(editor)
            setting.adapt(talk)
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
