#!/usr/bin/env python3
"""Trains the network that finds cats and dogs on the photos that `pack.py` packed.

    train.py --models STORE --photos FOLDER --output WEIGHTS.pt [--start WEIGHTS.pt] [--boxes-from WEIGHTS.pt]

needs: numpy, onnx, Pillow, torch and a GPU

Starts from the backbone in the store, or from --start. Photos of one species without boxes are used with --boxes-from:
the boxes that those weights find in them. Writes the averaged weights, and prints the average precision on the held-out
photos.
"""
import argparse
import math
import pathlib
import time

import numpy as np
import torch

import measure
from loss import loss_of
from network import Animals, boxes, centres
from sizes import SIZES, cells
from views import Photos, views_of

BATCH = 128
# How often photos are drawn: with boxes of cats or dogs, of one species whose boxes were found, with other animals, and
# the rest.
WEIGHTS = {"boxes": 1.0, "found": 0.35, "others": 0.6, "rest": 0.35}
# Shares of the batches with one, two and four photos in a view.
LAYOUTS = {1: 0.7, 2: 0.15, 4: 0.15}
# Found boxes of the photo's own species: those that count, and those that are neither object nor background.
COUNTS, DOUBTFUL = 0.45, 0.1


def found_in(network, photos, indices, mirrored=False):
    """Boxes and scores of whole photos, by index."""
    network.eval()
    found = {}
    with torch.no_grad(), torch.autocast(photos.device, torch.bfloat16):
        for size, own in photos.by_size(indices).items():
            middles = centres(*cells(size, 16), size).to(photos.device)
            for start in range(0, len(own), BATCH):
                # Batches of one size: other sizes take the GPU's libraries seconds to prepare.
                some = own[start:start + BATCH]
                batch = photos.whole(some + some[-1:] * (BATCH - len(some)), size)
                batch = batch.contiguous(memory_format=torch.channels_last)
                sides, scores = network(batch.flip(3) if mirrored else batch)
                corners = boxes(sides.float(), middles)
                if mirrored:
                    corners = torch.stack(
                        [1 - corners[..., 2], corners[..., 1], 1 - corners[..., 0], corners[..., 3]], -1)
                corners, scores = corners.cpu().numpy(), scores.float().sigmoid().cpu().numpy()
                found.update({index: (c, s) for index, c, s in zip(some, corners, scores)})
    return found


def report(network, photos):
    held = [index for index, row in enumerate(photos.rows) if row["held_out"]]
    raw = found_in(network, photos, held)
    found = [measure.suppressed(*raw[index], floor=0.02) for index in held]
    truth = [np.array(photos.rows[index]["boxes"]).reshape(-1, 6) for index in held]
    best = np.array([f[0, 1] if len(f) else 0 for f in found])
    empty = np.array([len(t) == 0 for t in truth])
    others = np.array([photos.rows[index]["other_animals"] for index in held])
    marks = [measure.average_precision(found, truth, kind) for kind in range(2)]

    def least(which, share):
        """The score that is exceeded in a share of some photos."""
        high = np.sort(best[which])[::-1]
        return high[int(share * len(high))]

    limit = max(least(empty & ~others, 0.01), least(empty & others, 0.05))
    hit = [np.mean([f[f[:, 0] == k, 1].max(initial=0) > limit for f, t in zip(found, truth) if (t[:, 0] == k).any()])
           for k in range(2)]
    return (f"AP50 cat {marks[0]:.4f} dog {marks[1]:.4f}; above {limit:.2f} 1 % of photos without animals and 5 % with "
            f"others are false, photos found {hit[0]:.3f} {hit[1]:.3f}")


def find_boxes(network, photos):
    """Gives the photos of one species the boxes that a network finds in them; returns the indices of those with one
    that counts."""
    own = {"cat": 0, "dog": 1}
    indices = [index for index, row in enumerate(photos.rows) if row["source"] in own]
    plain, mirrored = found_in(network, photos, indices), found_in(network, photos, indices, mirrored=True)
    used = []
    for index in indices:
        kind = own[photos.rows[index]["source"]]
        corners = np.concatenate([plain[index][0], mirrored[index][0]])
        scores = np.concatenate([plain[index][1], mirrored[index][1]])
        # The species is known.
        scores[:, 1 - kind] = 0
        found = measure.suppressed(corners, scores, floor=DOUBTFUL)
        if len(found) and found[0, 1] >= COUNTS:
            photos.set_boxes(index, [[kind, *box[2:], float(box[1] >= COUNTS)] for box in found])
            used.append(index)
    return used


