"""Views of packed photos, made on the device that trains: crops, photos with space around them, two or four beside each
other, mirrored and lit otherwise.

needs: numpy, Pillow, torch
"""
import concurrent.futures
import io
import json

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image

from sizes import PACKED, SIZES, nearest

MOST = 16  # boxes of a photo
# Shares of an object that a view must show to count as an object, and at most to count as nothing.
SHOWN, HIDDEN = 0.4, 0.1
SMALLEST = 8  # pixels of a side; smaller boxes do not count


class Photos:
    """The packed photos of a folder on a device, each in the top left corner of a square, and their boxes: class,
    corners in 0…1, whether they count; class -1 for none."""

    def __init__(self, folder, device, chosen=lambda row: True):
        """chosen: which photos, by their line of `photos.jsonl`."""
        self.rows = [row for row in map(json.loads, open(folder / "photos.jsonl")) if chosen(row)]
        data = np.memmap(folder / "photos.bin", np.uint8, "r")

        def pixels(row):
            file = io.BytesIO(data[row["start"]:row["start"] + row["length"]].tobytes())
            image = Image.open(file).convert("RGB")
            square = np.zeros((PACKED, PACKED, 3), np.uint8)
            square[:image.height, :image.width] = image
            return torch.from_numpy(square)

        self.pixels = torch.empty(len(self.rows), PACKED, PACKED, 3, dtype=torch.uint8, device=device)
        with concurrent.futures.ThreadPoolExecutor() as pool:
            for index, square in enumerate(pool.map(pixels, self.rows)):
                self.pixels[index] = square
        self.sizes = torch.tensor([row["size"] for row in self.rows], dtype=torch.float32, device=device)
        self.boxes = torch.full((len(self.rows), MOST, 6), -1.0)
        for index, row in enumerate(self.rows):
            self.set_boxes(index, row["boxes"])
        self.boxes = self.boxes.to(device)
        self.device = device

    def set_boxes(self, index, found):
        found = torch.tensor(found[:MOST], dtype=torch.float32).reshape(-1, 6)
        self.boxes[index] = -1
        self.boxes[index, :len(found)] = found.to(self.boxes.device)

    def whole(self, indices, size):
        """Whole photos as the library scales them: inputs of the network."""
        views = []
        for index in indices:
            columns, rows = (int(side) for side in self.rows[index]["size"])
            image = self.pixels[index, :rows, :columns].permute(2, 0, 1)[None].float()
            views.append(F.interpolate(image, size, mode="bilinear", antialias=True, align_corners=False))
        return normalised(torch.cat(views))

    def by_size(self, indices):
        """Lists of photos by the size of the network's input for them."""
        lists = {size: [] for size in SIZES}
        for index in indices:
            lists[nearest(*self.rows[index]["size"])].append(index)
        return {size: found for size, found in lists.items() if found}


def normalised(pixels):
    return (pixels - 127) / 128


def uniform(shape, low, high, device):
    return torch.rand(shape, device=device) * (high - low) + low


def cells_of(layout, count, device):
    """Rectangles that part each of a number of views, count x layout x 4: x1, y1, x2, y2 in 0…1."""
    zero, one = torch.zeros(count, device=device), torch.ones(count, device=device)
    across, down = uniform(count, 0.35, 0.65, device), uniform(count, 0.35, 0.65, device)
    if layout == 1:
        parts = [(zero, zero, one, one)]
    elif layout == 2:
        upright = torch.rand(count, device=device) < 0.5
        x, y = torch.where(upright, across, one), torch.where(upright, one, down)
        parts = [(zero, zero, x, y), (torch.where(upright, across, zero), torch.where(upright, zero, down), one, one)]
    else:
        parts = [(zero, zero, across, down), (across, zero, one, down), (zero, down, across, one),
                 (across, down, one, one)]
    return torch.stack([torch.stack(part, -1) for part in parts], 1)


def crops_of(sizes, wanted, whole):
    """Rectangles of photos to show, N x 4 in pixels: x1, y1, width, height.

    sizes: width and height of the photos. wanted: the aspect ratio of the cell that shows each, in pixels. whole: how
    many of the photos are shown as they are, as a share.
    """
    device, count = sizes.device, len(sizes)
    area = torch.exp(uniform(count, np.log(0.25), np.log(1.8), device))
    aspect = wanted * torch.exp(uniform(count, -0.25, 0.25, device))
    side = (area * sizes.prod(-1)).sqrt()
    size = torch.stack([side * aspect.sqrt(), side / aspect.sqrt()], -1)
    # Views that show more than the photo have at most half of it on one axis.
    size = torch.minimum(size, 2 * sizes)
    size = torch.where((torch.rand(count, device=device) < whole)[:, None], sizes, size)
    space = sizes - size
    return torch.cat([torch.rand_like(space) * space, size], -1)


