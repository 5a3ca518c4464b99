#!/usr/bin/env python3
"""Derives the boxes of upper bodies from boxes of whole bodies, with a pose detector and a pose network as teachers.

usage: upper_bodies.py DETECTION.tflite LANDMARK.tflite [PHOTOS.json OUT.json] [--truth TRUTH.json]

DETECTION and LANDMARK are MediaPipe's pose_detection.tflite and pose_landmark_full.tflite (Apache-2.0), which
`openvision models install pose` fetches. PHOTOS.json is what photographs.py writes. Each person gets "upper": the
extent of the body above the lower hip, as x1, y1, x2, y2 in pixels; the whole box where the hips are below it; null
where the teachers are not certain. Without a pose, a wide box that ends with the photograph is a portrait: an upper
body. With --truth, the derived boxes are compared with "upper_box" of a labelled set.

needs: numpy, pillow, ai-edge-litert
"""
import argparse
import json
import pathlib

import numpy as np
from PIL import Image

# The sides of the crops given to the detector, relative to the longer side of the box, in order.
MARGINS = (1.6, 1.1)
# The smallest box whose pose is worth estimating, in pixels.
LEAST_HEIGHT = 24
SHOULDERS, HIPS = [11, 12], [23, 24]
CERTAIN_DETECTION, CERTAIN_PRESENCE = 0.5, 0.5


def logistic(value):
    return 1 / (1 + np.exp(-np.clip(value, -50, 50)))


def crop(image, corners, side):
    """Returns the quad whose corners are given (top left, bottom left, bottom right, top right) as a square."""
    doubled = image.transform(
        (side * 2, side * 2), Image.Transform.QUAD, np.asarray(corners, float).ravel().tolist(),
        Image.Resampling.BILINEAR)
    return np.asarray(doubled.resize((side, side), Image.Resampling.BOX), np.float32)


def overlap(a, b):
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    common = max(width, 0) * max(height, 0)
    return common / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - common)


class Network:
    def __init__(self, path):
        from ai_edge_litert.interpreter import Interpreter
        self.interpreter = Interpreter(model_path=str(path), num_threads=1)
        self.interpreter.allocate_tensors()
        self.input = self.interpreter.get_input_details()[0]["index"]
        self.outputs = {tuple(output["shape"]): output["index"] for output in self.interpreter.get_output_details()}

    def run(self, pixels):
        self.interpreter.set_tensor(self.input, pixels[None])
        self.interpreter.invoke()
        return {shape: self.interpreter.get_tensor(index)[0] for shape, index in self.outputs.items()}


