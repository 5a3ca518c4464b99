#!/usr/bin/env python3
"""Trains the network that corrects the 68 points that are made of the mesh, by what is seen around each of them.

usage: train_landmarks.py OUT.pt --train MESHES... [--held MESHES...] [--minutes M] [--threads N] [--seed S]

MESHES is what `Benchmarks accuracy landmarks PHOTOS --meshes MESHES` wrote, with the crops in MESHES.pixels. needs: numpy, torch
"""
import argparse
import json
import re
import pathlib
import time

import numpy as np
import torch
from torch import nn

from landmarks import GROUPS, MIRROR68, NEAREST

# The crop that the meshes come with, the half of the mesh's longer edge in it, and the patches: pixels along an edge, and
# pixels of the crop from one of theirs to the next.
SIDE, MARGIN = 160, 1.9
UNIT = SIDE / MARGIN / 2
PATCH, STEPS = 20, (1.2, 2.2)
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


class Refiner(nn.Module):
    """Offsets of the 68 points in half edges of the mesh, from 68 patches and the mesh."""

    def __init__(self, hidden=64, code=16):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(6, 16, 3, 2, 1), nn.ReLU(), nn.Conv2d(16, 24, 3, 2, 1), nn.ReLU(),
            nn.Conv2d(24, 32, 3, 2, 1), nn.ReLU())
        self.code = nn.Linear(288, code)
        self.full1 = nn.Linear(68 * code + 204, hidden)
        self.full2 = nn.Linear(hidden, 136)
        self.linear = nn.Linear(204, 136)
        self.drop = nn.Dropout(0.3)

    def forward(self, patches, shape):
        """patches: count × 68 × 6 × 20 × 20, shape: count × 204."""
        count = len(patches)
        value = self.layers(patches.reshape(count * 68, 6, PATCH, PATCH)).reshape(count * 68, -1)
        value = torch.relu(self.code(value)).reshape(count, -1)
        value = torch.relu(self.full1(torch.cat([self.drop(value), shape], 1)))
        return (self.full2(self.drop(value)) + self.linear(shape)).reshape(count, 68, 2)


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
    names = [f["image"] for f in faces]
    data = [v.astype(np.float32) for v in (shape[:, NEAREST], shape[:, MIRROR_NEAREST], prior, truth, corners)]
    return [torch.from_numpy(v[right]) for v in [*data, pixels]] + [[n for n, r in zip(names, right) if r]]


def mirrored(near, far, prior, truth):
    """The same in a mirror: the points there of the other side's names."""
    sign = torch.tensor([-1.0, 1, 1])
    return far * sign, near * sign, prior[:, MIRROR] * sign[:2], truth[:, MIRROR] * sign[:2]


def patches(pixels, prior, turn=None, flip=None):
    """What is around each point, at two scales. turn: the matrix from the frame of `prior` to that of the crop."""
    count = len(pixels)
    image = pixels.permute(0, 3, 1, 2).float() / 127.5 - 1
    line = (torch.arange(PATCH) - (PATCH - 1) / 2) / UNIT
    grid = torch.stack(torch.meshgrid(line, line, indexing="xy"), 2).reshape(1, 1, -1, 2)
    parts = []
    for step in STEPS:
        places = prior[:, :, None] + grid * step
        if turn is not None:
            places = places @ turn[:, None].transpose(2, 3)
        if flip is not None:
            places = torch.stack([torch.where(flip[:, None, None], -places[..., 0], places[..., 0]), places[..., 1]], 3)
        places = places * (2 * UNIT / SIDE)
        parts.append(nn.functional.grid_sample(
            image, places, padding_mode="border", align_corners=False).reshape(count, 3, 68, PATCH, PATCH))
    return torch.cat(parts, 1).transpose(1, 2)


def features(near):
    return near.reshape(len(near), -1)


def both(model, pixels, near, far, prior):
    """The points that the model makes, the mean of what it says of a face and of its mirror image."""
    plain = prior + model(patches(pixels, prior), features(near))
    near2, _, prior2, _ = mirrored(near, far, prior, prior)
    flip = torch.ones(len(pixels), dtype=torch.bool)
    other = prior2 + model(patches(pixels, prior2, flip=flip), features(near2))
    return (plain + other[:, MIRROR] * torch.tensor([-1.0, 1])) / 2


def errors(model, data):
    near, far, prior, truth, corners, pixels, _ = data
    model.eval()
    with torch.no_grad():
        found = torch.cat([
            both(model, pixels[i : i + 64], near[i : i + 64], far[i : i + 64], prior[i : i + 64])
            for i in range(0, len(near), 64)])
    model.train()
    return (found - truth).norm(dim=2) / corners[:, None]


def report(name, e):
    groups = {k: round(e[:, a:b].mean().item(), 4) for k, (a, b) in GROUPS.items()}
    print(f"{name}: {e.mean():.4f}, median {e.mean(1).median():.4f}, {groups}", flush=True)


def ridge(near, far, prior, truth, penalty=0.3):
    n2, f2, p2, t2 = mirrored(near, far, prior, truth)
    x = torch.cat([features(near), features(n2)]).double()
    y = torch.cat([truth - prior, t2 - p2]).reshape(len(x), -1).double()
    mean, level = x.mean(0), y.mean(0)
    factors = torch.linalg.solve((x - mean).T @ (x - mean) + penalty * torch.eye(204), (x - mean).T @ (y - level))
    return factors.T.float(), (level - mean @ factors).float()


