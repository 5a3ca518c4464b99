"""The content of rectangular objects: text, images, windows of programs, boards, tables, bars."""
import cv2
import numpy as np

KINDS = ["page", "card", "print", "screen", "sign", "board", "plain", "label", "table"]


def number(rng, low, high):
    return low + (high - low) * rng.random()


def colour(rng, low=0, high=255):
    return np.array([number(rng, low, high) for _ in range(3)])


def paint(rng):
    return tuple(map(float, colour(rng)))


def grey(rng, low, high, tint=8):
    return number(rng, low, high) + rng.normal(0, tint, 3)


def photo_part(rng, photos, width, height):
    """A part of a photograph at this size."""
    photo = photos[rng.integers(len(photos))]
    h, w = photo.shape[:2]
    part = number(rng, 0.4, 1)
    scale = min(w / width, h / height) * part
    cw, ch = max(int(width * scale), 2), max(int(height * scale), 2)
    x, y = rng.integers(0, w - cw + 1), rng.integers(0, h - ch + 1)
    way = cv2.INTER_AREA if scale > 1 else cv2.INTER_LINEAR
    result = cv2.resize(photo[y : y + ch, x : x + cw], (width, height), interpolation=way)
    return result[:, ::-1] if rng.random() < 0.5 else result


def text_lines(rng, face, x0, y0, x1, y1, ink, pitch):
    y = y0
    while y + pitch * 0.7 < y1:
        if rng.random() < 0.1:
            y += pitch * number(rng, 0.5, 2)
            continue
        x, end = x0, x1 if rng.random() < 0.8 else x0 + (x1 - x0) * number(rng, 0.2, 0.9)
        tall = pitch * number(rng, 0.4, 0.6)
        while x < end - pitch:
            wide = min(pitch * number(rng, 0.6, 3.5), end - x)
            cv2.rectangle(face, (int(x), int(y)), (int(x + wide), int(y + tall)), ink, -1)
            x += wide + pitch * number(rng, 0.25, 0.5)
        y += pitch


def checker(rng, face, x0, y0, x1, y1, ink):
    n, m = rng.integers(4, 12), rng.integers(4, 12)
    for i in range(n):
        for k in range(m):
            if (i + k) % 2 == 0:
                a = (int(x0 + (x1 - x0) * i / n), int(y0 + (y1 - y0) * k / m))
                b = (int(x0 + (x1 - x0) * (i + 1) / n) - 1, int(y0 + (y1 - y0) * (k + 1) / m) - 1)
                cv2.rectangle(face, a, b, ink, -1)


def grid(rng, face, x0, y0, x1, y1, ink, thick):
    n, m = rng.integers(2, 12), rng.integers(2, 14)
    for i in range(n + 1):
        x = int(x0 + (x1 - x0) * i / n)
        cv2.line(face, (x, int(y0)), (x, int(y1)), ink, thick * (1 + (i % 3 == 0)))
    for k in range(m + 1):
        y = int(y0 + (y1 - y0) * k / m)
        cv2.line(face, (int(x0), y), (int(x1), y), ink, thick * (1 + (k % 3 == 0)))


def bars(rng, face, x0, y0, x1, y1, ink):
    if rng.random() < 0.5:
        x = x0
        while x < x1:
            wide = number(rng, 1, 6) * (x1 - x0) / 120
            cv2.rectangle(face, (int(x), int(y0)), (int(x + wide), int(y1)), ink, -1)
            x += wide + number(rng, 1, 6) * (x1 - x0) / 120
    else:
        n = int(rng.integers(15, 33))
        side = min(x1 - x0, y1 - y0)
        cells = cv2.resize((rng.random((n, n)) < 0.5).astype(np.uint8), (int(side), int(side)), interpolation=0)
        part = face[int(y0) : int(y0) + cells.shape[0], int(x0) : int(x0) + cells.shape[1]]
        part[cells[: part.shape[0], : part.shape[1]] > 0] = ink


