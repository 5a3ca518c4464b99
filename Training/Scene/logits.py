#!/usr/bin/env python3
"""Runs the scene networks over labelled photos and over pairs of them, and keeps the logits.

    logits.py --models STORE --imagenet FOLDER --imagenette FOLDER --boxes FOLDER --output FOLDER

STORE: the model store (`openvision models where`). The photo folders are described in README.md. Written: for each
network `<network>.npz` with `whole` (image x 1000) and `parts` (image x 4 x 1000: the logits that the left, right,
upper and lower half of the last feature map have on their own), and `images.json`, which describes each row.

A photo is scaled to the network's square whatever its shape, by the filter that requests scale with (a triangle as wide
as two new pixels). Pairs are made of photos of one half of the data only, so that what is fitted on one half never saw
a photo of the other.
"""

import argparse
import hashlib
import json
import pathlib
import random

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper
from PIL import Image

NETWORKS = {"efficientnet-lite0": "efficientnet_lite0.onnx", "efficientnet-lite2": "efficientnet_lite2.onnx"}
PAIRS_PER_HALF = 2000


def half(name):
    """0: fitted on, 1: held out. Decided by the name, so that more photos do not move the others."""
    return hashlib.sha256(name.encode()).digest()[0] & 1


def photos(arguments):
    """Every photo: its set, path, half and, where one class labels it, that class."""
    rows = []
    for path in sorted(arguments.imagenet.glob("n*.jpg")):
        rows.append({"set": "imagenet", "path": str(path), "label": path.name.split("_")[0]})
    for folder in sorted(arguments.imagenette.glob("n*")):
        for path in sorted(folder.iterdir()):
            rows.append({"set": "imagenette", "path": str(path), "label": folder.name})
    for entry in json.loads((arguments.boxes / "manifest.json").read_text()):
        rows.append({"set": "boxes", "path": str(arguments.boxes / entry["image"]), "name": entry["image"]})
    for row in rows:
        row["half"] = half(pathlib.Path(row["path"]).name)
    return rows


def pairs(rows):
    """Two photos of different classes beside each other. Half of the pairs hold squares, half whole photos of one
    height."""
    rows_out = []
    for side in (0, 1):
        generator = random.Random(7 + side)
        # One photo a class of the large set against sixty of ten classes: the draw is by set, so that neither drowns.
        sets = [
            [i for i, r in enumerate(rows) if r["half"] == side and r["set"] == s] for s in ("imagenet", "imagenette")
        ]
        count = 0
        while count < PAIRS_PER_HALF:
            a, b = (generator.choice(sets[0] if generator.random() < 0.75 else sets[1]) for _ in "ab")
            if rows[a]["label"] == rows[b]["label"]:
                continue
            rows_out.append({"set": "pairs", "of": [a, b], "square": count % 2 == 0, "half": side})
            count += 1
    return rows_out


def middle_square(image):
    side = min(image.size)
    x, y = (image.width - side) // 2, (image.height - side) // 2
    return image.crop((x, y, x + side, y + side))


def image(row, rows):
    if row["set"] != "pairs":
        return Image.open(row["path"]).convert("RGB")
    parts = [Image.open(rows[i]["path"]).convert("RGB") for i in row["of"]]
    if row["square"]:
        parts = [middle_square(part) for part in parts]
    height = 320
    parts = [part.resize((max(1, round(part.width * height / part.height)), height), Image.BILINEAR) for part in parts]
    joined = Image.new("RGB", (sum(part.width for part in parts), height))
    joined.paste(parts[0], (0, 0))
    joined.paste(parts[1], (parts[0].width, 0))
    return joined


class Network:
    def __init__(self, path):
        model = onnx.load(str(path))
        weights = {w.name: numpy_helper.to_array(w) for w in model.graph.initializer}
        self.matrix, self.bias = weights["classifier.weight"], weights["classifier.bias"]
        model.graph.output.append(onnx.helper.make_tensor_value_info("head.relu6", onnx.TensorProto.FLOAT, None))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 3
        self.session = onnxruntime.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )
        self.side = self.session.get_inputs()[0].shape[2]

    def run(self, image):
        pixels = np.asarray(image.resize((self.side, self.side), Image.BILINEAR), np.float32)
        values = ((pixels - 127) / 128).transpose(2, 0, 1)[None]
        logits, maps = self.session.run(["logits", "head.relu6"], {"image": values})
        maps = maps[0]
        count = maps.shape[1]
        # A half of an odd number of cells takes half of the middle one.
        near = np.clip(count / 2 - np.arange(count), 0, 1)
        near /= near.sum()
        rows, columns = maps.mean(axis=2), maps.mean(axis=1)
        pooled = np.stack([columns @ near, columns @ near[::-1], rows @ near, rows @ near[::-1]])
        matrix = self.matrix if self.matrix.shape[0] == 1000 else self.matrix.T
        return logits[0], pooled @ matrix.T + self.bias


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("models", "imagenet", "imagenette", "boxes", "output"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    rows = photos(arguments)
    rows += pairs(rows)
    arguments.output.mkdir(parents=True, exist_ok=True)
    for name, file in NETWORKS.items():
        network = Network(arguments.models / name / file)
        whole = np.zeros((len(rows), 1000), np.float32)
        parts = np.zeros((len(rows), 4, 1000), np.float16)
        for index, row in enumerate(rows):
            whole[index], parts[index] = network.run(image(row, rows))
            if index % 500 == 0:
                print(f"{name}: {index} of {len(rows)}", flush=True)
        np.savez(arguments.output / f"{name}.npz", whole=whole, parts=parts)
    (arguments.output / "images.json").write_text(json.dumps(rows))


if __name__ == "__main__":
    main()
