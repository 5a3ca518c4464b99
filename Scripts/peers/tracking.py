#!/usr/bin/env python3
"""Runs the trackers of OpenCV and dlib over labelled videos, one thread each, alternating video by video.

usage: tracking.py VIDEOS OUT [--trackers csrt,kcf,mosse,dlib,still]

VIDEOS has folders with img/*.jpg and groundtruth.txt (x,y,w,h a frame). Writes OUT/TRACKER/VIDEO.csv:
x,y,w,h,confidence, milliseconds a frame, decoding apart; `Benchmarks accuracy tracking --results OUT/TRACKER VIDEOS`
scores it. OpenCV's trackers have no confidence: they only report success or failure.
"""
import argparse
import pathlib
import time

import cv2
import dlib


class Still:
    """The first box, never moved."""

    def init(self, frame, box):
        self.box = box

    def update(self, frame):
        return True, self.box, 1.0


class OpenCV:
    def __init__(self, tracker):
        self.tracker = tracker

    def init(self, frame, box):
        self.tracker.init(frame, tuple(max(0, round(v)) for v in box))
        self.box = box

    def update(self, frame):
        found, box = self.tracker.update(frame)
        if found:
            self.box = box
        return found, self.box, float(found)


class Dlib:
    """Its peak-to-sidelobe ratio is the confidence. It takes RGB: the conversion is part of the time, as a user needs
    it."""

    def init(self, frame, box):
        self.tracker = dlib.correlation_tracker()
        x, y, w, h = box
        self.tracker.start_track(cv2.cvtColor(frame, cv2.COLOR_BGR2RGB), dlib.drectangle(x, y, x + w, y + h))

    def update(self, frame):
        ratio = self.tracker.update(cv2.cvtColor(frame, cv2.COLOR_BGR2RGB))
        box = self.tracker.get_position()
        return True, (box.left(), box.top(), box.width(), box.height()), ratio


TRACKERS = {
    "still": Still,
    "mosse": lambda: OpenCV(cv2.legacy.TrackerMOSSE_create()),
    "kcf": lambda: OpenCV(cv2.TrackerKCF_create()),
    "dlib": Dlib,
    "csrt": lambda: OpenCV(cv2.TrackerCSRT_create()),
}


def follow(make, files, first):
    lines = []
    tracker = make()
    for index, file in enumerate(files):
        frame = cv2.imread(str(file))
        start = time.perf_counter()
        if index == 0:
            tracker.init(frame, first)
            box, confidence = first, 1.0
        else:
            _, box, confidence = tracker.update(frame)
        spent = (time.perf_counter() - start) * 1000
        lines.append(",".join(f"{v:.2f}" for v in box) + f",{confidence:.4f},{spent:.3f}")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("videos", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--trackers", default=",".join(TRACKERS))
    options = parser.parse_args()
    cv2.setNumThreads(1)
    names = options.trackers.split(",")
    for folder in sorted(p for p in options.videos.iterdir() if (p / "groundtruth.txt").exists()):
        files = sorted((folder / "img").glob("*.jpg"))
        truth = (folder / "groundtruth.txt").read_text().replace("\t", ",").split()
        first = [float(v) for v in truth[0].split(",")[:4]]
        for name in names:
            lines = follow(TRACKERS[name], files[: len(truth)], first)
            (options.out / name).mkdir(parents=True, exist_ok=True)
            (options.out / name / (folder.name + ".csv")).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
