"""Average precision and false positives of boxes.

needs: numpy
"""
import numpy as np

NAMES = ("cat", "dog")
OVERLAP = 0.5  # of boxes that suppress one another, also across classes above ACROSS
ACROSS = 0.7


def overlaps(box, others):
    width = np.minimum(box[2], others[:, 2]) - np.maximum(box[0], others[:, 0])
    height = np.minimum(box[3], others[:, 3]) - np.maximum(box[1], others[:, 1])
    common = width.clip(0) * height.clip(0)
    area = lambda b: (b[..., 2] - b[..., 0]) * (b[..., 3] - b[..., 1])
    return common / np.maximum(area(box) + area(others) - common, 1e-9)


def suppressed(boxes, scores, floor=0.01, overlap=OVERLAP, across=ACROSS):
    """Boxes that remain: class, score, corners, the best first. Boxes of the other class that overlap more than
    `across` go as well. A box is one of both classes, each with its score, as the labels of an observation are."""
    kinds, best = scores.argmax(1), scores.max(1)
    kept, boxes = [], boxes.clip(0, 1)
    for index in np.argsort(-best, kind="stable"):
        if best[index] < floor:
            break
        common = overlaps(boxes[index], boxes[kept]) if kept else np.zeros(0)
        if (common <= np.where(kinds[kept] == kinds[index], overlap, across)).all():
            kept.append(index)
    rows = [(kind, scores[index, kind], *boxes[index])
            for index in kept for kind in range(2) if scores[index, kind] >= floor]
    return np.array(sorted(rows, key=lambda row: -row[1])).reshape(-1, 6)


def average_precision(found, truth, kind, needed=0.5):
    """found: an array of `suppressed` for each photo; truth: class, corners, whether it counts. Area under the
    interpolated curve."""
    hits, total = [], 0
    for boxes, real in zip(found, truth):
        real = real[real[:, 0] == kind]
        total += int(real[:, 5].sum())
        taken = set()
        for box in boxes[boxes[:, 0] == kind]:
            if len(real):
                common = overlaps(box[2:], real[:, 1:5])
                best = int(common.argmax())
                if common[best] >= needed:
                    if real[best, 5]:
                        hits.append((box[1], best not in taken))
                        taken.add(best)
                    continue
            hits.append((box[1], False))
    if not hits or not total:
        return 0.0
    hits.sort(key=lambda hit: -hit[0])
    right = np.cumsum([hit[1] for hit in hits])
    recall, precision = right / total, right / np.arange(1, len(hits) + 1)
    precision = np.maximum.accumulate(precision[::-1])[::-1]
    return float(np.sum(np.diff(np.concatenate([[0], recall])) * precision))
