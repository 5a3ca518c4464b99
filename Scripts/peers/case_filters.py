"""Core Image's filters on a frame of 1920 x 1080 pixels, BGRA to BGRA: OpenCV and Pillow against ours.

Ours are timed as an app uses them: a CIContext renders a filtered CIImage of a pixel buffer into a bitmap. OpenCV's
GaussianBlur gets the size of the kernel that it chooses by itself for bytes, six standard deviations, as ours has; the
borders repeat. Its INTER_LANCZOS4 is a Lanczos filter of four lobes at the source's scale, which aliases when an image
is reduced; Pillow's LANCZOS has three lobes at the result's scale, as Core Image's has, and is the reference.
"""

import cv2
import numpy as np
from PIL import Image

from raw_files import write_raw
from rows import Row
from timing import alternating, repeat

WIDTH, HEIGHT = 1920, 1080
QUAD = np.float32([[200, 100], [1700, 60], [1850, 1000], [120, 1040]])
# Rows and columns in the order blue, green, red, alpha; those of the Swift side begin with red.
MATRIX = np.float32([[0.9, 0.1, 0, 0], [0.1, 0.8, 0.1, 0], [0, 0.2, 0.8, 0], [0, 0, 0, 1]])

NAMES = [
    "coreimage/gaussian-3", "coreimage/gaussian-10", "coreimage/box-3", "coreimage/box-10", "coreimage/lanczos-half",
    "coreimage/perspective-correction", "coreimage/colour-matrix", "coreimage/exposure", "coreimage/blend-with-mask",
    "coreimage/source-over", "coreimage/exposure-gaussian-3",
]  # fmt: skip


def frames(env):
    """The image, another one and a mask; where images are drawn over each other the first gets the mask's alpha."""
    image = cv2.cvtColor(env.photos.image(WIDTH, HEIGHT, 1), cv2.COLOR_BGR2BGRA)
    other = cv2.cvtColor(env.photos.image(WIDTH, HEIGHT, 4), cv2.COLOR_BGR2BGRA)
    shade = cv2.GaussianBlur(env.photos.grey(WIDTH, HEIGHT, 7).astype(np.uint8), (0, 0), 5)
    mask = cv2.cvtColor(shade, cv2.COLOR_GRAY2BGRA)
    return image, other, mask


def multiplied(image, mask):
    alpha = mask[..., :1].astype(np.float64)
    colours = np.round(image[..., :3] * alpha / 255).astype(np.uint8)
    return np.concatenate([colours, mask[..., :1]], axis=2)


def perspective():
    """The matrix from the corrected image to the source, in pixels whose centres are whole numbers."""
    sides = [np.hypot(*(QUAD[a] - QUAD[b])) for a, b in ((0, 1), (3, 2), (0, 3), (1, 2))]
    width, height = round(max(sides[:2])), round(max(sides[2:]))
    corners = np.float32([[0, 0], [width, 0], [width, height], [0, height]])
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), QUAD)
    return np.linalg.inv(half) @ matrix @ half, (width, height)


def gaussian(image, sigma):
    """In double precision, with the weights of ours."""
    radius = int(np.ceil(3 * sigma))
    weights = np.exp(-(np.arange(-radius, radius + 1) ** 2) / (2 * sigma**2))
    weights /= weights.sum()
    return cv2.sepFilter2D(image.astype(np.float64), cv2.CV_64F, weights, weights, borderType=cv2.BORDER_REPLICATE)


def warped(image, matrix, size):
    """Bilinear in double precision, black outside, in the lower left corner of a frame."""
    # Rows of the frame above the result have negative numbers.
    matrix = matrix @ np.array([[1, 0, 0], [0, 1, size[1] - HEIGHT], [0, 0, 1]])
    x, y = np.meshgrid(np.arange(WIDTH, dtype=np.float64), np.arange(HEIGHT, dtype=np.float64))
    w = matrix[2, 0] * x + matrix[2, 1] * y + matrix[2, 2]
    u = (matrix[0, 0] * x + matrix[0, 1] * y + matrix[0, 2]) / w
    v = (matrix[1, 0] * x + matrix[1, 1] * y + matrix[1, 2]) / w
    left, top = np.floor(u).astype(int), np.floor(v).astype(int)
    u, v = (u - left)[..., None], (v - top)[..., None]
    padded = np.pad(image.astype(np.float64), ((1, 2), (1, 2), (0, 0)))

    def at(dx, dy):
        return padded[np.clip(top + dy + 1, 0, HEIGHT + 2), np.clip(left + dx + 1, 0, WIDTH + 2)]

    result = (at(0, 0) * (1 - u) + at(1, 0) * u) * (1 - v) + (at(0, 1) * (1 - u) + at(1, 1) * u) * v
    result[:, size[0] :] = 0
    result[: max(0, HEIGHT - size[1])] = 0
    return result


