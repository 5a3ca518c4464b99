"""Template and search crops made of still photos with boxes.

A target is cut out of its photo twice: once as the template, and several times as the search crop, moved, scaled,
stretched, rotated, relit, blurred and partly hidden, with other photos around its own. The geometry is that of the
tracker: with a margin m = (w + h) / 2, the template sees a square of side sqrt((w + m)(h + m)) around the box, the
search crop one of twice that side.
"""
import json
import math
import pathlib

import cv2
import numpy as np

TEMPLATE, SEARCH = 128, 256


def square(w, h):
    m = (w + h) / 2
    return math.sqrt((w + m) * (h + m))


def template_size(box):
    w, h = box[2] - box[0], box[3] - box[1]
    return w / square(w, h) * TEMPLATE, h / square(w, h) * TEMPLATE


def load_photos(folder):
    """-> [(RGB image, [(box x1 y1 x2 y2, name)])], from train-boxes, faces68 and photos without boxes."""
    folder = pathlib.Path(folder)
    photos = []
    base = folder / "train-boxes"
    for entry in json.loads((base / "manifest.json").read_text()):
        found = list(base.rglob(entry["image"])) if not (base / entry["image"]).exists() else [base / entry["image"]]
        image = cv2.imread(str(found[0]))
        boxes = [(o["box"], o["name"]) for o in entry["objects"] if good(o["box"])]
        photos.append((cv2.cvtColor(image, cv2.COLOR_BGR2RGB), boxes))
    for name in ["imagenet-photos", "imagenette"]:
        for file in sorted((folder / name).rglob("*.jpg")) + sorted((folder / name).rglob("*.JPEG")):
            image = cv2.imread(str(file))
            if image is None:
                continue
            factor = 256 / max(image.shape[:2])
            if factor < 1:
                image = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
            photos.append((cv2.cvtColor(image, cv2.COLOR_BGR2RGB), []))
    return photos


def good(box):
    w, h = box[2] - box[0], box[3] - box[1]
    return w >= 14 and h >= 14 and max(w, h) >= 24 and 0.2 <= w / h <= 5


def targets(photos, random, patches):
    """-> [(photo index, box, name)]: the labelled boxes, and `patches` random ones for their texture alone."""
    found = [(i, tuple(b), name) for i, (_, boxes) in enumerate(photos) for b, name in boxes]
    while patches > 0:
        i = int(random.integers(len(photos)))
        image = photos[i][0]
        side = math.exp(random.uniform(math.log(28), math.log(130)))
        aspect = math.exp(random.normal(0, 0.35))
        w, h = side * math.sqrt(aspect), side / math.sqrt(aspect)
        height, width = image.shape[:2]
        if w >= width or h >= height:
            continue
        x, y = random.uniform(0, width - w), random.uniform(0, height - h)
        if image[int(y) : int(y + h), int(x) : int(x + w)].astype(np.float32).std() < 25:
            continue
        found.append((i, (x, y, x + w, y + h), ""))
        patches -= 1
    return found


