"""Feature prints in NumPy, as `Sources/VisionModels/Print` computes them, for fitting and for comparing."""

import pathlib

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper
from PIL import Image

NETWORKS = {1: ("efficientnet-lite0", "efficientnet_lite0.onnx"), 2: ("efficientnet-lite2", "efficientnet_lite2.onnx")}
HALF = 256  # elements of each of the two parts
SHARE = 0.7  # how much the second part counts beside the first
# Revision 3 has the network of revision 2 and pools its last map by a Gaussian window with this standard deviation, in
# halves of the map's side.
POOLED_REVISION, POOLED_NETWORK = 3, 2
WINDOW = 0.7
POOLED_SHARE = 0.5
# What the spread of the classes' weights counts beside the photos' covariance in the choice of components.
CLASSES = 0.5


class Network:
    """A scene network of the model store; gives pooled features and logits."""

    def __init__(self, store, revision):
        folder, name = NETWORKS[revision]
        model = onnx.load(pathlib.Path(store) / folder / name)
        last = next(node for node in model.graph.node if node.op_type == "Gemm")
        constants = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
        weights = constants[last.input[1]]
        self.weights = weights if weights.shape[0] == 1000 else weights.T
        for output in ("features", "head.relu6"):
            model.graph.output.append(onnx.helper.make_tensor_value_info(output, onnx.TensorProto.FLOAT, None))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(model.SerializeToString(), options)
        self.side = self.session.get_inputs()[0].shape[3]

    def run(self, image):
        """(pooled features, features pooled by the window, logits) of an image, scaled to the square whatever its
        shape."""
        scaled = image.convert("RGB").resize((self.side, self.side), Image.BILINEAR)
        pixels = (np.asarray(scaled, np.float32) - 127) / 128
        pooled, last, logits = self.session.run(
            ["features", "head.relu6", "logits"], {"image": pixels.transpose(2, 0, 1)[None]})
        return pooled[0], np.einsum("chw,hw->c", last[0], window(last.shape[2])), logits[0]


def window(count):
    """The weight of each position of a map; their sum is 1."""
    line = np.exp(-(np.linspace(-1, 1, count) ** 2) / (2 * WINDOW**2))
    weights = np.outer(line, line)
    return (weights / weights.sum()).astype(np.float32)


def directions(weights):
    """The directions in which the classes' weights differ most, one a column, and how much they do."""
    left, spread, _ = np.linalg.svd(weights.astype(np.float64) - weights.mean(0, dtype=np.float64), full_matrices=False)
    left = left[:, :HALF]
    # A direction's sign is arbitrary: the entry that is furthest from 0 is positive.
    return left * np.sign(left[np.abs(left).argmax(0), range(HALF)]), spread[:HALF]


class Projection:
    """codes (1000 x 256 bytes) times scales are the directions; `first` and `second` are the scales of the two
    parts."""

    def __init__(self, weights, mean_logits):
        columns, spread = directions(weights)
        unit = np.abs(columns).max(0) / 127
        self.codes = np.rint(columns / unit).astype(np.int8)
        self.first = (unit / np.sqrt(spread)).astype(np.float32)
        self.second = (unit * SHARE * np.sqrt(1000 / HALF)).astype(np.float32)
        self.offset = ((mean_logits @ self.codes) * self.first).astype(np.float32)

    def prints(self, logits):
        first = unit_rows((logits @ self.codes) * self.first - self.offset)
        shares = np.exp(logits - logits.max(1, keepdims=True))
        shares /= shares.sum(1, keepdims=True)
        return unit_rows(np.hstack([first, (np.sqrt(shares) @ self.codes) * self.second]))


class PooledProjection:
    """Revision 3: components of features that are pooled by a window, beside the classes' part of the earlier
    revisions.

    features (1280 x 256 bytes) times `first` and directions (1000 x 256 bytes) times `second` are the directions of
    the two parts.
    """

    def __init__(self, weights, pooled):
        """pooled: the features of many photos, a row each, pooled over the whole map."""
        mean = pooled.mean(0, dtype=np.float64)
        covariance = np.cov(pooled.T.astype(np.float64))
        rows = weights - weights.mean(0, dtype=np.float64)
        spread = rows.T @ rows
        _, components = np.linalg.eigh(covariance / np.trace(covariance) + CLASSES * spread / np.trace(spread))
        components = components[:, ::-1][:, :HALF]
        components = components * np.sign(components[np.abs(components).argmax(0), range(HALF)])
        unit = np.abs(components).max(0) / 127
        self.features = np.rint(components / unit).astype(np.int8)
        self.first = unit.astype(np.float32)
        self.offset = ((mean @ self.features) * self.first).astype(np.float32)
        columns, _ = directions(weights)
        unit = np.abs(columns).max(0) / 127
        self.directions = np.rint(columns / unit).astype(np.int8)
        self.second = (unit * POOLED_SHARE * np.sqrt(1000 / HALF)).astype(np.float32)

    def prints(self, pooled, logits):
        first = unit_rows((pooled @ self.features) * self.first - self.offset)
        shares = np.exp(logits - logits.max(1, keepdims=True))
        shares /= shares.sum(1, keepdims=True)
        return unit_rows(np.hstack([first, (np.sqrt(shares) @ self.directions) * self.second]))


def unit_rows(rows):
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
