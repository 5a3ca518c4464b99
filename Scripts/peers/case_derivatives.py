"""Two requests that need the same form of a 1080p BGRA frame: in one handler against in two. Ours only."""

import numpy as np

from inputs import video
from raw_files import write_raw
from rows import Row
from timing import alternating

NAMES = ["derivatives/model-input-1920x1080", "derivatives/full-grey-1920x1080", "derivatives/two-trackers-1920x1080"]


def run(name, env):
    frames, boxes = video(env.photos, 64, 1920, 1080, count=48)
    bgra = [np.dstack([frame, np.full(frame.shape[:2], 255, np.uint8)]) for frame in frames[:8]]
    file = write_raw(env.folder / "bgra.raw", "bgra8", bgra)
    if "trackers" in name:
        cases, found = ["trackers-one-handler", "trackers-two-handlers"], [boxes[0], (300, 200, 64, 64)]
        parameters = {"boxes": ",".join(str(v) for box in found for v in box)}
    else:
        cases, parameters = ["derivative-one-handler", "derivative-two-handlers"], {"kind": name.split("/")[1][:9]}
    one, two = (env.ours.runner(case, file, **parameters) for case in cases)
    results = alternating({"ours": one, "ours, two handlers": two}, env.rounds)
    if "trackers" in name:
        # Complete requests: they share the grey pixels of the frame, and nothing else.
        rows = [Row.timed(name, "ours, two handlers", results)]
    else:
        rows = [Row.timed(name, "ours, two handlers", results, 0.7)]
        one, two = (env.ours.ask(case, file, 1, **parameters)[1][0][0] for case in cases)
        told = f"{one:g} steps made against {two:g}"
        rows.append(Row(name, "(each step made once)", None, None, None, "half as many", two == 2 * one, told))
    return rows
