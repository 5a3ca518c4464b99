"""Homographies: OpenCV's features with robust estimation against our request.

Small motion: crops of 640 x 480 pixels of the photographs that come with scikit-image, their corners moved by up to 20
pixels. Labelled pairs: where the folder of --photos holds NAMEA.png, NAMEB.png and NAME_pts.txt (as the data sets
homogr and EVD do), each pair as it is.
"""

import statistics

import cv2
import numpy as np

from inputs import Photos
from raw_files import write_raw
from rows import Row
from timing import Result, alternating, repeat

NAMES = ["homography/small-motion/640x480", "homography/labelled"]
ORB, SIFT = "OpenCV ORB + RANSAC", "OpenCV SIFT + MAGSAC"


def orb(reference, floating):
    detector = cv2.ORB_create(1000)
    first, second = (detector.detectAndCompute(image, None) for image in (floating, reference))
    if first[1] is None or second[1] is None:
        return None
    matches = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(first[1], second[1])
    return _fit(first[0], second[0], matches, cv2.RANSAC)


def sift(reference, floating):
    detector = cv2.SIFT_create()
    first, second = (detector.detectAndCompute(image, None) for image in (floating, reference))
    if first[1] is None or second[1] is None:
        return None
    found = cv2.BFMatcher().knnMatch(first[1], second[1], k=2)
    matches = [pair[0] for pair in found if len(pair) == 2 and pair[0].distance < 0.8 * pair[1].distance]
    return _fit(first[0], second[0], matches, cv2.USAC_MAGSAC)


def _fit(first, second, matches, method):
    if len(matches) < 4:
        return None
    source = np.float32([first[match.queryIdx].pt for match in matches])
    target = np.float32([second[match.trainIdx].pt for match in matches])
    return cv2.findHomography(source, target, method, 3.0, maxIters=10_000)[0]


def from_ours(answer, height):
    """Our warp, with y up and corners of pixels at whole numbers, as OpenCV states maps."""
    flip = np.array([[1, 0, 0.5], [0, -1, height - 0.5], [0, 0, 1]])
    return np.linalg.inv(flip) @ np.reshape(answer[:9], (3, 3)) @ flip


def error(warp, points, targets):
    if warp is None:
        return 999.0
    moved = cv2.perspectiveTransform(np.float64(points)[None], np.float64(warp))[0]
    return min(float(np.linalg.norm(moved - targets, axis=1).mean()), 999.0)


def small_motion(photos, count, seed=3):
    """[(reference, floating, the floating cut's corners, where they lie in the reference), …]"""
    rng = np.random.default_rng(seed)
    corners = np.float64([[-0.5, -0.5], [639.5, -0.5], [639.5, 479.5], [-0.5, 479.5]])
    out = []
    for index in range(count):
        photo = photos.grey(800, 640, index * 37).astype(np.uint8)
        moved = corners + 80 + rng.uniform(-10, 10, 2) + rng.uniform(-10, 10, (4, 2))
        warp = cv2.getPerspectiveTransform(np.float32(corners), np.float32(moved))
        floating = cv2.warpPerspective(photo, warp, (640, 480), flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP)
        out.append((np.ascontiguousarray(photo[80:560, 80:720]), floating, corners, moved - 80))
    return out


def run(name, env):
    return _small(name, env) if "small-motion" in name else _labelled(name, env)


def _small(name, env):
    found, pairs = {"ours": [], ORB: []}, small_motion(Photos(), 30)
    files = []
    for index, (reference, floating, points, targets) in enumerate(pairs):
        files.append(write_raw(env.folder / f"homography-{index}.raw", "grey8", [reference, floating]))
        answer = env.ours.ask("homography-pair", files[-1], 1)[1][0]
        found["ours"].append(error(from_ours(answer, 480), points, targets))
        found[ORB].append(error(orb(reference, floating), points, targets))
    contestants = {"ours": env.ours.runner("homography-pair", files[0]), ORB: repeat(lambda: orb(*pairs[0][:2]))}
    results = alternating(contestants, env.rounds)
    told = f"corner error mean {statistics.mean(found[ORB]):.3f} px, max {max(found[ORB]):.2f}"
    return [
        Row.timed(name, ORB, results, 0.5, told),
        Row.checked(name, "(our mean corner error)", statistics.mean(found["ours"]), 0.1, "px"),
    ]


def _labelled(name, env):
    rows, errors, ratios = [], {"ours": [], ORB: [], SIFT: []}, []
    labels = [file.parent / (file.stem[:-1] + "_pts.txt") for file in env.photos.files if file.stem.endswith("A")]
    for label in sorted({label for label in labels if label.exists()}):
        pair = label.name[: -len("_pts.txt")]
        images = [
            cv2.imread(str(file), cv2.IMREAD_GRAYSCALE)
            for side in "AB"
            for file in env.photos.files
            if file.parent == label.parent and file.stem == pair + side
        ]
        rows = np.loadtxt(label)
        rows = rows[rows[:, 6] == 1]
        if len(images) != 2 or images[0].shape != images[1].shape or len(rows) == 0:
            continue
        floating, reference = images
        points, targets = rows[:, 0:2], rows[:, 3:5]
        file = write_raw(env.folder / f"homography-{pair}.raw", "grey8", [reference, floating])
        answer = env.ours.ask("homography-pair", file, 1)[1][0]
        own = error(from_ours(answer, reference.shape[0]), points, targets)
        errors["ours"].append(own)
        runners = {
            "ours": env.ours.runner("homography-pair", file),
            ORB: repeat(lambda: orb(reference, floating)),
            SIFT: repeat(lambda: sift(reference, floating)),
        }
        for peer, match in ((ORB, orb), (SIFT, sift)):
            errors[peer].append(error(match(reference, floating), points, targets))
        # Some of these take seconds: one call a round.
        times = {peer: [] for peer in runners}
        for round_number in range(min(3, env.rounds)):
            for peer in runners if round_number % 2 == 0 else reversed(runners):
                times[peer] += runners[peer](1)
        results = {peer: Result(values, times["ours"]) for peer, values in times.items()}
        for peer in (ORB, SIFT):
            note = f"error {errors[peer][-1]:.2f} px, ours {own:.2f}"
            rows.append(Row.timed(f"{name}/{pair}", peer, results, 0.25 if peer == SIFT else None, note))
        ratios.append(results[SIFT].ratio)
    if not rows:
        return []
    for peer, values in errors.items():
        within = sum(value <= 5 for value in values)
        note = f"{within} of {len(values)} pairs within 5 px, median {statistics.median(values):.2f} px"
        if peer == "ours":
            rows.append(Row(name, "(ours)", None, None, None, "≤ 1.9 px", statistics.median(values) <= 1.9, note))
        else:
            rows.append(Row(name, peer, None, None, None, None, None, note))
    rows.append(Row.checked(name, "(median of our times to SIFT's)", statistics.median(ratios), 0.25, ""))
    return rows
