# SPDX-License-Identifier: GPL-2.0-or-later
"""The packet logs of WebRTC as captures: `./run LOG` and `./run webrtc LOG CAPTURE`. Needs the standard library only."""
