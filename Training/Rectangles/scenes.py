"""Rendered scenes: rectangular objects over photographs, and the positions of their corners."""
import math

import cv2
import numpy as np

from faces import KINDS, colour, make_face, number, photo_part, rounded_mask


def pose(rng, width, height, least):
    """Corners of a rectangle before a camera, 4 x 2, and its aspect; None where it does not fit."""
    aspect = number(rng, 1, 2.0)
    if rng.random() < 0.5:
        aspect = rng.choice([1.414, 1.586, 1.5, 1.333, 1.778, 1.0])
    tilt = math.radians(number(rng, 0, 60) if rng.random() < 0.7 else number(rng, 0, 15))
    size = max(width, height)
    focal = number(rng, 0.85, 1.6) * size
    axis, roll = number(rng, 0, math.pi), number(rng, -math.pi, math.pi)
    if rng.random() < 0.35:
        roll = rng.integers(4) * math.pi / 2 + rng.normal(0, 0.12)
    extent = number(rng, 0, 1) ** 1.5 * 0.8 + 0.15
    depth = focal / (extent * min(width, height))
    at = np.array([number(rng, -0.5, 0.5) * width, number(rng, -0.5, 0.5) * height]) / focal * depth
    result = []
    for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        x, y = u / 2, v / 2 / aspect
        x, y = x * math.cos(roll) - y * math.sin(roll), x * math.sin(roll) + y * math.cos(roll)
        along, across = x * math.cos(axis) + y * math.sin(axis), -x * math.sin(axis) + y * math.cos(axis)
        flat, deep = across * math.cos(tilt), across * math.sin(tilt)
        x, y = along * math.cos(axis) - flat * math.sin(axis), along * math.sin(axis) + flat * math.cos(axis)
        z = depth + deep
        result.append((width / 2 + focal * (x + at[0]) / z, height / 2 + focal * (y + at[1]) / z))
    quad = np.array(result)
    sides = np.linalg.norm(quad - np.roll(quad, -1, 0), axis=1)
    shorter = min((sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2)
    inside = (quad > 3).all() and (quad[:, 0] < width - 3).all() and (quad[:, 1] < height - 3).all()
    if not inside and rng.random() < 0.93:
        return None
    if shorter < least * min(width, height) or deviation(quad) > 46:
        return None
    return quad, aspect, inside


def deviation(quad):
    most = 0
    for i in range(4):
        a, b = quad[(i + 1) % 4] - quad[i], quad[i - 1] - quad[i]
        cosine = a @ b / max(np.linalg.norm(a) * np.linalg.norm(b), 1e-9)
        most = max(most, abs(90 - math.degrees(math.acos(np.clip(cosine, -1, 1)))))
    return most


def draw(canvas, quad, face, mask, gain, shadow, rng):
    """Draws over the canvas; returns the alpha and its position."""
    height, width = canvas.shape[:2]
    x0, y0 = np.maximum(np.floor(quad.min(0)).astype(int) - 12, 0)
    x1, y1 = np.minimum(np.ceil(quad.max(0)).astype(int) + 12, (width, height))
    if x1 - x0 < 2 or y1 - y0 < 2:
        return None
    h, w = face.shape[:2]
    # Twice the resolution, for clean edges.
    target = ((quad - (x0, y0)) * 2 - 0.5).astype(np.float32)
    source = np.array([(-0.5, -0.5), (w - 0.5, -0.5), (w - 0.5, h - 0.5), (-0.5, h - 0.5)], np.float32)
    map = cv2.getPerspectiveTransform(source, target)
    size = (int(x1 - x0) * 2, int(y1 - y0) * 2)
    colours = cv2.warpPerspective(face, map, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    alpha = cv2.warpPerspective(mask, map, size, flags=cv2.INTER_LINEAR).astype(np.float32) / 255
    if mask.min() == 255:
        alpha = np.zeros((size[1], size[0]), np.uint8)
        cv2.fillConvexPoly(alpha, np.round(target * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
        alpha = alpha.astype(np.float32) / 255
    colours = cv2.resize(colours, (size[0] // 2, size[1] // 2), interpolation=cv2.INTER_AREA) * gain
    alpha = cv2.resize(alpha, (size[0] // 2, size[1] // 2), interpolation=cv2.INTER_AREA)
    part = canvas[y0:y1, x0:x1]
    if shadow:
        dx, dy, soft, dark = shadow
        shade = cv2.warpAffine(alpha, np.float32([[1, 0, dx], [0, 1, dy]]), (alpha.shape[1], alpha.shape[0]))
        shade = cv2.GaussianBlur(shade, (0, 0), soft)
        part *= 1 - dark * shade[:, :, None]
    part += alpha[:, :, None] * (colours - part)
    return (x0, y0, x1, y1), alpha


def background(rng, photos, width, height):
    if rng.random() < 0.12:
        # A table or a wall.
        coarse = rng.random((rng.integers(2, 6), rng.integers(2, 6), 1)).astype(np.float32)
        coarse = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
        cells = (max(height // int(rng.integers(2, 40)), 2), max(width // int(rng.integers(2, 12)), 2))
        fine = cv2.resize(rng.random(cells).astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
        if coarse.ndim == 3:
            coarse = coarse[:, :, 0]
        result = colour(rng) + number(rng, 0, 60) * (coarse[:, :, None] - 0.5)
        result = result + number(rng, 0, 40) * (fine[:, :, None] - 0.5)
        return np.clip(result, 0, 255).astype(np.float32)
    return photo_part(rng, photos, width, height).astype(np.float32)


def occlude(rng, canvas, quad, photos):
    """Fingers, strips or objects over a part of the quad."""
    height, width = canvas.shape[:2]
    mask = np.zeros((height, width), np.uint8)
    centre, size = quad.mean(0), math.sqrt(abs(cv2.contourArea(quad.astype(np.float32))))
    if rng.random() < 0.7:
        k = rng.integers(4)
        share = number(rng, 0, 1)
        start = quad[k] * share + quad[(k + 1) % 4] * (1 - share)
        inward = centre - start
        end = start + inward * number(rng, 0.05, 0.45)
        begin = start - inward * number(rng, 0.3, 1.2)
        thick = max(int(size * number(rng, 0.04, 0.15)), 2)
        cv2.line(mask, tuple(int(v) for v in begin), tuple(int(v) for v in end), 255, thick, cv2.LINE_AA)
        tone = np.array([130, 160, 214.0]) if rng.random() < 0.5 else np.array([66, 84, 120.0])
        tone = tone * number(rng, 0.7, 1.2) if rng.random() < 0.7 else colour(rng)
        shade = cv2.GaussianBlur(mask, (0, 0), max(thick / 4, 0.8)).astype(np.float32) / 255
        fill = tone * (0.55 + 0.45 * shade[:, :, None])
    else:
        k = rng.integers(4)
        at = quad[k] * 0.5 + quad[(k + int(rng.integers(0, 2))) % 4] * 0.5
        axes = (max(int(size * number(rng, 0.05, 0.2)), 2), max(int(size * number(rng, 0.05, 0.25)), 2))
        cv2.ellipse(mask, tuple(int(v) for v in at), axes, number(rng, 0, 180), 0, 360, 255, -1, cv2.LINE_AA)
        fill = photo_part(rng, photos, width, height).astype(np.float32)
    alpha = mask.astype(np.float32)[:, :, None] / 255
    canvas += alpha * (fill - canvas)
    return mask


def light(rng, canvas):
    height, width = canvas.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y = x / width - 0.5, y / height - 0.5
    gain = number(rng, 0.5, 1.25) * (1 + number(rng, -0.4, 0.4) * x + number(rng, -0.4, 0.4) * y)
    if rng.random() < 0.3:
        angle, at, soft = number(rng, 0, 2 * math.pi), number(rng, -0.4, 0.4), number(rng, 0.005, 0.06)
        beyond = x * math.cos(angle) + y * math.sin(angle) - at
        gain = gain * (1 - number(rng, 0.15, 0.6) * np.clip(0.5 + beyond / (2 * soft), 0, 1))
    canvas *= gain[:, :, None]
    if rng.random() < 0.3:
        d = (x - number(rng, -0.4, 0.4)) ** 2 + (y - number(rng, -0.4, 0.4)) ** 2
        canvas += (number(rng, 10, 110) * np.exp(-d / (2 * number(rng, 0.05, 0.2) ** 2)))[:, :, None]
    if rng.random() < 0.3:
        canvas *= 1 + rng.normal(0, 0.08, 3).astype(np.float32)


def visible_sides(canvas, quad, step=10):
    """The least share, of all sides, that is an edge of some colour."""
    height, width = canvas.shape[:2]
    centre, least = quad.mean(0), 1.0
    parts = (np.arange(30) + 0.5)[:, None] / 30 * 0.88 + 0.06
    for k in range(4):
        a, b = quad[k], quad[(k + 1) % 4]
        normal = np.array([-(b - a)[1], (b - a)[0]]) / max(np.linalg.norm(b - a), 1)
        if normal @ (centre - a) < 0:
            normal = -normal
        p = a + (b - a) * parts

        def sample(q):
            q = q.astype(int)
            return canvas[np.clip(q[:, 1], 0, height - 1), np.clip(q[:, 0], 0, width - 1)]

        seen = np.abs(sample(p + 2.5 * normal) - sample(p - 2.5 * normal)).max(1) >= step
        least = min(least, seen.mean())
    return least


def near(quad, other):
    """Whether the boxes of two quads meet."""
    return (quad.min(0) < other.max(0)).all() and (other.min(0) < quad.max(0)).all()


def scene(rng, photos, width=640, height=480):
    """BGR bytes, and quads with the visible share of each, 0 where partly outside; below 0.6 it is to be ignored."""
    canvas = background(rng, photos, width, height)
    objects = []
    owner = np.zeros((height, width), np.int16)
    areas = []
    count = rng.choice([0, 1, 2, 3, 4, 6], p=[0.08, 0.3, 0.25, 0.18, 0.12, 0.07])
    crowded = rng.random() < 0.35
    for _ in range(count):
        for _ in range(60):
            found = pose(rng, width, height, 0.11)
            if found is None:
                continue
            quad, aspect, inside = found
            if objects and crowded and not near(quad, objects[-1][0]):
                continue
            kind = KINDS[rng.choice(len(KINDS), p=[0.2, 0.2, 0.12, 0.14, 0.1, 0.08, 0.06, 0.05, 0.05])]
            area = cv2.contourArea(quad.astype(np.float32))
            wide = int(np.clip(math.sqrt(area * aspect) * 1.3, 48, 900))
            face, radius = make_face(rng, kind, wide, max(int(wide / aspect), 24), photos)
            shadow = None
            if rng.random() < 0.35:
                shadow = (number(rng, -6, 6), number(rng, -6, 6), number(rng, 1, 5), number(rng, 0.1, 0.6))
            trial = canvas.copy()
            mask = rounded_mask(face.shape[1], face.shape[0], radius)
            drawn = draw(trial, quad, face, mask, number(rng, 0.65, 1.1), shadow, rng)
            if drawn is None or visible_sides(trial, quad) < 0.5:
                continue
            canvas = trial
            (x0, y0, x1, y1), alpha = drawn
            objects.append((quad, inside))
            owner[y0:y1, x0:x1][alpha > 0.5] = len(objects)
            areas.append(max((alpha > 0.5).sum(), 1))
            break
    if objects and rng.random() < 0.3:
        hidden = occlude(rng, canvas, objects[rng.integers(len(objects))][0], photos)
        owner[hidden > 127] = 0
    light(rng, canvas)
    if rng.random() < 0.55:
        canvas = cv2.GaussianBlur(canvas, (0, 0), number(rng, 0.3, 2.0))
    noise = rng.normal(0, 1, canvas.shape).astype(np.float32)
    if rng.random() < 0.3:
        noise = cv2.GaussianBlur(noise, (0, 0), 0.8) * 1.8
    canvas += noise * number(rng, 0, 8)
    result = np.clip(canvas, 0, 255).astype(np.uint8)
    if rng.random() < 0.4:
        result = cv2.imdecode(cv2.imencode(".jpg", result, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 95))])[1], 1)
    quads, shares = [], []
    for index, (quad, inside) in enumerate(objects):
        quads.append(quad)
        shares.append((owner == index + 1).sum() / areas[index] if inside else 0)
    return result, np.array(quads, np.float32).reshape(-1, 4, 2), np.array(shares, np.float32)


def load_photos(folder, skip=(), most=3000, longest=640):
    import glob
    import os

    photos = []
    for name in sorted(glob.glob(os.path.join(folder, "**", "*.jpg"), recursive=True))[:most]:
        if os.path.basename(name) in skip:
            continue
        photo = cv2.imread(name)
        if photo is None or min(photo.shape[:2]) < 150:
            continue
        scale = longest / max(photo.shape[:2])
        if scale < 1:
            photo = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        photos.append(photo)
    return photos
