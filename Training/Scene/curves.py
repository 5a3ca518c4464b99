#!/usr/bin/env python3
"""Measures recall and false positives of every class of the scene taxonomy.

    curves.py --logits FOLDER --table scene-taxonomy.table --boxes FOLDER --scoring scene-scoring.table
              --wordnet /usr/share/wordnet --write scene-curves.table [--revisions 3]

For each threshold the recall among photos that show the class and the rate of false positives among those that do not;
the precision follows from these and from how common the class is (SceneCurves.swift).

A class with 20 photos, single ones and ones with boxes of both halves, has its own curve. Any other takes the curve of
its kind (outputs, or classes above outputs) that all labelled classes below its nearest WordNet ancestor with enough
photos make together; its thresholds are moved by how far its scores on photos without it lie from those of the others
there. Pairs count in the common curves of outputs: the networks have probably learnt from the single photos, and in a
pair each is smaller and out of shape. Without such an ancestor a class has no curve.
"""

import argparse
import pathlib
import sys

import fit
import numpy as np
import wordnet
from scoring import REVISIONS, Data, Scoring

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Shared"))
import tables  # noqa: E402

ENOUGH = 20
LABELS = 3  # labelled classes that a pool needs: with fewer it would be the curve of another class
NEGATIVES = 300
# Ancestors that join what has nothing in common.
TOO_WIDE = {"entity", "physical_entity", "abstraction", "object", "whole", "matter", "substance", "causal_agent"}
# Recalls at which the curve is kept.
RECALLS = [0.01, 0.02, 0.05] + [round(0.05 * k, 2) for k in range(2, 20)] + [0.97, 0.99]
EDGES = np.linspace(-16, 10, 521)  # of logits of confidences
TAIL = (0.9, 0.95, 0.98)  # where the scores without the class are compared
SHIFT = 0.5  # how much of the distance is made up: all of it overshoots (see check_pools)


def logit(p):
    p = np.clip(p.astype(np.float64), 1e-7, 1 - 1e-7)
    return np.log(p / (1 - p))


class Measurements:
    """Scores of every class on the photos that show it and on those that do not."""

    def __init__(self, data, scoring):
        self.data = data
        rows = np.concatenate([data.rows("single"), data.rows("boxes")])
        self.truth = data.truth[rows]
        self.scores = logit(scoring.confidences(rows))
        # What a photo is of: its output, or its first labelled thing. Photos of one thing weigh less the more there
        # are.
        self.kind = np.array([data.images[i].get("label") or f"boxes-{self.first(i)}" for i in rows])
        pairs = data.rows("pairs")
        pair_scores, pair_truth = logit(scoring.confidences(pairs)), data.truth[pairs]
        self.positives, self.absent, self.tails, self.in_pairs = [], [], [], []
        for cls in range(len(data.classes)):
            scores = self.scores[:, cls]
            self.positives.append(np.where(self.truth[:, cls] == 1)[0])
            self.in_pairs.append(pair_scores[pair_truth[:, cls] == 1, cls])
            known = scores[self.truth[:, cls] == 0]
            self.absent.append(len(known))
            self.tails.append(np.quantile(known, TAIL) if len(known) else np.zeros(len(TAIL)))
        # false[cls, k]: the rate of false positives at EDGES[k]. Photos of which nothing is known may show the class;
        # taking all of them for photos without it makes the rate too high, but they are many. Whichever bound is lower
        # holds.
        self.false = np.ones((len(data.classes), len(EDGES)))
        for cls in range(len(data.classes)):
            for chosen in (self.truth[:, cls] == 0, self.truth[:, cls] != 1):
                counts = np.histogram(np.clip(self.scores[chosen, cls], EDGES[0], EDGES[-1] - 1e-9), EDGES)[0]
                above = np.append(counts[::-1].cumsum()[::-1], 0)
                # Rule of succession: none among few photos is not none.
                self.false[cls] = np.minimum(self.false[cls], (above + 1) / (chosen.sum() + 1))

    def first(self, image):
        labels = np.where(self.data.truth[image] == 1)[0]
        deep = self.data.classes.above.sum(axis=1)
        return max(labels, key=lambda cls: deep[cls]) if len(labels) else "none"

    def weights(self, photos):
        names, inverse, counts = np.unique(self.kind[photos], return_inverse=True, return_counts=True)
        return 1 / np.sqrt(counts[inverse])


