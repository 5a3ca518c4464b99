#!/usr/bin/env python3
"""Times the joints of all people of photographs against MediaPipe, which finds those of one person; on one processor.

    poses.py BENCHMARKS PHOTOS

BENCHMARKS: the program of that name; needs mediapipe 0.10.14 and numpy below 2. Of the first 30 photographs of the
folder, decoded before; ours with a new handler for each, MediaPipe's full model without tracking. Both run in turns;
the ratios are those of the times of a round.
"""

import os

# Before MediaPipe is loaded: it takes a thread for each processor otherwise.
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

import pathlib  # noqa: E402
import statistics  # noqa: E402
import sys  # noqa: E402
import tempfile  # noqa: E402
import time  # noqa: E402

import cv2  # noqa: E402
import mediapipe  # noqa: E402

from raw_files import write_raw  # noqa: E402
from timing import Ours  # noqa: E402

ROUNDS, COUNT = 5, 30


def main():
    benchmarks, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    paths = sorted(path for path in folder.rglob("*") if path.suffix.lower() in (".jpg", ".jpeg", ".png"))[:COUNT]
    arrays = [cv2.cvtColor(cv2.imread(str(path)), cv2.COLOR_BGR2RGB) for path in paths]
    peer = mediapipe.solutions.pose.Pose(static_image_mode=True, model_complexity=1)

    def milliseconds():
        start = time.perf_counter()
        found = sum(peer.process(array).pose_landmarks is not None for array in arrays)
        return (time.perf_counter() - start) / len(arrays) * 1e3, found

    with tempfile.TemporaryDirectory() as temporary:
        files = [pathlib.Path(temporary) / f"{number}.raw" for number in range(len(arrays))]
        for file, array in zip(files, arrays):
            write_raw(file, "rgb8", [array])
        swift = Ours(benchmarks)

        def in_swift():
            answers = [swift.ask("poses", file, 1) for file in files]
            people = sum(int(found[0][0]) for _, found in answers)
            return sum(times[0] for times, _ in answers) / len(files) / 1e6, people

        # The first round warms all up.
        rounds = [(in_swift(), milliseconds()) for _ in range(ROUNDS + 1)][1:]
        swift.close()
    ratios = sorted(ours[0] / theirs[0] for ours, theirs in rounds)
    print(f"{len(files)} photographs: {statistics.median(ours[0] for ours, _ in rounds):.1f} ms a photograph, "
          f"{rounds[0][0][1]} people; MediaPipe {statistics.median(theirs[0] for _, theirs in rounds):.1f} ms, "
          f"{rounds[0][1][1]} people; ratio {statistics.median(ratios):.2f} ({ratios[0]:.2f}-{ratios[-1]:.2f})")


if __name__ == "__main__":
    main()
