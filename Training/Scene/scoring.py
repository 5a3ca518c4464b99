"""Computes confidences from logits with the arithmetic of SceneScoring.swift, and loads the data to fit and evaluate it
on."""

import json
import pathlib

import numpy as np
from labels import Classes, truth

REVISIONS = (1, 2, 3)
# What the best half of an image weighs beside the whole. More finds more of two things in an image and ranks single
# ones worse.
PART_WEIGHT = 0.25
LIMIT = 1e-6


def logit(p):
    p = np.clip(p, LIMIT, 1 - LIMIT)
    return np.log(p / (1 - p))


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


class Data:
    def __init__(self, folder, table, boxes):
        self.folder = pathlib.Path(folder)
        self.classes = Classes(table)
        self.images = json.loads((self.folder / "images.json").read_text())
        self.truth = truth(self.images, boxes, self.classes)
        self.set = np.array(["single" if i["set"].startswith("imagene") else i["set"] for i in self.images])
        self.imagenet = np.array([i["set"] == "imagenet" for i in self.images])
        self.half = np.array([i["half"] for i in self.images])
        self.leaf = self.classes.own.any(axis=1)
        self.sums = self.classes.outputs_below.astype(np.float32).T

    def load(self, revision):
        files = [np.load(path) for path in sorted(self.folder.glob(f"revision-{revision}-*.npz"))]
        self.whole = np.zeros((len(self.images), 1000), np.float32)
        self.parts = np.zeros((len(self.images), 4, 1000), np.float16)
        for part, file in enumerate(files):
            self.whole[part :: len(files)], self.parts[part :: len(files)] = file["whole"], file["parts"]

    def rows(self, name, half=None):
        return np.where((self.set == name) & ((self.half == half) if half is not None else True))[0]

    def softmax_scores(self, rows):
        """The peer: softmax, classes above as sums."""
        return softmax(self.whole[rows]) @ self.sums

    def evidence(self, rows):
        """For each class the share of the whole image's softmax and of the best half's; and the image's highest."""
        whole = softmax(self.whole[rows])
        parts = softmax(self.parts[rows].astype(np.float32))
        best = np.max([parts[:, k] @ self.sums for k in range(parts.shape[1])], axis=0)
        shares = (whole @ self.sums + PART_WEIGHT * best) / (1 + PART_WEIGHT)
        return logit(shares), logit(shares[:, self.leaf].max(axis=1, keepdims=True))


def centred(logits):
    return (logits - logits.mean(axis=1, keepdims=True)).astype(np.float64)


class Scoring:
    """confidence = sigmoid(evidence), evidence = share * logit of the share + top * logit of the image's highest leaf +
    size * log(outputs below) + offset, other numbers for leaves than for the classes above them.

    Some classes above have photos enough to learn what they are seen with: there evidence becomes evidence * factor +
    offset + weights . (logits - their mean). A parent has at least its best child's confidence."""

    def __init__(self, data, numbers, contexts=None):
        self.data, self.numbers, self.contexts = data, numbers, contexts or {}
        self.size = np.log(data.classes.outputs_below.sum(axis=1))

    def evidence(self, rows):
        share, top = self.data.evidence(rows)
        values = np.empty_like(share)
        for group, mask in (("leaf", self.data.leaf), ("above", ~self.data.leaf)):
            a, b, c, d = (self.numbers[group][k] for k in ("share", "top", "size", "offset"))
            values[:, mask] = a * share[:, mask] + b * top + c * self.size[mask] + d
        return values

    def confidences(self, rows):
        values = self.evidence(rows)
        logits = centred(self.data.whole[rows])
        for name, (factor, offset, weights) in self.contexts.items():
            cls = self.data.classes.index[name]
            values[:, cls] = factor * values[:, cls] + offset + logits @ weights
        values = 1 / (1 + np.exp(-values))
        for child in self.order():
            for parent in self.data.classes.parents[child]:
                values[:, parent] = np.maximum(values[:, parent], values[:, child])
        return values

    def order(self):
        """Children before their parents."""
        depth = self.data.classes.above.sum(axis=1)  # more above it than any of its parents has
        return np.argsort(-depth, kind="stable")
