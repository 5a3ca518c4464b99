"""Objects that are followed from frame to frame."""

from __future__ import annotations

import ctypes
import json
from typing import Any, Iterable, Iterator, Optional, Sequence

from ._images import ImageLike, array_of
from ._library import OpenVisionError, Pixels, Result, library, pixels_of


class Tracker:
    """Follows objects through frames of one size: NumPy arrays or Pillow images, or paths and bytes of image files
    (which need Pillow).

    `boxes` are (x, y, width, height) in pixels from the top left of the first frame, at most 16. `revision` is 2, a
    network that was trained for tracking, or 1, correlation filters, with a `level`, "fast" or "accurate".
    """

    def __init__(
        self, frame: ImageLike, boxes: Iterable[Sequence[float]], *, revision: int = 2, level: Optional[str] = None
    ) -> None:
        options: dict[str, Any] = {
            "boxes": [[float(number) for number in box] for box in boxes], "revision": revision}
        if level is not None:
            options["level"] = level
        self._tracker = ctypes.c_void_p()
        pixels, _owner = _pixels(frame)
        result = Result(library.openvision_tracker_start(
            ctypes.byref(pixels), json.dumps(options).encode(), ctypes.byref(self._tracker)))
        #: The targets in the last frame: dictionaries with "box" and "confidence", in the order of the boxes.
        self.targets: list[dict[str, Any]] = result.value["targets"]

    def __del__(self) -> None:
        library.openvision_tracker_free(getattr(self, "_tracker", None))

    def next(self, frame: ImageLike) -> list[dict[str, Any]]:
        """Returns the targets in the next frame: "box" and "confidence", which is low for a target that is lost and 0
        once its tracking has stopped."""
        pixels, _owner = _pixels(frame)
        self.targets = Result(library.openvision_tracker_next(self._tracker, ctypes.byref(pixels))).value["targets"]
        return self.targets


def track(
    frames: Iterable[ImageLike], boxes: Iterable[Sequence[float]], *, revision: int = 2, level: Optional[str] = None
) -> Iterator[list[dict[str, Any]]]:
    """Follows objects through the frames of a video, and yields the targets of each frame, the first one included.

    The arguments are those of `Tracker`. Frames are taken one at a time.
    """
    remaining = iter(frames)
    for first in remaining:
        tracker = Tracker(first, boxes, revision=revision, level=level)
        yield tracker.targets
        for frame in remaining:
            yield tracker.next(frame)


def _pixels(frame: ImageLike) -> tuple[Pixels, Any]:
    array = array_of(frame)
    if array is None:
        array = array_of(_opened(frame))
    assert array is not None
    return pixels_of(array)


def _opened(frame: ImageLike) -> Any:
    try:
        import io

        from PIL import Image, ImageOps

        source: Any = io.BytesIO(frame) if isinstance(frame, (bytes, bytearray, memoryview)) else frame
        return ImageOps.exif_transpose(Image.open(source))
    except ImportError:
        raise OpenVisionError("A frame must be an array or a Pillow image; files need Pillow.") from None
    except (OSError, AttributeError, ValueError) as error:
        raise OpenVisionError(f"A frame cannot be read: {error}") from error
