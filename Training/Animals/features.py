#!/usr/bin/env python3
"""Runs the backbone over views of the photos and keeps its maps, in half precision, and the boxes of each view.

    features.py --models STORE --photos photos.json --output FOLDER [--part K/N] [--held-out]

needs: numpy, onnx, onnxruntime, Pillow

A view is a photo as it is, a random crop of it, or two or four photos beside each other; all but the first kind are
mirrored half of the time and lit otherwise. Photos with cats or dogs have five views, others with animals two, the
rest one or two. Held-out photos have one view, the photo as it is. --part: one of N processes that share the views.

Each view runs at the size of `SIZES` whose aspect ratio is nearest. For each size there are files of half floats
without header, `middle`, `deep` (the components of the last map that `components.py` chose) and `logits`, and the
views as JSON lines.
"""

import argparse
import json
import pathlib

import numpy as np
import onnx
import onnxruntime
from PIL import Image, ImageEnhance

from components import Components
from sizes import SIZES, nearest

NETWORK = ("efficientnet-lite2", "efficientnet_lite2.onnx")
MAPS = {"middle": "block14.add", "end": "block20.project", "logits": "logits"}
NAMES = {"cat": 0, "dog": 1}
ANIMALS = {"cat", "dog", "bird", "cow", "horse", "sheep"}
SEED = 20
# Shares of an object that a crop must show to count as an object, and at most to count as nothing.
SHOWN, HIDDEN = 0.4, 0.1


