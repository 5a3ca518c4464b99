"""Registration of video: phase correlation of OpenCV and of scikit-image against ours."""

import statistics

import cv2
import numpy as np
from skimage.registration import phase_cross_correlation

from inputs import pairs, sequence
from raw_files import write_raw
from rows import Row
from timing import alternating, repeat

NAMES = ["registration/640x480", "registration/1920x1080"]


def run(name, env):
    width, height = (int(v) for v in name.split("/")[1].split("x"))
    small = width <= 640
    window = cv2.createHanningWindow((width, height), cv2.CV_32F)
    frames, _ = sequence(env.photos, width, height, 8 if small else 4)
    file = write_raw(env.folder / f"sequence-{width}.raw", "grey8", frames)

    # In a sequence a frame is converted once; the previous one is there already. At 1080p both are (the easier half for
    # the peer, and what its figure on record was taken with).
    floats = [frame.astype(np.float32) for frame in frames]
    state = {"index": 0}

    def opencv():
        previous = floats[state["index"]]
        state["index"] = (state["index"] + 1) % len(frames)
        current = frames[state["index"]].astype(np.float32) if small else floats[state["index"]]
        return cv2.phaseCorrelate(previous, current, window)[0]

    windowed = [frame * window for frame in floats]

    def skimage(first=None, second=None):
        if first is None:
            first = windowed[state["index"]]
            state["index"] = (state["index"] + 1) % len(frames)
            second = frames[state["index"]].astype(np.float32) * window
        shift = phase_cross_correlation(first, second, upsample_factor=100)[0]
        return -shift[1], -shift[0]

    cv_name = "OpenCV phaseCorrelate" + ("" if small else " (float input)")
    contestants = {"ours": env.ours.runner("registration-sequence", file), cv_name: repeat(opencv)}
    if small:
        contestants["scikit-image ×100"] = repeat(skimage)
    results = alternating(contestants, env.rounds)

    found = {peer: [] for peer in contestants}
    for index, (reference, floating, truth) in enumerate(pairs(env.photos, width, height, 30 if small else 8)):
        pair = write_raw(env.folder / f"pair-{width}-{index}.raw", "grey8", [reference, floating])
        error = lambda shift: float(np.hypot(shift[0] - truth[0], shift[1] - truth[1]))
        found["ours"].append(error(env.ours.ask("registration-pair", pair, 1)[1][0]))
        first, second = reference.astype(np.float32), floating.astype(np.float32)
        found[cv_name].append(error(cv2.phaseCorrelate(first, second, window)[0]))
        if small:
            found["scikit-image ×100"].append(error(skimage(first * window, second * window)))
    told = lambda errors: f"error {statistics.median(errors):.3f} px, max {max(errors):.2f}"
    rows = [
        Row.timed(name, peer, results, 0.35 if peer == cv_name else None, told(found[peer]))
        for peer in contestants
        if peer != "ours"
    ]
    rows.append(Row.checked(name, "(our median error)", statistics.median(found["ours"]), 0.02, "px"))
    rows.append(Row.checked(name, "(our largest error)", max(found["ours"]), 0.5, "px"))
    return rows
