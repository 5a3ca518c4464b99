#!/usr/bin/env python3
"""Trains the branch of classes of the people network, and nothing else, to tell people from what looks like them.

usage: train_classes.py PEOPLE.pt OUT.pt PATCHES.npz... [--epochs 8] [--seed 25]

PATCHES.npz are what class_patches.py collected. The branch says how well the box overlaps a person, 0 for no person;
anchors count as much as their objectness.

needs: numpy, onnx, torch
"""
import argparse
import math
import pathlib

import numpy as np
import torch
from torch.nn import functional

from network import People

RATE, BATCH = 1e-3, 512


def scores(head, patches, inside):
    """Returns the logits of the branch at the centers of patches."""
    value = patches
    for index, block in enumerate(head.kind):
        depthwise, pointwise = block
        layer = depthwise.conv
        value = functional.silu(functional.conv2d(value, layer.weight, layer.bias, groups=layer.groups))
        value = pointwise(value)
        if index == 0:
            value = value * inside[:, None]
    return head.class_score(value)[:, 0, 0, 0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("patches", type=pathlib.Path, nargs="+")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--seed", type=int, default=25)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(arguments.seed)
    network = People()
    network.load_state_dict(torch.load(arguments.network))
    files = [np.load(path) for path in arguments.patches]
    arrays = {key: np.concatenate([file[key] for file in files])
              for key in ("patches", "inside", "level", "logits", "targets")}
    known = arrays["targets"] >= 0
    weights = 1 / (1 + np.exp(-arrays["logits"][:, :2].max(1)))
    for level, head in enumerate(network.heads):
        mine = np.flatnonzero(known & (arrays["level"] == level))
        patches, inside, target, weight = (torch.from_numpy(values[mine]).float() for values in (
            arrays["patches"], arrays["inside"], arrays["targets"], weights))
        before = torch.from_numpy(arrays["logits"][mine, 2])
        parameters = [*head.kind.parameters(), *head.class_score.parameters()]
        optimizer = torch.optim.AdamW(parameters, arguments.rate, weight_decay=1e-3)
        steps, step = math.ceil(len(mine) / BATCH) * arguments.epochs, 0
        for epoch in range(arguments.epochs):
            total = 0.0
            for part in torch.randperm(len(mine)).split(BATCH):
                for group in optimizer.param_groups:
                    group["lr"] = arguments.rate * min(1, (step + 1) / 10) * (1 + math.cos(math.pi * step / steps)) / 2
                logits = scores(head, patches[part] + 0.05 * torch.randn_like(patches[part]), inside[part])
                loss = functional.binary_cross_entropy_with_logits(
                    logits, target[part], weight[part], reduction="sum") / weight[part].sum()
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                total += float(loss.detach()) * len(part)
                step += 1
            if epoch == 0:
                base = functional.binary_cross_entropy_with_logits(before, target, weight, reduction="sum")
                print(f"level {level}: {len(mine)} anchors, {(target > 0).sum()} of people, "
                      f"before {float(base / weight.sum()):.4f}")
            print(f"  epoch {epoch + 1}: {total / len(mine):.4f}", flush=True)
    torch.save(network.state_dict(), arguments.out)


if __name__ == "__main__":
    main()