def warp(image, matrix, size, fill):
    """Draws `image` through `matrix` over `fill` (an image of size x size, or a colour); shrinks without aliasing."""
    scale = math.sqrt(abs(np.linalg.det(matrix[:, :2])))
    if scale < 0.7:
        image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        matrix = matrix.copy()
        matrix[:, :2] /= scale
    if not isinstance(fill, np.ndarray):
        return cv2.warpAffine(image, matrix, (size, size), flags=cv2.INTER_LINEAR, borderValue=fill)
    drawn = cv2.warpAffine(image, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = cv2.warpAffine(np.full(image.shape[:2], 255, np.uint8), matrix, (size, size))
    out = fill.copy()
    out[mask > 127] = drawn[mask > 127]
    return out


def mosaic(photos, random, size):
    """An image of parts of four photos."""
    out = np.empty((size, size, 3), np.uint8)
    cx, cy = (int(v) for v in random.uniform(0.25 * size, 0.75 * size, 2))
    for x0, x1 in ((0, cx), (cx, size)):
        for y0, y1 in ((0, cy), (cy, size)):
            image = photos[int(random.integers(len(photos)))][0]
            w, h = x1 - x0, y1 - y0
            scale = max(w / image.shape[1], h / image.shape[0]) * random.uniform(1, 1.8)
            image = cv2.resize(image, None, fx=scale + 0.01, fy=scale + 0.01)
            x, y = int(random.integers(image.shape[1] - w + 1)), int(random.integers(image.shape[0] - h + 1))
            out[y0:y1, x0:x1] = image[y : y + h, x : x + w]
    return out


def relight(image, random, strength):
    x = image.astype(np.float32)
    gain = 1 + random.normal(0, 0.15 * strength) + random.normal(0, 0.05 * strength, 3)
    mean = x.mean()
    x = (x - mean) * max(0.3, 1 + random.normal(0, 0.2 * strength)) + mean * gain + random.normal(0, 8 * strength)
    return np.clip(x, 0, 255)


def blurred(image, random):
    kind = random.random()
    if kind < 0.12:
        return cv2.GaussianBlur(image, (0, 0), random.uniform(0.6, 2.2))
    if kind < 0.27:
        length = int(random.integers(3, 16))
        kernel = np.zeros((length, length), np.float32)
        angle = random.uniform(0, math.pi)
        c, d = (length - 1) / 2, (length - 1) / 2
        ends = [(int(round(c + s * d * math.cos(angle))), int(round(c + s * d * math.sin(angle)))) for s in (-1, 1)]
        cv2.line(kernel, *ends, 1)
        return cv2.filter2D(image, -1, kernel / kernel.sum())
    if kind < 0.42:
        factor = random.uniform(0.3, 0.8)
        small = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        return cv2.resize(small, image.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return image


def matrix_for(box, side, size, random, shift, scale, aspect, angle, flip):
    """Maps the photo to a crop where a square of `side` around the box has `size` pixels, and back: the box there."""
    x1, y1, x2, y2 = box
    cx, cy = (x1 + x2) / 2, (y1 + y2) / 2
    k = size / side * scale
    a, b = math.cos(angle), math.sin(angle)
    rotation = np.array([[a, -b], [b, a]])
    linear = rotation @ np.diag([k * math.sqrt(aspect) * (-1 if flip else 1), k / math.sqrt(aspect)])
    offset = np.array([size / 2 + shift[0], size / 2 + shift[1]]) - linear @ [cx, cy]
    w, h = (x2 - x1) * k * math.sqrt(aspect), (y2 - y1) * k / math.sqrt(aspect)
    # A rotated object does not fill the corners of its box: half of the growth of the box is believable.
    grown_w, grown_h = abs(a) * w + abs(b) * h, abs(b) * w + abs(a) * h
    w, h = (w + grown_w) / 2, (h + grown_h) / 2
    centre = (size / 2 + shift[0], size / 2 + shift[1])
    where = (centre[0] - w / 2, centre[1] - h / 2, centre[0] + w / 2, centre[1] + h / 2)
    return np.hstack([linear, offset[:, None]]), where


def template(photos, target, random, grey, flip):
    index, box, _ = target
    image = photos[index][0]
    side = square(box[2] - box[0], box[3] - box[1])
    jitter = random.normal(0, 0.02 * TEMPLATE, 2)
    m, _ = matrix_for(
        box, side, TEMPLATE, random, jitter, math.exp(random.normal(0, 0.04)), math.exp(random.normal(0, 0.04)), 0, flip
    )
    crop = warp(image, m, TEMPLATE, tuple(float(v) for v in image.reshape(-1, 3).mean(0)))
    return finish(crop, random, grey, 0.5)


def cutout(photo, box):
    """-> the pixels of the box and how opaque they are: a rounded shape with soft edges."""
    x1, y1, x2, y2 = (int(round(v)) for v in box)
    patch = photo[max(0, y1) : y2, max(0, x1) : x2]
    h, w = patch.shape[:2]
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    r = (np.abs((x + 0.5) / w * 2 - 1) ** 4 + np.abs((y + 0.5) / h * 2 - 1) ** 4) ** 0.25
    return patch, np.clip((1 - r) * 12, 0, 1)


def move_to_another_ground(photos, box, image, random):
    """-> a photo of the object of the box alone, cut out, on a part of another photo; and the box there."""
    other = photos[int(random.integers(len(photos)))][0]
    patch, opaque = cutout(image, box)
    h, w = patch.shape[:2]
    H, W = max(image.shape[0], 3 * h), max(image.shape[1], 3 * w)
    ground = cv2.resize(other, (W, H), interpolation=cv2.INTER_LINEAR)
    x, y = int(random.integers(W - w + 1)), int(random.integers(H - h + 1))
    part = ground[y : y + h, x : x + w]
    ground[y : y + h, x : x + w] = np.round(part * (1 - opaque[..., None]) + patch * opaque[..., None]).astype(np.uint8)
    return ground, (x, y, x + w, y + h)


def search(photos, target, random, grey, flip, cut=0.0, covered=0.0):
    """-> crop, the target's box in it, all zeros where it is covered

    `cut` is how often the target is put on another photo, `covered` how often it is covered completely."""
    index, box, _ = target
    image = photos[index][0]
    if random.random() < cut:
        image, box = move_to_another_ground(photos, box, image, random)
    side = 2 * square(box[2] - box[0], box[3] - box[1])
    reach = 40 if random.random() < 0.6 else 90
    shift = random.uniform(-reach, reach, 2)
    wild = random.random() < 0.3
    scale = math.exp(random.uniform(-0.5, 0.5) if wild else random.normal(0, 0.14))
    aspect = math.exp(random.normal(0, 0.3 if wild else 0.1))
    angle = random.normal(0, 0.25 if wild else 0.06)
    m, where = matrix_for(box, side, SEARCH, random, shift, scale, aspect, angle, flip)
    if random.random() < 0.75:
        fill = mosaic(photos, random, SEARCH)
    else:
        fill = tuple(float(v) for v in image.reshape(-1, 3).mean(0))
    crop = warp(image, m, SEARCH, fill)
    draw = random.random()
    if draw < covered:
        cover(crop, where, photos, random)
        where = (0, 0, 0, 0)
    elif draw < covered + 0.25:
        hide(crop, where, photos, random)
    return finish(crop, random, grey, 1), where


def hide(crop, where, photos, random):
    """Covers up to a good third of the box with a piece of another photo."""
    x1, y1, x2, y2 = where
    w, h = x2 - x1, y2 - y1
    pw, ph = w * random.uniform(0.3, 0.8), h * random.uniform(0.3, 0.8)
    if pw * ph > 0.4 * w * h:
        ph = 0.4 * w * h / pw
    x, y = x1 + random.uniform(-0.3, 1) * w, y1 + random.uniform(-0.3, 1) * h
    a, b = max(0, int(x)), max(0, int(y))
    c, d = min(SEARCH, int(x + pw)), min(SEARCH, int(y + ph))
    if c - a < 3 or d - b < 3:
        return
    patch = photos[int(random.integers(len(photos)))][0]
    if patch.shape[0] < d - b or patch.shape[1] < c - a:
        return
    px, py = int(random.integers(patch.shape[1] - (c - a) + 1)), int(random.integers(patch.shape[0] - (d - b) + 1))
    crop[b:d, a:c] = patch[py : py + d - b, px : px + c - a]


def cover(crop, where, photos, random):
    """Covers all of the box, and often a little more, with one colour or a piece of another photo."""
    x1, y1, x2, y2 = where
    w, h = x2 - x1, y2 - y1
    margin = random.uniform(0, 0.1, 4) if random.random() < 0.5 else random.uniform(0, 0.6, 4)
    a, b = max(0, int(x1 - margin[0] * w)), max(0, int(y1 - margin[1] * h))
    c, d = min(SEARCH, int(x2 + margin[2] * w) + 1), min(SEARCH, int(y2 + margin[3] * h) + 1)
    if c <= a or d <= b:
        return
    if random.random() < 0.5:
        crop[b:d, a:c] = random.integers(0, 256, 3) if random.random() < 0.5 else int(random.integers(0, 256))
        return
    patch = photos[int(random.integers(len(photos)))][0]
    x, y = int(random.integers(patch.shape[1] // 2)), int(random.integers(patch.shape[0] // 2))
    crop[b:d, a:c] = cv2.resize(patch[y:, x:], (c - a, d - b), interpolation=cv2.INTER_AREA)


def finish(crop, random, grey, strength):
    crop = blurred(crop, random) if strength == 1 else crop
    x = relight(crop, random, strength)
    if grey:
        x = np.repeat((x @ np.array([0.299, 0.587, 0.114], np.float32))[..., None], 3, 2)
    if random.random() < 0.3:
        x = np.clip(x + random.normal(0, random.uniform(1, 8), x.shape), 0, 255)
    return np.round(x).astype(np.uint8)
