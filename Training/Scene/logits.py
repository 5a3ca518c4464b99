#!/usr/bin/env python3
"""Runs the scene networks over labelled photos and over pairs of them, and keeps the logits.

    logits.py --models STORE --imagenet FOLDER --imagenette FOLDER --boxes FOLDER --output FOLDER
              [--revisions 3] [--pairs 2000] [--part K/N]

STORE: the model store (`openvision models where`). The photo folders are described in README.md. Written: for each
revision `revision-<R>-<K>.npz` with `whole` (image x 1000) and `parts` (image x 4 x 1000: the logits that the left,
right,
upper and lower half of the last feature map have on their own), and `images.json`, which describes each row.

For revisions 1 and 2 a photo is scaled to the network's square whatever its shape, for revision 3 to the one of SHAPES
that is nearest to its own, by the filter that requests scale with (a triangle as wide as two new pixels). Pairs are
made of photos of one half of the data only, so that what is fitted on one half never saw
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

NETWORKS = {
    1: ("efficientnet-lite0", "efficientnet_lite0.onnx"), 2: ("efficientnet-lite2", "efficientnet_lite2.onnx"),
    3: ("efficientnet-lite2", "efficientnet_lite2.onnx")}  # fmt: skip
SIDE = 260


def shapes(side):
    """The permitted columns and rows that have about as many pixels as a square, as Backbone.InputSize has them.

    Sides differ from the square's by multiples of 32, since the paddings of the network's file are right for such sizes
    only; the shorter one has at least 5/8 of it, and the pixels are within a tenth of its pixels."""
    sides = [s for s in range(side % 32, 2 * side, 32) if 8 * s >= 5 * side]
    sizes = [(c, r) for r in sides for c in sides if 10 * abs(c * r - side * side) <= side * side]
    return sorted(sizes, key=lambda size: (abs(size[0] - size[1]), -size[0]))


SHAPES = shapes(SIDE)
PAIRS_PER_HALF = 2000


def nearest_shape(width, height):
    return min(SHAPES, key=lambda shape: abs(np.log(shape[0] / shape[1] * height / width)))


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


def pairs(rows, most):
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
        while count < most:
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


def first_half(count):
    """Weights of positions; a half of an odd number of them takes half of the middle one."""
    near = np.clip(count / 2 - np.arange(count), 0, 1)
    return near / near.sum()


class Network:
    def __init__(self, path, shaped=False):
        """shaped: images keep their shape, nearly."""
        model = onnx.load(str(path))
        weights = {w.name: numpy_helper.to_array(w) for w in model.graph.initializer}
        self.matrix, self.bias = weights["classifier.weight"], weights["classifier.bias"]
        model.graph.output.append(onnx.helper.make_tensor_value_info("head.relu6", onnx.TensorProto.FLOAT, None))
        self.side = model.graph.input[0].type.tensor_type.shape.dim[2].dim_value
        self.shaped = shaped
        if shaped:
            for axis, name in ((2, "rows"), (3, "columns")):
                model.graph.input[0].type.tensor_type.shape.dim[axis].dim_param = name
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 3
        self.session = onnxruntime.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )

    def run(self, image):
        shape = nearest_shape(*image.size) if self.shaped else (self.side, self.side)
        pixels = np.asarray(image.resize(shape, Image.BILINEAR), np.float32)
        values = ((pixels - 127) / 128).transpose(2, 0, 1)[None]
        logits, maps = self.session.run(["logits", "head.relu6"], {"image": values})
        maps = maps[0]
        rows, columns = maps.mean(axis=2), maps.mean(axis=1)
        down, across = first_half(maps.shape[1]), first_half(maps.shape[2])
        pooled = np.stack([columns @ across, columns @ across[::-1], rows @ down, rows @ down[::-1]])
        matrix = self.matrix if self.matrix.shape[0] == 1000 else self.matrix.T
        return logits[0], pooled @ matrix.T + self.bias


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("models", "imagenet", "imagenette", "boxes", "output"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    parser.add_argument("--revisions", type=int, nargs="+", default=list(NETWORKS))
    parser.add_argument("--pairs", type=int, default=PAIRS_PER_HALF)
    parser.add_argument("--part", default="0/1", help="one of N processes that share the images")
    arguments = parser.parse_args()
    part, parts = map(int, arguments.part.split("/"))
    rows = photos(arguments)
    rows += pairs(rows, arguments.pairs)
    arguments.output.mkdir(parents=True, exist_ok=True)
    for revision in arguments.revisions:
        folder, file = NETWORKS[revision]
        network = Network(arguments.models / folder / file, shaped=revision == 3)
        mine = range(part, len(rows), parts)
        whole = np.zeros((len(mine), 1000), np.float32)
        halves = np.zeros((len(mine), 4, 1000), np.float16)
        for index, row in enumerate(mine):
            whole[index], halves[index] = network.run(image(rows[row], rows))
            if index % 500 == 0:
                print(f"revision {revision}: {index} of {len(mine)}", flush=True)
        np.savez(arguments.output / f"revision-{revision}-{part}.npz", whole=whole, parts=halves)
    (arguments.output / "images.json").write_text(json.dumps(rows))


if __name__ == "__main__":
    main()