def chances(photos, used):
    """How likely each photo is drawn."""
    used = set(used)

    def weight(index, row):
        if row["held_out"]:
            return 0
        if row["boxes"]:
            return WEIGHTS["boxes"]
        if row["source"] in ("cat", "dog"):
            return WEIGHTS["found"] if index in used else 0
        return WEIGHTS["others" if row["other_animals"] else "rest"]

    return torch.tensor([weight(index, row) for index, row in enumerate(photos.rows)], device=photos.device)


def size_chances(photos):
    lists = photos.by_size(index for index, row in enumerate(photos.rows) if row["boxes"])
    return np.array([len(lists.get(size, [])) for size in SIZES], float) / sum(map(len, lists.values()))


def train(arguments):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(arguments.seed)
    rng = np.random.default_rng(arguments.seed)
    photos = Photos(arguments.photos, device)
    network = Animals(arguments.models).to(device).to(memory_format=torch.channels_last)
    used = []
    if arguments.boxes_from:
        network.load_state_dict(torch.load(arguments.boxes_from, map_location=device))
        used = find_boxes(network, photos)
        print(f"boxes found in {len(used)} photos of one species", flush=True)
        network = Animals(arguments.models).to(device).to(memory_format=torch.channels_last)
    if arguments.start:
        network.load_state_dict(torch.load(arguments.start, map_location=device))
    drawn, shares = chances(photos, used), size_chances(photos)
    average = torch.optim.swa_utils.AveragedModel(
        network, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(arguments.average), use_buffers=True)
    optimiser = torch.optim.AdamW(
        [{"params": network.backbone.parameters(), "lr": arguments.rate * arguments.backbone},
         {"params": network.head.parameters(), "lr": arguments.rate}], weight_decay=0.05)

    def factor(step):
        return min(1, (step + 1) / 300) * (0.01 + 0.99 * (1 + math.cos(math.pi * step / arguments.steps)) / 2)

    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, factor)
    marks, start = [], time.time()
    for step in range(arguments.steps):
        network.train()
        layout = int(rng.choice(list(LAYOUTS), p=list(LAYOUTS.values())))
        size = SIZES[rng.choice(len(SIZES), p=shares)]
        chosen = torch.multinomial(drawn, arguments.batch * layout, replacement=True).reshape(-1, layout)
        views, truth = views_of(photos, chosen, size, layout)
        middles = centres(*cells(size, 16), size).to(device)
        with torch.autocast(device, torch.bfloat16):
            sides, scores = network(views.contiguous(memory_format=torch.channels_last))
        kind, place = loss_of(boxes(sides.float(), middles), scores.float(), truth, middles, size)
        optimiser.zero_grad(set_to_none=True)
        (kind + 2 * place).backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5)
        optimiser.step()
        schedule.step()
        average.update_parameters(network)
        marks.append(torch.stack([kind.detach(), place.detach()]))
        if step % 200 == 199 or step + 1 == arguments.steps:
            means = torch.stack(marks[-200:]).mean(0).tolist()
            print(f"{step + 1}: score {means[0]:.3f} box {means[1]:.3f}, {time.time() - start:.0f} s", flush=True)
        if step % arguments.every == arguments.every - 1 or step + 1 == arguments.steps:
            print(report(average.module, photos), flush=True)
            torch.save(average.module.state_dict(), arguments.output)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--models", "--photos", "--output"):
        parser.add_argument(name, required=True, type=pathlib.Path)
    parser.add_argument("--boxes-from", type=pathlib.Path)
    parser.add_argument("--start", type=pathlib.Path)
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--batch", type=int, default=BATCH)
    parser.add_argument("--every", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--backbone", type=float, default=0.15, help="the backbone's rate as a share of it")
    parser.add_argument("--average", type=float, default=0.998, help="the share of the averaged weights that stays")
    parser.add_argument("--seed", type=int, default=1)
    train(parser.parse_args())


if __name__ == "__main__":
    main()
