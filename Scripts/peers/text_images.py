"""Renders text lines over photos, with their true positions, for measuring text detectors.

    text_images.py PHOTOS FONTS OUT --count 200 --seed 1 [--without NAMES] [--plain]

PHOTOS and FONTS are folders, searched in depth; photos named in the file NAMES (one a line) contain text and are not
used. OUT gets images and `truth.json`: for each image its lines, each with the four corners of the ink (in reading
direction: top left, top right, bottom right, bottom left; pixels, y down), those of every visible character, and how it
was rendered. With --plain OUT gets the photos as they are, without text.
"""

import argparse
import json
import math
import pathlib
import shutil
import string

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

WORDS = (
    "the of and to in is that for on with as was at by from open closed exit street sale fresh coffee bread market "
    "station north "
    "south gate platform ticket museum garden bridge hotel parking school caution warning please keep door push pull "
    "water light "
    "summer winter Sunday Monday July price total amount receipt number page chapter figure vision image network city "
    "river "
    "mountain London Berlin Paris Tokyo New York avenue highway limit speed zone area private public office central "
    "library "
    "quality natural original classic special edition limited best before end store below degrees contents keep "
    "refrigerated"
).split()


def text(rng):
    kind = rng.random()
    if kind < 0.1:
        return "".join(rng.choice(list("0123456789")) for _ in range(rng.integers(3, 10)))
    if kind < 0.2:
        return f"{rng.integers(1, 999)}.{rng.integers(0, 99):02d} {rng.choice(['EUR', 'USD', 'kg', 'km', '%'])}"
    if kind < 0.3:
        letters = string.ascii_uppercase
        return "".join(rng.choice(list(letters)) for _ in range(2)) + f"-{rng.integers(10, 9999)}"
    words = " ".join(rng.choice(WORDS) for _ in range(rng.integers(1, 6)))
    kind = rng.random()
    return words.upper() if kind < 0.3 else words.title() if kind < 0.5 else words.capitalize()


def rendered(words, font):
    """Coverage of a line of glyphs, and the ink boxes of its visible characters (left, top, right, bottom)."""
    offsets, x = [], 0.0
    for letter in words:
        offsets.append(x)
        x += font.getlength(letter)
    ascent, descent = font.getmetrics()
    size = (int(math.ceil(x)) + 2 * ascent, 2 * (ascent + descent))
    mask = np.zeros((size[1], size[0]), np.uint8)
    boxes = []
    for letter, offset in zip(words, offsets):
        letter_image = Image.new("L", size)
        ImageDraw.Draw(letter_image).text((ascent + offset, descent), letter, font=font, fill=255)
        box = letter_image.point(lambda value: 255 * (value > 100)).getbbox()
        if letter != " " and box:
            boxes.append(box)
        mask = np.maximum(mask, np.asarray(letter_image))
    return mask, boxes


def corners(box):
    left, top, right, bottom = box
    return np.float64([[left, top], [right, top], [right, bottom], [left, bottom]])


def mapped(matrix, points):
    return cv2.perspectiveTransform(np.float64(points)[None], matrix)[0]


def fits(quad, taken, width, height):
    if quad.min() < 3 or quad[:, 0].max() > width - 3 or quad[:, 1].max() > height - 3:
        return False
    side = min(np.linalg.norm(quad[0] - quad[3]), np.linalg.norm(quad[1] - quad[2]))
    grown = cv2.boxPoints(grow(cv2.minAreaRect(np.float32(quad)), 0.7 * side))
    return all(cv2.intersectConvexConvex(grown, np.float32(other))[0] == 0 for other in taken)


def grow(rectangle, by):
    (centre, (width, height), angle) = rectangle
    return centre, (width + by, height + by), angle