def seen(boxes, crops, sizes, cells, mirrored, size):
    """The boxes of photos in views. boxes: N x MOST x 6; the rest N x 4, N x 2, N x 4, N."""
    pixels = boxes[..., 1:5] * sizes.repeat(1, 2)[:, None]
    inside = (pixels - crops[:, None, [0, 1, 0, 1]]) / crops[:, None, [2, 3, 2, 3]]
    area = (inside[..., 2] - inside[..., 0]) * (inside[..., 3] - inside[..., 1])
    inside = inside.clamp(0, 1)
    shown = (inside[..., 2] - inside[..., 0]) * (inside[..., 3] - inside[..., 1]) / area.clamp(min=1e-9)
    inside = torch.where(mirrored[:, None, None], torch.stack(
        [1 - inside[..., 2], inside[..., 1], 1 - inside[..., 0], inside[..., 3]], -1), inside)
    extent = (cells[:, 2:] - cells[:, :2]).repeat(1, 2)[:, None]
    corners = cells[:, None, [0, 1, 0, 1]] + inside * extent
    extent = (corners[..., 2:] - corners[..., :2]) * torch.tensor(size[::-1], device=corners.device)
    counts = boxes[..., 5] * ((shown >= SHOWN) & (extent.amin(-1) >= SMALLEST))
    kinds = torch.where(shown > HIDDEN, boxes[..., 0], -1)
    return torch.cat([kinds[..., None], corners, counts[..., None]], -1)


def drawn(photos, indices, crops, cells, mirrored, size):
    """Photos in their cells of views, at twice the size, and a mask of the cells. Outside of a photo it is grey."""
    rows, columns = 2 * size[0], 2 * size[1]
    device = photos.device
    y = (torch.arange(rows, device=device) + 0.5)[None, :, None] / rows
    x = (torch.arange(columns, device=device) + 0.5)[None, None, :] / columns
    left, top, right, bottom = (cells[:, side, None, None] for side in range(4))
    mask = (x >= left) & (x < right) & (y >= top) & (y < bottom)
    across, down = (x - left) / (right - left), (y - top) / (bottom - top)
    across = torch.where(mirrored[:, None, None], 1 - across, across)
    from_x = crops[:, 0, None, None] + across * crops[:, 2, None, None]
    from_y = crops[:, 1, None, None] + down * crops[:, 3, None, None]
    width, height = photos.sizes[indices, 0, None, None], photos.sizes[indices, 1, None, None]
    outside = (from_x < 0) | (from_x >= width) | (from_y < 0) | (from_y >= height)
    shape = (len(indices), rows, columns)
    grid = torch.stack([torch.minimum(from_x.clamp(min=0.5), width - 0.5).expand(shape),
                        torch.minimum(from_y.clamp(min=0.5), height - 0.5).expand(shape)], -1)
    source = photos.pixels[indices].permute(0, 3, 1, 2).float()
    value = F.grid_sample(source, grid / (PACKED / 2) - 1, mode="bilinear", align_corners=False)
    grey = uniform((len(indices), 3, 1, 1), 90, 150, device)
    return torch.where(outside.expand(shape)[:, None], grey, value), mask


def lit(views):
    """Brightness, contrast and colour of half of the views each."""
    count, device = len(views), views.device

    def factor(low, high):
        chosen = torch.rand(count, device=device) < 0.5
        return torch.where(chosen, uniform(count, low, high, device), 1.0)[:, None, None, None]

    views = views * factor(0.65, 1.4)
    mean = views.mean((1, 2, 3), keepdim=True)
    views = (views - mean) * factor(0.65, 1.4) + mean
    luminance = views.mean(1, keepdim=True)
    colour = torch.where(torch.rand(count, 1, 1, 1, device=device) < 0.04, 0.0, factor(0.5, 1.5))
    return ((views - luminance) * colour + luminance).clamp(0, 255)


def views_of(photos, chosen, size, layout):
    """Inputs of the network and their boxes.

    chosen: indices of the photos, views x layout.
    """
    count, device = len(chosen), photos.device
    cells = cells_of(layout, count, device)
    views = torch.zeros(count, 3, 2 * size[0], 2 * size[1], device=device)
    found = []
    for part in range(layout):
        indices, own = chosen[:, part], cells[:, part]
        sizes = photos.sizes[indices]
        wanted = (own[:, 2] - own[:, 0]) * size[1] / ((own[:, 3] - own[:, 1]) * size[0])
        crops = crops_of(sizes, wanted, 0.3 if layout == 1 else 0.5)
        mirrored = torch.rand(count, device=device) < 0.5
        pixels, mask = drawn(photos, indices, crops, own, mirrored, size)
        views = torch.where(mask[:, None], pixels, views)
        found.append(seen(photos.boxes[indices], crops, sizes, own, mirrored, size))
    found = torch.cat(found, 1)
    # Boxes first, so that the rest can be cut off.
    found = found.gather(1, (found[..., 0] < 0).long().argsort(dim=1, stable=True)[..., None].expand(-1, -1, 6))
    most = max(1, int((found[..., 0] >= 0).sum(1).max()))
    return normalised(lit(F.avg_pool2d(views, 2))), found[:, :most]
