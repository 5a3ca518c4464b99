"""Our face detection pipeline with another engine for the networks and OpenCV for the pixels.

The networks are MediaPipe's (short range, full range, face mesh); the whole image is searched in four quarter turns,
tiles of it upright; candidates that overlap are merged, and the mesh network has to accept the rest.
"""

import math

import cv2
import numpy as np

SMALLEST, SEEN = 20, 10


class Engine:
    """Runs a network on an image of bytes; gives its outputs."""

    def __init__(self, name, path, size):
        self.size = size
        if name == "LiteRT":
            from ai_edge_litert.interpreter import Interpreter

            self.interpreter = Interpreter(model_path=str(path), num_threads=1)
            self.interpreter.allocate_tensors()
            self.input = self.interpreter.get_input_details()[0]["index"]
            self.outputs = [entry["index"] for entry in self.interpreter.get_output_details()]
        else:
            import openvino as ov

            settings = {"PERFORMANCE_HINT": "LATENCY", "INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": "f32"}
            core = ov.Core()
            self.interpreter = None
            self.request = core.compile_model(core.read_model(path), "CPU", settings).create_infer_request()
            self.input = self.request.get_input_tensor(0).data
            self.count = len(self.request.model_outputs)

    def run(self, image, scale, bias):
        values = cv2.multiply(image, (scale,) * 4, dtype=cv2.CV_32F)
        if bias:
            values += np.float32(bias)
        if self.interpreter:
            self.interpreter.set_tensor(self.input, values[None])
            self.interpreter.invoke()
            return [self.interpreter.get_tensor(index) for index in self.outputs]
        np.copyto(self.input, values[None])
        self.request.infer()
        return [self.request.get_output_tensor(index).data for index in range(self.count)]


