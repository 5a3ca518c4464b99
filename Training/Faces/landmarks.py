#!/usr/bin/env python3
"""Fits the 68 points of iBUG as means of the points of the face mesh, and estimates their errors.

usage: landmarks.py PHOTOS MESHES [--write Sources/VisionModels/Faces]

PHOTOS has faces.json: [{"image": name, "points68": [[x, y], …]}], pixels, origin at the top left. MESHES is what
`Benchmarks accuracy landmarks PHOTOS --meshes MESHES` wrote: the meshes of each of these faces in the two forward
passes of our own pipeline, the mirrored one with the numbers that the points have in the mirror. Of the photos in the
order of their names every other one is used for fitting, the first among them; what is printed is measured on the rest.

Each point becomes the weighted mean of four points of the mesh, so that it moves with the mesh whatever the pose of the
face. The weights are found by orthogonal matching pursuit with a small penalty. Faces and their mirror images count
alike, so the weights of the left side are those of the right one mirrored. needs: numpy, scipy
"""
import argparse
import json
import pathlib

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.stats import spearmanr

# The point of the mesh that is nearest to each of the 68, as the start of the fit.
NEAREST = [
    162, 234, 93, 58, 172, 136, 149, 148, 152, 377, 378, 365, 397, 288, 323, 454, 389, 71, 63, 105, 66, 107, 336,
    296, 334, 293, 301, 168, 197, 5, 4, 75, 97, 2, 326, 305, 33, 160, 158, 133, 153, 144, 362, 385, 387, 263, 373,
    380, 61, 39, 37, 0, 267, 269, 291, 405, 314, 17, 84, 181, 78, 82, 13, 312, 308, 317, 14, 87,
]
# Which of the 68 each becomes in a mirror.
MIRROR68 = [
    *range(16, -1, -1), *range(26, 16, -1), 27, 28, 29, 30, 35, 34, 33, 32, 31, 45, 44, 43, 42, 47, 46, 39, 38, 37,
    36, 41, 40, 54, 53, 52, 51, 50, 49, 48, 59, 58, 57, 56, 55, 64, 63, 62, 61, 60, 67, 66, 65,
]
POINTS = 3
PENALTY = 0.002
GROUPS = {"contour": (0, 17), "brows": (17, 27), "nose": (27, 36), "eyes": (36, 48), "mouth": (48, 68)}


def mirror_pairs(faces):
    """Which point of the mesh each becomes in a mirror: the pairs that lie on each other in both passes of every
    face."""
    cost = 0
    for face in faces:
        plain, mirrored = np.array(face["plain"]), np.array(face["mirrored"])
        size = np.linalg.norm(plain[33, :2] - plain[263, :2])
        plain, mirrored = plain - [0, 0, plain[:, 2].mean()], mirrored - [0, 0, mirrored[:, 2].mean()]
        cost = cost + np.linalg.norm(mirrored[:, None] - plain[None], axis=2) / size
    pairs = linear_sum_assignment(cost + cost.T)[1]
    assert (pairs[pairs] == np.arange(len(pairs))).all(), "the pairs of the mirror are no pairs"
    return pairs


def upright(points, mesh):
    """Points relative to the centre of the eyes of a mesh, rotated upright, in distances of the eyes."""
    right, left = mesh[[33, 133]].mean(0), mesh[[362, 263]].mean(0)
    x, y = (left - right) / np.dot(left - right, left - right)
    return (points - (right + left) / 2) @ np.array([[x, y], [-y, x]]).T


def weights_of(point, meshes, truth, pairs):
    """The weights of one of the 68 points, by point of the mesh."""
    base = NEAREST[point]
    flipped = meshes[:, pairs] * [-1, 1]
    rows = np.concatenate([meshes - meshes[:, base : base + 1], flipped - flipped[:, base : base + 1]])
    wanted = np.concatenate(
        [truth[:, point] - meshes[:, base], truth[:, MIRROR68[point]] * [-1, 1] - flipped[:, base]])
    rows, wanted = rows.transpose(0, 2, 1).reshape(-1, meshes.shape[1]), wanted.reshape(-1)
    penalty = PENALTY * len(rows)
    norms = (rows**2).sum(0) + penalty
    chosen, rest = [], wanted
    for _ in range(POINTS):
        gain = (rows.T @ rest) ** 2 / norms
        gain[chosen] = -1
        best = None
        for candidate in np.argsort(-gain)[:12]:
            indices = chosen + [candidate]
            some = rows[:, indices]
            factors = np.linalg.solve(some.T @ some + penalty * np.eye(len(indices)), some.T @ wanted)
            loss = ((wanted - some @ factors) ** 2).sum() + penalty * (factors**2).sum()
            if best is None or loss < best[0]:
                best = (loss, indices, factors)
        _, chosen, factors = best
        rest = wanted - rows[:, chosen] @ factors
    weights = np.zeros(meshes.shape[1])
    weights[chosen] = factors
    weights[base] += 1 - weights.sum()
    # On the middle line both sides contribute.
    return (weights + weights[pairs]) / 2 if MIRROR68[point] == point else weights


