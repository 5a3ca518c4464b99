#!/usr/bin/env python3
"""Trains the head on features made by features.py.

usage: train.py FEATURES[,FEATURES ...] OUT.pt [--steps 6000] [--batch 32] [--seed 1]
"""
import argparse
import math
import pathlib
import time

import numpy as np
import torch
import torch.nn.functional as F

from head import STRIDE, Head, box_mask, decode


def overlap(a, b):
    """Boxes ... x 4 -> IoU, GIoU"""
    inter = (torch.minimum(a[..., 2:], b[..., 2:]) - torch.maximum(a[..., :2], b[..., :2])).clamp(min=0).prod(-1)
    area = lambda v: (v[..., 2:] - v[..., :2]).clamp(min=0).prod(-1)
    union = area(a) + area(b) - inter
    hull = (torch.maximum(a[..., 2:], b[..., 2:]) - torch.minimum(a[..., :2], b[..., :2])).prod(-1)
    iou = inter / union.clamp(min=1e-3)
    return iou, iou - (hull - union) / hull.clamp(min=1e-3)


def loss(logits, boxes, truth, present):
    """truth: N x 4 in pixels of the crop; present: N, whether the template's object is in the crop."""
    n, _, h, w = logits.shape
    y, x = torch.meshgrid((torch.arange(h) + 0.5) * STRIDE, (torch.arange(w) + 0.5) * STRIDE, indexing="ij")
    t = truth[:, :, None, None]
    cx, cy, bw, bh = (t[:, 0] + t[:, 2]) / 2, (t[:, 1] + t[:, 3]) / 2, t[:, 2] - t[:, 0], t[:, 3] - t[:, 1]
    dx, dy = (x - cx).abs(), (y - cy).abs()
    p = present[:, None, None]
    core = (dx <= torch.clamp(bw / 4, min=STRIDE / 2)) & (dy <= torch.clamp(bh / 4, min=STRIDE / 2)) & p
    within = (dx <= bw / 2) & (dy <= bh / 2) & p
    boxes = boxes.permute(0, 2, 3, 1)
    iou, giou = overlap(boxes, truth[:, None, None, :].expand_as(boxes))
    quality = torch.where(core, iou.detach().clamp(min=0), torch.zeros(()))
    weight = torch.where(core, torch.ones(()), torch.where(within, torch.zeros(()), torch.ones(())))
    probability = logits[:, 0].sigmoid().detach()
    focal = (quality - probability).abs() ** 1.5
    score = (F.binary_cross_entropy_with_logits(logits[:, 0], quality, reduction="none") * focal * weight).sum()
    count = core.sum().clamp(min=1)
    return score / count, ((1 - giou) * core).sum() / count, (iou * core).sum() / count


class Set:
    """Features in the order in which features.py makes them; it may still be running."""

    def __init__(self, folder):
        self.folder = folder
        self.z, self.x = (np.load(folder / f"{name}.npy", mmap_mode="r") for name in "zx")
        self.kinds, self.sizes = np.load(folder / "kinds.npy"), np.load(folder / "sizes.npy")
        self.refresh()

    def refresh(self):
        count = int((self.folder / "done.txt").read_text())
        self.boxes = np.load(self.folder / "boxes.npy")
        self.count = count