def anchors(size, layers):
    rows = []
    for step, count in layers:
        grid = np.arange(size // step) + 0.5
        x, y = np.meshgrid(grid, grid)
        rows.append(np.repeat(np.stack([x.ravel(), y.ravel()], 1) * step, count, axis=0))
    return np.concatenate(rows)


def steps(length, tile):
    return max(math.ceil((length - tile) / (tile * 0.91)), 0)


def starts(length, tile):
    count = steps(length, tile)
    return [round((length - tile) * index / count / 2) * 2 for index in range(count + 1)] if count else [0]


def tiles(width, height):
    finest, whole, short = SMALLEST * 192 / SEEN, max(width, height), min(width, height)
    if whole <= 1.25 * finest:
        return []
    sides = [finest]
    if whole > 3 * finest and short > 1.25 * finest:
        count = math.ceil(math.log(short / finest) / math.log(3))
        sides = [finest * (short / finest) ** (index / count) for index in range(count + 1)]
        sides = sides if whole > 1.25 * short else sides[:-1]
    return [
        (x, y, min(side, width), min(side, height))
        for side in sides
        for y in starts(height, min(side, height))
        for x in starts(width, min(side, width))
    ]


class FaceSearch:
    def __init__(self, engine, files):
        """files: those of the short-range, full-range and mesh network"""
        self.short, self.full, self.mesh = (
            Engine(engine, path, size) for path, size in zip(files, (128, 192, 192))
        )
        self.anchors = {128: anchors(128, [(8, 2), (16, 6)]), 192: anchors(192, [(4, 1)])}

    def candidates(self, network, image, threshold):
        outputs = network.run(image, 2 / 255, -1)
        boxes = next(output for output in outputs if output.shape[-1] == 16)[0]
        scores = next(output for output in outputs if output.shape[-1] == 1)[0, :, 0]
        chosen = np.flatnonzero(scores >= math.log(threshold / (1 - threshold)))
        if not len(chosen):
            return np.zeros((0, 17))
        rows = boxes[chosen].astype(float)
        rows[:, 0:2] += self.anchors[network.size][chosen]
        for offset in range(4, 16, 2):
            rows[:, offset : offset + 2] += self.anchors[network.size][chosen]
        return np.concatenate([rows, 1 / (1 + np.exp(-scores[chosen, None].astype(float)))], 1)

    def search(self, network, base, scale, part, turns, threshold):
        x, y, width, height = part
        left, top = round(x * scale), round(y * scale)
        cut = base[top : top + round(height * scale), left : left + round(width * scale)]
        factor = network.size / max(cut.shape[:2])
        target = (max(round(cut.shape[1] * factor), 1), max(round(cut.shape[0] * factor), 1))
        if target != (cut.shape[1], cut.shape[0]):
            cut = cv2.resize(cut, target, interpolation=cv2.INTER_AREA)
        square, size = cut, network.size
        padX, padY = (size - target[0]) // 2, (size - target[1]) // 2
        if target != (size, size):
            square = cv2.copyMakeBorder(
                cut, padY, size - target[1] - padY, padX, size - target[0] - padX, cv2.BORDER_CONSTANT
            )
        found = []
        for turn in turns:
            seen = np.rot90(square, turn) if turn else square
            rows = self.candidates(network, np.ascontiguousarray(seen), threshold)
            for offset in [0] + list(range(4, 16, 2)):
                a, b = rows[:, offset].copy(), rows[:, offset + 1].copy()
                a, b = [(a, b), (size - b, a), (size - a, size - b), (b, size - a)][turn]
                rows[:, offset] = x + (a - padX) * width / target[0]
                rows[:, offset + 1] = y + (b - padY) * height / target[1]
            if turn % 2:
                rows[:, [2, 3]] = rows[:, [3, 2]]
            rows[:, 2] *= width / target[0]
            rows[:, 3] *= height / target[1]
            found.append(rows)
        return found

    def faces(self, frame):
        """-> [(x, y, w, h)] of a BGR or BGRA frame"""
        height, width = frame.shape[:2]
        parts = tiles(width, height)
        finest = min((max(part[2:]) for part in parts), default=max(width, height))
        scale = min(192 / finest, 1)
        size = (max(round(width * scale), 1), max(round(height * scale), 1))
        base = cv2.resize(frame, size, interpolation=cv2.INTER_AREA)
        base = cv2.cvtColor(base, cv2.COLOR_BGRA2RGB if frame.shape[2] == 4 else cv2.COLOR_BGR2RGB)
        whole = (0, 0, width, height)
        rows = self.search(self.short, base, scale, whole, range(4), 0.5)
        rows += self.search(self.full, base, scale, whole, range(4), 0.3)
        for part in parts:
            rows += self.search(self.full, base, scale, part, [0], 0.3)
        faces = [face for face in map(lambda row: self.closer(row, frame), self.merged(np.concatenate(rows))) if face]
        return [face[:4] for face in faces]

    def merged(self, rows):
        rows, merged = rows[np.argsort(-rows[:, 16], kind="stable")], []
        while len(rows):
            best = rows[0]
            low = np.maximum(rows[:, :2] - rows[:, 2:4] / 2, best[:2] - best[2:4] / 2)
            high = np.minimum(rows[:, :2] + rows[:, 2:4] / 2, best[:2] + best[2:4] / 2)
            common = np.prod(np.maximum(high - low, 0), axis=1)
            overlap = common / (np.prod(rows[:, 2:4], axis=1) + np.prod(best[2:4]) - common)
            group, rest = rows[overlap > 0.3], overlap <= 0.3
            rest[0] = False
            eyes = group[:, 6:8] - group[:, 4:6]
            own = best[6:8] - best[4:6]
            alike = eyes @ own >= math.cos(0.6) * np.linalg.norm(eyes, axis=1) * np.linalg.norm(own)
            row = np.average(group[alike], axis=0, weights=group[alike, 16])
            row[16] = best[16]
            merged.append(row)
            rows = rows[rest]
        return merged

    def closer(self, row, frame):
        if min(row[2:4]) < 14:
            return None
        side, axis = max(row[2:4]) * 1.5, row[6:8] - row[4:6]
        for _ in range(2):
            axis = axis / (np.linalg.norm(axis) or 1)
            factor = side / 192
            rotation = np.array([[axis[0], -axis[1]], [axis[1], axis[0]]]) * factor
            origin = row[:2] - rotation @ [96, 96]
            image = frame
            if factor > 1.5:
                x, y = (max(int(v - 0.75 * side), 0) for v in row[:2])
                cut = frame[y : int(row[1] + 0.75 * side), x : int(row[0] + 0.75 * side)]
                image = cv2.resize(cut, None, fx=1 / factor, fy=1 / factor, interpolation=cv2.INTER_AREA)
                rotation, origin = rotation / factor, (origin - (x, y)) / factor
            crop = cv2.warpAffine(
                image, np.column_stack([rotation, origin]), (192, 192),
                flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
            )  # fmt: skip
            crop = cv2.cvtColor(crop, cv2.COLOR_BGRA2RGB if frame.shape[2] == 4 else cv2.COLOR_BGR2RGB)
            outputs = self.mesh.run(crop, 1 / 255, 0)
            presence = next(float(output.ravel()[0]) for output in outputs if output.size == 1)
            if presence < 0:
                return None
            points = next(output for output in outputs if output.size > 1).reshape(-1, 3)
            eyes = points[[263, 362], :2].mean(axis=0) - points[[33, 133], :2].mean(axis=0)
            if abs(math.atan2(eyes[1], eyes[0])) <= 0.1:
                break
            axis = np.array([axis[0] * eyes[0] - axis[1] * eyes[1], axis[1] * eyes[0] + axis[0] * eyes[1]])
        confidence = (row[16] + 1 / (1 + math.exp(-presence))) / 2
        return None if confidence < 0.55 else (row[0] - row[2] / 2, row[1] - row[3] / 2, row[2], row[3])
