#!/usr/bin/env python3
"""Trains the network that finds cats and dogs on the maps that `features.py` kept.

    train.py --features FOLDER --output head.pt [--start head.pt] [--steps 3000] [--processes 2]

needs: numpy, torch

Every process computes its share of each batch, with one thread.
"""
import argparse
import math
import pathlib
import time

import numpy as np
import torch
import torch.nn.functional as F
from torch import distributed, multiprocessing

import measure
from data import sets
from head import STRIDE, Head, boxes

SEED = 20
BLOCK = 8  # views of one size that are read together
BLOCKS = 2  # a step, of each process
NEAR = 2.0  # cells from the middle of an object to those that may find it


def areas(boxes):
    return (boxes[..., 2] - boxes[..., 0]).clamp(min=0) * (boxes[..., 3] - boxes[..., 1]).clamp(min=0)


def overlaps(a, b, generalised=False):
    low, high = torch.maximum(a[..., :2], b[..., :2]), torch.minimum(a[..., 2:], b[..., 2:])
    common = (high - low).clamp(min=0).prod(-1)
    union = (areas(a) + areas(b) - common).clamp(min=1e-7)
    if not generalised:
        return common / union
    hull = (torch.maximum(a[..., 2:], b[..., 2:]) - torch.minimum(a[..., :2], b[..., :2])).prod(-1).clamp(min=1e-7)
    return common / union - (hull - union) / hull


@torch.no_grad()
def assigned(boxes, scores, truth, centres, size):
    """For each cell the index of its object or -1, and whether it counts as background.

    Of the cells near an object's middle the cheapest by score and overlap find it: as many as their overlaps sum up to.
    """
    real = (truth[..., 0] >= 0) & (truth[..., 5] > 0)
    common = overlaps(truth[:, :, None, 1:5], boxes[:, None])
    kinds = truth[..., 0].clamp(min=0).long()
    own = scores.transpose(1, 2).gather(1, kinds[..., None].expand(-1, -1, scores.shape[1]))
    cost = F.softplus(-own) + 3 * -torch.log(common.clamp(min=1e-3))
    x, y = centres[..., 0], centres[..., 1]
    inside = ((x[:, None] > truth[..., 1:2]) & (x[:, None] < truth[..., 3:4])
              & (y[:, None] > truth[..., 2:3]) & (y[:, None] < truth[..., 4:5]))
    middle_x, middle_y = (truth[..., 1] + truth[..., 3]) / 2, (truth[..., 2] + truth[..., 4]) / 2
    distance = torch.maximum((x[:, None] - middle_x[..., None]).abs() * size[1],
                             (y[:, None] - middle_y[..., None]).abs() * size[0])
    nearest = distance <= distance.amin(-1, keepdim=True) + 1e-3
    allowed = ((distance < NEAR * STRIDE) & inside | nearest) & real[..., None]
    cost = torch.where(allowed, cost, torch.tensor(1e6))
    count = (common * allowed).topk(10, -1).values.sum(-1).round().clamp(min=1)
    rank = cost.argsort(-1).argsort(-1)
    chosen = (rank < count[..., None]) & allowed
    cost = torch.where(chosen, cost, torch.tensor(1e6))
    best, index = cost.min(1)
    ignored = (truth[..., 0] >= 0) & (truth[..., 5] == 0)
    background = ~(inside & ignored[..., None]).any(1)
    return torch.where(best < 1e5, index, -1), background


def loss_of(boxes, scores, truth, centres, size):
    index, background = assigned(boxes.detach(), scores.detach(), truth, centres, size)
    found = index >= 0
    target = truth.gather(1, index.clamp(min=0)[..., None].expand(-1, -1, 6))
    exact = overlaps(boxes, target[..., 1:5])
    quality = torch.zeros_like(scores)
    kinds = target[..., 0].long().clamp(min=0)
    quality.scatter_(2, kinds[..., None], torch.where(found, 0.25 + 0.75 * exact.detach(), 0.0)[..., None])
    chance = scores.detach().sigmoid()
    weight = torch.where(quality > 0, quality, 0.75 * chance**2)
    weight = weight * (background | found)[..., None]
    count = found.sum().clamp(min=1)
    kind = (F.binary_cross_entropy_with_logits(scores, quality, reduction="none") * weight).sum() / count
    place = (1 - overlaps(boxes, target[..., 1:5], generalised=True))[found].sum() / count
    return kind, place


