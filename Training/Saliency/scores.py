"""The measures of saliency maps, in NumPy.

needs: numpy
"""
import numpy as np

BETA_SQUARED = 0.3
LEVELS = 256


def precision_recall(values, truth):
    """Returns precision and recall at each of 256 thresholds of values in 0...1; truth: a mask."""
    levels = np.clip(np.asarray(values).ravel() * 255 + 0.5, 0, 255).astype(np.uint8)
    truth = np.asarray(truth, bool).ravel()
    above = np.cumsum(np.bincount(levels, minlength=LEVELS)[::-1])[::-1]
    hits = np.cumsum(np.bincount(levels[truth], minlength=LEVELS)[::-1])[::-1]
    return np.where(above > 0, hits / np.maximum(above, 1), 1), hits / max(truth.sum(), 1)


def max_f_measure(precisions, recalls):
    """Returns the largest F-measure over thresholds of the mean precision and recall, images x thresholds."""
    precision, recall = np.mean(precisions, 0), np.mean(recalls, 0)
    f = (1 + BETA_SQUARED) * precision * recall / np.maximum(BETA_SQUARED * precision + recall, 1e-9)
    return float(f.max()), int(f.argmax()) / 255


def auc_judd(values, fixated, weights=None):
    """Returns the area under the curve of hits against the share of the image above a threshold.

    Thresholds are the values at the fixated positions. fixated: flat indices; weights: of each, for densities.
    """
    values = np.asarray(values, np.float64).ravel()
    fixated = np.asarray(fixated)
    order = np.argsort(-values[fixated], kind="stable")
    above = values.size - np.searchsorted(np.sort(values), values[fixated][order], "left")
    if weights is None:
        hits = np.arange(1, len(fixated) + 1)
        false = np.maximum(above - hits, 0) / (values.size - len(fixated))
        hits = hits / len(fixated)
    else:
        hits = np.cumsum(np.asarray(weights, np.float64)[order]) / np.sum(weights)
        false = above / values.size
    return float(np.trapezoid(np.r_[0, hits, 1], np.r_[0, false, 1]))


def standardised(values):
    values = np.asarray(values, np.float64)
    return (values - values.mean()) / max(values.std(), 1e-9)


def nss(values, fixated, weights=None):
    """Returns the mean of the standardised map at fixated positions (flat indices)."""
    return float(np.average(standardised(values).ravel()[np.asarray(fixated)], weights=weights))


def correlation(values, density):
    """Returns Pearson's correlation of two maps."""
    return float((standardised(values) * standardised(density)).mean())


def interval(samples, rounds=1000, seed=1, measure=None):
    """Returns the 95 % interval of a mean by bootstrap over images."""
    samples = np.asarray(samples)
    random = np.random.default_rng(seed)
    picks = [random.integers(0, len(samples), len(samples)) for _ in range(rounds)]
    values = [samples[pick].mean() if measure is None else measure(pick) for pick in picks]
    return tuple(np.percentile(values, [2.5, 97.5]))