def make_face(rng, kind, width, height, photos):
    """The content of an object: height x width x 3, and the radius of its corners in parts of the shorter side."""
    low = min(width, height)
    face = np.zeros((height, width, 3), np.float32)
    radius = 0.0
    ink = tuple(map(float, np.clip(grey(rng, 5, 90), 0, 255)))
    margin = low * number(rng, 0.03, 0.14)
    if kind == "page":
        face[:] = np.clip(grey(rng, 180, 252), 0, 255)
        rotated = rng.random() < 0.5
        if rotated:
            face = np.ascontiguousarray(face.transpose(1, 0, 2))
        h, w = face.shape[:2]
        columns = rng.choice([1, 1, 2, 3])
        pitch = h / number(rng, 14, 60)
        top = margin
        if rng.random() < 0.5:
            tall = h * number(rng, 0.03, 0.1)
            right = margin + (w - 2 * margin) * number(rng, 0.3, 1)
            text_lines(rng, face, margin, top, right, top + tall, ink, tall * 0.9)
            top += tall * 1.3
        bottom = h - margin - (h * number(rng, 0, 0.5) if rng.random() < 0.3 else 0)
        for c in range(columns):
            a = margin + (w - 2 * margin) * c / columns
            b = margin + (w - 2 * margin) * (c + 1) / columns - (margin * 0.4 if columns > 1 else 0)
            text_lines(rng, face, a, top, b, bottom, ink, pitch)
        if rng.random() < 0.35:
            pw, ph = int(w * number(rng, 0.2, 0.7)), int(h * number(rng, 0.15, 0.5))
            x, y = rng.integers(0, w - pw + 1), rng.integers(0, h - ph + 1)
            face[y : y + ph, x : x + pw] = photo_part(rng, photos, pw, ph)
        if rng.random() < 0.15:
            d = int(margin * number(rng, 0.3, 0.9))
            cv2.rectangle(face, (d, d), (w - 1 - d, h - 1 - d), ink, max(1, int(low / 200)))
        if rotated:
            face = np.ascontiguousarray(face.transpose(1, 0, 2))
    elif kind == "card":
        face[:] = np.clip(colour(rng), 0, 255)
        if rng.random() < 0.6:
            at = int((height if rng.random() < 0.5 else width) * number(rng, 0.15, 0.85))
            (face[:at] if rng.random() < 0.5 else face[:, :at])[:] = colour(rng)
        for _ in range(rng.choice([0, 1, 2], p=[0.5, 0.35, 0.15])):
            # A band from rim to rim.
            across = rng.random() < 0.5
            long = height if across else width
            at = int(long * number(rng, 0, 0.9))
            end = at + max(int(long * number(rng, 0.04, 0.25)), 1)
            (face[at:end] if across else face[:, at:end])[:] = colour(rng)
        radius = number(rng, 0.02, 0.12)
        for _ in range(rng.integers(0, 7)):
            x, y = number(rng, 0.05, 0.6) * width, number(rng, 0.05, 0.85) * height
            w, h = number(rng, 0.05, 0.4) * width, number(rng, 0.02, 0.25) * height
            end = (int(min(x + w, width * 0.95)), int(min(y + h, height * 0.95)))
            cv2.rectangle(face, (int(x), int(y)), end, paint(rng), -1)
        if rng.random() < 0.5:
            top, right = height * number(rng, 0.2, 0.8), width * number(rng, 0.4, 0.95)
            text_lines(rng, face, margin, top, right, height - margin, ink, height / number(rng, 6, 14))
    elif kind in ("print", "screen"):
        rim = int(low * (number(rng, 0.015, 0.1) if rng.random() < 0.85 else 0))
        face[:] = photo_part(rng, photos, width, height)
        if kind == "screen" and rng.random() < 0.4:
            # Windows of a program rather than an image.
            face[:] = np.clip(grey(rng, 20, 250), 0, 255)
            for _ in range(rng.integers(1, 6)):
                x, y = number(rng, 0, 0.7) * width, number(rng, 0, 0.7) * height
                w, h = number(rng, 0.2, 0.9) * width, number(rng, 0.1, 0.9) * height
                cv2.rectangle(face, (int(x), int(y)), (int(x + w), int(y + h)), paint(rng), -1)
                right, bottom = min(x + w, width) - margin, min(y + h, height) - margin
                text_lines(rng, face, x + margin, y + margin, right, bottom, paint(rng), height / number(rng, 12, 50))
        if rim > 0:
            frame = colour(rng)
            if rng.random() < 0.8:
                frame = np.clip(grey(rng, 215, 255) if kind == "print" else grey(rng, 5, 60), 0, 255)
            face[:rim] = face[-rim:] = frame
            face[:, :rim] = face[:, -rim:] = frame
            if kind == "screen":
                radius = number(rng, 0, 0.06) if rng.random() < 0.5 else 0
        elif rng.random() < 0.6:
            top, bottom = number(rng, 0.05, 0.7) * height, height * number(rng, 0.7, 0.95)
            text_lines(rng, face, margin, top, width - margin, bottom, paint(rng), height / number(rng, 5, 16))
    elif kind == "sign":
        face[:] = colour(rng)
        ink = paint(rng)
        if rng.random() < 0.7:
            d, t = int(low * number(rng, 0.02, 0.09)), max(1, int(low * number(rng, 0.008, 0.04)))
            cv2.rectangle(face, (d, d), (width - 1 - d, height - 1 - d), ink, t)
        top, pitch = height * number(rng, 0.15, 0.5), height / number(rng, 2.5, 7)
        text_lines(rng, face, width * 0.12, top, width * 0.88, height * 0.85, ink, pitch)
        radius = number(rng, 0, 0.1) if rng.random() < 0.4 else 0
    elif kind == "board":
        face[:] = np.clip(grey(rng, 180, 252), 0, 255)
        d = low * number(rng, 0.0, 0.14)
        if rng.random() < 0.6:
            checker(rng, face, d, d, width - d, height - d, ink)
        else:
            grid(rng, face, d, d, width - 1 - d, height - 1 - d, ink, max(1, int(low * number(rng, 0.003, 0.012))))
            if rng.random() < 0.6:
                text_lines(rng, face, d, d, width - d, height - d, ink, height / number(rng, 5, 20))
    elif kind == "plain":
        face[:] = np.clip(colour(rng) if rng.random() < 0.5 else grey(rng, 60, 255), 0, 255)
    elif kind == "label":
        face[:] = np.clip(grey(rng, 190, 255), 0, 255) if rng.random() < 0.7 else colour(rng, 100)
        low, high = (number(rng, 0.08, 0.3), number(rng, 0.1, 0.4)), (number(rng, 0.6, 0.95), number(rng, 0.5, 0.95))
        bars(rng, face, width * low[0], height * low[1], width * high[0], height * high[1], ink)
        if rng.random() < 0.6:
            text_lines(rng, face, margin, margin, width - margin, height * 0.3, ink, height / number(rng, 8, 25))
        radius = number(rng, 0, 0.08) if rng.random() < 0.3 else 0
    else:
        face[:] = np.clip(grey(rng, 190, 252), 0, 255)
        grid(rng, face, margin, margin + height * number(rng, 0, 0.3), width - margin, height - margin, ink, 1)
        text_lines(rng, face, margin, margin, width - margin, height - margin, ink, height / number(rng, 14, 40))
    return np.ascontiguousarray(face), radius


def rounded_mask(width, height, radius):
    mask = np.full((height, width), 255, np.uint8)
    r = int(radius * min(width, height))
    if r > 1:
        mask[:] = 0
        cv2.rectangle(mask, (r, 0), (width - 1 - r, height - 1), 255, -1)
        cv2.rectangle(mask, (0, r), (width - 1, height - 1 - r), 255, -1)
        for x, y in ((r, r), (width - 1 - r, r), (r, height - 1 - r), (width - 1 - r, height - 1 - r)):
            cv2.circle(mask, (x, y), r, 255, -1)
    return mask
