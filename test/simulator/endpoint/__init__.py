# SPDX-License-Identifier: GPL-2.0-or-later
"""An SCTP endpoint, written from the clauses: one file a subject, put together in association.py and endpoint.py."""

from .association import Application, Association
from .endpoint import Endpoint

__all__ = ["Application", "Association", "Endpoint"]
