#!/usr/bin/env python3
"""Fits what moves the 68 points that are made of the mesh to where the image shows them.

usage: train_landmarks.py OUT.npz --train MESHES... --held MESHES... [--seed S] [--write Sources/VisionModels/Faces]

MESHES is what `Benchmarks accuracy landmarks PHOTOS --meshes MESHES` wrote, with the crops in MESHES.pixels. Around each point
histograms of oriented gradients (Dalal and Triggs, 2005) are measured at two scales and reduced to their principal components;
a ridge regression of rank 64 makes the offsets of all points of these and of the mesh (as in Xiong and De la Torre, "Supervised
Descent Method", 2013, one step). Faces and their mirror images count alike. How exact the points are is fitted on the
faces of --held. needs: numpy, scipy, torch
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

# The crop that the meshes come with, the half of the mesh's longer edge in it, and the patches: pixels along an edge, and
# pixels of the crop from one of theirs to the next.
SIDE, MARGIN = 160, 1.9
UNIT = SIDE / MARGIN / 2
PATCH, STEPS = 20, (1.2, 2.2)
DIRECTIONS, COMPONENTS, RANK = 8, 32, 64
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
    """Of each face the mesh, the prior and the true points in the crop, in half edges of the mesh about its middle, and the crop."""
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
    return [torch.from_numpy(v[right]) for v in [*data, pixels]]


def mirrored(near, far, prior, truth):
    """The same in a mirror: the points there of the other side's names."""
    sign = torch.tensor([-1.0, 1, 1])
    return far * sign, near * sign, prior[:, MIRROR] * sign[:2], truth[:, MIRROR] * sign[:2]


def floats(pixels):
    return pixels.permute(0, 3, 1, 2).float() / 127.5 - 1


def patches(image, prior, isFlipped):
    """What is around each point, at two scales."""
    line = (torch.arange(PATCH) - (PATCH - 1) / 2) / UNIT
    grid = torch.stack(torch.meshgrid(line, line, indexing="xy"), 2).reshape(1, 1, -1, 2)
    factor = torch.tensor([-1.0 if isFlipped else 1.0, 1.0]) * (2 * UNIT / SIDE)
    parts = [nn.functional.grid_sample(image, (prior[:, :, None] + grid * step) * factor, padding_mode="border",
                                       align_corners=False).mean(1) for step in STEPS]
    return torch.stack(parts, 1).reshape(len(prior), len(STEPS), 68, PATCH, PATCH).transpose(1, 2)


def histograms(pixels, prior, isFlipped):
    """Of each point 2 × 8 × 4 × 4 numbers: scales, directions, rows and columns of cells."""
    grey = patches(floats(pixels), prior, isFlipped).reshape(-1, len(STEPS), PATCH, PATCH)
    x = grey[:, :, 1:-1, 2:] - grey[:, :, 1:-1, :-2]
    y = grey[:, :, 2:, 1:-1] - grey[:, :, :-2, 1:-1]
    angles = [2 * np.pi * k / DIRECTIONS for k in range(DIRECTIONS)]
    parts = torch.stack([torch.relu(x * np.cos(a) + y * np.sin(a)) ** 2 for a in angles], 2)
    parts = parts / (parts.sum(2, keepdim=True) + 1e-4).sqrt()
    cells = nn.functional.avg_pool2d(parts.reshape(-1, DIRECTIONS, PATCH - 2, PATCH - 2), 6, 4).reshape(len(grey), -1)
    return (cells / (cells.norm(dim=1, keepdim=True) + 0.3)).reshape(len(prior), 68, -1)


def features(near):
    return near.reshape(len(near), -1)


def report(name, e):
    groups = {k: round(e[:, a:b].mean().item(), 4) for k, (a, b) in GROUPS.items()}
    print(f"{name}: {e.mean():.4f}, median {e.mean(1).median():.4f}, {groups}", flush=True)


