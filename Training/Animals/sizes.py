"""The sizes of the network's input, and those of its maps."""

import math

# Rows and columns: 4 above a multiple of 32, as the 260 of the backbone's file, whose paddings hold then. They are few
# because the libraries of a GPU take half a minute to prepare each.
SIZES = ((356, 356), (324, 420), (420, 324))
PACKED = 448  # the longest side of packed photos


def nearest(width, height):
    """The size whose aspect ratio is nearest to that of an image."""
    return min(SIZES, key=lambda size: abs(math.log(size[1] / size[0] / (width / height))))


def cells(size, stride):
    """Rows and columns of a map with one cell for `stride` pixels each way."""
    return tuple((side - 4) // stride + 1 for side in size)
