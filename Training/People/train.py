#!/usr/bin/env python3
"""Trains the people network from YOLOX-nano.

usage: train.py PEOPLE.json YOLOX_NANO.onnx OUT.pt [--steps N] [--end STEP] [--frozen STEPS]
       [--start FILE.pt] [--seed 20]

PEOPLE.json is what upper_bodies.py writes. The backbone is kept up to the map of stride 8, and in the first steps
(--frozen) all of it. The anchors of a person are chosen as in YOLOX (SimOTA), by the whole body; the same anchors learn
the upper body. The rates fall along the steps, of which --end leaves out the last. OUT.pt is an exponential moving
average of the weights, written every 20 steps, with the branch of classes as published: with one class, YOLOX's loss
makes it forget what is no person. train_classes.py trains that branch.

needs: numpy, onnx, pillow, torch
"""
import argparse
import copy
import json
import math
import multiprocessing
import pathlib
import time

import numpy as np
import torch
from torch.nn import functional

from network import anchors, from_original, load_original, split
from samples import ABSENT, KNOWN, UNKNOWN, Sampler

BATCH = 8
# Rates at the start, which fall to a hundredth along a cosine.
RATES = {"upper": 1e-3, "heads": 3e-4, "neck": 1.5e-4, "backbone": 4e-5}
WARMUP = 60
# The decay of the average of the weights.
AVERAGE = 0.998
BOX_WEIGHT = 5


def overlaps(a, b):
    """Returns the intersection over union of boxes, elementwise after broadcasting."""
    low, high = torch.maximum(a[..., :2], b[..., :2]), torch.minimum(a[..., 2:], b[..., 2:])
    common = (high - low).clamp(min=0).prod(-1)
    return common / ((a[..., 2:] - a[..., :2]).prod(-1) + (b[..., 2:] - b[..., :2]).prod(-1) - common + 1e-6)


@torch.no_grad()
def assign(boxes, objectness, person, truth, centers, strides):
    """Returns for each anchor the index of its person, or -1 (SimOTA of YOLOX, for one class)."""
    result = torch.full((len(boxes),), -1)
    if len(truth) == 0:
        return result
    x, y = centers[:, None, 0], centers[:, None, 1]
    in_box = (x > truth[:, 0]) & (y > truth[:, 1]) & (x < truth[:, 2]) & (y < truth[:, 3])
    middle = (truth[:, :2] + truth[:, 2:]) / 2
    reach = 2.5 * strides
    in_middle = ((x - middle[:, 0]).abs() < reach) & ((y - middle[:, 1]).abs() < reach)
    candidates = torch.nonzero((in_box | in_middle).any(1))[:, 0]
    if len(candidates) == 0:
        return result
    both = (in_box & in_middle)[candidates]
    shared = overlaps(boxes[candidates, None], truth[None])
    score = (objectness[candidates].sigmoid() * person[candidates].sigmoid()).sqrt().clamp(1e-6, 1 - 1e-6)
    cost = -score.log()[:, None] - 3 * (shared + 1e-8).log() + 1e5 * (~both)
    counts = shared.topk(min(10, len(candidates)), dim=0).values.sum(0).int().clamp(min=1)
    chosen = torch.zeros_like(both)
    for index, count in enumerate(counts.tolist()):
        chosen[cost[:, index].topk(min(count, len(candidates)), largest=False).indices, index] = True
    several = chosen.sum(1) > 1
    if several.any():
        best = cost[several].argmin(1)
        chosen[several] = functional.one_hot(best, len(truth)).bool()
    positive = chosen.any(1)
    result[candidates[positive]] = chosen[positive].int().argmax(1)
    return result


