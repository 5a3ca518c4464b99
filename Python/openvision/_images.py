"""What may be given as an image."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Union

import numpy as np

from ._library import OpenVisionError, Result, library, pixels_of

ImageLike = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, np.ndarray, Any]


def array_of(image: Any) -> np.ndarray | None:
    """Returns the pixels of an array or of a Pillow image; None for something else."""
    if isinstance(image, np.ndarray):
        return image
    if hasattr(image, "convert") and hasattr(image, "mode"):
        return np.asarray(image if image.mode in ("L", "RGB", "RGBA") else image.convert("RGB"))
    return None


def analyzed(image: ImageLike, requests: str) -> Result:
    """Returns the report of an image."""
    array = array_of(image)
    if array is not None:
        pixels, owner = pixels_of(array)
        result = Result(library.openvision_analyze_pixels(ctypes.byref(pixels), requests.encode()))
        del owner
        return result
    if isinstance(image, (str, os.PathLike)):
        try:
            with open(image, "rb") as file:
                image = file.read()
        except OSError as error:
            raise OpenVisionError(f"{os.fspath(image)} cannot be read: {error.strerror}") from error
    if not isinstance(image, (bytes, bytearray, memoryview)):
        raise OpenVisionError(
            f"An image must be a path, the bytes of a file, an array or a Pillow image, not {type(image).__name__}.")
    data = np.frombuffer(image, np.uint8)
    return Result(library.openvision_analyze_file(data.ctypes.data, data.size, requests.encode()))
