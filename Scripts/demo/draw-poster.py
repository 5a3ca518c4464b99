#!/usr/bin/env python3
"""Draws Scripts/demo/poster.jpg: a page with text and a QR code that lies on a table, seen from the side. The
demonstration reads it, finds its outline and straightens it. Needs Pillow and segno, and a TrueType font.

    draw-poster.py FONT BOLD-FONT OUTPUT
"""

import io
import random
import sys

import segno
from PIL import Image, ImageDraw, ImageFilter, ImageFont

WIDTH, HEIGHT = 600, 780  # the page
CORNERS = [(150, 60), (545, 105), (580, 560), (80, 505)]  # of the page in the picture, clockwise from the top left
SIZE = (660, 620)


def page(font, bold):
    image = Image.new("RGB", (WIDTH, HEIGHT), (250, 249, 244))
    draw = ImageDraw.Draw(image)
    draw.text((50, 50), "Harbour Lights", font=ImageFont.truetype(bold, 64), fill=(20, 40, 90))
    draw.text((50, 140), "A concert at the old pier", font=ImageFont.truetype(font, 36), fill=(40, 40, 40))
    for row, line in enumerate(("Saturday 14 June, 20:30", "Doors open at 19:45", "Tickets 12.50 at the gate")):
        draw.text((50, 230 + 58 * row), line, font=ImageFont.truetype(font, 32), fill=(20, 20, 20))
    code = io.BytesIO()
    segno.make("Harbour Lights, 14 June, seat 27", error="m").save(code, kind="png", scale=8, border=4)
    image.paste(Image.open(code).convert("RGB"), (50, 460))
    draw.text((370, 560), "Seat 27", font=ImageFont.truetype(bold, 44), fill=(150, 30, 30))
    return image


def table():
    noise = random.Random(1)
    image = Image.new("RGB", SIZE)
    draw = ImageDraw.Draw(image)
    for x in range(-44, SIZE[0]):
        shade = 92 + noise.randint(-6, 6) - (26 if x % 110 < 3 else 0)
        draw.line([(x, 0), (x + 40, SIZE[1])], fill=(shade, int(shade * 0.68), int(shade * 0.45)), width=2)
    return image.filter(ImageFilter.GaussianBlur(1))


def coefficients(to, source):
    """The eight numbers of the perspective that maps the points `to` to `source`: Gaussian elimination."""
    rows = []
    for (x, y), (u, v) in zip(to, source):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y, u])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y, v])
    for i in range(8):
        pivot = max(range(i, 8), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for r in range(8):
            if r != i:
                rows[r] = [a - rows[r][i] * b for a, b in zip(rows[r], rows[i])]
    return [row[8] for row in rows]


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    scale = 2  # drawn larger and scaled down, for smooth edges
    size = tuple(side * scale for side in SIZE)
    corners = [(x * scale, y * scale) for x, y in CORNERS]
    warp = coefficients(corners, [(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)])
    warped = page(sys.argv[1], sys.argv[2]).transform(size, Image.PERSPECTIVE, warp, Image.BICUBIC)
    mask = Image.new("L", size)
    ImageDraw.Draw(mask).polygon(corners, fill=255)
    picture = table().resize(size)
    shadow = Image.new("L", size)
    ImageDraw.Draw(shadow).polygon([(x + 14, y + 18) for x, y in corners], fill=110)
    picture.paste((30, 20, 12), mask=shadow.filter(ImageFilter.GaussianBlur(14)))
    picture.paste(warped, mask=mask)
    picture.resize(SIZE, Image.LANCZOS).save(sys.argv[3], quality=82)


main()
