"""Training samples of the people network: photographs enlarged, reduced, cropped, mirrored, and four in one.

needs: numpy, pillow
"""
import numpy as np
from PIL import Image, ImageEnhance

from network import PADDING

# Input sizes, width and height, and how often each is used.
SIZES = {(512, 384): 5, (544, 352): 2, (384, 512): 2, (448, 448): 3, (352, 544): 1}
# The smallest visible part of a person who still counts; less is ignored, next to nothing is left out.
VISIBLE, NOTHING = 0.3, 0.04
# The smallest person that is asked for, in pixels of the input.
LEAST = 8
# What is known about an upper body.
UNKNOWN, ABSENT, KNOWN = -1, 0, 1


def area(box):
    return max(box[2] - box[0], 0) * max(box[3] - box[1], 0)


class Canvas:
    """An input with the boxes of the people on it."""

    def __init__(self, width, height):
        self.pixels = np.full((height, width, 3), PADDING, np.uint8)
        self.boxes, self.uppers, self.known, self.ignored = [], [], [], []

    def put(self, photo, mirrored, scale, source, region):
        """Draws a photograph into a region (x1, y1, x2, y2), its pixel `source` at the region's corner."""
        left, top, right, bottom = region
        image = Image.open(photo["file"]).convert("RGB")
        across, down = (right - left) / scale[0], (bottom - top) / scale[1]
        x, y = source
        if mirrored:
            image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        # Only what lies in the photograph is drawn.
        x1, y1 = max(x, 0), max(y, 0)
        x2, y2 = min(x + across, image.width), min(y + down, image.height)
        if x2 - x1 < 2 or y2 - y1 < 2:
            return
        target = [round(left + (x1 - x) * scale[0]), round(top + (y1 - y) * scale[1]),
                  round(left + (x2 - x) * scale[0]), round(top + (y2 - y) * scale[1])]
        size = target[2] - target[0], target[3] - target[1]
        if min(size) < 1:
            return
        part = image.resize(size, Image.Resampling.BILINEAR, (x1, y1, x2, y2))
        self.pixels[target[1] : target[3], target[0] : target[2]] = np.asarray(part)

        def moved(box):
            a, b, c, d = box
            if mirrored:
                a, c = image.width - c, image.width - a
            whole = [(a - x) * scale[0] + left, (b - y) * scale[1] + top, (c - x) * scale[0] + left,
                     (d - y) * scale[1] + top]
            clipped = [max(whole[0], target[0]), max(whole[1], target[1]), min(whole[2], target[2]),
                       min(whole[3], target[3])]
            return clipped, area(clipped) / max(area(whole), 1e-6)

        for person in photo["persons"]:
            box, visible = moved(person["box"])
            if visible < NOTHING:
                continue
            if person["ignore"] or visible < VISIBLE or box[3] - box[1] < LEAST:
                self.ignored.append(box)
                continue
            known, upper = UNKNOWN, box
            if person.get("upper"):
                upper, shown = moved(person["upper"])
                known = KNOWN if shown >= 0.4 else ABSENT if shown < 0.1 else UNKNOWN
                if known != KNOWN:
                    upper = box
            self.boxes.append(box)
            self.uppers.append(upper)
            self.known.append(known)


class Sampler:
    def __init__(self, photos, seed):
        self.people = [photo for photo in photos if photo["persons"]]
        self.empty = [photo for photo in photos if not photo["persons"]]
        self.random = np.random.default_rng(seed)

    def photo(self, empty):
        pool = self.empty if self.random.random() < empty else self.people
        return pool[self.random.integers(len(pool))]

    def stretch(self, scale):
        """Returns a scale across and down."""
        stretch = np.exp(self.random.uniform(-0.12, 0.12))
        return scale * stretch, scale / stretch

    def single(self, canvas, width, height):
        photo = self.photo(0.25)
        fit = min(width / photo["width"], height / photo["height"])
        # As in use, somewhat changed, cut out larger, or small.
        kind = self.random.random()
        low, high = (1, 1) if kind < 0.3 else (0.75, 1.2) if kind < 0.6 else (1.1, 2) if kind < 0.8 else (0.35, 0.75)
        change = np.exp(self.random.uniform(np.log(low), np.log(high)))
        scale = (fit, fit) if low == high else self.stretch(fit * change)
        spare = [photo["width"] - width / scale[0], photo["height"] - height / scale[1]]
        source = [0.0, 0.0] if low == high else [self.random.uniform(min(v, 0), max(v, 0)) for v in spare]
        canvas.put(photo, self.random.random() < 0.5, scale, source, (0, 0, width, height))

    def four(self, canvas, width, height):
        x, y = (int(self.random.uniform(0.3, 0.7) * side) for side in (width, height))
        for region in ((0, 0, x, y), (x, 0, width, y), (0, y, x, height), (x, y, width, height)):
            photo = self.photo(0.15)
            across, down = region[2] - region[0], region[3] - region[1]
            fit = max(across / photo["width"], down / photo["height"])
            scale = self.stretch(fit * self.random.uniform(0.7, 1.3))
            source = [self.random.uniform(min(v, 0), max(v, 0)) for v in (
                photo["width"] - across / scale[0], photo["height"] - down / scale[1])]
            canvas.put(photo, self.random.random() < 0.5, scale, source, region)

    def sample(self, width, height, mosaics):
        """Returns the pixels, blue first, and the boxes, upper bodies, what is known of them, and ignored boxes."""
        canvas = Canvas(width, height)
        (self.four if self.random.random() < mosaics else self.single)(canvas, width, height)
        image = Image.fromarray(canvas.pixels)
        for enhance in (ImageEnhance.Brightness, ImageEnhance.Contrast, ImageEnhance.Color):
            if self.random.random() < 0.4:
                image = enhance(image).enhance(self.random.uniform(0.6, 1.5))
        pixels = np.asarray(image)
        if self.random.random() < 0.06:
            pixels = np.repeat(pixels.mean(2, keepdims=True).astype(np.uint8), 3, 2)
        pixels = np.ascontiguousarray(pixels[:, :, ::-1])
        return (pixels, np.array(canvas.boxes, np.float32).reshape(-1, 4),
                np.array(canvas.uppers, np.float32).reshape(-1, 4), np.array(canvas.known, np.int64),
                np.array(canvas.ignored, np.float32).reshape(-1, 4))

    def batch(self, count, mosaics):
        sizes = list(SIZES)
        weights = np.array(list(SIZES.values()), float)
        width, height = sizes[self.random.choice(len(sizes), p=weights / weights.sum())]
        return [self.sample(width, height, mosaics) for _ in range(count)]