def loss(rows, batch, height, width):
    """Returns the sum of the losses of a batch and their parts."""
    points, strides = anchors(height, width)
    centers = (points + 0.5) * strides
    boxes, uppers, logits = split(rows, points, strides)
    objectness, upper_objectness, person = logits.unbind(-1)
    totals = dict.fromkeys(("box", "upper", "objectness", "upper objectness", "person"), 0.0)
    count, upper_count = 0, 0
    for index, (_, truth, upper_truth, known, ignored) in enumerate(batch):
        truth, upper_truth, ignored = (torch.from_numpy(array) for array in (truth, upper_truth, ignored))
        known = torch.from_numpy(known)
        owner = assign(boxes[index].detach(), objectness[index].detach(), person[index].detach(), truth, centers,
                       strides)
        positive = owner >= 0
        target = positive.float()
        weight = torch.ones_like(target)
        if len(ignored):
            x, y = centers[:, None, 0], centers[:, None, 1]
            inside = ((x > ignored[:, 0]) & (y > ignored[:, 1]) & (x < ignored[:, 2]) & (y < ignored[:, 3])).any(1)
            weight[inside & ~positive] = 0
        upper_target, upper_weight = torch.zeros_like(target), weight.clone()
        if positive.any():
            mine = owner[positive]
            count += len(mine)
            shared = overlaps(boxes[index][positive], truth[mine])
            totals["box"] += (1 - shared**2).sum()
            totals["person"] += functional.binary_cross_entropy_with_logits(
                person[index][positive], shared.detach(), reduction="sum")
            state = known[mine]
            upper_shared = overlaps(uppers[index][positive], upper_truth[mine])
            totals["upper"] += ((1 - upper_shared**2) * (state == KNOWN)).sum()
            upper_count += int((state == KNOWN).sum())
            upper_target[positive] = torch.where(state == ABSENT, 0.0, upper_shared.detach())
            upper_weight[positive] = (state != UNKNOWN).float()
        totals["objectness"] += functional.binary_cross_entropy_with_logits(
            objectness[index], target, weight, reduction="sum")
        totals["upper objectness"] += functional.binary_cross_entropy_with_logits(
            upper_objectness[index], upper_target, upper_weight, reduction="sum")
    for name in totals:
        totals[name] = totals[name] / max(upper_count if name == "upper" else count, 1)
    totals["box"], totals["upper"] = totals["box"] * BOX_WEIGHT, totals["upper"] * BOX_WEIGHT
    return sum(totals.values()), {name: float(torch.as_tensor(value).detach()) for name, value in totals.items()}


def feed(queue, photos, seed, steps, mosaics_until):
    sampler = Sampler(photos, seed)
    for step in range(steps):
        queue.put(sampler.batch(BATCH, 0.5 if step < mosaics_until else 0.15))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("people", type=pathlib.Path)
    parser.add_argument("yolox", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--frozen", type=int, default=1500)
    parser.add_argument("--end", type=int)
    parser.add_argument("--start", type=pathlib.Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=20)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)
    photos = [photo for photo in json.loads(arguments.people.read_text()) if photo["part"] == "train"]
    network = from_original(load_original(arguments.yolox))
    classes = {name: value.clone() for name, value in network.state_dict().items()
               if ".kind." in name or ".class_score." in name}
    if arguments.start:
        network.load_state_dict(torch.load(arguments.start))
    network = network.to(memory_format=torch.channels_last)
    average = copy.deepcopy(network)
    parts = {name: [] for name in RATES}
    for name, parameter in network.named_parameters():
        parts["upper" if ".upper" in name else name.split(".")[0]].append(parameter)
    groups = [{"params": parts[name], "peak": rate} for name, rate in RATES.items()]
    optimizer = torch.optim.AdamW(groups, lr=0, weight_decay=1e-4)
    queue = multiprocessing.Queue(4)
    process = multiprocessing.Process(
        target=feed, args=(queue, photos, arguments.seed, arguments.steps, arguments.steps * 3 // 4), daemon=True)
    process.start()
    began, recent = time.time(), []
    end = arguments.end or arguments.steps
    for step in range(end):
        batch = queue.get()
        height, width = batch[0][0].shape[:2]
        pixels = torch.from_numpy(np.stack([sample[0] for sample in batch])).permute(0, 3, 1, 2).float()
        with torch.autocast("cpu", torch.bfloat16):
            with torch.no_grad():
                fine = network.backbone.fine(pixels.contiguous(memory_format=torch.channels_last))
            with torch.set_grad_enabled(step >= arguments.frozen):
                maps = network.backbone.rest(fine)
            rows = [head(value).flatten(2).float() for head, value in zip(network.heads, network.neck(*maps))]
        total, losses = loss(torch.cat(rows, 2).transpose(1, 2), batch, height, width)
        progress = step / arguments.steps
        factor = min(1, (step + 1) / WARMUP) * (0.01 + 0.99 * (1 + math.cos(math.pi * progress)) / 2)
        for group in optimizer.param_groups:
            group["lr"] = group["peak"] * factor
        optimizer.zero_grad(set_to_none=True)
        total.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 20)
        optimizer.step()
        decay = min(AVERAGE, (1 + step) / (10 + step))
        with torch.no_grad():
            for mean, value in zip(average.parameters(), network.parameters()):
                mean.lerp_(value, 1 - decay)
        recent.append(list(losses.values()))
        if (step + 1) % 20 == 0:
            text = ", ".join(f"{name} {value:.3f}" for name, value in zip(losses, np.mean(recent, 0)))
            print(f"{step + 1} of {arguments.steps}, {time.time() - began:.0f} s: {text}", flush=True)
            recent = []
        if (step + 1) % 20 == 0 or step + 1 == end:
            torch.save(average.state_dict() | classes, arguments.out)
    process.terminate()


if __name__ == "__main__":
    main()