def swift_array(name, values, kind, per_line, form, access=""):
    lines = [", ".join(form % v for v in values[i : i + per_line]) for i in range(0, len(values), per_line)]
    return (
        f"    {access}static let {name}: [{kind}] = [\n" + "".join(f"        {line},\n" for line in lines) + "    ]\n"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=pathlib.Path)
    parser.add_argument("meshes", type=pathlib.Path)
    parser.add_argument("--write", type=pathlib.Path)
    arguments = parser.parse_args()
    labels = {entry["image"]: entry["points68"] for entry in json.loads((arguments.photos / "faces.json").read_text())}
    faces = sorted(json.loads(arguments.meshes.read_text()), key=lambda face: face["image"])
    pairs = mirror_pairs(faces)
    truth = np.array([labels[face["image"]] for face in faces])
    plain = np.array([face["plain"] for face in faces])[..., :2]
    mirrored = np.array([face["mirrored"] for face in faces])[:, pairs, :2]
    meshes, spread = (plain + mirrored) / 2, np.linalg.norm(plain - mirrored, axis=2) / 2
    fitted, tested = np.arange(0, len(faces), 2), np.arange(1, len(faces), 2)
    some_meshes = np.array([upright(meshes[i], meshes[i]) for i in fitted])
    some_truth = np.array([upright(truth[i], meshes[i]) for i in fitted])
    weights = np.array([
        weights_of(point, some_meshes, some_truth, pairs) if MIRROR68[point] >= point else np.zeros(meshes.shape[1])
        for point in range(68)
    ])
    own = np.array(MIRROR68) >= np.arange(68)
    # The sides of the 68 that come first in their mirror pair are fitted; the others are their mirror images.
    for point in np.flatnonzero(~own):
        weights[point] = weights[MIRROR68[point]][pairs]
    weights = np.round(weights, 4)
    weights[np.arange(68), NEAREST] += 1 - weights.sum(1)

    corners = np.linalg.norm(truth[:, 36] - truth[:, 45], axis=1)
    found = np.einsum("ki,nia->nka", weights, meshes)
    errors = np.linalg.norm(found - truth, axis=2) / corners[:, None]
    print("error by outer eye corners: fitted %.4f, others %.4f" % (errors[fitted].mean(), errors[tested].mean()))
    print({name: round(float(errors[tested, a:b].mean()), 4) for name, (a, b) in GROUPS.items()})

    # Typical error of each point, alike on both sides; and its growth with the difference of the two passes.
    typical = np.exp(np.log(errors[fitted] + 1e-3).mean(0))
    typical = (typical + typical[MIRROR68]) / 2
    size = np.linalg.norm(found[:, 36] - found[:, 45], axis=1)
    apart = spread[:, NEAREST].mean(1) / size
    reference = np.exp(np.log(apart[fitted]).mean())
    x = np.log(apart / reference)
    y = np.log(errors.mean(1) / errors[fitted].mean())
    power = float((x[fitted] * y[fitted]).sum() / (x[fitted] ** 2).sum())
    # Of a typical error in the sense of logarithms to the mean.
    typical *= errors[fitted].mean() / typical.mean()
    expected = typical * np.clip(apart / reference, 0.3, 6)[:, None] ** power
    print("power %.3f, reference %.5f" % (power, reference))
    print(
        "rank correlation with the errors of others: %.3f"
        % spearmanr(expected[tested].ravel(), errors[tested].ravel())[0]
    )
    print("mean of a face: %.3f" % spearmanr(expected[tested].mean(1), errors[tested].mean(1))[0])

    if arguments.write:
        (arguments.write / "FaceMeshMirror.swift").write_text(
            "/// The mesh in a mirror. Made by Training/Faces/landmarks.py of the meshes of photos and of their "
            "mirror images.\n"
            "package enum FaceMeshMirror {\n    /// The point that each point of the mesh becomes.\n"
            + swift_array("partner", pairs, "Int", 20, "%d", "package ") + "}\n")
        rows = ""
        for point in range(68):
            indices = np.flatnonzero(weights[point])
            rows += "        ([%s], [%s]),\n" % (
                ", ".join(map(str, indices)), ", ".join("%.4f" % w for w in weights[point, indices]))
        (arguments.write / "FaceLandmarkWeights.swift").write_text(
            "/// The 68 points of iBUG as weighted means of points of the mesh, and how exact they are. Made by\n"
            "/// Training/Faces/landmarks.py from half of 100 photos of Helen (Le et al., 2012) with the points of "
            "300-W (Sagonas et\n"
            "/// al., 2013).\n"
            "enum FaceLandmarkWeights {\n    /// Points of the mesh and the weight of each, which sum to 1.\n"
            "    static let rows: [(points: [Int], weights: [Double])] = [\n" + rows + "    ]\n\n"
            "    /// How far a point is off, as a share of the distance of the outer eye corners, where the two "
            "passes over the face\n"
            "    /// differ by `spread`.\n" + swift_array("errors", typical, "Double", 12, "%.4f") + "\n"
            "    /// Half of the difference of the two passes, in the same unit: the mean over the points nearest to "
            "the 68.\n"
            "    static let spread = %.5f\n    /// How the errors grow with it.\n    static let power = %.3f\n"
            "    /// The points of the mesh nearest to the 68.\n" % (reference, power)
            + swift_array("nearest", NEAREST, "Int", 20, "%d")
            + "\n    /// The point that each of the 68 becomes in a mirror.\n"
            + swift_array("mirror", MIRROR68, "Int", 20, "%d") + "}\n")


if __name__ == "__main__":
    main()
