"""The C interface of OpenVision (openvision.h), as ctypes sees it."""

from __future__ import annotations

import ctypes
import json
from pathlib import Path
from typing import Any

import numpy as np

ABI_VERSION = 1
GREY, RGB, RGBA = 1, 2, 4
INPUT_ARRAY, INPUT_PIXELS, INPUT_INTEGER, INPUT_NUMBER, INPUT_TEXT = 1, 2, 3, 4, 5
ELEMENTS = {1: np.uint8, 2: np.int32, 3: np.float16, 4: np.float32, 5: np.float64}


class OpenVisionError(Exception):
    """What went wrong, as a sentence."""


class Pixels(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("width", ctypes.c_int64),
        ("height", ctypes.c_int64),
        ("row_bytes", ctypes.c_int64),
        ("format", ctypes.c_int32),
    ]


class Array(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("data", ctypes.c_void_p),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("rank", ctypes.c_int32),
        ("type", ctypes.c_int32),
    ]


class Input(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("kind", ctypes.c_int32),
        ("array", Array),
        ("pixels", Pixels),
        ("integer", ctypes.c_int64),
        ("number", ctypes.c_double),
        ("text", ctypes.c_char_p),
    ]


def _load() -> ctypes.CDLL:
    path = Path(__file__).with_name("libOpenVisionC.so")
    library = ctypes.CDLL(str(path))
    if library.openvision_abi_version() != ABI_VERSION:
        raise ImportError(f"{path} is of another version than this package; install the package anew.")
    pointer, text = ctypes.c_void_p, ctypes.c_char_p
    signatures: dict[str, tuple[Any, list[Any]]] = {
        "openvision_set_thread_count": (None, [ctypes.c_int]),
        "openvision_result_error": (text, [pointer]),
        "openvision_result_json": (text, [pointer]),
        "openvision_result_free": (None, [pointer]),
        "openvision_result_array_count": (ctypes.c_size_t, [pointer]),
        "openvision_result_array": (ctypes.c_int, [pointer, ctypes.c_size_t, ctypes.POINTER(Array)]),
        "openvision_analyze_file": (pointer, [pointer, ctypes.c_size_t, text]),
        "openvision_analyze_pixels": (pointer, [ctypes.POINTER(Pixels), text]),
        "openvision_tracker_start": (pointer, [ctypes.POINTER(Pixels), text, ctypes.POINTER(pointer)]),
        "openvision_tracker_next": (pointer, [pointer, ctypes.POINTER(Pixels)]),
        "openvision_tracker_free": (None, [pointer]),
        "openvision_model_open": (pointer, [text, ctypes.POINTER(pointer)]),
        "openvision_model_free": (None, [pointer]),
        "openvision_model_predict": (pointer, [pointer, ctypes.POINTER(Input), ctypes.c_size_t]),
        "openvision_models_pending": (pointer, []),
        "openvision_models_install": (pointer, [text]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


library = _load()


class Result:
    """Owns what a call returned. Arrays of it keep it alive."""

    def __init__(self, pointer: int) -> None:
        self._pointer = pointer
        error = library.openvision_result_error(pointer)
        if error is not None:
            raise OpenVisionError(error.decode())
        self.value = json.loads(library.openvision_result_json(pointer))

    def __del__(self) -> None:
        library.openvision_result_free(self._pointer)

    def arrays(self) -> dict[str, np.ndarray]:
        """The arrays by their names. They are not copied."""
        found = {}
        array = Array()
        for index in range(library.openvision_result_array_count(self._pointer)):
            library.openvision_result_array(self._pointer, index, ctypes.byref(array))
            shape = tuple(array.shape[axis] for axis in range(array.rank))
            kind = np.dtype(ELEMENTS[array.type])
            count = int(np.prod(shape, dtype=np.int64)) * kind.itemsize
            memory = (ctypes.c_ubyte * count).from_address(array.data)
            memory.owner = self  # type: ignore[attr-defined]
            found[array.name.decode()] = np.frombuffer(memory, kind).reshape(shape)
        return found


def pixels_of(array: np.ndarray) -> tuple[Pixels, np.ndarray]:
    """Returns pixels over the memory of an array, and the array that must live as long: a copy where rows have gaps."""
    if array.dtype != np.uint8 or array.ndim not in (2, 3):
        raise OpenVisionError(
            f"An image must be an array of bytes with 2 or 3 axes, not {array.dtype} of the shape {array.shape}.")
    channels = 1 if array.ndim == 2 else array.shape[2]
    formats = {1: GREY, 3: RGB, 4: RGBA}
    if channels not in formats or 0 in array.shape:
        raise OpenVisionError(f"An image cannot have the shape {array.shape}; use height × width, × 3 or × 4.")
    has_rows = array.strides[1] == channels and (array.ndim == 2 or array.strides[2] == 1)
    if not has_rows or array.strides[0] < array.shape[1] * channels:
        array = np.ascontiguousarray(array)
    height, width = array.shape[:2]
    return Pixels(array.ctypes.data, width, height, array.strides[0], formats[channels]), array