def lanczos(image):
    """Three lobes at half the scale, in double precision."""
    def weights(length):
        rows = []
        for i in range(length // 2):
            x = (np.arange(length) + 0.5 - 2 * (i + 0.5)) / 2
            row = np.where(abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0)
            rows.append(row / row.sum())
        return np.array(rows)

    down = np.einsum("ij,jkc->ikc", weights(HEIGHT), image.astype(np.float64), optimize=True)
    return np.einsum("ij,kjc->kic", weights(WIDTH), down, optimize=True)


def pixels(image, mode):
    """The bytes as an image of Pillow's."""
    return Image.frombuffer(mode, (WIDTH, HEIGHT), image.tobytes(), "raw", mode, 0, 1)


def peers(name, image, other, mask):
    """-> ({peer: a call that makes the image}, the image in double precision)"""
    out, half = np.empty_like(image), np.empty((HEIGHT // 2, WIDTH // 2, 4), np.uint8)
    kind = name.split("/")[1]
    border = cv2.BORDER_REPLICATE
    if kind.startswith("gaussian"):
        sigma = float(kind.split("-")[1])
        return {
            "OpenCV GaussianBlur": lambda: cv2.GaussianBlur(image, (0, 0), sigma, dst=out, borderType=border)
        }, gaussian(image, sigma)
    if kind.startswith("box"):
        side = 2 * int(kind.split("-")[1]) + 1
        exact = cv2.blur(image.astype(np.float64), (side, side), borderType=border)
        return {"OpenCV blur": lambda: cv2.blur(image, (side, side), dst=out, borderType=border)}, exact
    if kind == "lanczos-half":
        size, pillow = (WIDTH // 2, HEIGHT // 2), pixels(image, "RGBX")
        return {
            "OpenCV INTER_LANCZOS4": lambda: cv2.resize(image, size, dst=half, interpolation=cv2.INTER_LANCZOS4),
            "Pillow LANCZOS": lambda: pillow.resize(size, Image.Resampling.LANCZOS),
        }, lanczos(image)
    if kind == "perspective-correction":
        matrix, size = perspective()
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        # Ours renders a frame, of which the result is a part, and clears the rest.
        small = np.empty((size[1], size[0], 4), np.uint8)
        return {
            "OpenCV warpPerspective": lambda: cv2.warpPerspective(image, matrix, size, dst=small, flags=flags)
        }, warped(image, matrix, size)
    if kind == "colour-matrix":
        return {"OpenCV transform": lambda: cv2.transform(image, MATRIX, dst=out)}, image @ MATRIX.astype(float).T
    if kind == "exposure":
        factor = 2**-0.5
        table = np.round(np.arange(256) * factor).astype(np.uint8)
        tables = np.stack([table, table, table, np.arange(256, dtype=np.uint8)], axis=-1)[None]
        exact = image * np.array([factor, factor, factor, 1])
        return {"OpenCV LUT": lambda: cv2.LUT(image, tables, dst=out)}, exact
    if kind == "blend-with-mask":
        share = np.float32(mask[..., 1] / 255)
        rest = 1 - share
        exact = other + (image.astype(np.float64) - other) * (mask[..., 1:2] / 255)
        return {"OpenCV blendLinear": lambda: cv2.blendLinear(image, other, share, rest, dst=out)}, exact
    if kind == "source-over":
        exact = image + other * (1 - image[..., 3:] / 255)
        # Pillow takes colours that are not multiplied by alpha; it is spared the division.
        front, behind = pixels(image, "RGBa").convert("RGBA"), pixels(other, "RGBA")
        return {"Pillow alpha_composite": lambda: Image.alpha_composite(behind, front)}, exact
    factor = np.array([2**-0.5] * 3 + [1])
    table = np.round(np.arange(256)[:, None] * factor).astype(np.uint8)[None]
    between = np.empty_like(image)
    return {
        "OpenCV LUT, GaussianBlur": lambda: cv2.GaussianBlur(
            cv2.LUT(image, table, dst=between), (0, 0), 3, dst=out, borderType=border
        )
    }, gaussian(image * factor, 3)


def run(name, env):
    image, other, mask = frames(env)
    if name.endswith("source-over"):
        image = multiplied(image, mask)
    file = write_raw(env.folder / (name.replace("/", "-") + ".raw"), "bgra8", [image, other, mask])
    case = name.replace("/", "-")
    calls, exact = peers(name, image, other, mask)
    contestants = {peer: repeat(call) for peer, call in calls.items()}
    results = alternating({"ours": env.ours.runner(case, file)} | contestants, env.rounds)
    rows = [Row.timed(name, peer, results, 1.0) for peer in calls]
    output = env.folder / "output.raw"
    env.ours.ask(case, file, 1, output=output)
    ours = np.fromfile(output, np.uint8).reshape(exact.shape)
    difference = float(abs(ours - np.clip(exact, 0, 255)).max())
    rows.append(Row.checked(name, "(our error against double precision)", difference, 1.0, "levels"))
    return rows