def main():
    p = argparse.ArgumentParser()
    p.add_argument("features"), p.add_argument("out")
    p.add_argument("--steps", type=int, default=6000)
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--rate", type=float, default=2e-3)
    p.add_argument("--average", type=float, default=0.98)
    p.add_argument("--start", help="weights to begin with")
    p.add_argument("--seed", type=int, default=1)
    o = p.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(o.seed)
    random = np.random.default_rng(o.seed)
    sets = [Set(pathlib.Path(name)) for name in o.features.split(",")]
    held = 240
    model = Head().to(memory_format=torch.channels_last)
    if o.start:
        model.load_state_dict(torch.load(o.start))
    decay = [q for q in model.parameters() if q.ndim > 1]
    rest = [q for q in model.parameters() if q.ndim <= 1]
    optimiser = torch.optim.AdamW(
        [{"params": decay, "weight_decay": 1e-2}, {"params": rest, "weight_decay": 0}], lr=o.rate
    )
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda s: min(1, (s + 1) / 200) * (0.5 + 0.5 * math.cos(math.pi * s / o.steps)) + 0.002)

    def batch(is_held):
        """The held-out targets are the first ones of the first set."""
        share = np.array([one.count for one in sets], float)
        kept = 0 if is_held else random.choice(len(sets), p=share / share.sum())
        one = sets[kept]
        low, high = (0, held) if is_held else (held if kept == 0 else 0, one.count)
        which = random.integers(low, high, o.batch)
        search = random.integers(one.x.shape[1], size=o.batch)
        model_of = which.copy()
        absent = random.random(o.batch) < 0.15
        for k in np.flatnonzero(absent):
            # Half of the time an object of the same kind: the hardest distractors.
            same = np.flatnonzero(one.kinds[low:high] == one.kinds[which[k]]) + low if random.random() < 0.5 else []
            model_of[k] = random.choice(same) if len(same) else random.integers(low, high)
        zs = torch.from_numpy(np.stack([one.z[i, random.integers(2)] for i in model_of]).astype(np.float32))
        xs = torch.from_numpy(np.stack([one.x[i, j] for i, j in zip(which, search)]).astype(np.float32))
        size = torch.from_numpy(one.sizes[model_of])
        last = torch.channels_last
        mask = box_mask(size[:, 0], size[:, 1])
        where = torch.from_numpy(one.boxes[which, search])
        # A covered target has no box.
        present = torch.from_numpy(model_of == which) & (where[:, 2] > where[:, 0])
        return zs.to(memory_format=last), mask, xs.to(memory_format=last), where, present

    def run(head, is_held):
        zs, mask, xs, truth, present = batch(is_held)
        logits, sides = head(*head.template(zs, mask), xs)
        where = decode(sides)
        return loss(logits, where, truth, present), logits, where, truth, present

    # The running mean of the weights is better than the last ones.
    average = Head().to(memory_format=torch.channels_last)
    average.load_state_dict(model.state_dict())
    average.eval()
    mean, began = np.zeros(3), time.time()
    for step in range(o.steps):
        if step % 100 == 0:
            # Features may still be written.
            for one in sets:
                one.refresh()
        (score, shape, iou), *_ = run(model, False)
        optimiser.zero_grad()
        (score + shape).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5)
        optimiser.step()
        schedule.step()
        with torch.no_grad():
            share = 1 - min(o.average, (step + 1) / (step + 10))
            for kept, new in zip(average.state_dict().values(), model.state_dict().values()):
                kept.lerp_(new, share) if kept.is_floating_point() else kept.copy_(new)
        mean = 0.98 * mean + 0.02 * np.array([v.item() for v in (score, shape, iou)])
        if step % 100 == 99 or step == o.steps - 1:
            found, here = [], []
            with torch.no_grad():
                for _ in range(4):
                    _, logits, where, truth, present = run(average, True)
                    best = logits[:, 0].flatten(1).argmax(1)
                    picked = where.flatten(2)[torch.arange(o.batch), :, best]
                    hit, _ = overlap(picked, truth)
                    found += hit[present].tolist()
                    here += [(bool(q), float(v)) for q, v in zip(present, logits.amax((1, 2, 3)))]
            yes, no = [v for q, v in here if q], [v for q, v in here if not q]
            sep = np.mean([a > b for a in yes for b in no]) if no else 0
            print(step + 1, f"{time.time() - began:.0f}s", mean / (1 - 0.98 ** (step + 1)),
                  f"held: IoU {np.mean(found):.3f} lost {np.mean(np.array(found) < 0.1):.3f} present "
                  f"{sep:.3f}", flush=True)
            torch.save(average.state_dict(), o.out)


if __name__ == "__main__":
    main()