class Teacher:
    def __init__(self, detection, landmark):
        self.detection, self.landmark = Network(detection), Network(landmark)
        centers = []
        for side, count in ((28, 2), (14, 2), (7, 6)):
            y, x = (np.mgrid[:side, :side] + 0.5) / side
            centers.append(np.repeat(np.stack((x, y), -1).reshape(-1, 2), count, 0))
        self.anchors = np.concatenate(centers)

    def detect(self, image, box, margin):
        """Returns the score of the best person whose face is in the box, the center of the hips, the scale point."""
        left, top, right, bottom = box
        width, height = right - left, bottom - top
        side = margin * max(width, height)
        x, y = (left + right - side) / 2, (top + bottom - side) / 2
        pixels = crop(image, [(x, y), (x, y + side), (x + side, y + side), (x + side, y)], 224)
        outputs = self.detection.run(pixels / 127.5 - 1)
        scores, raw = logistic(outputs[1, 2254, 1][:, 0]), outputs[1, 2254, 12] / 224
        faces = (raw[:, :2] + self.anchors) * side + (x, y)
        points = (raw[:, 4:8].reshape(-1, 2, 2) + self.anchors[:, None]) * side + (x, y)
        inside = np.abs(faces[:, 0] - (left + right) / 2) < 0.6 * width
        inside &= np.abs(faces[:, 1] - (top + 0.3 * height)) < 0.4 * height
        best = (scores * inside).argmax()
        return scores[best] * inside[best], *points[best]

    def pose(self, image, center, scale):
        """Returns the presence of a person and the landmarks; the region is the one that MediaPipe uses."""
        up = (scale - center) * 1.25
        right = np.array([-up[1], up[0]])
        pixels = crop(image, [center + up - right, center - up - right, center - up + right, center + up + right], 256)
        outputs = self.landmark.run(pixels / 255)
        marks = outputs[1, 195].reshape(39, 5)[:33, :2] / 128 - 1
        return float(outputs[1, 1].reshape(-1)[0]), center + marks[:, :1] * right - marks[:, 1:] * up

    def upper(self, image, box):
        """Returns the upper body of a person whose box is x1, y1, x2, y2, or None."""
        left, top, right, bottom = box
        width, height = right - left, bottom - top
        if height < LEAST_HEIGHT:
            return None
        for margin in MARGINS:
            score, center, scale = self.detect(image, box, margin)
            if score < CERTAIN_DETECTION:
                continue
            presence, marks = self.pose(image, center, scale)
            if presence >= CERTAIN_PRESENCE:
                break
        else:
            portrait = bottom > 0.98 * image.height and height > 0.4 * image.height and width > 0.7 * height
            return [round(float(value), 1) for value in box] if portrait else None
        shoulders, hips = marks[SHOULDERS], marks[HIPS]
        torso = hips[:, 1].mean() - shoulders[:, 1].mean()
        line = hips[:, 1].max()
        if torso < 0.1 * height or torso < 0.5 * abs(hips[:, 0].mean() - shoulders[:, 0].mean()):
            return None  # lying or upside down
        if line > bottom - 0.02 * height:
            return [round(float(value), 1) for value in box]
        if line < top + 0.2 * height or abs(center[1] - hips[:, 1].mean()) > 0.25 * height:
            return None
        # The columns of the landmarks above the line, with room for the width of limbs and of the head.
        above = marks[:25][marks[:25, 1] < line + 0.05 * height]
        room = max(0.25 * torso, 0.12 * width)
        left, right = max(left, above[:, 0].min() - room), min(right, above[:, 0].max() + room)
        if right - left < 0.35 * width:
            left, right = box[0], box[2]
        return [round(float(value), 1) for value in (left, top, right, line)]


def compare(teacher, path):
    """Prints how well the teacher's boxes agree with a labelled set's."""
    truth = json.loads(path.read_text())
    overlaps, whole = [], []
    for entry in truth["images"]:
        image = Image.open(path.parent / entry["file"]).convert("RGB")
        for person in entry["persons"]:
            if "upper_box" not in person:
                continue
            x, y, w, h = person["box"]
            left, top, width, height = person["upper_box"]
            wanted = left, top, left + width, top + height
            found = teacher.upper(image, (x, y, x + w, y + h))
            whole.append(overlap((x, y, x + w, y + h), wanted))
            overlaps.append(overlap(found, wanted) if found else np.nan)
    overlaps, whole = np.array(overlaps), np.array(whole)
    known = ~np.isnan(overlaps)
    print(f"{len(overlaps)} upper bodies: {known.sum()} known, mean overlap {overlaps[known].mean():.3f}, at least .5 "
          f"{(overlaps[known] >= 0.5).mean():.3f}; whole boxes {whole.mean():.3f}, {(whole >= 0.5).mean():.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("detection", type=pathlib.Path)
    parser.add_argument("landmark", type=pathlib.Path)
    parser.add_argument("photos", type=pathlib.Path, nargs="?")
    parser.add_argument("out", type=pathlib.Path, nargs="?")
    parser.add_argument("--truth", type=pathlib.Path)
    arguments = parser.parse_args()
    teacher = Teacher(arguments.detection, arguments.landmark)
    if arguments.truth:
        compare(teacher, arguments.truth)
    if not arguments.photos:
        return
    photos = json.loads(arguments.photos.read_text())
    for index, photo in enumerate(photos):
        image = Image.open(photo["file"]).convert("RGB") if photo["persons"] else None
        for person in photo["persons"]:
            person["upper"] = teacher.upper(image, person["box"])
        if index % 100 == 0:
            print(index, len(photos), flush=True)
    arguments.out.write_text(json.dumps(photos))
    persons = [person for photo in photos for person in photo["persons"]]
    print(f"{len(persons)} people, {sum(person['upper'] is not None for person in persons)} upper bodies")


if __name__ == "__main__":
    main()
