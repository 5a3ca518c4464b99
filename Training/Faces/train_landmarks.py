#!/usr/bin/env python3
"""Fits the regression that moves the 68 points from their positions by the mesh to those in the image.

usage: train_landmarks.py OUT.npz --train MESHES... --held MESHES... [--seed S] [--validate K] [--write
Sources/VisionModels/Faces]

MESHES is what `Benchmarks accuracy landmarks PHOTOS --meshes MESHES` wrote, with the crops in MESHES.pixels. Around
each point histograms of oriented gradients (Dalal and Triggs, 2005) are measured at two scales and reduced to their
principal components; a ridge regression of rank 64 makes the offsets of all points of these and of the mesh (Xiong and
De la Torre, "Supervised Descent Method", 2013). A second stage does the same around the moved points, at finer scales.
It is fitted on what a first stage that was fitted on other photos leaves (10 folds). Faces and their mirror images
count alike, and each once more with a mesh that is moved, scaled and turned a little. How exact the points are is
fitted on the faces of --held. needs: numpy, scipy, torch
"""
import argparse
import json
import re
import pathlib

import numpy as np
import torch
from scipy.stats import spearmanr
from torch import nn

from landmarks import GROUPS, MIRROR68, NEAREST

# The crop that the meshes come with, the half of the mesh's longer edge in it, and the patches: pixels along an edge,
# and pixels of the crop from one of theirs to the next.
SIDE, MARGIN = 160, 1.9
UNIT = SIDE / MARGIN / 2
PATCH = 20
# Of each stage the scales.
STAGES = ((1.2, 2.2), (0.3, 0.7))
DIRECTIONS, COMPONENTS, RANK, FOLDS = 8, 32, 64, 10
# Of each stage the penalty of the ridge regression; chosen by cross-validation.
PENALTY = (100.0, 100.0)
SOURCES = pathlib.Path(__file__).resolve().parents[2] / "Sources/VisionModels/Faces"


def table(path, marker):
    return np.array([int(v) for v in re.findall(r"\d+", (SOURCES / path).read_text().split(marker)[1].split("]\n")[0])])


PARTNER = table("FaceMeshMirror.swift", "[Int] = [")
MIRROR = np.array(MIRROR68)
# What each of the points of the mesh that are nearest to the 68 is in the mirror, by its index among them.
MIRROR_NEAREST = PARTNER[np.array(NEAREST)]


def prior_weights():
    weights = np.zeros((68, 468))
    rows = re.findall(r"\(\[([\d, ]+)\], \[([-\d., ]+)\]\)", (SOURCES / "FaceLandmarkWeights.swift").read_text())
    for row, (points, values) in enumerate(rows):
        weights[row, [int(v) for v in points.split(",")]] = [float(v) for v in values.split(",")]
    return weights


def load(path):
    """Of each face the mesh, the prior and the true points in the crop, in half edges of the mesh about its middle, and
    the crop."""
    faces = json.loads(pathlib.Path(path).read_text())
    pixels = np.fromfile(str(path) + ".pixels", np.uint8).reshape(-1, SIDE, SIDE, 3)
    mesh = (np.array([f["plain"] for f in faces]) + np.array([f["mirrored"] for f in faces])[:, PARTNER]) / 2
    crop = np.array([f["crop"] for f in faces])
    centre, side, axis = crop[:, :2], crop[:, 2], crop[:, 3:]

    def inside(points):
        offset = points - centre[:, None]
        x = (offset * axis[:, None]).sum(2)
        y = offset[..., 1] * axis[:, None, 0] - offset[..., 0] * axis[:, None, 1]
        return np.stack([x, y], 2) / side[:, None, None] * SIDE / UNIT

    shape = np.concatenate([inside(mesh[..., :2]), mesh[..., 2:] / side[:, None, None] * SIDE / UNIT], 2)
    shape[..., 2] -= shape[..., 2].mean(1, keepdims=True)
    truth = inside(np.array([f["points68"] for f in faces]))
    prior = prior_weights() @ shape[..., :2]
    corners = np.linalg.norm(truth[:, 36] - truth[:, 45], axis=1)
    # A mesh of another face than the labelled one.
    right = np.linalg.norm(prior - truth, axis=2).mean(1) / corners < 0.2
    # How far the two meshes that the mean was made of are apart, as FaceLandmarkSet has it.
    apart = np.array([f["plain"] for f in faces]) - np.array([f["mirrored"] for f in faces])[:, PARTNER]
    spread = np.linalg.norm(apart[:, NEAREST, :2], axis=2).mean(1) / 2 / side * SIDE / UNIT
    data = [v.astype(np.float32) for v in (shape[:, NEAREST], shape[:, MIRROR_NEAREST], prior, truth, corners, spread)]
    # The part of the name before the number of the face names the photo.
    photos = np.array([f["image"].split("_")[0] for f in faces])[right]
    return [torch.from_numpy(v[right]) for v in [*data, pixels]], photos


