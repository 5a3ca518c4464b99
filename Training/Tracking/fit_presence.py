#!/usr/bin/env python3
"""Fits the confidence of an object tracker: a logistic function of its evidence.

usage: fit_presence.py EVIDENCE.csv [--columns presence,log_score] [--lost 0.65] [--folds 10] [--penalty 0.001]

EVIDENCE is what `Benchmarks accuracy tracking --evidence FILE VIDEOS` writes (--revision, --accurate: which tracker).
Frames with an overlap of 0.5 or more are good, those with 0.1 or less, or a hidden target, are lost; the others do not
count. A class weighs as --lost says, and, within a class, does the square root of a video's frames, so that no long
loss of one video decides. Prints the weights, and how well they work by cross-validation over videos: clips cut from
one video are on the same side. The intervals are 95 % of bootstrap samples of videos.
"""
import argparse
import csv

import numpy as np

# Videos of the same clip.
CLIPS = {"FaceOcc1_magazine": "FaceOcc1", "building4_pitch": "building4", "truck4_2": "truck4_1"}


def fit(x, y, weight, penalty):
    """-> the weights of a logistic regression on standardised columns, the constant last"""
    x = np.c_[x, np.ones(len(x))]
    ridge = penalty * np.eye(x.shape[1])
    ridge[-1, -1] = 0
    found = np.zeros(x.shape[1])
    for _ in range(60):
        p = 1 / (1 + np.exp(-np.clip(x @ found, -30, 30)))
        curvature = weight * np.maximum(p * (1 - p), 1e-6)
        step = np.linalg.solve((x * curvature[:, None]).T @ x + ridge, x.T @ (weight * (y - p)) - ridge @ found)
        found += step
        if np.abs(step).max() < 1e-8:
            break
    return found


def class_weights(good, lost, clips, share):
    weight = np.zeros(len(clips))
    for members, total in ((good, 1 - share), (lost, share)):
        for clip in np.unique(clips[members]):
            chosen = members & (clips == clip)
            weight[chosen] = 1 / np.sqrt(chosen.sum())
        weight[members] *= total / weight[members].sum()
    return weight


def roc_area(good, lost):
    if not len(good) or not len(lost):
        return np.nan
    lost = np.sort(lost)
    wins = np.searchsorted(lost, good, "left") + np.searchsorted(lost, good, "right")
    return wins.sum() / 2 / len(good) / len(lost)


def summary(p, good, lost):
    return np.array([roc_area(p[good], p[lost]), (p[lost] >= 0.5).mean(), (p[good] < 0.5).mean()])


def show(name, p, good, lost, clips):
    random = np.random.default_rng(1)
    of = {clip: np.flatnonzero(clips == clip) for clip in np.unique(clips)}
    drawn = []
    for _ in range(300):
        rows = np.concatenate([of[clip] for clip in random.choice(list(of), len(of))])
        if lost[rows].any():
            drawn.append(summary(p[rows], good[rows], lost[rows]))
    if not drawn:
        print(f"{name:34s} no frame is lost")
        return
    low, high = np.nanpercentile(drawn, [2.5, 97.5], axis=0)
    cells = [f"{v:.3f} [{a:.3f}, {b:.3f}]" for v, a, b in zip(summary(p, good, lost), low, high)]
    print(f"{name:34s} sep {cells[0]}  lost with 0.5 or more {cells[1]}  good below 0.5 {cells[2]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("evidence")
    parser.add_argument("--columns", help="only these, separated by commas")
    parser.add_argument("--lost", type=float, default=0.65, help="the weight of lost frames, 0 to 1")
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--penalty", type=float, default=0.001)
    options = parser.parse_args()
    rows = list(csv.DictReader(open(options.evidence)))
    columns = options.columns.split(",") if options.columns else list(rows[0])[4:]
    x = np.array([[float(row[c]) for c in columns] for row in rows])
    overlap = np.array([float(row["overlap"]) for row in rows])
    forwards = np.array([row["pass"] == "forwards" for row in rows])
    clips = np.array([CLIPS.get(row["video"], row["video"]) for row in rows])
    good, lost = overlap >= 0.5, overlap <= 0.1
    weight, used = class_weights(good, lost, clips, options.lost), good | lost
    mean, spread = x[used].mean(0), x[used].std(0) + 1e-9
    z = (x - mean) / spread

    names = np.random.default_rng(0).permutation(np.unique(clips))
    fold = {clip: k % options.folds for k, clip in enumerate(names)}
    fold = np.array([fold[clip] for clip in clips])
    p = np.zeros(len(x))
    for k in range(options.folds):
        held, rest = fold == k, used & (fold != k)
        found = fit(z[rest], good[rest].astype(float), weight[rest] / weight[rest].sum(), options.penalty)
        p[held] = 1 / (1 + np.exp(-np.clip(z[held] @ found[:-1] + found[-1], -30, 30)))
    print(f"{len(np.unique(clips))} clips, {good.sum()} good and {lost.sum()} lost frames")
    built = np.array([float(row["confidence"]) for row in rows])
    show("as built, all passes", built, good, lost, clips)
    show("cross-validated, all passes", p, good, lost, clips)
    show("as built, forwards", built, good & forwards, lost & forwards, clips)
    show("cross-validated, forwards", p, good & forwards, lost & forwards, clips)
    found = fit(z[used], good[used].astype(float), weight[used] / weight[used].sum(), options.penalty)
    weights = found[:-1] / spread
    print("constant", f"{found[-1] - (weights * mean).sum():.2f}")
    for column, value in zip(columns, weights):
        print(f"{column} {value:.2f}")


if __name__ == "__main__":
    main()
