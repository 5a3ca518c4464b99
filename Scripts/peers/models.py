#!/usr/bin/env python3
"""Runs networks in ONNX Runtime and LiteRT, and in double precision, on synthetic images and writes inputs and outputs
for our side to compare.

    models.py OUT SOURCE… [--filter TEXT] [--size N]

A SOURCE is a model, or a folder that is searched for .onnx and .tflite files and for wheels with .tflite files in them.
OUT gets the arrays as .npy files and index.json, which lists them. See accuracy-models.sh.
"""

import argparse
import json
import os
import pathlib
import sys
import zipfile

import numpy as np

import exact
import tflite_parts


def person(height, width, channels):
    """A coarse head and shoulders, so that networks for people respond: (colours, coverage)"""
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]

    def blob(centre_x, centre_y, radius_x, radius_y, softness=0.05):
        inside = 1 - ((x - centre_x) / radius_x) ** 2 - ((y - centre_y) / radius_y) ** 2
        return np.clip(inside / softness, 0, 1)[..., None]

    colours, cover = np.zeros((height, width, 3)), np.zeros((height, width, 1))
    for colour, shape in [
        ((0.15, 0.25, 0.5), blob(0, 1.1, 0.7, 0.62)),
        ((0.2, 0.13, 0.1), blob(0, -0.24, 0.36, 0.46)),
        ((0.85, 0.65, 0.55), blob(0, -0.1, 0.31, 0.44)),
        ((0.95, 0.95, 0.95), blob(-0.12, -0.18, 0.07, 0.035)),
        ((0.95, 0.95, 0.95), blob(0.12, -0.18, 0.07, 0.035)),
        ((0.1, 0.1, 0.1), blob(-0.12, -0.18, 0.03, 0.032)),
        ((0.1, 0.1, 0.1), blob(0.12, -0.18, 0.03, 0.032)),
        ((0.25, 0.16, 0.12), blob(-0.12, -0.27, 0.09, 0.02)),
        ((0.25, 0.16, 0.12), blob(0.12, -0.27, 0.09, 0.02)),
        ((0.7, 0.48, 0.4), blob(0, -0.03, 0.045, 0.03)),
        ((0.65, 0.25, 0.25), blob(0, 0.12, 0.12, 0.04)),
    ]:
        colours = colours * (1 - shape) + np.array(colour) * shape
        cover = np.maximum(cover, shape)
    return np.resize(colours.transpose(2, 0, 1), (channels, height, width)).transpose(1, 2, 0), cover