def mirrored(near, far, prior, truth):
    """The same in a mirror: the points there of the other side's names."""
    sign = torch.tensor([-1.0, 1, 1])
    return far * sign, near * sign, prior[:, MIRROR] * sign[:2], truth[:, MIRROR] * sign[:2]


def grey(pixels):
    return pixels.float().mean(3)[:, None] / 127.5 - 1


def histograms(image, points, steps):
    """Of each point scales × 8 × 4 × 4 numbers: scales, directions, rows and columns of cells."""
    line = (torch.arange(PATCH) - (PATCH - 1) / 2) / UNIT
    grid = torch.stack(torch.meshgrid(line, line, indexing="xy"), 2).reshape(1, 1, -1, 2)
    angles = [2 * np.pi * k / DIRECTIONS for k in range(DIRECTIONS)]
    rows = []
    for start in range(0, len(points), 64):
        some, scales = points[start : start + 64], []
        for step in steps:
            patch = nn.functional.grid_sample(
                image[start : start + 64], (some[:, :, None] + grid * step) * (2 * UNIT / SIDE), padding_mode="border",
                align_corners=False).reshape(-1, PATCH, PATCH)
            x = patch[:, 1:-1, 2:] - patch[:, 1:-1, :-2]
            y = patch[:, 2:, 1:-1] - patch[:, :-2, 1:-1]
            parts = torch.stack([torch.relu(x * np.cos(a) + y * np.sin(a)) ** 2 for a in angles], 1)
            parts = parts / (parts.sum(1, keepdim=True) + 1e-4).sqrt()
            scales.append(nn.functional.avg_pool2d(parts, 6, 4).reshape(len(patch), -1))
        cells = torch.cat(scales, 1)
        rows.append((cells / (cells.norm(dim=1, keepdim=True) + 0.3)).reshape(len(some), 68, -1))
    return torch.cat(rows)


