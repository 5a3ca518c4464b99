"""The sizes at which the backbone runs, and those of its maps.

needs: numpy
"""
import numpy as np

# Rows and columns of the input: 4 above a multiple of 32, as the 260 of the network's file, whose paddings hold then.
SIZES = ((388, 388), (324, 452), (452, 324), (324, 484), (484, 324), (292, 516), (516, 292))
COMPONENTS = 256  # of the last map


def nearest(image):
    """The size whose aspect ratio is nearest to an image's."""
    aspect = image.width / image.height
    return min(SIZES, key=lambda size: abs(np.log(size[1] / size[0] / aspect)))


def cells(size, stride):
    """Rows and columns of a map with one cell for `stride` pixels each way."""
    return tuple((side - 4) // stride + 1 for side in size)