def block(rng, fonts, width, height):
    """The lines of one block: coverage in a plane of its own, and the boxes of its lines and characters there."""
    tall = float(np.exp(rng.uniform(math.log(10), math.log(80))))
    # Sizes are those of the capital letters; fonts are larger than these. Rendered finer than needed.
    fine = 2.0 if tall < 40 else 1.0
    for _ in range(20):
        path = fonts[rng.integers(len(fonts))]
        try:
            font = ImageFont.truetype(str(path), int(round(1.38 * tall * fine)), layout_engine=ImageFont.Layout.BASIC)
            font.getlength("Ag")
            break
        except OSError:
            continue
    count = 1 if rng.random() < 0.6 else int(rng.integers(2, 5))
    leading = rng.uniform(1.15, 1.6)
    masks, lines, top = [], [], 0.0
    for _ in range(count):
        words = text(rng)
        mask, boxes = rendered(words, font)
        if not boxes:
            continue
        lines.append((words, [(l, t + top, r, b + top) for l, t, r, b in boxes]))
        masks.append((int(top), mask))
        top += int(sum(font.getmetrics()) * leading)
    if not lines:
        return None
    plane = np.zeros((masks[-1][0] + masks[-1][1].shape[0], max(mask.shape[1] for _, mask in masks)), np.uint8)
    for start, mask in masks:
        part = plane[start : start + mask.shape[0], : mask.shape[1]]
        np.maximum(part, mask, out=part)
    return plane, lines, fine, tall, path.name


def placed(rng, plane, lines, fine, width, height):
    """A map from the block's plane to the image: rotated, moved, in perspective."""
    kind = rng.random()
    if kind < 0.45:
        angle = rng.normal(0, 6)
    elif kind < 0.6:
        angle = rng.choice([-90, 90]) + rng.normal(0, 4)
    else:
        angle = rng.uniform(-90, 90)
    box = np.float64([[min(b[0] for _, c in lines for b in c), min(b[1] for _, c in lines for b in c)],
                      [max(b[2] for _, c in lines for b in c), max(b[3] for _, c in lines for b in c)]])
    middle, size = box.mean(0), box[1] - box[0]
    move = np.eye(3)
    move[:2, 2] = -middle
    scale = np.diag([1 / fine, 1 / fine, 1])
    rotation = np.eye(3)
    rotation[:2] = cv2.getRotationMatrix2D((0, 0), angle, 1)
    tilt = np.eye(3)
    reach = max(size) / fine
    if rng.random() < 0.5:
        tilt[2, :2] = rng.uniform(-0.35, 0.35, 2) / max(reach, 1)
    translation = np.eye(3)
    translation[:2, 2] = rng.uniform(0, width), rng.uniform(0, height)
    return translation @ rotation @ tilt @ scale @ move, angle


LUMA = np.float32([0.114, 0.587, 0.299])


def inked(rng, ground):
    """A colour for text, and its least difference in brightness from nine tenths of the background; None where none has
    enough."""
    low, high = np.percentile(ground @ LUMA, [10, 90])
    room = max(255 - high, low)
    if room < 40:
        return None
    contrast = rng.uniform(30, min(room, 150))
    lighter = 255 - high >= contrast and (low < contrast or rng.random() < 0.5)
    grey = high + contrast if lighter else low - contrast
    tint = rng.uniform(-40, 40, 3).astype(np.float32)
    colour = np.clip(grey + tint - tint @ LUMA, 0, 255).astype(np.float32)
    return colour, float(abs(colour @ LUMA - (high if lighter else low)))


