"""The files of pixels that our side reads: a line of text and the frames.

needs: numpy
"""

import numpy as np


def write_raw(path, format_name, frames):
    """Writes frames (arrays of the same shape) in the format that our side reads."""
    first = frames[0]
    with open(path, "wb") as file:
        file.write(f"openvision-raw {format_name} {first.shape[1]} {first.shape[0]} {len(frames)}\n".encode())
        for frame in frames:
            file.write(np.ascontiguousarray(frame).tobytes())
    return path
