#!/usr/bin/env python3
"""Finds joints in labelled photos with `openvision pose` or `openvision hands` and has a scorer compare them.

    pose_accuracy.py TOOL DATA SCORER OUT --kind pose|hands [--largest]

DATA: a folder with truth.json, {set, images: [{file, persons: [...]}]}, and the images. Bodies: `persons` with
`keypoints` {name: [x, y, v]} in COCO's names, `box`, `area`, `crowd`. Hands: `hands` with 21 `keypoints`. SCORER: a
Python program that is called as `SCORER truth.json predictions.json` and prints its figures; predictions are {file:
[{score, keypoints}]} in pixels from the top left: for bodies {name: [x, y, confidence]}, for hands 21 times [x, y,
confidence] from the wrist to the little finger. OUT: a folder that keeps the predictions.

--largest scores only the person with the largest area of each photo, of those that have five labelled joints and 1,024
pixels.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import time

FINGERS = [("thumb", ("CMC", "MP", "IP", "Tip"))] + [
    (finger, ("MCP", "PIP", "DIP", "Tip")) for finger in ("index", "middle", "ring", "little")
]
HAND_JOINTS = ["wrist"] + [finger + joint for finger, joints in FINGERS for joint in joints]


def coco_name(name):
    """leftWrist -> left_wrist"""
    return re.sub("([A-Z])", lambda found: "_" + found.group(1).lower(), name)


def values(joint):
    return [*joint["point"], joint["confidence"]]


def prediction(result, kind):
    joints = result["joints"]
    if kind == "hands":
        points = [values(joints[name]) for name in HAND_JOINTS]
    else:
        points = {coco_name(name): values(joint) for name, joint in joints.items()}
    return {"score": result["confidence"], "keypoints": points}


def largest_only(truth):
    """Returns the labels with the largest person of each photo alone."""
    images = []
    for image in truth["images"]:
        people = [
            person
            for person in image["persons"]
            if not person.get("crowd")
            and sum(point[2] > 0 for point in person["keypoints"].values()) >= 5
            and person["area"] >= 1024
        ]
        largest = max(people, key=lambda person: person["area"], default=None)
        images.append(dict(image, persons=[largest] if largest else []))
    return dict(truth, images=images)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("tool", "data", "scorer", "out"):
        parser.add_argument(name)
    parser.add_argument("--kind", choices=("pose", "hands"), required=True)
    parser.add_argument("--largest", action="store_true")
    arguments = parser.parse_args()

    folder, out = pathlib.Path(arguments.data), pathlib.Path(arguments.out)
    truth = json.loads((folder / "truth.json").read_text())
    if arguments.largest:
        truth = largest_only(truth)
    files = [image["file"] for image in truth["images"]]
    extra = ["--max", "6"] if arguments.kind == "hands" else []
    before, start = os.times(), time.monotonic()
    run = subprocess.run(
        [arguments.tool, arguments.kind, "--json", "-q", *extra, *(str(folder / file) for file in files)],
        stdout=subprocess.PIPE, text=True, check=False)
    after = os.times()
    records = [json.loads(line) for line in run.stdout.splitlines()]
    if len(records) != len(files):
        sys.exit(f"the tool printed {len(records)} lines for {len(files)} photos")
    found = {file: [prediction(result, arguments.kind) for result in record["results"]]
             for file, record in zip(files, records)}

    out.mkdir(parents=True, exist_ok=True)
    labels, predictions = out / f"{folder.name}-truth.json", out / f"{folder.name}-predictions.json"
    labels.write_text(json.dumps(truth))
    predictions.write_text(json.dumps(found))
    subprocess.run([sys.executable, arguments.scorer, str(labels), str(predictions)], check=True)
    processor = after.children_user + after.children_system - before.children_user - before.children_system
    print(f"{len(files)} photos, {sum(map(len, found.values()))} results, {processor / len(files) * 1000:.0f} ms of "
          f"processor time a photo, {time.monotonic() - start:.1f} s")


if __name__ == "__main__":
    main()