def render(rng, photo, fonts):
    long = float(np.exp(rng.uniform(math.log(480), math.log(1600))))
    scale = long / max(photo.shape[:2])
    image = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA)
    height, width = image.shape[:2]
    image = image.astype(np.float32)
    taken, truth = [], []
    for _ in range(int(rng.integers(2, 9))):
        made = block(rng, fonts, width, height)
        if made is None:
            continue
        plane, lines, fine, tall, font = made
        for _ in range(12):
            matrix, angle = placed(rng, plane, lines, fine, width, height)
            quads = []
            for _, boxes in lines:
                array = np.array(boxes)
                quads.append(mapped(matrix, corners((*array[:, :2].min(0), *array[:, 2:].max(0)))))
            if all(fits(quad, taken, width, height) for quad in quads):
                break
        else:
            continue
        alpha = cv2.warpPerspective(plane, matrix, (width, height), flags=cv2.INTER_AREA).astype(np.float32) / 255
        under = alpha > 0.02
        if not under.any():
            continue
        made = inked(rng, image[under])
        if made is None or rng.random() < 0.3:
            # A sign: a plain background under the block.
            every = np.concatenate(quads)
            sign = np.float32(cv2.boxPoints(grow(cv2.minAreaRect(np.float32(every)), tall)))
            if any(cv2.intersectConvexConvex(sign, np.float32(other))[0] > 0 for other in taken):
                continue
            ground = rng.uniform(0, 255, 3).astype(np.float32)
            area = np.zeros((height, width), np.uint8)
            cv2.fillConvexPoly(area, np.int32(sign), 255, cv2.LINE_AA)
            share = area[..., None].astype(np.float32) / 255
            image = image * (1 - share) + ground * share
            made = inked(rng, ground[None])
        colour, contrast = made
        image = image * (1 - alpha[..., None]) + colour * alpha[..., None]
        for (words, boxes), quad in zip(lines, quads):
            taken.append(quad)
            truth.append({
                "text": words, "font": font, "height": round(tall, 1), "angle": round(float(angle), 1),
                "contrast": round(contrast, 1),
                "quad": quad.round(2).flatten().tolist(),
                "characters": [mapped(matrix, corners(box)).round(2).flatten().tolist() for box in boxes],
            })  # fmt: skip
    sigma = 0.0 if rng.random() < 0.5 else rng.uniform(0.4, 1.6)
    if sigma:
        image = cv2.GaussianBlur(image, (0, 0), sigma)
    noise = 0.0 if rng.random() < 0.5 else rng.uniform(2, 12)
    image = image * rng.uniform(0.5, 1.05) + rng.normal(0, 1, image.shape).astype(np.float32) * noise
    return np.clip(image, 0, 255).astype(np.uint8), truth, {"blur": round(sigma, 2), "noise": round(noise, 1)}


def files(folder, *ends):
    found = sorted(path for path in pathlib.Path(folder).rglob("*") if path.suffix.lower() in ends)
    if not found:
        raise SystemExit(f"{folder} contains no {' '.join(ends)}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos")
    parser.add_argument("fonts")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--without", type=pathlib.Path)
    parser.add_argument("--plain", action="store_true")
    arguments = parser.parse_args()
    left_out = set(arguments.without.read_text().split()) if arguments.without else set()
    photos = [path for path in files(arguments.photos, ".jpg", ".jpeg", ".png") if path.name not in left_out]
    # Hairline fonts are invisible at ten pixels, and symbol fonts have no letters.
    fonts = [
        path
        for path in files(arguments.fonts, ".ttf", ".otf")
        if not any(word in path.name for word in ("Thin", "Hairline", "ExtraLight", "_DR", "_K", "_M.", "Math"))
    ]
    arguments.out.mkdir(parents=True, exist_ok=True)
    if arguments.plain:
        for path in photos:
            shutil.copyfile(path, arguments.out / path.name)
        truth = {path.name: {"lines": []} for path in photos}
        (arguments.out / "truth.json").write_text(json.dumps(truth, indent=1) + "\n")
        return
    truth = {}
    for index in range(arguments.count):
        rng = np.random.default_rng([arguments.seed, index])
        photo = cv2.imread(str(photos[rng.integers(len(photos))]))
        image, lines, settings = render(rng, photo, fonts)
        name = f"{index:04d}.jpg"
        cv2.imwrite(str(arguments.out / name), image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(70, 97))])
        truth[name] = {"lines": lines, **settings}
    (arguments.out / "truth.json").write_text(json.dumps(truth, indent=1) + "\n")
    print(f"{arguments.count} images, {sum(len(entry['lines']) for entry in truth.values())} lines")


if __name__ == "__main__":
    main()
