"""Faces, text, barcodes, people, poses, classes and feature prints of images, on the CPU.

An image is a path, the bytes of an image file, a NumPy array of bytes (height × width, × 3 for RGB, × 4 for RGBA) or a
Pillow image. Results are in pixels from the top left of the upright image.
"""

from __future__ import annotations

import json
from typing import Any, Iterable, Mapping, Union

import numpy as np

from ._images import ImageLike, analyzed
from ._library import OpenVisionError, library
from ._tracking import Tracker, track

__all__ = [
    "ImageLike", "OpenVisionError", "Tracker", "analyze", "animals", "barcodes", "classify", "distance", "document",
    "faces", "feature_print", "hands", "horizon", "people", "pose", "rectangles", "saliency", "set_thread_count",
    "text", "track",
]
__version__ = "0.1.0"

Request = Union[str, Mapping[str, Any]]


def set_thread_count(count: int = 0) -> None:
    """Sets the most threads that one call uses; 0 for all processors. Results do not depend on it."""
    library.openvision_set_thread_count(count)


def analyze(image: ImageLike, requests: Union[Request, Iterable[Request]]) -> dict[str, Any]:
    """Returns the report of several requests on one image, which is decoded once.

    A request is a name, or a dictionary with a "name" and parameters. The report has "results" and "errors" by the
    names of the requests.

    Raises OpenVisionError for an image that cannot be read, and for requests that do not exist.
    """
    single = isinstance(requests, (str, Mapping))
    report = analyzed(image, json.dumps(requests if single else list(requests))).value
    if report["error"] is not None:
        raise OpenVisionError(report["error"])
    return report


def _one(image: ImageLike, name: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
    report = analyze(image, {"name": name, **parameters})
    return report["results"][name]


def classify(
    image: ImageLike, *, top: int = 5, min_confidence: float = 0.01, ancestors: bool = False,
    revision: int | None = None,
) -> list[dict[str, Any]]:
    """Returns what an image shows, the most confident first: "identifier", "confidence", "parents"."""
    parameters = {"top": top, "minConfidence": min_confidence, "ancestors": ancestors}
    return _one(image, "classify", parameters if revision is None else {**parameters, "revision": revision})


def faces(
    image: ImageLike, *, landmarks: bool = False, quality: bool = False, min_confidence: float = 0
) -> list[dict[str, Any]]:
    """Returns the faces: "box", "confidence", "roll", "yaw", "pitch" in degrees, "quality", "landmarks"."""
    return _one(image, "faces", {"landmarks": landmarks, "quality": quality, "minConfidence": min_confidence})


def people(image: ImageLike, *, upper_body: bool = False, min_confidence: float = 0) -> list[dict[str, Any]]:
    """Returns the people: "box" and "confidence"."""
    return _one(image, "people", {"upperBody": upper_body, "minConfidence": min_confidence})


def animals(image: ImageLike, *, min_confidence: float = 0) -> list[dict[str, Any]]:
    """Returns cats and dogs: "box", "confidence", "label"."""
    return _one(image, "animals", {"minConfidence": min_confidence})


def pose(image: ImageLike, *, min_confidence: float = 0) -> list[dict[str, Any]]:
    """Returns the people with their "joints" by name, each with a "point" and a "confidence"."""
    return _one(image, "pose", {"minConfidence": min_confidence})


def hands(image: ImageLike, *, maximum_count: int = 2, min_confidence: float = 0) -> list[dict[str, Any]]:
    """Returns the hands with their "joints" by name, and their "chirality"."""
    return _one(image, "hands", {"maximumCount": maximum_count, "minConfidence": min_confidence})


def text(
    image: ImageLike, *, level: str = "accurate", languages: Iterable[str] = (), custom_words: Iterable[str] = ()
) -> list[dict[str, Any]]:
    """Returns the lines of text in reading order: "text", "confidence", "corners", "words"."""
    parameters = {"level": level, "languages": list(languages), "customWords": list(custom_words)}
    return _one(image, "text", parameters)


def barcodes(image: ImageLike, *, symbologies: Iterable[str] = ()) -> list[dict[str, Any]]:
    """Returns the barcodes: "symbology", "payload", "corners" and more."""
    return _one(image, "barcodes", {"symbologies": list(symbologies)})


def rectangles(
    image: ImageLike, *, maximum_count: int = 0, min_confidence: float = 0, min_size: float = 0.2
) -> list[dict[str, Any]]:
    """Returns rectangles in perspective: "confidence" and "corners"."""
    parameters = {"maximumCount": maximum_count, "minConfidence": min_confidence, "minSize": min_size}
    return _one(image, "rectangles", parameters)


def document(image: ImageLike, *, min_confidence: float = 0) -> list[dict[str, Any]]:
    """Returns the page that an image is a photograph of, or nothing: "confidence" and "corners"."""
    return _one(image, "document", {"minConfidence": min_confidence})


def horizon(image: ImageLike) -> list[dict[str, Any]]:
    """Returns how far an image is tilted, or nothing: "angle" in degrees, counter-clockwise, and "confidence"."""
    return _one(image, "horizon", {})


def saliency(image: ImageLike, *, kind: str = "attention") -> list[dict[str, Any]]:
    """Returns what stands out, by "attention" or "objectness": "box" and "confidence"."""
    return _one(image, "saliency", {"kind": kind})


def feature_print(image: ImageLike) -> np.ndarray:
    """Returns a vector of floats of length 1: the nearer those of two images, the more alike they are."""
    result = analyzed(image, '["print"]')
    report = result.value
    reason = report["error"] or report["errors"].get("print")
    if reason is not None:
        raise OpenVisionError(reason)
    return result.arrays()["print"]


def distance(first: np.ndarray, second: np.ndarray) -> float:
    """Returns the distance of two feature prints, 0 for the same image and at most 2."""
    if first.shape != second.shape:
        raise OpenVisionError(f"Feature prints of {first.shape} and {second.shape} elements cannot be compared.")
    return float(np.linalg.norm(first.astype(np.float64) - second.astype(np.float64)))