def batch(rng, data, index):
    near, far, prior, truth, corners, pixels = (v[index] for v in data[:6])
    n2, f2, p2, t2 = mirrored(near, far, prior, truth)
    count = len(near)
    flip = torch.from_numpy(rng.random(count) < 0.5)
    pick = lambda a, b: torch.where(flip[:, None, None], b, a)
    near, prior, truth = pick(near, n2), pick(prior, p2), pick(truth, t2)
    # The mesh a little off: all of it moved, and each point a little.
    def affine(angle, scale, shift):
        angle = torch.from_numpy(rng.normal(0, angle, count)).float()
        size = torch.from_numpy(np.exp(rng.normal(0, scale, count))).float()
        rows = torch.stack([size * angle.cos(), -size * angle.sin(), size * angle.sin(), size * angle.cos()], 1)
        return rows.reshape(-1, 2, 2), torch.from_numpy(rng.normal(0, shift, (count, 1, 2))).float()
    moved, shift = affine(0.02, 0.015, 0.012)
    prior = prior @ moved.transpose(1, 2) + shift
    near = torch.cat([near[..., :2] @ moved.transpose(1, 2) + shift, near[..., 2:]], 2)
    # The whole crop a little turned and scaled.
    turn, _ = affine(0.1, 0.06, 0)
    seen = patches(pixels, prior @ torch.inverse(turn).transpose(1, 2), turn, flip)
    back = torch.inverse(turn).transpose(1, 2)
    near = torch.cat([near[..., :2] @ back, near[..., 2:]], 2)
    prior, truth = prior @ back, truth @ back
    light = torch.from_numpy(rng.normal(0, 0.15, (count, 1, 6, 1, 1)).astype(np.float32) * 0.5
                             + rng.normal(0, 0.2, (count, 1, 1, 1, 1)).astype(np.float32))
    light[:, :, 3:] = light[:, :, :3]
    gain = torch.from_numpy(np.exp(rng.normal(0, 0.2, (count, 1, 1, 1, 1))).astype(np.float32))
    grey = torch.from_numpy(rng.random(count) < 0.15)
    level = torch.cat([seen[:, :, :3].mean(2, True).expand(-1, -1, 3, -1, -1),
                       seen[:, :, 3:].mean(2, True).expand(-1, -1, 3, -1, -1)], 2)
    seen = torch.where(grey[:, None, None, None, None], level, seen) * gain + light
    noise = torch.from_numpy(rng.normal(0, 0.05, (count, 1, 1, 1, 1)).astype(np.float32)).abs()
    seen = seen + noise * torch.randn_like(seen)
    return seen, near, prior, truth, corners


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--train", nargs="+", required=True)
    parser.add_argument("--held", nargs="*", default=[])
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)
    rng = np.random.default_rng(arguments.seed)
    loaded = [load(path) for path in arguments.train]
    data = [torch.cat(v) for v in list(zip(*loaded))[:6]]
    held = [(path, load(path)) for path in arguments.held]
    print(len(data[0]), "faces", flush=True)
    model = Refiner()
    with torch.no_grad():
        factors, bias = ridge(*data[:4])
        model.linear.weight.copy_(factors)
        model.linear.bias.copy_(bias)
        model.full2.weight.mul_(0.1)
        model.full2.bias.zero_()
        for path, faces in held:
            report(f"ridge {path}", ((faces[2] + model.linear(features(faces[0])).reshape(-1, 68, 2) - faces[3]).norm(dim=2)
                                     / faces[4][:, None]))
    slow = list(model.linear.parameters())
    rest = [p for n, p in model.named_parameters() if not n.startswith("linear")]
    optimiser = torch.optim.AdamW([{"params": rest, "lr": 2e-3}, {"params": slow, "lr": 1e-4}], weight_decay=1e-2)
    mean = torch.optim.swa_utils.AveragedModel(model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.998))
    start, steps, shown = time.time(), 0, 0
    while True:
        share = (time.time() - start) / 60 / arguments.minutes
        if share >= 1:
            break
        rate = min(1, steps / 100) * (0.5 + 0.5 * np.cos(np.pi * share))
        optimiser.param_groups[0]["lr"], optimiser.param_groups[1]["lr"] = 2e-3 * rate + 1e-6, 1e-4 * rate + 1e-7
        seen, near, prior, truth, corners = batch(rng, data, torch.from_numpy(rng.integers(0, len(data[0]), 32)))
        off = (prior + model(seen, features(near)) - truth) / corners[:, None, None]
        # About the mean distance, but smooth where it is small.
        loss = ((off**2).sum(2) + 1e-4).sqrt().mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        mean.update_parameters(model)
        steps += 1
        if time.time() - start > shown * 60:
            shown += 2
            for path, faces in held:
                report(f"{(time.time() - start) / 60:.0f} min, step {steps}, {path}", errors(mean.module, faces))
            torch.save(mean.module.state_dict(), arguments.out)
    for path, faces in held:
        report(f"end, step {steps}, {path}", errors(mean.module, faces))
    torch.save(mean.module.state_dict(), arguments.out)


if __name__ == "__main__":
    main()
