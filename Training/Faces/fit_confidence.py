#!/usr/bin/env python3
"""Fits the confidence in a face: a logistic regression of the verifier's score, the better detection score and the
presence of the mesh, with no negative weight, on photos that the verifier was not trained on.

usage: fit_confidence.py VERIFIER.pt [--faces DUMP LABELS]... [--without DUMP...]      (as train_verifier.py)
"""
import argparse

import numpy as np
import torch
from scipy.optimize import minimize

from train_verifier import Verifier, joined, label_faces, label_none, outputs


def log_odds(value):
    value = np.clip(value, 0.01, 0.99)
    return np.log(value / (1 - value))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verifier")
    parser.add_argument("--faces", nargs=2, action="append", default=[])
    parser.add_argument("--without", nargs="+", default=[])
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    model = Verifier()
    model.load_state_dict(torch.load(arguments.verifier))
    pixels, kinds, rows, _ = joined(
        [label_faces(*a) for a in arguments.faces] + [label_none(d) for d in arguments.without]
    )
    x = np.stack([outputs(model, pixels), log_odds([max(r["scores"][:2]) for r in rows]),
                  log_odds([r["presence"] for r in rows]), np.ones(len(rows))], 1)
    sign = np.where(kinds == 1, 1, -1)
    # Positives and negatives have the same total weight.
    weight = np.where(kinds == 1, 0.5 / (kinds == 1).sum(), 0.5 / (kinds == 0).sum())

    def loss(w):
        return (weight * np.logaddexp(0, -sign * (x @ w))).sum() + 1e-3 * (w[:3] ** 2).sum()

    w = minimize(loss, [1, 0.2, 0.2, 0], bounds=[(0.05, None)] * 3 + [(None, None)]).x
    p = 1 / (1 + np.exp(-(x @ w)))
    print("weights", w.round(3).tolist())
    for limit in (0.2, 0.3, 0.4, 0.5, 0.6, 0.7):
        print(limit, "faces lost", int((p[kinds == 1] < limit).sum()), "of", int(kinds.sum()),
              "others kept", int((p[kinds == 0] >= limit).sum()), "of", int((kinds == 0).sum()))


if __name__ == "__main__":
    main()
