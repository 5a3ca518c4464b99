"""Two requests that need the same form of a 1080p picture: in one handler against in two. Ours only."""

from inputs import write_raw
from rows import Row
from timing import in_turns

import numpy as np

NAMES = ["derivatives/two-requests-1920x1080"]


def run(name, env):
    bgr = env.photos.picture(1920, 1080, 1)
    file = write_raw(env.folder / "bgra.raw", "bgra8", [np.dstack([bgr, np.full(bgr.shape[:2], 255, np.uint8)])])
    results = in_turns(
        {
            "ours": env.ours.runner("derivative-one-handler", file),
            "ours, two handlers": env.ours.runner("derivative-two-handlers", file),
        },
        env.rounds,
    )
    one = env.ours.ask("derivative-one-handler", file, 1)[1][0][0]
    two = env.ours.ask("derivative-two-handlers", file, 1)[1][0][0]
    rows = [Row.timed(name, "ours, two handlers", results, 0.7)]
    told = f"{one:g} steps made against {two:g}"
    rows.append(Row(name, "(each step made once)", None, None, None, "half as many", two == 2 * one, told))
    return rows