def effective(weights):
    return weights.sum() ** 2 / (weights**2).sum() if len(weights) else 0


def curve(scores, weights, false):
    """Points of threshold (as logit), recall, rate of false positives."""
    order = np.argsort(-scores)
    scores, weights = scores[order], weights[order]
    count = effective(weights)
    # The rule of succession again.
    found = np.cumsum(weights) / weights.sum() * count / (count + 1)
    points = []
    for recall in RECALLS:
        at = np.searchsorted(found, recall)
        if at >= len(found):
            break
        edge = max(np.searchsorted(EDGES, scores[at], side="right") - 1, 0)
        points.append([scores[at], found[at], false[edge]])
    # A higher threshold does not make it less precise: where it seems so, photos are too few to tell.
    for index in range(len(points) - 2, -1, -1):
        lower, this = points[index + 1], points[index]
        this[2] = min(this[2], lower[2] / lower[1] * this[1])
    return points


class Pools:
    """Classes by their WordNet ancestors."""

    def __init__(self, data, folder):
        self.synsets = wordnet.nouns(folder)
        self.data = data
        self.above = []
        for cls, offsets in enumerate(data.classes.offsets):
            levels, current, seen = [], {offsets[0]}, set()
            while current:
                current = {h for o in current for h in self.synsets[o].hypernyms if h not in seen}
                seen |= current
                levels.append(current)
            # Links of the taxonomy that WordNet lacks count as well.
            for parent in data.classes.parents[cls]:
                if data.classes.offsets[parent][0] not in seen:
                    levels[0] = levels[0] | {data.classes.offsets[parent][0]}
            self.above.append(levels)
        self.members = {}
        for cls, levels in enumerate(self.above):
            for offset in set().union(*levels) if levels else set():
                self.members.setdefault((offset, bool(data.leaf[cls])), []).append(cls)

    def nearest(self, cls):
        """Ancestors by distance, and those of a distance by how few classes they join."""
        leaf = bool(self.data.leaf[cls])
        for level in self.above[cls]:
            for offset in sorted(level, key=lambda o: (len(self.members.get((o, leaf), [])), o)):
                if self.synsets[offset].words[0] not in TOO_WIDE:
                    yield offset, self.members.get((offset, leaf), [])


def pooled(measured, members, leave_out=None):
    """Curve of the classes together, the scores of each moved to the common tail; and that tail. None with too few
    photos."""
    members = [m for m in members if m != leave_out and measured.absent[m] >= NEGATIVES]
    labelled = [m for m in members if len(measured.positives[m])]
    photos = {p for m in labelled for p in measured.positives[m]}
    if len(labelled) < LABELS or len(photos) < ENOUGH:
        return None
    tail = np.mean([measured.tails[m] for m in members], axis=0)
    shifts = {m: SHIFT * np.mean(measured.tails[m] - tail) for m in members}
    false = np.mean([np.interp(EDGES + shifts[m], EDGES, measured.false[m]) for m in members], axis=0)
    scores, weights = [], []
    for member in labelled:
        photos, pairs = measured.scores[measured.positives[member], member], measured.in_pairs[member]
        scores.append(photos - shifts[member])
        weights.append(np.full(len(photos), 1 / np.sqrt(len(photos))))
        if measured.data.leaf[member] and len(pairs):
            # All pairs of a class together weigh as much as its photos.
            scores.append(pairs - shifts[member])
            weights.append(np.full(len(pairs), weights[-1].sum() / len(pairs)))
    scores, weights = np.concatenate(scores), np.concatenate(weights)
    return (curve(scores, weights, false), tail) if effective(weights) >= ENOUGH / 2 else None


def own(measured, cls):
    photos = measured.positives[cls]
    if len(photos) < ENOUGH or measured.absent[cls] < NEGATIVES:
        return None
    weights = measured.weights(photos)
    return (
        curve(measured.scores[photos, cls], weights, measured.false[cls]) if effective(weights) >= ENOUGH / 2 else None
    )


