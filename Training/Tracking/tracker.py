"""A prototype of the tracker, to evaluate the network. `LearnedTracker` has newer rules for template updates, doubt and
re-detection."""
import math

import cv2
import numpy as np
import torch

import pairs
from features import features, session
from head import Head, box_mask, decode


class Settings:
    window = 0.30
    shape = 0.15
    rate = 0.60
    # Scores are relative to the running average of this target.
    lost = 0.03
    found = 0.10
    growth = 0.08
    widest = 1.6
    roam = 1.0
    drag = 0.8
    mix = 0.25
    most = 0.6
    every = 3
    sure = 0.35
    lean = 0.4


class Network:
    def __init__(self, trunk, head):
        self.run = session(trunk)
        self.head = Head()
        self.head.load_state_dict(torch.load(head))
        self.head.eval()

    def template(self, crop, w, h):
        z = torch.from_numpy(features(self.run, crop[None]))
        with torch.no_grad():
            return self.head.template(z, box_mask(torch.tensor([w]), torch.tensor([h])))

    def search(self, template, crop):
        """-> scores 16 x 16, boxes 4 x 16 x 16"""
        x = torch.from_numpy(features(self.run, crop[None]))
        with torch.no_grad():
            logits, sides = self.head(*template, x)
        return torch.sigmoid(logits[0, 0]).numpy(), decode(sides)[0].numpy()


def crop(image, cx, cy, side, size, fill):
    k = size / side
    matrix = np.array([[k, 0, size / 2 - k * cx], [0, k, size / 2 - k * cy]])
    if k >= 0.9:
        # Pixel centres lie at halves here and at whole numbers in warpAffine.
        matrix[:, 2] += 0.5 * k - 0.5
        return cv2.warpAffine(image, matrix, (size, size), flags=cv2.INTER_LINEAR, borderValue=fill)
    x0, y0 = int(math.floor(cx - side / 2)), int(math.floor(cy - side / 2))
    n = int(math.ceil(side)) + 1
    h, w = image.shape[:2]
    a, b, c, d = max(0, x0), max(0, y0), min(w, x0 + n), min(h, y0 + n)
    canvas = np.empty((n, n, 3), np.uint8)
    canvas[:] = np.round(fill)
    if a < c and b < d:
        canvas[b - y0 : d - y0, a - x0 : c - x0] = image[b:d, a:c]
    small = cv2.resize(canvas, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)
    matrix = np.array([[1, 0, (x0 - (cx - side / 2)) * k], [0, 1, (y0 - (cy - side / 2)) * k]])
    return cv2.warpAffine(small, matrix, (size, size), flags=cv2.INTER_LINEAR, borderValue=fill)


