"""Core ML, ONNX and TensorFlow Lite models, called as those of coremltools."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Mapping

import numpy as np

from ._images import array_of
from ._library import (
    INPUT_ARRAY, INPUT_INTEGER, INPUT_NUMBER, INPUT_PIXELS, INPUT_TEXT, Input, OpenVisionError, Result, library,
    pixels_of,
)

__all__ = ["MLModel"]

_TYPES = {np.dtype(np.int32): 2, np.dtype(np.float16): 3, np.dtype(np.float32): 4, np.dtype(np.float64): 5}


class MLModel:
    """A model of a file: .mlmodel, .mlpackage, .mlmodelc, .onnx or .tflite."""

    def __init__(self, path: "str | os.PathLike[str]") -> None:
        self._model = ctypes.c_void_p()
        result = Result(library.openvision_model_open(os.fspath(path).encode(), ctypes.byref(self._model)))
        #: The inputs and outputs: dictionaries with "name", "type", and what else is known of them.
        self.inputs: list[dict[str, Any]] = result.value["inputs"]
        self.outputs: list[dict[str, Any]] = result.value["outputs"]

    def __del__(self) -> None:
        library.openvision_model_free(getattr(self, "_model", None))

    def predict(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Runs the model.

        Inputs are arrays (lists are converted), Pillow images or arrays of bytes for images, numbers and texts.
        Outputs are arrays, Pillow images (arrays without Pillow), numbers, texts, and dictionaries of classes.
        """
        described = {feature["name"]: feature for feature in self.inputs}
        owners: list[Any] = []
        inputs = (Input * max(1, len(data)))()
        for place, (name, value) in zip(inputs, data.items()):
            place.name = name.encode()
            _fill(place, value, described.get(name, {"name": name, "type": "multiArray"}), owners)
        result = Result(library.openvision_model_predict(self._model, inputs, len(data)))
        arrays = result.arrays()
        return {name: _output(name, entry, arrays) for name, entry in result.value["outputs"].items()}


def _fill(place: Input, value: Any, feature: Mapping[str, Any], owners: list[Any]) -> None:
    kind = feature["type"]
    if kind == "image":
        array = array_of(value)
        if array is None:
            raise OpenVisionError(f"The input {feature['name']} must be a Pillow image or an array of bytes.")
        place.kind = INPUT_PIXELS
        place.pixels, owner = pixels_of(_channels(array, value, feature))
        owners.append(owner)
    elif kind == "int64":
        place.kind, place.integer = INPUT_INTEGER, int(value)
    elif kind == "double":
        place.kind, place.number = INPUT_NUMBER, float(value)
    elif kind == "string":
        place.kind, place.text = INPUT_TEXT, str(value).encode()
    else:
        wanted = np.dtype(feature["dataType"]) if feature.get("dataType") else None
        array = np.asarray(value)
        if array.dtype not in _TYPES:
            array = array.astype(wanted or np.float32)
        array = np.ascontiguousarray(array)
        if array.size == 0:
            raise OpenVisionError(f"The input {feature['name']} is empty.")
        place.kind = INPUT_ARRAY
        shape = (ctypes.c_int64 * max(1, array.ndim))(*(array.shape or (1,)))
        place.array.data, place.array.shape = array.ctypes.data, shape
        place.array.rank, place.array.type = len(shape), _TYPES[array.dtype]
        owners += [array, shape]


def _channels(array: np.ndarray, value: Any, feature: Mapping[str, Any]) -> np.ndarray:
    """Returns the pixels with the channels that the input has, where Pillow can convert them."""
    mode = "L" if feature.get("isGrey") else "RGB"
    if hasattr(value, "convert") and value.mode != mode:
        return np.asarray(value.convert(mode))
    return array


def _output(name: str, entry: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> Any:
    if entry["type"] == "multiArray":
        return arrays[name]
    if entry["type"] == "image":
        try:
            from PIL import Image
        except ImportError:
            return arrays[name]
        return Image.fromarray(arrays[name])
    value = entry["value"]
    if entry["type"] == "dictionary" and entry.get("hasIntegerKeys"):
        return {int(key): number for key, number in value.items()}
    return value