def mirrored_histograms(cells):
    """The histograms of the mirror image: the same numbers in another order."""
    cells = cells.reshape(len(cells), 68, -1, DIRECTIONS, 4, 4)[:, MIRROR]
    opposite = [(DIRECTIONS + DIRECTIONS // 2 - k) % DIRECTIONS for k in range(DIRECTIONS)]
    return cells[:, :, :, opposite].flip(-1).reshape(len(cells), 68, -1)


def jittered(near, far, prior, truth, rng):
    """The same faces with meshes that are moved, scaled and rotated a little."""
    count = len(near)
    angle = torch.from_numpy(rng.normal(0, 0.02, count)).float()
    size = torch.from_numpy(np.exp(rng.normal(0, 0.015, count))).float()
    shift = torch.from_numpy(rng.normal(0, 0.012, (count, 1, 2))).float()
    rotation = torch.stack([size * angle.cos(), size * angle.sin(), -size * angle.sin(), size * angle.cos()], 1)
    rotation = rotation.reshape(-1, 2, 2)

    def moved(shape):
        return torch.cat([shape[..., :2] @ rotation + shift, shape[..., 2:]], 2)

    return moved(near), moved(far), prior @ rotation + shift, truth


def flat(*parts):
    return torch.cat([part.reshape(len(part), -1) for part in parts], 1)


class Inputs:
    """The inputs of a stage, for faces and for their mirror images: components of histograms, and the shape."""

    def __init__(self, stage, images, near, far, points, basis=None):
        cells = torch.cat([
            histograms(images, some, STAGES[stage]) for some in points.split(len(images))])
        other = mirrored_histograms(cells)
        if basis is None:
            sample = torch.cat([cells, other]).reshape(-1, cells.shape[2])
            sample = sample[torch.randperm(len(sample), generator=torch.Generator().manual_seed(0))[:300_000]]
            sample = sample - sample.mean(0)
            basis = torch.linalg.eigh(sample.T @ sample)[1][:, -COMPONENTS:].T.half().float()
        near2, far2, points2, _ = mirrored(near, far, points, points)
        # Beyond the first stage the points are no longer means of the mesh.
        shapes = [(near,), (near2,)] if stage == 0 else [(points, near), (points2, near2)]
        self.basis = basis
        self.shapes = flat(*shapes[0]).shape[1]
        self.rows = [flat(c @ basis.T, *shape) for c, shape in zip((cells, other), shapes)]


class Regression:
    """Ridge regressions of low rank over any of the folds."""

    def __init__(self, stage, inputs, offsets, folds):
        self.penalty = torch.full((inputs.rows[0].shape[1],), PENALTY[stage]).double()
        self.penalty[-inputs.shapes :] = 0.3
        targets = flat(offsets), flat(offsets[:, MIRROR] * torch.tensor([-1.0, 1]))
        self.sums = {}
        for fold in folds.unique().tolist():
            x, y = (torch.cat([v[folds == fold] for v in pair]).double() for pair in (inputs.rows, targets))
            self.sums[fold] = (x.T @ x, x.T @ y, x.sum(0), y.sum(0), len(x))

    def fit(self, folds):
        squares, products, x, y, count = (sum(v) for v in zip(*[self.sums[k] for k in folds]))
        mean, level = x / count, y / count
        squares = squares - count * torch.outer(mean, mean)
        factors = torch.linalg.solve(squares + torch.diag(self.penalty), products - count * torch.outer(mean, level))
        outer = torch.linalg.eigh(factors.T @ squares @ factors)[1][:, -RANK:]
        inner = (factors @ outer).T
        bias = level - outer @ (inner @ mean)
        # In half precision, as they are stored.
        return [v.half().float() for v in (inner, outer, bias)]


def offsets(model, rows):
    """The mean of the offsets of the faces and of their mirror images."""
    inner, outer, bias = model
    one, two = ((row @ inner.T @ outer.T + bias).reshape(-1, 68, 2) for row in rows)
    return (one + two[:, MIRROR] * torch.tensor([-1.0, 1])) / 2


def fit(data, folds, rng):
    """The stages. Each is fitted on the results of the stages before it for faces that these were not fitted on."""
    near, far, prior, truth, _, _, pixels = data
    images, model = grey(pixels), []
    near, far, points, truth = (
        torch.cat(v) for v in zip((near, far, prior, truth), jittered(near, far, prior, truth, rng)))
    folds = folds.repeat(2)
    numbers = set(folds.tolist())
    for stage in range(len(STAGES)):
        inputs = Inputs(stage, images, near, far, points)
        regression = Regression(stage, inputs, truth - points, folds)
        model.append([inputs.basis, *regression.fit(numbers)])
        if stage + 1 < len(STAGES):
            points = points.clone()
            for fold in numbers:
                own = folds == fold
                points[own] += offsets(regression.fit(numbers - {fold}), [row[own] for row in inputs.rows])
    return model


def errors(model, data):
    """Of each point of each face, in the distance of the outer eye corners."""
    near, far, points, truth, corners, _, pixels = data
    for stage, (basis, *rest) in enumerate(model):
        points = points + offsets(rest, Inputs(stage, grey(pixels), near, far, points, basis).rows)
    return (points - truth).norm(dim=2) / corners[:, None]


def report(name, e, photos=None):
    """With the interval of the mean by bootstrapping over photos."""
    groups = {k: round(e[:, a:b].mean().item(), 4) for k, (a, b) in GROUPS.items()}
    means = e.mean(1).numpy()
    photos = np.arange(len(means)) if photos is None else np.unique(photos, return_inverse=True)[1]
    sums, counts = np.bincount(photos, means), np.bincount(photos)
    drawn = np.random.default_rng(0).integers(0, len(sums), (2000, len(sums)))
    low, high = np.percentile(sums[drawn].sum(1) / counts[drawn].sum(1), [2.5, 97.5])
    print(f"{name}: {e.mean():.4f} [{low:.4f}, {high:.4f}], median {e.mean(1).median():.4f}, {groups}", flush=True)


def cross_validated(data, photos, upright, folds, arguments):
    """Errors of faces whose photos no stage was fitted on."""
    found = torch.zeros(len(folds), 68)
    for fold in range(arguments.validate):
        test = (folds % arguments.validate == fold) & upright
        train = folds % arguments.validate != fold
        model = fit([v[train] for v in data], folds[train], np.random.default_rng(arguments.seed))
        found[test] = errors(model, [v[test] for v in data])
    report("cross-validated, upright faces", found[upright], photos[upright.numpy()])


def precision(errors, spread):
    """The typical error of each point, and the growth of errors with the difference of the two meshes."""
    typical = (errors + 1e-3).log().mean(0).exp()
    typical = (typical + typical[MIRROR]) / 2
    reference = spread.log().mean().exp()
    x = (spread / reference).log()
    y = (errors.mean(1) / errors.mean()).log()
    power = float((x * y).sum() / (x**2).sum())
    return typical * (errors.mean() / typical.mean()), float(reference), power


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--train", nargs="+", required=True)
    parser.add_argument("--held", nargs="+", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument(
        "--validate", type=int, default=0, help="cross-validate with this many folds, 2, 5 or 10, and stop"
    )
    parser.add_argument("--write", type=pathlib.Path)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    rng = np.random.default_rng(arguments.seed)
    parts = [load(path) for path in arguments.train]
    data = [torch.cat(v) for v in zip(*[d for d, _ in parts])]
    photos = np.concatenate([p for _, p in parts])
    print(len(data[0]), "faces", len(set(photos)), "photos", flush=True)
    names, numbers = np.unique(photos, return_inverse=True)
    folds = torch.from_numpy(rng.permutation(len(names))[numbers] % FOLDS)
    if arguments.validate:
        upright = torch.cat(
            [torch.full((len(p),), "turned" not in name) for (_, p), name in zip(parts, arguments.train)]
        )
        cross_validated(data, photos, upright, folds, arguments)
        return
    model = fit(data, folds, rng)
    np.savez(arguments.out, *[v.numpy() for stage in model for v in stage])
    print([[tuple(v.shape) for v in stage] for stage in model], sum(v.numel() for v in sum(model, [])), "weights")
    found, spreads = [], []
    for path in arguments.held:
        held, photos = load(path)
        report(f"by the mesh alone, {path}", (held[2] - held[3]).norm(dim=2) / held[4][:, None], photos)
        report(f"first stage, {path}", errors(model[:1], held), photos)
        found.append(errors(model, held))
        spreads.append(held[5] / held[4])
        report(path, found[-1], photos)
    # Fitted on every other face of the held-out photos, tested on the rest; the written one is fitted on all of the
    # first set.
    error, spread = found[0], spreads[0]
    typical, reference, power = precision(error[::2], spread[::2])
    expected = typical * (spread[1::2] / reference).clamp(0.3, 6)[:, None] ** power
    print("rank correlation of the expected with the true errors: %.3f, expected mean %.4f, true %.4f" % (
        spearmanr(expected.ravel(), error[1::2].ravel())[0], expected.mean(), error[1::2].mean()))
    typical, reference, power = precision(error, spread)
    print("spread %.5f power %.3f" % (reference, power))
    if arguments.write:
        path = arguments.write / "FaceLandmarkWeights.swift"
        text = path.read_text()
        lines = ["        " + ", ".join("%.4f" % v for v in typical[i : i + 12]) + ",\n" for i in range(0, 68, 12)]
        text = re.sub(
            r"(static let errors: \[Double\] = \[\n).*?(    \])",
            lambda m: m[1] + "".join(lines) + m[2],
            text,
            flags=re.S,
        )
        text = re.sub(r"(static let spread = )[\d.]+", r"\g<1>%.5f" % reference, text)
        text = re.sub(r"(static let power = )[\d.]+", r"\g<1>%.3f" % power, text)
        path.write_text(text)


if __name__ == "__main__":
    main()
