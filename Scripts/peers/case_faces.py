"""Face detection in a frame of 1080p: YuNet and dlib as a user calls them, and our pipeline with other engines, against
ours.

YuNet's file is searched in the folder of --models. Where the folder of --photos has a faces.json (see
Documentation/Accuracy.md), everybody's recall is counted on its photos, upright and rotated: the speed of a detector
that finds fewer faces cannot be compared.
"""

import json
import math
import pathlib
import subprocess

import cv2
import numpy as np

from face_search import FaceSearch
from inputs import overlap
from raw_files import write_raw
from rows import Row
from timing import NotThere, alternating, repeat

ROTATIONS = range(0, 360, 30)
NETWORKS = ["face-detection-short-range", "face-detection-full-range-sparse", "face-landmark"]

yunet_file = None


def names(binary, folder):
    global yunet_file
    found = sorted(pathlib.Path(folder).rglob("*yunet*.onnx")) if folder else []
    # A file for open sizes is not read by every version of OpenCV.
    yunet_file = next((path for path in found if "dynamic" not in path.name), None)
    return ["faces/1920x1080"]


def networks(binary):
    told = subprocess.run([binary, "networks"], stdout=subprocess.PIPE, text=True, check=True)
    files = {model["name"]: model["file"] for model in json.loads(told.stdout)}
    chosen = [next((file for name, file in files.items() if wanted in f"{name} {file}"), None) for wanted in NETWORKS]
    if None in chosen:
        raise NotThere("the face networks are not installed")
    return chosen


def yunet(side):
    detector = cv2.FaceDetectorYN.create(str(yunet_file), "", (320, 320), 0.6, 0.3, 5000)

    def faces(frame):
        height, width = frame.shape[:2]
        factor = side / max(width, height) if side else 1
        image = frame if factor == 1 else cv2.resize(frame, (round(width * factor), round(height * factor)))
        detector.setInputSize((image.shape[1], image.shape[0]))
        _, rows = detector.detect(image)
        return [] if rows is None else [tuple(row[:4] / factor) for row in rows]

    return faces


def dlib_frontal():
    import dlib

    detector = dlib.get_frontal_face_detector()

    def faces(frame):
        found = detector(cv2.cvtColor(frame, cv2.COLOR_BGR2RGB), 0)
        return [(face.left(), face.top(), face.width(), face.height()) for face in found]

    return faces


def run(name, env):
    width, height = (int(v) for v in name.split("/")[1].split("x"))
    frame = env.photos.image(width, height)
    file = write_raw(env.folder / "faces.raw", "bgr8", [frame])
    files = networks(env.binary)
    peers = {f"our search on {engine}": FaceSearch(engine, files).faces for engine in ("OpenVINO", "LiteRT")}
    if yunet_file:
        peers |= {"YuNet at 320": yunet(320), "YuNet at 640": yunet(640), "YuNet at full size": yunet(None)}
    peers["dlib frontal"] = dlib_frontal()
    contestants = {"ours": env.ours.runner("faces", file)}
    contestants |= {peer: repeat(lambda faces=faces: faces(frame)) for peer, faces in peers.items()}
    results = alternating(contestants, env.rounds)
    notes = recalls(env, peers)
    rows = []
    for peer in peers:
        enough, note = notes.get(peer, (None, ""))
        # Without photos that say otherwise, our own search is what finds as much as ours.
        if enough is None:
            enough = peer.startswith("our search")
        rows.append(Row.timed(name, peer, results, 0.9 if enough else None, note))
    if "ours" in notes:
        rows.append(Row(name, "(ours)", None, results["ours"].median, None, note=notes["ours"][1]))
    if not yunet_file:
        rows.append(
            Row(name, "YuNet", None, results["ours"].median, None, note="no *yunet*.onnx in the folder of --models")
        )
    return rows


def recalls(env, peers):
    """-> {peer: (whether it finds as much as ours, what it finds)}"""
    folder = env.photos.files[0].parent
    if not (folder / "faces.json").exists():
        return {}
    labels = json.loads((folder / "faces.json").read_text())
    file = env.folder / "rotated.raw"

    def ours(image):
        write_raw(file, "bgr8", [image])
        numbers = env.ours.ask("faces-of-file", file, 1)[1][0]
        return [tuple(numbers[index : index + 4]) for index in range(0, len(numbers), 4)]

    found = {peer: {rotation: 0 for rotation in ROTATIONS} for peer in ["ours", *peers]}
    for label in labels:
        photo, points = cv2.imread(str(folder / label["image"])), np.array(label["points68"])
        for rotation in ROTATIONS:
            image, corners = rotated(photo, points, rotation)
            low, high = corners.min(axis=0), corners.max(axis=0)
            truth = (*low, *(high - low))
            for peer, search in {"ours": ours, **peers}.items():
                found[peer][rotation] += any(overlap(box, truth) >= 0.4 for box in search(image))
    shares = {
        peer: {rotation: count / len(labels) for rotation, count in counts.items()} for peer, counts in found.items()
    }

    def told(share):
        least, most = 100 * min(share.values()), 100 * max(share.values())
        return f"finds {100 * share[0]:.0f} % upright, {least:.0f} to {most:.0f} % rotated"

    least = min(shares["ours"].values())
    return {peer: (min(share.values()) >= least, told(share)) for peer, share in shares.items()}


def rotated(photo, points, degrees):
    height, width = photo.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1)
    cosine, sine = abs(matrix[0, 0]), abs(matrix[0, 1])
    size = (math.ceil(height * sine + width * cosine - 1e-6), math.ceil(height * cosine + width * sine - 1e-6))
    matrix[:, 2] += (size[0] - width) / 2, (size[1] - height) / 2
    return cv2.warpAffine(photo, matrix, size), points @ matrix[:, :2].T + matrix[:, 2]
