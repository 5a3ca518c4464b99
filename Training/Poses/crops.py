"""Square parts of photographs, turned and scaled, as the library cuts them for the networks of poses.

needs: numpy, opencv-python-headless
"""
import cv2
import numpy as np

# The middle of the hips and a point of the circle around the body, behind the 33 landmarks.
CENTRE, CIRCLE = 33, 34
# The side of a crop relative to the circle's radius.
CROP = 2.5


class Crop:
    """A square: its middle and side in pixels of the photograph, and the direction of its rows."""

    def __init__(self, centre, side, axis=(1, 0)):
        self.centre, self.side = np.asarray(centre, float), float(side)
        axis = np.asarray(axis, float)
        self.axes = np.stack([axis, [-axis[1], axis[0]]]) / np.linalg.norm(axis)

    def is_usable(self, photo):
        return (np.isfinite(self.centre).all() and np.isfinite(self.side)
                and 4 <= self.side <= 8 * max(photo.shape[:2]))

    def to_photo(self, points, size):
        """Pixels of the crop with `size` rows -> pixels of the photograph."""
        return self.centre + (np.asarray(points, float) - size / 2) * (self.side / size) @ self.axes

    def pixels(self, photo, size):
        """The crop with `size` rows; outside of the photograph its edge is repeated."""
        step = self.side / size
        small = photo
        if step > 1.5 and min(photo.shape[:2]) >= 2 * step:
            small = cv2.resize(photo, None, fx=1 / step, fy=1 / step, interpolation=cv2.INTER_AREA)
        scale = np.array([small.shape[1] / photo.shape[1], small.shape[0] / photo.shape[0]])
        matrix = np.column_stack([self.axes.T * step, self.to_photo([0.5, 0.5], size)]) * scale[:, None]
        matrix[:, 2] -= 0.5
        return cv2.warpAffine(small, matrix, (size, size), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                              borderMode=cv2.BORDER_REPLICATE)


def next_crop(landmarks):
    """The crop that landmarks (39 x 2, pixels of the photograph) ask for: upright along the body."""
    up = landmarks[CIRCLE] - landmarks[CENTRE]
    length = np.linalg.norm(up)
    return Crop(landmarks[CENTRE], CROP * length, (-up[1], up[0]) if length > 0 else (1, 0))
