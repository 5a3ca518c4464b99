#!/usr/bin/env python3
"""Calibrates a network of text in 8 bits: writes the ranges of bytes and the corrections of biases.

    calibrate.py DATA PREDICTIONS NETWORK.onnx OUT.table [--count 150] [--seed 5]

DATA: a folder with a folder for each set, as for Scripts/text_reading.py; PREDICTIONS: the folder that it wrote, whose
corners say where lines are. Of each set two photographs are used, those at a quarter and at three quarters: all of them
for a detector, COUNT lines of them for a networks.

Bytes are the inputs of the layers that run on them, and what lies between a pointwise convolution and its GELU. A range
is all that was seen, since rare large numbers matter; only of a GELU's results the part is chosen that changes the
result of the layer behind it least, and of a detector's first blocks a fixed part is taken. The mean of each channel of
a recogniser is corrected in the layer's bias, from the first layer to the last, each with all before it in 8 bits; a
detector's map only gets worse by that.
"""
import argparse
import json
import math
import pathlib
import sys

import cv2
import numpy as np
from onnx import numpy_helper

import networks

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Shared"))
import tables  # noqa: E402

ROWS = 48
# What of an image a detector sees, as TextNetwork makes it.
PIXELS_OF_IMAGE, LARGEST_SCALE, STEP = 1_000_000, 1.5, 32
MEAN = np.array([0.406, 0.456, 0.485], np.float32)
DEVIATION = np.array([0.225, 0.224, 0.229], np.float32)
# The parts of a range that are tried, and the pixels of a line or an image on which.
PARTS = (1, 0.92, 0.84, 0.76, 0.66, 0.55, 0.44)
PIXELS = {"line": 12, "image": 100}
# The part of the ranges of a detector's first blocks that changes its map least: fine differences matter more there.
FIRST_PART = 0.6
# How many lines the corrections are computed on.
CORRECTED_ON = 40
def strip(image, corners):
    """-> a line as the recogniser takes it; the margins are those of `TextReader`"""
    corners = np.array(corners, np.float64)
    axis, down = corners[1] - corners[0], corners[3] - corners[0]
    length, height = np.hypot(*axis), np.hypot(*down)
    if length < 2 or height < 2:
        return None
    axis, down = axis / length, down / height
    height = height / 1.1
    extent = np.array([length - 0.1 * height + 0.5 * height, 1.3 * height])
    columns = int(min(max(round(extent[0] / extent[1] * ROWS), 8), 6400))
    origin = corners.mean(0) - axis * extent[0] / 2 - down * extent[1] / 2
    factor = 1 / 2 ** max(0, math.floor(math.log2(extent[1] / ROWS)))
    if factor < 1:
        image, origin, extent = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), (
            origin * factor
        ), (extent * factor)
    matrix = np.column_stack([axis * extent[0] / columns, down * extent[1] / ROWS, origin])
    matrix[:, 2] += matrix[:, :2] @ [0.5, 0.5] - 0.5
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    pixels = cv2.warpAffine(image, matrix, (columns, ROWS), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    values = np.zeros((1, 3, ROWS, max(128, (columns + 63) // 64 * 64)), np.float32)
    values[0, :, :, :columns] = (pixels.astype(np.float32) * 2 / 255 - 1).transpose(2, 0, 1)
    return values


def photographs(data, predictions):
    """-> the images used, in colour, and what was read in them"""
    for truth in sorted(data.glob("*/truth.json")):
        photos = json.loads((predictions / f"{truth.parent.name}-accurate.json").read_text(encoding="utf-8"))
        for photo in [photos[len(photos) // 4], photos[3 * len(photos) // 4]]:
            inner = truth.parent / "images" / photo["image"]
            yield cv2.imread(str(inner if inner.exists() else truth.parent / photo["image"]), cv2.IMREAD_COLOR), photo


def lines(photos, count, random):
    found = [strip(image, line["polygon"]) for image, photo in photos for line in photo["lines"]]
    found = [line for line in found if line is not None]
    return [found[index] for index in random.permutation(len(found))[:count]]


def whole(image):
    """-> an image as the detector takes it"""
    height, width = image.shape[:2]
    scale = min(LARGEST_SCALE, math.sqrt(PIXELS_OF_IMAGE / (width * height)))
    size = round(width * scale), round(height * scale)
    image = cv2.resize(image, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    image = cv2.copyMakeBorder(image, 0, -size[1] % STEP, 0, -size[0] % STEP, cv2.BORDER_REPLICATE)
    # Red first, as TextNetwork makes it.
    return ((image[:, :, ::-1].astype(np.float32) / 255 - MEAN) / DEVIATION).transpose(2, 0, 1)[None]


def rows(values):
    """-> a row for each pixel"""
    return values.transpose(0, 2, 3, 1).reshape(-1, values.shape[1]) if values.ndim == 4 else values[0]


def best(low, high, error):
    """-> the range up to a part of the upper end with the least error, the means of columns aside"""

    def cost(part):
        values = error(*part)
        return float(((values - values.mean(0)) ** 2).sum())

    return min(((low, high * part) for part in PARTS), key=cost)


def choose_ranges(model, constants, blocks, others, samples, pixels_of_sample, random):
    names = [n for first, second in blocks for n in (first.input[0], first.output[0], second.input[0])]
    names += [node.input[0] for node in others]
    run, low, high, seen = networks.session(model, names), {}, {}, {name: [] for name in names}
    for sample in samples:
        for name, values in zip(names, run.run(names, {"x": sample})):
            low[name] = min(low.get(name, 0), float(values.min()))
            high[name] = max(high.get(name, 0), float(values.max()))
            pixels = rows(values)
            seen[name].append(pixels[random.integers(0, len(pixels), pixels_of_sample)])
    ranges = {name: (low[name], high[name]) for name in names}
    for _, second in blocks:
        name, weights = second.input[0], constants[second.input[1]][:, :, 0, 0].T
        values = np.concatenate(seen[name])
        ranges[name] = best(low[name], high[name], lambda a, b: (networks.rounded(values, a, b) - values) @ weights)
    return ranges


def correct(model, ranges, layers, samples):
    """-> for each convolution what its channels' means lack"""
    names = [node.output[0] for node in layers]

    def means(run, names):
        sums = None
        for sample in samples:
            new = [np.append(rows(v).sum(0, dtype=np.float64), len(rows(v))) for v in run.run(names, {"x": sample})]
            sums = new if sums is None else [a + b for a, b in zip(sums, new)]
        return [values[:-1] / values[-1] for values in sums]

    wanted, corrections = means(networks.session(model, names), names), {}
    for index, name in enumerate(names):
        made = networks.quantised(model, ranges, names[: index + 1], corrections)
        (got,) = means(networks.session(made, [name]), [name])
        corrections[name] = (wanted[index] - got).astype(np.float32)
    return corrections


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("data", "predictions", "network", "out"):
        parser.add_argument(name, type=pathlib.Path)
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=5)
    options = parser.parse_args()
    random = np.random.default_rng(options.seed)
    model = networks.simplified(options.network)
    constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    photos = photographs(options.data, options.predictions)
    blocks, head, stem, joined = networks.byte_layers(model, constants)
    if head:
        samples, kind = lines(photos, options.count, random), "line"
    else:
        samples, kind = [whole(image) for image, _ in photos], "image"
    ranges = choose_ranges(model, constants, blocks, [*stem, *head], samples, PIXELS[kind], random)
    if not head:
        for node in stem[:-1]:
            low, high = ranges[node.input[0]]
            ranges[node.input[0]] = low, high * FIRST_PART
        for names in joined:
            # Joined without a change of the bytes.
            low, high = zip(*(ranges[name] for name in names if name in ranges))
            ranges.update(dict.fromkeys(names, (min(low), max(high))))
    layers = [node for node in model.graph.node if node in stem or any(node in block for block in blocks)]
    corrections = correct(model, ranges, layers, samples[:CORRECTED_ON]) if head else {}
    tables.write(
        options.out,
        tensors=list(ranges), low=np.array([r[0] for r in ranges.values()], np.float32),
        high=np.array([r[1] for r in ranges.values()], np.float32),
        layers=list(corrections), counts=np.array([len(c) for c in corrections.values()], np.uint16),
        corrections=np.concatenate([np.zeros(0), *corrections.values()]).astype(np.float16),
    )  # fmt: skip


if __name__ == "__main__":
    main()