class Tracker:
    def __init__(self, network, image, box, settings=Settings):
        self.net, self.s = network, settings
        x, y, self.w, self.h = box
        self.cx, self.cy = x + self.w / 2, y + self.h / 2
        self.fill = tuple(float(v) for v in image.reshape(-1, 3).mean(0))
        side = pairs.square(self.w, self.h)
        k = pairs.TEMPLATE / side
        z = crop(image, self.cx, self.cy, side, pairs.TEMPLATE, self.fill)
        self.model = network.template(z, self.w * k, self.h * k)
        hann = np.hanning(18)[1:-1]
        self.window = np.outer(hann, hann)
        self.missed, self.vx, self.vy = 0, 0.0, 0.0
        self.stop = 0
        self.base, self.recent, self.frames = self.model, self.model, 0
        self.usual, self.late = None, 1.0
        self.like = 1.0

    def search(self, image, cx, cy, factor, window):
        """-> value, score, rate, box (centre, width, height) of the best position in a square about (cx, cy)"""
        s = self.s
        side = 2 * pairs.square(self.w, self.h) * factor
        k = pairs.SEARCH / side
        scores, boxes = self.net.search(self.model, crop(image, cx, cy, side, pairs.SEARCH, self.fill))
        w, h = boxes[2] - boxes[0], boxes[3] - boxes[1]
        size = np.sqrt((w + (w + h) / 2) * (h + (w + h) / 2)) / (pairs.square(self.w, self.h) * k)
        ratio = (w / h) / (self.w / self.h)
        penalty = np.exp(-s.shape * (np.maximum(size, 1 / size) * np.maximum(ratio, 1 / ratio) - 1))
        value = penalty * scores * (1 - window) + self.window * window
        i = np.unravel_index(int(np.argmax(value)), value.shape)
        b = boxes[(slice(None),) + i]
        where = (cx + ((b[0] + b[2]) / 2 - pairs.SEARCH / 2) / k, cy + ((b[1] + b[3]) / 2 - pairs.SEARCH / 2) / k)
        return float(scores[i]), float(penalty[i] * scores[i]), (*map(float, where), float(w[i]) / k, float(h[i]) / k)

    def update(self, image):
        s = self.s
        H, W = image.shape[:2]
        if self.missed:
            self.cx, self.cy = self.cx + self.vx, self.cy + self.vy
            self.vx, self.vy = self.vx * s.drag, self.vy * s.drag
        factor = min(1 + s.growth * max(0, self.missed - 2), s.widest)
        score, trust, box = self.search(
            image, self.cx, self.cy, factor, s.window if self.missed == 0 else s.window / (1 + self.missed)
        )
        if s.roam and self.missed > 4:
            step = 2 * pairs.square(self.w, self.h) * s.widest * 0.6
            across, down = max(1, math.ceil(W / step)), max(1, math.ceil(H / step))
            self.stop = (self.stop + 1) % (across * down)
            x, y = (self.stop % across + 0.5) * W / across, (self.stop // across + 0.5) * H / down
            other = self.search(image, x, y, s.widest, 0)
            if other[0] > max(score, 0.8 * self.usual):
                score, trust, box = other
        if self.usual is None:
            self.usual = max(score, 0.2)
        if score >= (s.lost if self.missed == 0 else s.found) * self.usual:
            x, y = min(max(box[0], 0), W), min(max(box[1], 0), H)
            if self.missed == 0:
                self.vx, self.vy = 0.7 * self.vx + 0.3 * (x - self.cx), 0.7 * self.vy + 0.3 * (y - self.cy)
            else:
                self.vx = self.vy = 0
            self.cx, self.cy, self.missed = x, y, 0
            rate = trust * s.rate
            self.w += rate * (box[2] - self.w)
            self.h += rate * (box[3] - self.h)
            self.w, self.h = min(max(self.w, 4), W), min(max(self.h, 4), H)
            self.frames += 1
            self.usual += 0.05 * (score - self.usual)
            if s.mix and score > s.sure * self.usual and self.frames % int(s.every) == 0:
                side = pairs.square(self.w, self.h)
                k = pairs.TEMPLATE / side
                new = self.net.template(
                    crop(image, self.cx, self.cy, side, pairs.TEMPLATE, self.fill), self.w * k, self.h * k
                )
                a, b = self.base[1].flatten(), new[1].flatten()
                self.like = float(a @ b / (a.norm() * b.norm()))
                self.recent = tuple(a * (1 - s.lean) + b * s.lean for a, b in zip(self.recent, new))
            # The less similar the target is to its first template, the more the recent template counts.
            self.late += 0.3 * (score / self.usual - self.late)
            mix = s.mix + (s.most - s.mix) * min(max((0.9 - self.late) / 0.6, 0), 1)
            self.model = tuple(a * (1 - mix) + b * mix for a, b in zip(self.base, self.recent))
        else:
            self.missed += 1
            self.cx, self.cy = min(max(self.cx, 0), W), min(max(self.cy, 0), H)
        return (self.cx - self.w / 2, self.cy - self.h / 2, self.w, self.h), score