def shuffled(rng, folder):
    """Blocks without end. The views are in random order, so that blocks of them are read in random order."""
    while True:
        every = sets(folder, "training")
        blocks = [(views, start) for views in every for start in range(0, len(views) - BLOCK + 1, BLOCK)]
        for index in rng.permutation(len(blocks)):
            views, start = blocks[index]
            yield views, *views.batch(range(start, start + BLOCK))


def found_by(network, views):
    """Boxes and scores of every view."""
    network.eval()
    every, scores = [], []
    with torch.no_grad():
        for start in range(0, len(views), 64):
            maps, _ = views.batch(range(start, min(start + 64, len(views))))
            sides, score = network(*maps)
            every.append(boxes(sides, views.centres()))
            scores.append(score.sigmoid())
    return torch.cat(every).numpy(), torch.cat(scores).numpy()


def report(network, held):
    found, truth = [], []
    for views in held:
        found += [measure.suppressed(b, s) for b, s in zip(*found_by(network, views))]
        truth += [np.array(row["boxes"]).reshape(-1, 6) for row in views.rows]
    best = np.array([f[0, 1] if len(f) else 0 for f in found])
    empty = np.array([len(t) == 0 for t in truth])
    marks = [measure.average_precision(found, truth, kind) for kind in range(2)]
    high = np.sort(best[empty])[::-1]
    at = high[max(0, int(0.02 * len(high)) - 1)]
    hit = [np.mean([(f[(f[:, 0] == k), 1].max(initial=0) >= at) for f, t in zip(found, truth) if (t[:, 0] == k).any()])
           for k in range(2)]
    return (f"AP50 cat {marks[0]:.3f} dog {marks[1]:.3f}; at a score of {at:.2f}, 2 % of the others false, "
            f"photos found {hit[0]:.3f} {hit[1]:.3f}")


def averaged(network, count):
    """Averages the gradients of all processes."""
    gradients = [p.grad for p in network.parameters()]
    flat = torch.cat([g.reshape(-1) for g in gradients])
    distributed.all_reduce(flat)
    for gradient, part in zip(gradients, flat.split([g.numel() for g in gradients])):
        gradient.copy_(part.reshape(gradient.shape) / count)


def train(rank, arguments):
    torch.set_num_threads(1)
    distributed.init_process_group("gloo", init_method=f"file://{arguments.output}.sync", rank=rank,
                                   world_size=arguments.processes)
    torch.manual_seed(SEED)
    network = Head(dropout=arguments.dropout).to(memory_format=torch.channels_last)
    if arguments.start:
        network.load_state_dict(torch.load(arguments.start))
    torch.manual_seed(SEED + rank)
    rng = np.random.default_rng(SEED + rank)
    held = sets(arguments.features, "held-out")
    average = torch.optim.swa_utils.AveragedModel(
        network, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.998), use_buffers=True)
    optimiser = torch.optim.AdamW(network.parameters(), arguments.rate, weight_decay=arguments.decay)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min((step + 1) / 100, 0.5 * (1 + math.cos(math.pi * step / arguments.steps)) + 0.005))
    started, sums = time.time(), np.zeros(2)
    batches = shuffled(rng, arguments.features)
    for step in range(1, arguments.steps + 1):
        network.train()
        optimiser.zero_grad()
        for _ in range(BLOCKS):
            views, maps, truth = next(batches)
            centres = views.centres()
            sides, scores = network(*maps)
            kind, place = loss_of(boxes(sides, centres), scores, truth, centres, views.size)
            ((kind + 2 * place) / BLOCKS).backward()
            sums += [kind.item() / BLOCKS, place.item() / BLOCKS]
        averaged(network, arguments.processes)
        torch.nn.utils.clip_grad_norm_(network.parameters(), 10)
        optimiser.step()
        schedule.step()
        if rank:
            continue
        average.update_parameters(network)
        if step % 100 == 0:
            print(f"step {step}: kind {sums[0] / 100:.3f}, place {sums[1] / 100:.3f}, {time.time() - started:.0f} s",
                  flush=True)
            sums[:] = 0
        if step % 500 == 0 or step == arguments.steps:
            torch.save(average.module.state_dict(), arguments.output)
            print(f"step {step}: {report(average.module, held)}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--features", "--output"):
        parser.add_argument(name, required=True, type=pathlib.Path)
    parser.add_argument("--start", type=pathlib.Path)
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--decay", type=float, default=0.05)
    parser.add_argument("--dropout", type=float, default=0.15)
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args()
    arguments.output = arguments.output.absolute()
    pathlib.Path(f"{arguments.output}.sync").unlink(missing_ok=True)
    multiprocessing.spawn(train, (arguments,), arguments.processes)


if __name__ == "__main__":
    main()
