#!/usr/bin/env python3
"""Evaluates SceneScoring on the held-out half, against the softmax with sums for the classes above.

    evaluate.py --logits FOLDER --table scene-taxonomy.table --boxes FOLDER --scoring scene-scoring.table
        [--revisions 3]

mAP: mean over classes of the average precision over the pairs. Recall at equal false positives: the share of what is in
the pairs that is found with the threshold that lets through one of 1000 absent leaves (one of 100 absent classes above)
on single photos. ECE: 15 bins of equal width; of all confidences, and of those above 1/15, because most are near 0 and
right.
"""

import argparse
import pathlib

import fit
import numpy as np
from scoring import REVISIONS, Data, Scoring


def average_precision(scores, labels):
    """For each column; nan where nothing is present. Unknowns must not be in it."""
    order = np.argsort(-scores, axis=0, kind="stable")
    hits = np.take_along_axis(labels, order, 0).astype(np.float32)
    precision = np.cumsum(hits, axis=0) / np.arange(1, len(hits) + 1)[:, None]
    count = hits.sum(axis=0)
    return np.where(count > 0, (precision * hits).sum(axis=0) / np.maximum(count, 1), np.nan)


def known_average_precision(scores, labels):
    values = []
    for column in range(scores.shape[1]):
        known = labels[:, column] >= 0
        values.append(average_precision(scores[known, column : column + 1], labels[known, column : column + 1])[0])
    return np.array(values)


def calibration_error(confidences, labels):
    known = labels >= 0
    confidences, labels = confidences[known], labels[known]
    bins = np.minimum((confidences * 15).astype(int), 14)
    gap = np.abs(np.bincount(bins, confidences, 15) - np.bincount(bins, labels, 15))
    return gap.sum() / len(bins), gap[1:].sum() / max(1, (bins > 0).sum())


def ranks(data, scores, rows):
    """Top-1 and top-5 of the leaves on single photos, in percent."""
    leaves = scores[:, data.leaf]
    own = np.where(data.truth[rows][:, data.leaf] == 1, leaves, -np.inf).max(axis=1, keepdims=True)
    better = (leaves > own).sum(axis=1)
    return 100 * (better < 1).mean(), 100 * (better < 5).mean()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("logits", "table", "boxes", "scoring"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    parser.add_argument("--revisions", type=int, nargs="+", default=list(REVISIONS))
    arguments = parser.parse_args()
    data = Data(arguments.logits, arguments.table, arguments.boxes)
    numbers, contexts = fit.read(arguments.scoring), fit.read_contexts(arguments.scoring)
    groups = (("leaves", data.leaf, 0.001), ("above", ~data.leaf, 0.01))
    for revision in arguments.revisions:
        data.load(revision)
        ours = Scoring(data, numbers[revision], contexts[revision])
        methods = (("softmax", data.softmax_scores), ("ours", ours.confidences))
        pairs, single, boxes = data.rows("pairs", 1), data.rows("single", 1), data.rows("boxes", 1)
        everyone = np.where(data.imagenet)[0]
        # People may be in any photo.
        told = (data.truth[pairs] >= 0).all(axis=0)
        for name, method in methods:
            on_pairs, on_single, on_boxes = method(pairs), method(single), method(boxes)
            top = ranks(data, method(everyone), everyone)
            print(
                f"revision {revision}, {name}: top-1 / top-5 of all {len(everyone)} photos of ImageNet {top[0]:.1f} "
                f"/ {top[1]:.1f} %"
            )
            for group, mask, rate in groups:
                mask = mask & told
                labels = data.truth[pairs][:, mask]
                precision = np.nanmean(average_precision(on_pairs[:, mask], labels))
                absent = on_single[:, mask][data.truth[single][:, mask] == 0]
                threshold = np.quantile(absent, 1 - rate)
                recall = (on_pairs[:, mask][labels == 1] > threshold).mean()
                text = f"  {group}: mAP on pairs {100 * precision:.1f}, "
                text += f"recall on pairs at {100 * rate:.1f} % false positives {100 * recall:.1f}"
                if name == "ours":
                    for kind, scores, rows in (
                        ("single", on_single, single),
                        ("pairs", on_pairs, pairs),
                        ("boxes", on_boxes, boxes),
                    ):
                        error = calibration_error(scores[:, mask], data.truth[rows][:, mask])
                        text += f"; ECE {kind} {100 * error[0]:.2f} % ({100 * error[1]:.1f} %)"
                print(text, flush=True)
            voc = [data.classes.index[name] for name in contexts[revision]]
            found = known_average_precision(on_boxes[:, voc], data.truth[boxes][:, voc])
            text = ", ".join(f"{n} {100 * v:.0f}" for n, v in zip(contexts[revision], found))
            print(f"  photos with boxes: mAP {100 * np.mean(found):.1f}: {text}", flush=True)


if __name__ == "__main__":
    main()
