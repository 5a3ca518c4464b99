#!/usr/bin/env python3
"""Runs classifiers in ONNX Runtime on the pixels that our networks got and compares. See accuracy-classification.sh.

    classification.py FOLDER      what `Benchmarks accuracy classification --output FOLDER` has written
"""

import json
import pathlib
import sys

import numpy as np
import onnxruntime


def accuracy(logits, labels):
    """Top-1 and top-5 in percent. A class counts as found when fewer than one or five have a higher logit, as ours
    counts."""
    better = (logits > logits[np.arange(len(labels)), labels][:, None]).sum(axis=1)
    return 100 * (better < 1).mean(), 100 * (better < 5).mean()


def compare(folder):
    index = json.loads((folder / "index.json").read_text())
    pixels, ours = np.load(folder / "pixels.npy"), np.load(folder / "logits.npy")
    labels = np.array(index["labels"])
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(index["model"], options, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    theirs = np.stack(
        [
            session.run(None, {name: ((image.astype(np.float32) - 127) / 128).transpose(2, 0, 1)[None]})[0][0]
            for image in pixels
        ]
    )
    apart = np.abs(ours - theirs).max()
    (mine1, mine5), (other1, other5) = accuracy(ours, labels), accuracy(theirs, labels)
    passes = apart <= 1e-3 and abs(mine1 - other1) <= 0.3 and abs(mine5 - other5) <= 0.3
    if ranks := index.get("ranks"):
        request1, request5 = (100 * np.mean(np.array(ranks) < limit) for limit in (1, 5))
        passes = passes and request1 >= other1 - 0.5 and request5 >= other5 - 0.5
        print(f"{folder.name}: the request's confidences {request1:.1f} / {request5:.1f} %")
    print(
        f"{folder.name}: ours {mine1:.1f} / {mine5:.1f} %, ONNX Runtime {other1:.1f} / {other5:.1f} % "
        "(top-1 / top-5 of "
        f"{len(labels)}); largest difference of a logit {apart:.1e}{'' if passes else ': too far apart'}"
    )
    return passes


if __name__ == "__main__":
    folders = sorted(path.parent for path in pathlib.Path(sys.argv[1]).glob("*/index.json"))
    if not folders:
        sys.exit(f"{sys.argv[1]} contains no results")
    sys.exit(0 if all([compare(folder) for folder in folders]) else 1)
