#!/usr/bin/env python3
"""Measures `animals.onnx` on the held-out photos: average precision, and false positives by threshold.

    evaluate.py --models STORE --features FOLDER --photos photos.json --network animals.onnx

needs: numpy, onnx, onnxruntime

The last map is made of what `features.py` kept by the layer of the backbone. Intervals: 95 %, of 100 draws of the
photos.
"""
import argparse
import json
import pathlib

import numpy as np
import onnxruntime

import measure
from components import last_layer, last_map

DRAWS = 100
OTHERS = {"bird", "cow", "horse", "sheep"}
SOURCES = ("voc2007", "voc2012", "animal-pose")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--models", "--features", "--photos", "--network"):
        parser.add_argument(name, required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    photos = json.loads(arguments.photos.read_text())
    rows = json.loads((arguments.features / "held-out-0.json").read_text())
    maps = {name: np.load(arguments.features / f"held-out-0-{name}.npy", mmap_mode="r")
            for name in ("middle", "last", "logits")}
    layer = last_layer(arguments.models)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(arguments.network), options, providers=["CPUExecutionProvider"])
    found, truth = [], []
    for index, row in enumerate(rows):
        inputs = {
            "map.middle": maps["middle"][index].astype(np.float32).transpose(1, 2, 0)[None],
            "map.last": last_map(maps["last"][index][None], layer).reshape(1, 9, 9, 1280).astype(np.float32),
            "logits": maps["logits"][index].astype(np.float32)[None]}
        boxes, scores = session.run(["boxes", "scores"], inputs)
        found.append(measure.suppressed(boxes[0], scores[0]))
        truth.append(np.array(row["boxes"]).reshape(-1, 6))
    names = [{name for name, *_ in photos[row["photo"]]["objects"]} for row in rows]
    sources = np.array([photos[row["photo"]]["source"] for row in rows])
    pets = np.array([bool(n & {"cat", "dog"}) for n in names])
    other = np.array([bool(n & OTHERS) for n in names]) & ~pets
    plain = ~other & ~pets
    rng = np.random.default_rng(1)
    for label, chosen in [("all", np.isin(sources, SOURCES))] + [(s, sources == s) for s in SOURCES]:
        index = np.nonzero(chosen)[0]
        text = f"{label}, {len(index)} photos, {int(pets[index].sum())} with pets:"
        for kind, name in enumerate(measure.NAMES):
            mark = lambda draw: measure.average_precision([found[i] for i in draw], [truth[i] for i in draw], kind)
            draws = [mark(rng.choice(index, len(index))) for _ in range(DRAWS if label == "all" else 0)]
            text += f" AP50 {name} {mark(index):.3f}"
            if draws:
                text += f" ({np.quantile(draws, 0.025):.3f} to {np.quantile(draws, 0.975):.3f})"
        print(text)
    best = np.array([f[0, 1] if len(f) else 0 for f in found])
    print(f"{int(plain.sum())} photos without animals, {int(other.sum())} with others")
    print("threshold | false, without | false, others | recall of cats, dogs | wrong class")
    for threshold in (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7):
        recalls, wrong, total = [], 0, 0
        for kind in range(2):
            hit, count = 0, 0
            for boxes, real in zip(found, truth):
                boxes = boxes[boxes[:, 1] >= threshold]
                for box in real[(real[:, 0] == kind) & (real[:, 5] > 0)]:
                    count += 1
                    same = boxes[boxes[:, 0] == kind]
                    hit += len(same) > 0 and measure.overlaps(box[1:5], same[:, 2:]).max() >= 0.5
                    others = boxes[boxes[:, 0] != kind]
                    wrong += len(others) > 0 and measure.overlaps(box[1:5], others[:, 2:]).max() >= 0.5
            recalls.append(hit / count)
            total += count
        print(f"{threshold:.2f} | {(best[plain] >= threshold).mean():.4f} | {(best[other] >= threshold).mean():.4f} | "
              f"{recalls[0]:.3f} {recalls[1]:.3f} | {wrong / total:.4f}")


if __name__ == "__main__":
    main()
