"""Trackers of one target: dlib's, KCF and MOSSE of OpenCV against our fast level, CSRT against our accurate one."""

import statistics

import cv2
import dlib
import numpy as np

from inputs import video, overlap
from raw_files import write_raw
from rows import Row
from timing import alternating, repeat

NAMES = ["tracking/64x64", "tracking/accurate/64x64"]


class Dlib:
    def init(self, frame, box):
        self.tracker = dlib.correlation_tracker()
        x, y, w, h = box
        self.tracker.start_track(frame, dlib.drectangle(x, y, x + w, y + h))

    def update(self, frame):
        self.tracker.update(frame)
        box = self.tracker.get_position()
        return True, (box.left(), box.top(), box.width(), box.height())


FAST = {
    "dlib correlation": Dlib,
    "OpenCV KCF": lambda: cv2.TrackerKCF_create(),
    "OpenCV MOSSE": lambda: cv2.legacy.TrackerMOSSE_create(),
}
ACCURATE = {"OpenCV CSRT": lambda: cv2.TrackerCSRT_create()}
TARGETS = {"dlib correlation": 0.15, "OpenCV CSRT": 0.12}


class Runner:
    """Runs through the video in a loop; the last frame joins frame 0 without a jump."""

    def __init__(self, make, frames, boxes):
        self.tracker, self.frames, self.boxes, self.index, self.overlaps = make(), frames, boxes, 0, []
        self.tracker.init(frames[0], tuple(int(round(v)) for v in boxes[0]))

    def step(self):
        self.index = (self.index + 1) % len(self.frames)
        found, box = self.tracker.update(self.frames[self.index])
        self.overlaps.append((self.index, box if found else None))

    def mean_overlap(self):
        return statistics.fmean(overlap(box, self.boxes[i]) if box else 0 for i, box in self.overlaps)


def run(name, env):
    size = int(name.split("x")[1])
    level, peers = ("accurate", ACCURATE) if "accurate" in name else ("fast", FAST)
    frames, boxes = video(env.photos, size)
    bgra = [np.dstack([frame, np.full(frame.shape[:2], 255, np.uint8)]) for frame in frames]
    file = write_raw(env.folder / f"video-{size}.raw", "bgra8", bgra)
    runners = {peer: Runner(make, frames, boxes) for peer, make in peers.items()}

    ours = []

    def own(count):
        times, answers = env.ours.ask(
            "tracking-one", file, count, level=level, boxes=",".join(str(v) for v in boxes[0])
        )
        ours.extend(overlap(answer[1:5], boxes[int(answer[0])]) for answer in answers)
        return times

    contestants = {"ours": own} | {peer: repeat(runner.step) for peer, runner in runners.items()}
    results = alternating(contestants, env.rounds)
    rows = [
        Row.timed(name, peer, results, TARGETS.get(peer), f"mean overlap {runners[peer].mean_overlap():.2f}")
        for peer in peers
    ]
    rows.append(Row(name, "(our mean overlap)", None, None, None, note=f"{statistics.fmean(ours):.2f}"))
    return rows