def image(height, width, channels, seed):
    """Values of 0 to 1: noise that varies at all scales as photographs do, and a person in front of it."""
    rng = np.random.default_rng(seed)
    total = np.zeros((height, width, channels))
    cell = max(height, width)
    while cell >= 1:
        rows, columns = -(-height // cell) + 1, -(-width // cell) + 1
        grid = rng.uniform(-1, 1, (rows, columns, channels)) * cell
        y = np.arange(height) / cell
        x = np.arange(width) / cell
        top, left = y.astype(int), x.astype(int)
        fy, fx = (y - top)[:, None, None], (x - left)[None, :, None]
        upper = grid[top][:, left] * (1 - fx) + grid[top][:, left + 1] * fx
        lower = grid[top + 1][:, left] * (1 - fx) + grid[top + 1][:, left + 1] * fx
        total += upper * (1 - fy) + lower * fy
        cell //= 2
    noise = (total - total.min()) / max(total.max() - total.min(), 1e-9)
    colours, cover = person(height, width, channels)
    return noise * (1 - cover) + (0.9 * colours + 0.1 * noise) * cover


def values(shape, dtype, low, high, seed):
    """An input: an image for four axes, in either layout, else noise."""
    if np.issubdtype(dtype, np.floating):
        if len(shape) == 4 and shape[1] in (1, 3):
            made = np.stack([image(*shape[2:], shape[1], seed + n).transpose(2, 0, 1) for n in range(shape[0])])
        elif len(shape) == 4:
            made = np.stack([image(*shape[1:], seed + n) for n in range(shape[0])])
        else:
            made = np.random.default_rng(seed).uniform(0, 1, shape)
        return (low + made * (high - low)).astype(dtype)
    if len(shape) == 4 and np.dtype(dtype).itemsize == 1:
        limits = np.iinfo(dtype)
        made = np.stack([image(*shape[1:], seed + n) for n in range(shape[0])])
        return np.round(limits.min + made * (limits.max - limits.min)).astype(dtype)
    return np.random.default_rng(seed).integers(0, 2, shape).astype(dtype)


# The range of a network's input, by the beginning of its file's name. Far outside of it some networks multiply
# rounding errors so much that no engine is near the exact result.
RANGES = {
    "face_detection": [(-1, 1)],
    "pose_detection": [(-1, 1)],
    "face_landmark": [(0, 1)],
    "hand_": [(0, 1)],
    "iris_": [(0, 1)],
    "palm_": [(0, 1)],
    "pose_landmark": [(0, 1)],
    "selfie_": [(0, 1)],
    "yolox": [(0, 255)],
    "yunet": [(0, 255)],
}


class ONNXModel:
    engine = "ONNX Runtime"
    ranges = [(0, 1), (0, 255)]
    types = {
        "tensor(float)": np.float32, "tensor(uint8)": np.uint8, "tensor(int8)": np.int8, "tensor(int64)": np.int64,
        "tensor(int32)": np.int32, "tensor(double)": np.float64, "tensor(float16)": np.float16,
        "tensor(bool)": np.bool_,
    }  # fmt: skip

    def __init__(self, path, size):
        import onnxruntime

        self.path = path
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        self.session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        self.inputs = {}
        for given in self.session.get_inputs():
            # Unknown sizes: one image, and a side that the caller chooses.
            shape = [n if isinstance(n, int) else (size if axis else 1) for axis, n in enumerate(given.shape)]
            self.inputs[given.name] = (shape, self.types[given.type])

    def run(self, inputs):
        names = [output.name for output in self.session.get_outputs()]
        return dict(zip(names, self.session.run(names, inputs)))

    def exact(self, inputs):
        return exact.run(self.path, inputs)


class TFLiteModel:
    engine = "LiteRT"
    ranges = [(0, 1), (-1, 1)]

    def __init__(self, path, size):
        self.parts = tflite_parts.load(path.read_bytes())
        self.inputs = self.parts[0].inputs
        if len(self.parts) > 1:
            self.engine = "LiteRT and our own reference"

    def run(self, inputs):
        for part in self.parts:
            inputs = part.run(inputs)
        return inputs

    def exact(self, inputs):
        for part in self.parts:
            inputs = exact.run(part.content, inputs) if isinstance(part, tflite_parts.Part) else part.run(inputs)
        return inputs


def files(source):
    if source.is_file():
        yield source
    for folder, folders, names in os.walk(source, followlinks=True):
        folders.sort()
        yield from (pathlib.Path(folder) / name for name in sorted(names))


def models(sources, out):
    """(name, path) of each model."""
    for path in (path for source in sources for path in files(source)):
        if path.suffix in (".onnx", ".tflite"):
            yield path.name, path
        elif path.suffix == ".whl":
            with zipfile.ZipFile(path) as wheel:
                for entry in sorted(wheel.namelist()):
                    if entry.endswith(".tflite"):
                        target = out / pathlib.Path(entry).name
                        target.write_bytes(wheel.read(entry))
                        yield target.name, target


def compare(name, path, number, out, size):
    model = (TFLiteModel if path.suffix == ".tflite" else ONNXModel)(path, size)
    runs = []
    ranges = next((known for start, known in RANGES.items() if name.startswith(start)), model.ranges)
    for low, high in ranges:
        inputs = {
            key: values(shape, dtype, low, high, 100 * number + index)
            for index, (key, (shape, dtype)) in enumerate(model.inputs.items())
        }
        run = {"range": f"{low}…{high}", "inputs": {}, "outputs": {}, "exact": {}}
        kinds = {"inputs": inputs, "outputs": model.run(inputs)}
        try:
            kinds["exact"] = {key: value for key, value in model.exact(inputs).items() if key in kinds["outputs"]}
        except Exception as error:  # noqa: BLE001 - the comparison goes without
            print(f"{name}: not in double precision: {reason(error)}", file=sys.stderr)
        for kind, arrays in kinds.items():
            for index, (key, array) in enumerate(arrays.items()):
                file = f"{number:03}-{len(runs)}-{kind}-{index}.npy"
                np.save(out / file, np.ascontiguousarray(array))
                run[kind][key] = file
        runs.append(run)
    return {"name": name, "path": str(path.resolve()), "engine": model.engine, "runs": runs}


def reason(error):
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


def main():
    parser = argparse.ArgumentParser(prog="models.py")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("sources", type=pathlib.Path, nargs="+")
    parser.add_argument("--filter", default="", help="only models whose name contains this")
    parser.add_argument("--size", type=int, default=320, help="the side of images whose size the model does not state")
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    for source in chosen.sources:
        if not source.exists():
            sys.exit(f"models: {source} does not exist")
    index = []
    for number, (name, path) in enumerate(models(chosen.sources, chosen.out)):
        if chosen.filter not in name:
            continue
        print(f"{name} …", file=sys.stderr, flush=True)
        try:
            index.append(compare(name, path, number, chosen.out, chosen.size))
        except Exception as error:  # noqa: BLE001 - whatever stops a peer is told beside the figures
            index.append({"name": name, "path": str(path), "engine": "", "runs": [], "missing": reason(error)})
    if not index:
        sys.exit(f"models: no .onnx or .tflite model in {', '.join(map(str, chosen.sources))}")
    (chosen.out / "index.json").write_text(json.dumps(index, indent=1) + "\n")


if __name__ == "__main__":
    main()
