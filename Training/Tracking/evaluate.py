#!/usr/bin/env python3
"""Runs the prototype over video folders (NAME/img/*.jpg, NAME/groundtruth.txt) -> one CSV a video.

usage: evaluate.py VIDEOS TRUNK.onnx HEAD.pt OUT [name=value ...] [--only a,b]
"""
import pathlib
import sys
import time

import cv2
import torch

import tracker


def main():
    only = None
    args = sys.argv[1:]
    if "--only" in args:
        i = args.index("--only")
        only = args[i + 1].split(",")
        del args[i : i + 2]
    videos, trunk, head, out = pathlib.Path(args[0]), args[1], args[2], pathlib.Path(args[3])
    for setting in args[4:]:
        name, value = setting.split("=")
        setattr(tracker.Settings, name, float(value))
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    net = tracker.Network(trunk, head)
    out.mkdir(parents=True, exist_ok=True)
    for video in sorted(p for p in videos.iterdir() if (p / "groundtruth.txt").exists()):
        if only and video.name not in only:
            continue
        line = (video / "groundtruth.txt").read_text().split("\n")[0].replace("\t", ",").replace(" ", ",")
        box = [float(v) for v in line.split(",") if v][:4]
        with open(out / (video.name + ".csv"), "w") as csv:
            for k, file in enumerate(sorted((video / "img").glob("*.jpg"))):
                image = cv2.cvtColor(cv2.imread(str(file)), cv2.COLOR_BGR2RGB)
                began = time.perf_counter()
                if k == 0:
                    target, (found, score) = tracker.Tracker(net, image, box), (box, 1.0)
                else:
                    found, score = target.update(image)
                ms = (time.perf_counter() - began) * 1e3
                csv.write(
                    ",".join(f"{v:.2f}" for v in found)
                    + f",{score:.4f},{ms:.2f},{target.like:.3f},{target.usual or 0:.3f},"
                    f"{target.late:.3f},{target.missed}\n"
                )


main()