def samples(data, copies, rng):
    """Histograms, shapes and offsets of faces and of their mirror images, also with meshes that are moved a little."""
    rows = []
    for start in range(0, len(data[0]), 64):
        near, far, prior, truth, _, _, pixels = (v[start : start + 64] for v in data)
        for isFlipped in (False, True):
            if isFlipped:
                near, far, prior, truth = mirrored(near, far, prior, truth)
            for copy in range(copies):
                count = len(near)
                angle = torch.from_numpy(rng.normal(0, 0.02 if copy else 0, count)).float()
                size = torch.from_numpy(np.exp(rng.normal(0, 0.015 if copy else 0, count))).float()
                shift = torch.from_numpy(rng.normal(0, 0.012 if copy else 0, (count, 1, 2))).float()
                turn = torch.stack([size * angle.cos(), size * angle.sin(), -size * angle.sin(), size * angle.cos()], 1)
                turn = turn.reshape(-1, 2, 2)
                moved = prior @ turn + shift
                shape = torch.cat([near[..., :2] @ turn + shift, near[..., 2:]], 2)
                rows.append((histograms(pixels, moved, isFlipped), features(shape), (truth - moved).reshape(count, -1)))
    return [torch.cat(v) for v in zip(*rows)]


def errors(model, data):
    """Of each point of each face, by the mean of what is said of the face and of its mirror image."""
    found = []
    for start in range(0, len(data[0]), 64):
        near, far, prior, truth, corners, _, pixels = (v[start : start + 64] for v in data)
        near2, _, prior2, _ = mirrored(near, far, prior, truth)
        one = apply(model, histograms(pixels, prior, False), features(near))
        two = apply(model, histograms(pixels, prior2, True), features(near2))[:, MIRROR] * torch.tensor([-1.0, 1])
        found.append((prior + (one + two) / 2 - truth).norm(dim=2) / corners[:, None])
    return torch.cat(found)


def apply(model, cells, shape):
    basis, inner, outer, bias = model
    code = torch.cat([(cells @ basis.T).reshape(len(cells), -1), shape], 1)
    return (code @ inner.T @ outer.T + bias).reshape(-1, 68, 2)


def fit(cells, shape, offsets):
    flat = cells.reshape(-1, cells.shape[2])
    basis = torch.linalg.eigh((flat - flat.mean(0)).T @ (flat - flat.mean(0)))[1][:, -COMPONENTS:].T
    x = torch.cat([(cells @ basis.T).reshape(len(cells), -1), shape], 1).double()
    y = offsets.double()
    mean, level = x.mean(0), y.mean(0)
    penalty = torch.full((x.shape[1],), 100.0).double()
    penalty[-shape.shape[1] :] = 0.3
    factors = torch.linalg.solve((x - mean).T @ (x - mean) + torch.diag(penalty), (x - mean).T @ (y - level))
    made = (x - mean) @ factors
    outer = torch.linalg.eigh(made.T @ made)[1][:, -RANK:]
    inner = (factors @ outer).T
    bias = level - outer @ (inner @ mean)
    # As they will be stored.
    return [v.half().float() for v in (basis, inner.float(), outer.float(), bias.float())]


def precision(errors, spread):
    """The typical error of each point, and how errors grow with what the two meshes differ by."""
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
    parser.add_argument("--write", type=pathlib.Path)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    rng = np.random.default_rng(arguments.seed)
    data = [torch.cat(v) for v in zip(*[load(path) for path in arguments.train])]
    print(len(data[0]), "faces")
    model = fit(*samples(data, 2, rng))
    np.savez(arguments.out, *[v.numpy() for v in model])
    print([tuple(v.shape) for v in model], sum(v.numel() for v in model), "weights")
    found, spreads = [], []
    for path in arguments.held:
        held = load(path)
        report(f"by the mesh alone, {path}", (held[2] - held[3]).norm(dim=2) / held[4][:, None])
        found.append(errors(model, held))
        spreads.append(held[5] / held[4])
        report(path, found[-1])
    # Fitted on every other face of the photos held out, tried on the rest; what is written is fitted on all of the first set.
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
        text = re.sub(r"(static let errors: \[Double\] = \[\n).*?(    \])", lambda m: m[1] + "".join(lines) + m[2], text, flags=re.S)
        text = re.sub(r"(static let spread = )[\d.]+", r"\g<1>%.5f" % reference, text)
        text = re.sub(r"(static let power = )[\d.]+", r"\g<1>%.3f" % power, text)
        path.write_text(text)


if __name__ == "__main__":
    main()