class Backbone:
    """The network at all sizes; a session for each, made when it is first needed."""

    def __init__(self, store):
        self.path = pathlib.Path(store) / NETWORK[0] / NETWORK[1]
        self.sessions = {}

    def session(self, size):
        if size not in self.sessions:
            model = onnx.load(self.path)
            for axis, side in zip((2, 3), size):
                model.graph.input[0].type.tensor_type.shape.dim[axis].dim_value = side
            for name in MAPS.values():
                if name != "logits":
                    model.graph.output.append(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None))
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = 1
            options.log_severity_level = 3
            self.sessions[size] = onnxruntime.InferenceSession(
                model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        return self.sessions[size]

    def run(self, image, size):
        """The maps, channels first, and the logits of an image at a size (rows, columns)."""
        pixels = np.asarray(image.resize(size[::-1], Image.BILINEAR), np.float32)
        values = self.session(size).run(
            list(MAPS.values()), {"image": ((pixels - 127) / 128).transpose(2, 0, 1)[None]})
        return {name: value[0] for name, value in zip(MAPS, values)}


def opened(photo):
    image = Image.open(photo["path"])
    image.draft("RGB", (800, 800))
    return image.convert("RGB")


def boxes(photo):
    """Boxes of cats and dogs: class, corners in 0…1, whether they count."""
    size = np.array([photo["width"], photo["height"]] * 2, float)
    found = []
    for name, corners, difficult in photo["objects"]:
        if name in NAMES:
            found.append([NAMES[name], *np.clip(np.array(corners) / size, 0, 1), not difficult])
    return np.array(found, float).reshape(-1, 6)


def cropped(image, found, rectangle):
    """Part of an image, the rectangle in 0…1, with the boxes that it shows."""
    x1, y1, x2, y2 = rectangle
    width, height = image.size
    part = image.crop((round(x1 * width), round(y1 * height), max(round(x2 * width), round(x1 * width) + 2),
                       max(round(y2 * height), round(y1 * height) + 2)))
    moved = found.copy()
    moved[:, [1, 3]] = (found[:, [1, 3]] - x1) / (x2 - x1)
    moved[:, [2, 4]] = (found[:, [2, 4]] - y1) / (y2 - y1)
    area = (moved[:, 3] - moved[:, 1]) * (moved[:, 4] - moved[:, 2])
    moved[:, 1:5] = moved[:, 1:5].clip(0, 1)
    shown = (moved[:, 3] - moved[:, 1]) * (moved[:, 4] - moved[:, 2]) / np.maximum(area, 1e-9)
    moved[:, 5] *= shown >= SHOWN
    return part, moved[shown > HIDDEN]


def random_crop(rng, image, found):
    area, aspect = rng.uniform(0.3, 1), np.exp(rng.uniform(-0.35, 0.35))
    width, height = min(1, np.sqrt(area * aspect)), min(1, np.sqrt(area / aspect))
    x, y = rng.uniform(0, 1 - width), rng.uniform(0, 1 - height)
    return cropped(image, found, (x, y, x + width, y + height))


def beside(rng, items):
    """Two or four images in one, with the boxes of all."""
    high, wide = SIZES[rng.integers(len(SIZES))]
    joined, all_found = Image.new("RGB", (wide, high)), []
    across = rng.uniform(0.35, 0.65)
    down = rng.uniform(0.35, 0.65)
    if len(items) == 4:
        cells = [(0, 0, across, down), (across, 0, 1, down), (0, down, across, 1), (across, down, 1, 1)]
    elif rng.random() < 0.5:
        cells = [(0, 0, across, 1), (across, 0, 1, 1)]
    else:
        cells = [(0, 0, 1, down), (0, down, 1, 1)]
    for (image, found), (x1, y1, x2, y2) in zip(items, cells):
        left, top, right, bottom = (round(side * v) for side, v in zip((wide, high) * 2, (x1, y1, x2, y2)))
        joined.paste(image.resize((right - left, bottom - top), Image.BILINEAR), (left, top))
        moved = found.copy()
        moved[:, [1, 3]] = x1 + moved[:, [1, 3]] * (x2 - x1)
        moved[:, [2, 4]] = y1 + moved[:, [2, 4]] * (y2 - y1)
        all_found.append(moved)
    return joined, np.concatenate(all_found)


def lit(rng, image):
    for enhancer in (ImageEnhance.Brightness, ImageEnhance.Contrast, ImageEnhance.Color):
        if rng.random() < 0.5:
            image = enhancer(image).enhance(rng.uniform(0.7, 1.35))
    return image


def mirrored(rng, image, found):
    if rng.random() < 0.5:
        return image, found
    found = found.copy()
    found[:, [1, 3]] = 1 - found[:, [3, 1]]
    return image.transpose(Image.Transpose.FLIP_LEFT_RIGHT), found


def plan(photos):
    """The views in random order: photo, kind and seed."""
    rng = np.random.default_rng(SEED)
    views = []
    for index, photo in enumerate(photos):
        names = {name for name, *_ in photo["objects"]}
        kinds = ["whole"]
        if not photo["held_out"]:
            if names & set(NAMES):
                kinds += ["crop", "crop", "two", "four"]
            elif names & ANIMALS:
                kinds += ["crop"]
            elif rng.random() < 0.15:
                kinds += ["crop"]
        views += [(index, kind, int(rng.integers(1 << 31)), photo["held_out"]) for kind in kinds]
    return [views[i] for i in rng.permutation(len(views))]


def view(photos, training, index, kind, seed):
    rng = np.random.default_rng(seed)
    image, found = opened(photos[index]), boxes(photos[index])
    if kind == "whole":
        return image, found
    if kind == "crop":
        image, found = random_crop(rng, image, found)
    else:
        items = [(image, found)]
        for other in rng.choice(training, 1 if kind == "two" else 3):
            items.append((opened(photos[other]), boxes(photos[other])))
        image, found = beside(rng, [items[i] for i in rng.permutation(len(items))])
    image, found = mirrored(rng, image, found)
    return lit(rng, image), found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--models", "--photos", "--output"):
        parser.add_argument(name, required=True, type=pathlib.Path)
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--held-out", action="store_true")
    arguments = parser.parse_args()
    part, parts = map(int, arguments.part.split("/"))
    photos = json.loads(arguments.photos.read_text())
    training = [i for i, photo in enumerate(photos) if not photo["held_out"]]
    views = [v for v in plan(photos) if v[3] == arguments.held_out][part::parts]
    backbone, reduction = Backbone(arguments.models), Components(arguments.models, arguments.output)
    stem = arguments.output / f"{'held-out' if arguments.held_out else 'training'}-{part}"
    for number, (index, kind, seed, _) in enumerate(views):
        image, found = view(photos, training, index, kind, seed)
        size = nearest(image)
        maps = backbone.run(image, size)
        maps["deep"] = reduction.deep(maps.pop("end"))
        own = f"{stem}-{size[0]}x{size[1]}"
        for name, value in maps.items():
            with open(f"{own}-{name}.f16", "ab") as file:
                file.write(value.astype(np.float16).tobytes())
        with open(f"{own}.jsonl", "a") as file:
            file.write(json.dumps({"photo": index, "kind": kind, "boxes": found.tolist()}) + "\n")
        if number % 500 == 499 or number + 1 == len(views):
            print(f"{stem.name}: {number + 1} of {len(views)}", flush=True)


if __name__ == "__main__":
    main()
