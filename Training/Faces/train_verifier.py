#!/usr/bin/env python3
"""Trains the network that rejects false detections of the face networks.

usage: train_verifier.py OUT.pt --faces DUMP LABELS... --without DUMP... [--held-faces …] [--held-without …] [--minutes
M]

DUMP is what `Benchmarks accuracy face-candidates LIST DUMP` wrote of LIST = DUMP.txt. LABELS is faces.json of the
photos of the list: "points68" in pixels, or "face" as x, y, size, roll. Candidates whose mesh lies on the true points
are positive; those that overlap a true face otherwise, and all in photos without people, are negative; the rest in
photos of people is left out. needs: numpy, torch
"""
import argparse
import json
import pathlib
import time

import numpy as np
import torch
from torch import nn

from landmarks import NEAREST

SIDE, MARGIN = 128, 2.2
# The crops are reduced once, to about the input size of the network.
SMALL = 80
SEEN, SEEN_MARGIN = 64, 1.8
# The proposals that the detector examines.
LEAST = (0.5, 0.3, 0.5)


class Verifier(nn.Module):
    def __init__(self):
        super().__init__()
        layers, before = [], 3
        for width, kernel, stride in ((16, 5, 2), (24, 3, 2), (32, 3, 1), (48, 3, 2), (48, 3, 1), (64, 3, 2)):
            layers += [
                nn.Conv2d(before, width, kernel, stride, kernel // 2, bias=False),
                nn.BatchNorm2d(width),
                nn.ReLU(),
            ]
            before = width
        self.layers = nn.Sequential(*layers)
        self.full1 = nn.Linear(1024, 48)
        self.full2 = nn.Linear(48, 1)
        self.drop = nn.Dropout(0.3)

    def forward(self, pixels):
        value = self.drop(self.layers(pixels).flatten(1))
        return self.full2(self.drop(torch.relu(self.full1(value))))[:, 0]


def read(dump):
    rows = [json.loads(line) for line in open(f"{dump}.json")]
    pixels = np.memmap(f"{dump}.pixels", np.uint8, "r")
    pixels = pixels[: len(pixels) // (SIDE * SIDE * 3) * SIDE * SIDE * 3].reshape(-1, SIDE, SIDE, 3)
    rows = rows[: len(pixels)]
    parts = [nn.functional.interpolate(
        torch.from_numpy(pixels[i : i + 256].copy()).permute(0, 3, 1, 2).float(), size=SMALL, mode="bilinear",
        antialias=True, align_corners=False).round().byte().numpy() for i in range(0, len(rows), 256)]
    return rows, np.concatenate(parts)


def logit(value):
    value = np.clip(value, 1e-6, 1 - 1e-6)
    return np.log(value / (1 - value))


def numbers(row):
    """The outputs of the other networks: the best scores, the supports, the opposition, the presence; and how small the
    face is."""
    short, full, shorts, fulls, opposed = row["scores"]
    return [
        max(logit(max(short, 0.02)), -4) / 4,
        max(logit(max(full, 0.02)), -4) / 4,
        np.log1p(shorts),
        np.log1p(fulls),
        np.log1p(opposed),
        logit(row["presence"]) / 4,
        min(np.log(max(row["extent"]) / 60), 0),
    ]


def passes(row):
    return (row["scores"][0] >= LEAST[0] or row["scores"][1] >= LEAST[1]) and row["presence"] >= LEAST[2]


def label_faces(dump, labels):
    from PIL import Image
    truth = {entry["image"]: entry for entry in json.loads(pathlib.Path(labels).read_text())}
    lines = [line.split("\t") for line in open(f"{dump}.txt").read().splitlines()]
    rows, pixels = read(dump)
    sizes, kept, kinds = {}, [], []
    for index, row in enumerate(rows):
        line = lines[row["line"]]
        name = pathlib.Path(line[0]).name
        if name not in truth:
            continue
        if name not in sizes:
            sizes[name] = Image.open(line[0]).size
        entry, scale = truth[name], float(line[2]) if len(line) > 2 else 1
        angle_of_photo = np.deg2rad(float(line[1])) if len(line) > 1 else 0
        size = np.array([max(int(v * scale), 1) for v in sizes[name]])
        c, s = np.cos(angle_of_photo), np.sin(angle_of_photo)
        out = np.array(row["size"])

        def rotated(points):
            offset = np.asarray(points, float) * scale - size / 2
            return out / 2 + np.stack(
                [c * offset[..., 0] + s * offset[..., 1], c * offset[..., 1] - s * offset[..., 0]], -1
            )

        mesh = np.array(row["mesh"])
        if "points68" in entry:
            points = rotated(entry["points68"])
            unit = max(np.linalg.norm(points[36] - points[45]), 0.6 * np.linalg.norm(points[27] - points[8]))
            off = np.linalg.norm(mesh[NEAREST, :2] - points, axis=1).mean() / unit
            inside = np.linalg.norm(mesh[:, :2].mean(0) - points.mean(0)) / unit < 1.1
            kind = 1 if off < 0.18 else 0 if inside and off > 0.4 else -1
        else:
            x, y, extent, roll = entry["face"]
            middle, eyes = rotated([x, y]), mesh[[362, 263], :2].mean(0) - mesh[[33, 133], :2].mean(0)
            angle = np.arctan2(-eyes[1], eyes[0]) - roll - angle_of_photo
            near = np.linalg.norm(np.array(row["centre"]) - middle) / extent / scale
            straight = np.cos(angle)
            kind = 1 if near < 0.3 and straight > 0.9 else 0 if straight < 0.5 or near > 0.6 else -1
        if kind >= 0:
            kept.append(index)
            kinds.append(kind)
    rows = [rows[i] for i in kept]
    print(dump, "faces", sum(kinds), "none", len(kinds) - sum(kinds), flush=True)
    return pixels[kept], np.array(kinds), rows, [f"{dump}:{row['line']}" for row in rows]


def label_none(dump):
    rows, pixels = read(dump)
    skipped = set()
    skip = pathlib.Path(f"{dump}.skip")
    if skip.exists():
        skipped = {int(v) for v in skip.read_text().split()}
    kept = [i for i, row in enumerate(rows) if row["line"] not in skipped]
    print(dump, "none", len(kept), flush=True)
    rows = [rows[i] for i in kept]
    return pixels[kept], np.zeros(len(kept), int), rows, [f"{dump}:{row['line']}" for row in rows]


def joined(parts):
    return (
        np.concatenate([p[0] for p in parts]),
        np.concatenate([p[1] for p in parts]),
        sum((p[2] for p in parts), []),
        sum((p[3] for p in parts), []),
    )


def views(pixels, rng=None):
    count = len(pixels)
    image = torch.from_numpy(pixels).float() / 128 - 1
    ratio = np.full(count, SEEN_MARGIN / MARGIN)
    angle, shift, flip = np.zeros(count), np.zeros((count, 2)), np.ones(count)
    if rng is not None:
        ratio = ratio * np.exp(rng.normal(0, 0.07, count))
        angle, shift = rng.normal(0, 0.12, count), rng.normal(0, 0.04, (count, 2))
        flip = rng.choice([-1, 1], count)
    rows = np.stack([np.stack([flip * ratio * np.cos(angle), -ratio * np.sin(angle), shift[:, 0]], 1),
                     np.stack([flip * ratio * np.sin(angle), ratio * np.cos(angle), shift[:, 1]], 1)], 1)
    grid = nn.functional.affine_grid(torch.from_numpy(rows).float(), (count, 3, SEEN, SEEN), align_corners=False)
    seen = nn.functional.grid_sample(image, grid, padding_mode="border", align_corners=False)
    if rng is None:
        return seen
    gain, light = np.exp(rng.normal(0, 0.25, (count, 1, 1, 1))), rng.normal(0, 0.25, (count, 1, 1, 1)) + rng.normal(
        0, 0.06, (count, 3, 1, 1)
    )
    grey = torch.from_numpy(rng.random(count) < 0.2)[:, None, None, None]
    seen = torch.where(grey, seen.mean(1, True), seen)
    blurred = nn.functional.interpolate(nn.functional.avg_pool2d(seen, 4), size=SEEN, mode="bilinear")
    seen = torch.where(torch.from_numpy(rng.random(count) < 0.15)[:, None, None, None], blurred, seen)
    seen = seen * torch.from_numpy(gain).float() + torch.from_numpy(light).float()
    seen[::3] += torch.randn_like(seen[::3]) * 0.04
    for index in np.flatnonzero(rng.random(count) < 0.3):
        w, h = rng.integers(8, 28, 2)
        x, y = rng.integers(-8, SEEN - 4, 2)
        seen[index, :, max(y, 0) : max(y + h, 0), max(x, 0) : max(x + w, 0)] = float(rng.uniform(-1, 1))
    return seen.clamp(-1.2, 1.2)


def outputs(model, pixels):
    model.eval()
    with torch.no_grad():
        out = torch.cat([model(views(pixels[i : i + 256])) for i in range(0, len(pixels), 256)]).numpy()
    model.train()
    return out


def report(name, model, data):
    out, kinds = outputs(model, data[0]), data[1]
    far = np.array([passes(row) for row in data[2]])
    good, bad = out[(kinds == 1) & far], out[(kinds == 0) & far]
    limits = np.quantile(good, [0.001, 0.002, 0.005, 0.01, 0.02])
    print(
        f"{name}: faces {len(good)}, none {len(bad)}; left of these where 99.9/99.8/99.5/99/98 % of the faces are "
        "kept:",
        [int((bad >= limit).sum()) for limit in limits],
        "limits",
        limits.round(2),
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--faces", nargs=2, action="append", default=[])
    parser.add_argument("--without", nargs="+", default=[])
    parser.add_argument("--held-faces", nargs=2, action="append", default=[])
    parser.add_argument("--held-without", nargs="+", default=[])
    parser.add_argument("--minutes", type=float, default=12)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)
    rng = np.random.default_rng(arguments.seed)
    data = joined([label_faces(*a) for a in arguments.faces] + [label_none(d) for d in arguments.without])
    held = joined([label_faces(*a) for a in arguments.held_faces] + [label_none(d) for d in arguments.held_without])
    faces, none = np.flatnonzero(data[1] == 1), np.flatnonzero(data[1] == 0)
    model = Verifier()
    optimiser = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=2e-2)
    mean = torch.optim.swa_utils.AveragedModel(
        model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.98), use_buffers=True)
    start, shown, steps = time.time(), 1, 0
    while True:
        share = (time.time() - start) / 60 / arguments.minutes
        if share >= 1:
            break
        optimiser.param_groups[0]["lr"] = 3e-3 * min(1, steps / 50) * (0.5 + 0.5 * np.cos(np.pi * share)) + 1e-6
        index = np.concatenate([rng.choice(faces, 32), rng.choice(none, 32)])
        out = model(views(data[0][index], rng))
        kinds = torch.from_numpy(data[1][index]).float()
        loss = nn.functional.binary_cross_entropy_with_logits(out, kinds * 0.99 + 0.005)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        mean.update_parameters(model)
        steps += 1
        if time.time() - start > shown * 60:
            shown += 2
            report(f"{(time.time() - start) / 60:.0f} min, step {steps}, loss {loss.item():.3f}", mean.module, held)
            torch.save(mean.module.state_dict(), arguments.out)
    report("end", mean.module, held)
    report("training", mean.module, data)
    torch.save(mean.module.state_dict(), arguments.out)


if __name__ == "__main__":
    main()
