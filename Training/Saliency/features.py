#!/usr/bin/env python3
"""Computes the feature maps of the backbone for training photographs, with the truth of each.

needs: numpy, onnx, onnxruntime, pillow

    features.py MODEL.onnx PHOTOS TRUTH OUT [--views 2] [--levels quarter,fine,middle,end] [--seed 1] [--mirrored]

MODEL.onnx: efficientnet_lite2.onnx of the model store. PHOTOS, TRUTH: folders; the truth of x-7.jpg is x-7.png, or the
image whose name ends in the same number. OUT gets an array of half floats for each level, photographs x views x rows x
columns x channels, `truth.npy` (bytes, 136 x 136, box filter), `names.txt` in the order of the arrays and `done.txt`,
the number of views finished, so that training can begin earlier: first view 0 of all, then view 1. View 0 is the
whole photograph; the others are mirrored (odd ones) and cropped at random to 70-100 % of each side. --mirrored: view 0
is mirrored as well. A second call continues.
"""
import argparse
import pathlib
import re

import numpy as np
import onnx
import onnxruntime
from PIL import Image

SIDE = 260
TRUTH_SIDE = 136
# The outputs of the second, third and fifth stage, and the map before the last convolution.
LEVELS = {
    "quarter": ("block3.add", 65, 24),
    "fine": ("block6.add", 33, 48),
    "middle": ("block14.add", 17, 120),
    "end": ("block20.project", 9, 352),
}


class Backbone:
    def __init__(self, path, levels, threads=1):
        model = onnx.load(path)
        del model.graph.output[:]
        for level in levels:
            node, side, channels = LEVELS[level]
            model.graph.output.append(
                onnx.helper.make_tensor_value_info(node, onnx.TensorProto.FLOAT, [1, channels, side, side]))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self.session = onnxruntime.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        self.input = self.session.get_inputs()[0].name

    def __call__(self, image):
        """Returns the maps of an image, channels last."""
        pixels = image.convert("RGB").resize((SIDE, SIDE), Image.Resampling.BILINEAR)
        values = (np.asarray(pixels, np.float32) - 127) / 128
        return [np.ascontiguousarray(value[0].transpose(1, 2, 0))
                for value in self.session.run(None, {self.input: values.transpose(2, 0, 1)[None]})]


def pairs(photos, truth):
    """Returns the pairs of a photograph and its truth, by name."""
    def key(path):
        return re.search(r"\d+$", path.stem).group() if re.search(r"\d+$", path.stem) else path.stem

    stems = {path.stem: path for path in sorted(truth.iterdir())}
    numbers = {key(path): path for path in stems.values()}
    found = [(path, stems.get(path.stem) or numbers.get(key(path))) for path in sorted(photos.iterdir())]
    return [pair for pair in found if pair[1]]


def changed(images, view, random, mirrored=False):
    """Returns a view of the photograph and its truth: 0 is the whole, the others are crops, odd ones mirrored."""
    if view == 0:
        return [image.transpose(Image.Transpose.FLIP_LEFT_RIGHT) for image in images] if mirrored else images
    scale = random.uniform(0.7, 1, 2)
    left, top = (1 - scale) * random.random(2)
    cropped = []
    for image in images:
        width, height = image.size
        box = (left * width, top * height, (left + scale[0]) * width, (top + scale[1]) * height)
        cropped.append(image.resize((2 * SIDE, 2 * SIDE), Image.Resampling.BILINEAR, box=box))
    return [image.transpose(Image.Transpose.FLIP_LEFT_RIGHT) for image in cropped] if view % 2 else cropped


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("photos", type=pathlib.Path)
    parser.add_argument("truth", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--views", type=int, default=2)
    parser.add_argument("--levels", default=",".join(LEVELS))
    parser.add_argument("--mirrored", action="store_true")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    levels = options.levels.split(",")
    backbone = Backbone(options.model, levels, options.threads)
    every = pairs(options.photos, options.truth)
    order = np.random.default_rng(options.seed).permutation(len(every))
    every = [every[index] for index in order]
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "names.txt").write_text("".join(photo.name + "\n" for photo, _ in every))

    done = options.out / "done.txt"
    first = int(done.read_text()) if done.exists() else 0
    shapes = {level: LEVELS[level][1:] for level in levels}
    arrays = {
        name: np.lib.format.open_memmap(
            options.out / f"{name}.npy", "r+" if first else "w+", dtype,
            None if first else (len(every), options.views, *shape))
        for name, dtype, shape in
        [(level, np.float16, (side, side, channels)) for level, (side, channels) in shapes.items()]
        + [("truth", np.uint8, (TRUTH_SIDE, TRUTH_SIDE))]
    }
    last = options.views * len(every)
    for count in range(first, last):
        view, index = divmod(count, len(every))
        photo, truth = (Image.open(path) for path in every[index])
        photo, truth = changed(
            [photo.convert("RGB"), truth.convert("L")], view, np.random.default_rng([options.seed, view, index]),
            options.mirrored)
        for level, values in zip(levels, backbone(photo)):
            arrays[level][index, view] = values
        arrays["truth"][index, view] = truth.resize((TRUTH_SIDE, TRUTH_SIDE), Image.Resampling.BOX)
        if count % 50 == 49 or count + 1 == last:
            (options.out / "done.new").write_text(str(count + 1))
            (options.out / "done.new").replace(done)


if __name__ == "__main__":
    main()
