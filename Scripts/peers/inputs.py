"""The inputs of both sides, made from photographs."""

import pathlib

import cv2
import numpy as np
import scipy.fft
import skimage

# Photographs that come with scikit-image; tiled they give images of any size.
BUNDLED = ["astronaut", "coffee", "chelsea", "rocket", "motorcycle_left", "brick", "grass", "gravel", "camera", "moon"]


class Photos:
    """Images of any size from a folder of photographs, or from those that come with scikit-image."""

    def __init__(self, folder=None):
        if folder:
            files = sorted(p for p in pathlib.Path(folder).rglob("*") if p.suffix.lower() in (".jpg", ".jpeg", ".png"))
        else:
            data = pathlib.Path(skimage.__file__).parent / "data"
            files = [p for name in BUNDLED for p in sorted(data.glob(name + ".*"))]
        self.files = files
        if not files:
            raise SystemExit(f"no photographs in {folder or 'scikit-image'}")

    def image(self, width, height, number=0):
        """BGR bytes: a photo, or several side by side at their own resolution where one is too small."""
        out = np.zeros((height, width, 3), np.uint8)
        y = 0
        while y < height:
            x, rows = 0, height - y
            while x < width:
                tile = self._read(number)
                number += 1
                columns = min(tile.shape[1], width - x)
                rows = min(rows, tile.shape[0])
                out[y : y + rows, x : x + columns] = tile[:rows, :columns]
                x += columns
            y += rows
        return out

    def grey(self, width, height, number=0):
        return cv2.cvtColor(self.image(width, height, number), cv2.COLOR_BGR2GRAY).astype(np.float64)

    def _read(self, number):
        image = cv2.imread(str(self.files[number % len(self.files)]), cv2.IMREAD_COLOR)
        if image is None:
            raise SystemExit(f"cannot read {self.files[number % len(self.files)]}")
        return image


def fourier_shift(image, x, y, margin=32):
    """Moves the content right by x and down by y with a phase ramp; mirrored borders keep it from ringing."""
    padded = np.pad(image, margin, mode="reflect")
    spectrum = scipy.fft.fft2(padded)
    ky = scipy.fft.fftfreq(padded.shape[0])[:, None]
    kx = scipy.fft.fftfreq(padded.shape[1])[None]
    moved = scipy.fft.ifft2(spectrum * np.exp(-2j * np.pi * (kx * x + ky * y))).real
    return moved[margin:-margin, margin:-margin]


def crops(image, width, height, offsets, rng, noise=2.0):
    """Noisy 8-bit crops of an image whose content is moved by each of `offsets` (right, down)."""
    frames = []
    for x, y in offsets:
        whole_x, whole_y = int(np.floor(x)), int(np.floor(y))
        moved = fourier_shift(image, x - whole_x, y - whole_y)
        # Whole pixels are part of the position of the crop: content further right means a crop further left.
        left, top = image.shape[1] - width - 2 - whole_x, image.shape[0] - height - 2 - whole_y
        cut = moved[top : top + height, left : left + width]
        frames.append(np.clip(np.round(cut + rng.normal(0, noise, cut.shape)), 0, 255).astype(np.uint8))
    return frames


def pairs(photos, width, height, count, share=0.25, seed=1):
    """Pairs of one photo each, shifted by up to `share` of the size: [(reference, floating, (right, down)), …]"""
    rng = np.random.default_rng(seed)
    out = []
    for index in range(count):
        room = np.array([width, height]) * share
        # 37: neighbours have no tile in common.
        image = photos.grey(width + int(room[0]) + 4, height + int(room[1]) + 4, index * 37)
        shift = rng.uniform(-1, 1, 2) * room
        base = np.maximum(0, -shift) + rng.uniform(0, 1, 2) * (room - abs(shift))
        reference, floating = crops(image, width, height, [base, base + shift], rng)
        out.append((reference, floating, shift))
    return out


def sequence(photos, width, height, count, share=0.25, seed=2):
    """Frames of one image; each lies up to `share` of the size from the last. -> (frames, [(right, down) of each])"""
    rng = np.random.default_rng(seed)
    room = np.array([width, height]) * share
    image = photos.grey(width + int(room[0]) + 4, height + int(room[1]) + 4, 5)
    offsets = [rng.uniform(0, 1, 2) * room for _ in range(count)]
    return crops(image, width, height, offsets, rng), offsets


def video(photos, size, width=640, height=480, count=48):
    """A textured square that moves by fractions of a pixel over a photo, with noise, brightness that drifts, and an end
    that joins its beginning. -> (BGR frames, [(x, y, w, h)])"""
    rng = np.random.default_rng(size)
    background = photos.image(width, height, 0)
    texture = cv2.resize(photos.image(300, 300, 2), (2 * size, 2 * size), interpolation=cv2.INTER_AREA)
    mask = np.zeros((2 * size, 2 * size), np.float32)
    mask[3:-3, 3:-3] = 1
    mask = cv2.GaussianBlur(mask, (0, 0), 1.5)
    frames, boxes = [], []
    for index in range(count):
        angle = 2 * np.pi * index / count
        left = width / 2 + 60 * np.sin(angle + 0.3) - size / 2
        top = height / 2 + 30 * np.sin(2 * angle + 1.1) - size / 2
        transform = np.float32([[0.5, 0, left - 0.25], [0, 0.5, top - 0.25]])
        patch = cv2.warpAffine(texture.astype(np.float32), transform, (width, height), flags=cv2.INTER_LINEAR)
        alpha = cv2.warpAffine(mask, transform, (width, height))[..., None]
        frame = (background * (1 - alpha) + patch * alpha) * (1 + 0.05 * np.sin(angle))
        frames.append(np.clip(frame + rng.normal(0, 3, frame.shape), 0, 255).astype(np.uint8))
        boxes.append((left, top, float(size), float(size)))
    return frames, boxes


def overlap(a, b):
    """Intersection over union of two (x, y, w, h)."""
    across = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    down = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    if across <= 0 or down <= 0:
        return 0.0
    return across * down / (a[2] * a[3] + b[2] * b[3] - across * down)
