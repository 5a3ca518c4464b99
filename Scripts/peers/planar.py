#!/usr/bin/env python3
"""Tracks planar targets by chains of homographies from frame to frame, with OpenCV on one thread.

usage: planar.py VIDEOS OUT [--stride N]

VIDEOS has folders with img/*.jpg and groundtruth_polygon.txt (x1,y1 … x4,y4 a frame). Writes OUT/CHAIN/VIDEO.csv:
x1,y1 … x4,y4, confidence (the share of inliers), milliseconds a frame, decoding apart;
`Benchmarks accuracy planar-videos --results OUT/CHAIN VIDEOS` scores it. With --stride, as there: every N-th frame,
from each of the first N, one pass after the other.

lk: corners within the target, followed by pyramids of Lucas and Kanade. orb: ORB features within the target, matched
with those of the next frame. ecc: lk, refined by the enhanced correlation coefficient against the first frame.
"""
import argparse
import pathlib
import time

import cv2
import numpy as np


def inside(shape, quad):
    mask = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 255)
    return mask


def homography(a, b):
    """-> the homography and the share of inliers; None without enough points"""
    if len(a) < 8:
        return None, 0.0
    found, inliers = cv2.findHomography(a, b, cv2.RANSAC, 2.0)
    return found, 0.0 if found is None else float(inliers.mean())


class LucasKanade:
    def step(self, last, frame, quad):
        points = cv2.goodFeaturesToTrack(last, 300, 0.01, 3, mask=inside(last.shape, quad))
        if points is None:
            return None, 0.0
        moved, found, _ = cv2.calcOpticalFlowPyrLK(last, frame, points, None, winSize=(15, 15), maxLevel=3)
        kept = found.ravel() == 1
        return homography(points[kept], moved[kept])


class Orb:
    def __init__(self):
        self.orb = cv2.ORB_create(1000, fastThreshold=10)
        self.matcher = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True)

    def step(self, last, frame, quad):
        a, described = self.orb.detectAndCompute(last, inside(last.shape, quad))
        b, others = self.orb.detectAndCompute(frame, None)
        if described is None or others is None:
            return None, 0.0
        matches = self.matcher.match(described, others)
        return homography(
            np.float32([a[m.queryIdx].pt for m in matches]).reshape(-1, 2),
            np.float32([b[m.trainIdx].pt for m in matches]).reshape(-1, 2),
        )


class Ecc(LucasKanade):
    first = None

    def step(self, last, frame, quad):
        if self.first is None:
            self.first, self.quad = last, quad.astype(np.float32)
        found, share = super().step(last, frame, quad)
        moved = quad if found is None else cv2.perspectiveTransform(quad[None], found)[0]
        start = cv2.getPerspectiveTransform(self.quad, moved.astype(np.float32)).astype(np.float32)
        try:
            value, fitted = cv2.findTransformECC(
                self.first, frame, start, cv2.MOTION_HOMOGRAPHY, (3, 50, 1e-4), inside(last.shape, self.quad), 5
            )
        except cv2.error:
            return found, 0.0
        before = cv2.getPerspectiveTransform(self.quad, quad.astype(np.float32))
        return fitted.astype(float) @ np.linalg.inv(before), value


CHAINS = {"lk": LucasKanade, "orb": Orb, "ecc": Ecc}


def follow(chain, files, quad):
    lines, last = [], None
    quad = np.array(quad, float).reshape(4, 2)
    for file in files:
        frame = cv2.imread(str(file), cv2.IMREAD_GRAYSCALE)
        start, confidence = time.perf_counter(), 1.0
        if last is not None:
            found, confidence = chain.step(last, frame, quad)
            if found is not None:
                moved = cv2.perspectiveTransform(quad[None], found)[0]
                quad = moved if np.abs(moved).max() < 1e5 else quad
        last = frame
        spent = (time.perf_counter() - start) * 1000
        lines.append(",".join(f"{v:.3f}" for v in quad.ravel()) + f",{confidence:.4f},{spent:.3f}")
    return lines


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("videos", type=pathlib.Path), p.add_argument("out", type=pathlib.Path)
    p.add_argument("--stride", type=int, default=1)
    o = p.parse_args()
    cv2.setNumThreads(1)
    cv2.setRNGSeed(1)
    for truth in sorted(o.videos.glob("*/groundtruth_polygon.txt")):
        corners = [[float(v) for v in line.split(",")] for line in truth.read_text().split("\n") if line.strip()]
        files = sorted((truth.parent / "img").glob("*.jpg"))[: len(corners)]
        for name, chain in CHAINS.items():
            (o.out / name).mkdir(parents=True, exist_ok=True)
            lines = []
            for first in range(min(o.stride, len(files))):
                lines += follow(chain(), files[first :: o.stride], corners[first])
            (o.out / name / f"{truth.parent.name}.csv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