def check_pools(measured, pools):
    """How far pooled curves are from the own curves of the classes that have both, the class itself left out of the
    pool."""
    gaps = {True: [], False: []}
    for cls in range(len(measured.data.classes)):
        if own(measured, cls) is None:
            continue
        for _, members in pools.nearest(cls):
            found = pooled(measured, members, leave_out=cls)
            if found:
                points, tail = found
                shift = SHIFT * np.mean(measured.tails[cls] - tail)
                scores, weights = measured.scores[measured.positives[cls], cls], measured.weights(
                    measured.positives[cls]
                )
                for recall in (0.5, 0.8):
                    at = next((p for p in points if p[1] >= recall), None)
                    if at:
                        real = weights[scores >= at[0] + shift].sum() / weights.sum()
                        plain = weights[scores >= at[0]].sum() / weights.sum()
                        gaps[bool(measured.data.leaf[cls])].append((real - at[1], plain - at[1]))
                break
    for leaf, values in gaps.items():
        if values:
            moved, plain = np.array(values).T
            print(
                f"  recall of pooled curves against the classes' own, {'outputs' if leaf else 'above'}, "
                f"{len(values)} points: "
                f"mean error {100 * moved.mean():+.1f}, mean absolute {100 * np.abs(moved).mean():.1f} "
                f"(not moved {100 * np.abs(plain).mean():.1f}) points"
            )


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("logits", "table", "boxes", "scoring", "write"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    parser.add_argument("--wordnet", required=True)
    parser.add_argument("--revisions", type=int, nargs="+", default=list(REVISIONS))
    arguments = parser.parse_args()
    data = Data(arguments.logits, arguments.table, arguments.boxes)
    pools = Pools(data, arguments.wordnet)
    numbers, contexts = fit.read(arguments.scoring), fit.read_contexts(arguments.scoring)
    arrays = tables.read(arguments.write) if arguments.write.exists() else {}
    for revision in arguments.revisions:
        data.load(revision)
        measured = Measurements(data, Scoring(data, numbers[revision], contexts[revision]))
        curves, names, uses, cache = [], [], [], {}
        counts = {(leaf, how): 0 for leaf in (True, False) for how in ("own", "pooled", "none")}
        for cls, identifier in enumerate(data.classes.identifiers):
            leaf = bool(data.leaf[cls])
            points = own(measured, cls)
            if points:
                counts[leaf, "own"] += 1
                curves.append(points)
                names.append(identifier)
                uses.append((identifier, len(curves) - 1, 0.0))
                continue
            for offset, members in pools.nearest(cls):
                if (offset, leaf) not in cache:
                    cache[offset, leaf] = pooled(measured, members)
                    if cache[offset, leaf]:
                        curves.append(cache[offset, leaf][0])
                        names.append(f"{'outputs' if leaf else 'classes'} below {pools.synsets[offset].words[0]}")
                        cache[offset, leaf] += (len(curves) - 1,)
                if cache[offset, leaf] and measured.absent[cls] >= NEGATIVES:
                    _, tail, index = cache[offset, leaf]
                    counts[leaf, "pooled"] += 1
                    uses.append((identifier, index, round(float(SHIFT * np.mean(measured.tails[cls] - tail)), 2)))
                    break
            else:
                counts[leaf, "none"] += 1
        found = ", ".join(f"{'outputs' if l else 'above'} {h} {n}" for (l, h), n in counts.items())
        print(f"revision {revision}: {found}")
        print("  pools: " + ", ".join(f"{n} ({sum(u[1] == i for u in uses)})" for i, n in enumerate(names) if " " in n))
        check_pools(measured, pools)
        # Logits of thresholds, so that they can be moved.
        points = [(round(t, 2), round(r, 3), float(f"{f:.3g}")) for curve in curves for t, r, f in curve]
        arrays[f"{revision}.lengths"] = np.array([len(curve) for curve in curves], np.uint8)
        for name, column in zip(("logits", "recalls", "false_rates"), np.array(points, np.float32).T):
            arrays[f"{revision}.{name}"] = column
        arrays[f"{revision}.classes"] = [name for name, *_ in uses]
        arrays[f"{revision}.curves"] = np.array([curve for _, curve, _ in uses], np.uint16)
        arrays[f"{revision}.shifts"] = np.array([shift for *_, shift in uses], np.float32)
    tables.write(arguments.write, **arrays)


if __name__ == "__main__":
    main()
