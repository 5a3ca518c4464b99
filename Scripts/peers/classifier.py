#!/usr/bin/env python3
"""Trains scikit-learn's logistic regression on ONNX Runtime's penultimate features of the scene network, with the
photos that ours was trained and tested with. See accuracy-classifier.sh.

    classifier.py ROUNDS.json MODEL.onnx      what `Benchmarks accuracy classifier --output` has written
"""

import json
import sys

import numpy as np
import onnx
import onnxruntime
from PIL import Image
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV


def penultimate(path):
    """Returns a function from a file name to the input of the last layer."""
    model = onnx.load(path)
    last = [node for node in model.graph.node if node.op_type in ("Gemm", "MatMul")][-1]
    model.graph.output.append(onnx.helper.make_tensor_value_info(last.input[0], onnx.TensorProto.FLOAT, None))
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    name, side = session.get_inputs()[0].name, session.get_inputs()[0].shape[2]
    known = {}

    def features(photo):
        if photo not in known:
            image = Image.open(photo).convert("RGB").resize((side, side), Image.Resampling.BILINEAR)
            pixels = (np.asarray(image, np.float32) - 127) / 128
            known[photo] = session.run(None, {name: pixels.transpose(2, 0, 1)[None]})[-1].ravel()
        return known[photo]

    return features


def samples(folders, features):
    rows = [(features(photo), label) for label, photos in sorted(folders.items()) for photo in photos]
    return np.stack([row for row, _ in rows]), [label for _, label in rows]


def main():
    outcomes, features = json.load(open(sys.argv[1])), penultimate(sys.argv[2])
    print("photos a class   ours   scikit-learn as it is   with the best of its C by cross-validation")
    sums = {}
    for one in outcomes["rounds"]:
        if one["isAugmented"]:
            continue
        (x, y), (test_x, test_y) = samples(one["train"], features), samples(one["test"], features)
        plain = LogisticRegression(max_iter=1000).fit(x, y).score(test_x, test_y)
        search = GridSearchCV(LogisticRegression(max_iter=1000), {"C": [0.01, 0.1, 1, 10]}, cv=3).fit(x, y)
        count = len(next(iter(one["train"].values())))
        sums.setdefault(count, []).append((one["accuracy"], plain, search.score(test_x, test_y)))
    for count, results in sorted(sums.items()):
        ours, plain, best = 100 * np.mean(results, axis=0)
        print(f"{count:14d} {ours:6.2f} {plain:23.2f} {best:18.2f}      ({len(results)} rounds)")


if __name__ == "__main__":
    main()
