#!/usr/bin/env python3
"""Renders photos of machine parts, to measure classifiers on classes that no network was trained on.

    render_parts.py FOLDER --photos 130 --side 160 [--seed 1] [--processes 2]

Twelve classes, a folder each: bearing, belt, bolt, bracket, gear, nut, pulley, screw, servo, spring, stepper, washer.
Every image has a part of random proportions, size, material and position, seen from a random side in random light, on a
background of random texture, with other objects around it, sometimes fingers, defocus and noise. Everything is computed
here: parts are signed distance functions, met by sphere tracing (Hart, 1996). The same arguments give the same images.
Needs numpy and Pillow.
"""

import argparse
import multiprocessing
import pathlib

import numpy as np
from PIL import Image

# Shapes: functions of an array of points (n, 3) that give the distance to the surface, negative inside.


def length(v, axis=-1):
    return np.sqrt((v * v).sum(axis=axis))


def box(p, half, rounding=0.02):
    q = np.abs(p) - (np.asarray(half) - rounding)
    return length(np.maximum(q, 0)) + np.minimum(q.max(axis=-1), 0) - rounding


def tube(p, radius, half, axis=1):
    """A full cylinder along an axis."""
    others = [i for i in range(3) if i != axis]
    d = np.stack([length(p[:, others]) - radius, np.abs(p[:, axis]) - half], axis=-1)
    return np.minimum(d.max(axis=-1), 0) + length(np.maximum(d, 0))


def extruded(flat, height, half):
    d = np.stack([flat, np.abs(height) - half], axis=-1)
    return np.minimum(d.max(axis=-1), 0) + length(np.maximum(d, 0))


def hexagon(p, apothem):
    angle = np.arctan2(p[:, 2], p[:, 0])
    sector = np.pi / 3
    folded = (angle + sector / 2) % sector - sector / 2
    return length(p[:, [0, 2]]) * np.cos(folded) - apothem


def capsule(p, a, b, radius):
    a, b = np.asarray(a), np.asarray(b)
    t = np.clip(((p - a) @ (b - a)) / ((b - a) @ (b - a)), 0, 1)
    return length(p - a - t[:, None] * (b - a)) - radius


def thread(p, radius, half, pitch, depth):
    angle = np.arctan2(p[:, 2], p[:, 0])
    wave = depth * np.abs(((p[:, 1] / pitch + angle / (2 * np.pi)) % 1) * 2 - 1)
    d = np.stack([length(p[:, [0, 2]]) - radius + wave, np.abs(p[:, 1]) - half], axis=-1)
    return 0.6 * (np.minimum(d.max(axis=-1), 0) + length(np.maximum(d, 0)))


def gear(r):
    teeth, radius, depth = r.integers(9, 22), r.uniform(0.7, 0.9), r.uniform(0.1, 0.18)
    hole, half = r.uniform(0.12, 0.3), r.uniform(0.1, 0.25)
    holes = r.integers(0, 2) * r.integers(3, 7)

    def shape(p):
        angle = np.arctan2(p[:, 2], p[:, 0])
        tooth = np.clip(np.cos(angle * teeth) * 2.2, -1, 1) * depth / 2
        radial = length(p[:, [0, 2]])
        flat = np.maximum(0.7 * (radial - radius - tooth), hole - radial)
        if holes:
            sector = 2 * np.pi / holes
            a = (angle + sector / 2) % sector - sector / 2
            flat = np.maximum(flat, 0.15 - np.hypot(radial * np.cos(a) - radius * 0.6, radial * np.sin(a)))
        return extruded(flat, p[:, 1], half)

    return shape


def nut(r):
    apothem, half = r.uniform(0.6, 0.75), r.uniform(0.22, 0.4)
    hole = apothem * r.uniform(0.45, 0.6)
    return lambda p: np.maximum(extruded(hexagon(p, apothem), p[:, 1], half), hole - length(p[:, [0, 2]]))


def washer(r):
    radius, half = r.uniform(0.7, 0.95), r.uniform(0.03, 0.08)
    hole = radius * r.uniform(0.4, 0.65)
    return lambda p: np.maximum(tube(p, radius, half), hole - length(p[:, [0, 2]]))


def bearing(r):
    radius, half, count = r.uniform(0.75, 0.95), r.uniform(0.15, 0.28), r.integers(7, 12)
    hole = radius * r.uniform(0.35, 0.45)
    middle, width = (radius + hole) / 2, (radius - hole) / 2

    def shape(p):
        radial = length(p[:, [0, 2]])
        rings = np.minimum(
            extruded(np.abs(radial - radius + width * 0.22) - width * 0.22, p[:, 1], half),
            extruded(np.abs(radial - hole - width * 0.22) - width * 0.22, p[:, 1], half))
        sector = 2 * np.pi / count
        a = (np.arctan2(p[:, 2], p[:, 0]) + sector / 2) % sector - sector / 2
        balls = length(np.stack([radial * np.cos(a) - middle, p[:, 1], radial * np.sin(a)], -1)) - width * 0.5
        return np.minimum(rings, balls)

    return shape


def bolt(r):
    radius, long = r.uniform(0.15, 0.22), r.uniform(0.5, 0.75)
    head, pitch = radius * r.uniform(1.6, 2), r.uniform(0.07, 0.11)
    return lambda p: np.minimum(
        thread(p + [0, 0.1, 0], radius, long, pitch, 0.04),
        extruded(hexagon(p, head), p[:, 1] - long + 0.05, 0.13))


def screw(r):
    radius, pitch = r.uniform(0.09, 0.14), r.uniform(0.09, 0.16)
    end = r.uniform(0.1, 0.3)
    return lambda p: np.minimum(
        thread(p, radius, 1.0, pitch, 0.04), tube(p - [0, 1 + end / 2, 0], radius * 0.7, end / 2 + 0.05))


def pulley(r):
    radius, half, grooves = r.uniform(0.45, 0.65), r.uniform(0.3, 0.45), r.integers(1, 3)
    hole, flange = r.uniform(0.1, 0.18), r.uniform(0.12, 0.2)

    def shape(p):
        radial = length(p[:, [0, 2]])
        wave = 0.12 * np.abs(np.cos(np.pi * grooves * p[:, 1] / (2 * half) * 1.02))
        body = 0.6 * extruded(radial - radius + wave, p[:, 1], half)
        rims = extruded(radial - radius - flange * 0.7, np.abs(p[:, 1]) - half, 0.05)
        return np.maximum(np.minimum(body, rims), hole - radial)

    return shape


def belt(r):
    apart, radius, width = r.uniform(0.35, 0.6), r.uniform(0.25, 0.4), r.uniform(0.1, 0.2)
    teeth = r.uniform(0.05, 0.08)

    def shape(p):
        x = np.clip(p[:, 0], -apart, apart)
        loop = np.hypot(p[:, 0] - x, p[:, 2]) - radius
        along = np.where(np.abs(p[:, 0]) < apart, p[:, 0], np.arctan2(p[:, 2], np.abs(p[:, 0]) - apart) * radius)
        tooth = np.where((along / teeth) % 2 < 1, 0.035, 0.0)
        return 0.7 * extruded(np.maximum(loop - 0.02, -loop - 0.02 - tooth), p[:, 1], width)

    return shape


def spring(r):
    radius, turns, wire = r.uniform(0.3, 0.42), r.integers(4, 9), r.uniform(0.05, 0.08)
    half = r.uniform(0.6, 0.9)
    pitch = 2 * half / turns

    def shape(p):
        angle = np.arctan2(p[:, 2], p[:, 0]) / (2 * np.pi)
        turn = np.clip(np.round(p[:, 1] / pitch - angle), -turns / 2, turns / 2 - 1)
        y = p[:, 1] - (turn + angle) * pitch
        return 0.7 * (np.hypot(length(p[:, [0, 2]]) - radius, y) - wire)

    return shape


def servo(r):
    size = np.array([0.55, 0.5, 0.28]) * r.uniform(0.9, 1.1, 3)
    arm, cross = r.uniform(0.3, 0.45), r.integers(0, 2)

    def shape(p):
        body = np.minimum(box(p, size), box(p - [0, size[1] * 0.5, 0], [size[0] * 1.4, 0.05, size[2]]))
        for side in (-1, 1):
            hole = length(p[:, [0, 2]] - [side * size[0] * 1.2, 0]) - 0.06
            body = np.maximum(body, -np.maximum(hole, -(np.abs(p[:, 0]) - size[0])))
        top = size[1] + 0.12
        body = np.minimum(body, tube(p - [size[0] * 0.45, size[1], 0], 0.17, 0.12))
        horn = box(p - [size[0] * 0.45, top, 0], [arm, 0.035, 0.07])
        if cross:
            horn = np.minimum(horn, box(p - [size[0] * 0.45, top, 0], [0.07, 0.035, arm]))
        return np.minimum(body, horn)

    return shape


def stepper(r):
    half, high = r.uniform(0.5, 0.6), r.uniform(0.3, 0.6)
    shaft = r.uniform(0.3, 0.5)

    def shape(p):
        square = np.maximum(box(p, [half, high, half]), (np.abs(p[:, 0]) + np.abs(p[:, 2])) - half * 1.75)
        body = np.minimum(square, tube(p - [0, high, 0], half * 0.55, 0.06))
        body = np.minimum(body, tube(p - [0, high + shaft / 2, 0], 0.08, shaft / 2 + 0.05))
        corner = length(np.abs(p[:, [0, 2]]) - half * 0.72) - 0.06
        groove = np.abs(np.abs(p[:, 1]) - high * 0.6) - 0.015
        body = np.maximum(body, -np.maximum(corner, high - 0.1 - p[:, 1]))
        return np.maximum(body, -np.maximum(groove, half - 0.03 - np.abs(p[:, [0, 2]]).max(axis=-1)))

    return shape


def bracket(r):
    wide, long, thick = r.uniform(0.3, 0.5), r.uniform(0.55, 0.75), r.uniform(0.05, 0.09)
    holes = r.integers(1, 3)

    def shape(p):
        q = p + [long / 2, long / 2, 0]
        plates = np.minimum(box(q - [long / 2, 0, 0], [long / 2 + thick, thick, wide]),
                            box(q - [0, long / 2, 0], [thick, long / 2, wide]))
        for k in range(holes):
            centre = long * (0.75 if holes == 1 else 0.45 + 0.4 * k)
            plates = np.maximum(plates, 0.11 - length(q[:, [0, 2]] - [centre, 0]))
            plates = np.maximum(plates, 0.11 - length(q[:, [1, 2]] - [centre, 0]))
        return plates

    return shape


PARTS = {
    f.__name__: f for f in (bearing, belt, bolt, bracket, gear, nut, pulley, screw, servo, spring, stepper, washer)
}


def rotation(r):
    """An even one among all (Shoemake, 1992)."""
    q = r.normal(size=4)
    w, x, y, z = q / np.linalg.norm(q)
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


def noise(r, u, v, octaves=4):
    """Sums of waves in random directions: no lattice shows."""
    total = np.zeros_like(u)
    for octave in range(octaves):
        for _ in range(4):
            a, k, phase = r.uniform(0, 6.3), 2.0**octave * r.uniform(0.7, 1.4), r.uniform(0, 6.3)
            total += np.sin(k * (u * np.cos(a) + v * np.sin(a)) + phase) / 2.0**octave
    return total / 4


def ground(r, u, v):
    """Colours of the table at positions (u, v)."""
    a, b = r.uniform(0.05, 0.95, 3), r.uniform(0.05, 0.95, 3)
    kind = r.integers(0, 6)
    if kind == 0:
        t = (np.floor(u * r.uniform(1, 4)) + np.floor(v * r.uniform(1, 4))) % 2
    elif kind == 1:
        t = np.sin(12 * v + 3 * noise(r, u, v)) * 0.5 + 0.5
        a, b = np.array([0.55, 0.35, 0.18]) * r.uniform(0.6, 1.4), np.array([0.4, 0.24, 0.1]) * r.uniform(0.6, 1.4)
    elif kind == 2:
        t = np.clip(noise(r, u * 3, v * 3) * 0.5 + 0.5, 0, 1)
    elif kind == 3:
        t = (np.sin(u * r.uniform(3, 20)) > 0).astype(float)
    elif kind == 4:
        t = (np.hypot(u % 1 - 0.5, v % 1 - 0.5) < r.uniform(0.15, 0.4)).astype(float)
    else:
        t = np.clip((u + v) * 0.15 + 0.5, 0, 1)
    grain = noise(r, u * 20, v * 20, 2)[:, None] * r.uniform(0, 0.08)
    return np.clip(a + (b - a) * t[:, None] + grain, 0, 1)


def march(shape, origin, rays, near, far, steps=72):
    """Where rays meet a shape; infinity where they do not."""
    origin = np.broadcast_to(origin, rays.shape)
    t = np.full(len(rays), near)
    alive = np.arange(len(rays))
    hit = np.full(len(rays), np.inf)
    for _ in range(steps):
        d = shape(origin[alive] + t[alive, None] * rays[alive])
        t[alive] += d
        met = d < 0.002
        hit[alive[met]] = t[alive[met]]
        alive = alive[~met & (t[alive] < far)]
        if not len(alive):
            break
    return hit


def normals(shape, p):
    e = 0.002
    g = np.stack([shape(p + np.eye(3)[i] * e) - shape(p - np.eye(3)[i] * e) for i in range(3)], axis=-1)
    return g / np.maximum(length(g)[:, None], 1e-9)


def render(name, number, side, seed):
    r = np.random.default_rng([seed, number, sorted(PARTS).index(name)])
    orientation, scale = rotation(r), r.uniform(0.7, 1.15)
    part = PARTS[name](r)
    position = r.uniform(-0.35, 0.35, 3) * [1, 0, 1]
    objects = []
    for _ in range(r.integers(0, 5)):
        angle, away = r.uniform(0, 6.3), r.uniform(1.3, 2.4)
        at, half, way = (
            np.array([np.cos(angle) * away, -0.8, np.sin(angle) * away]),
            r.uniform(0.1, 0.45, 3),
            rotation(r),
        )
        objects.append((lambda p, at=at, half=half, way=way: box((p - at) @ way, half)) if r.integers(0, 2)
                      else (lambda p, at=at, half=half: length(p - at) - half[0]))
    fingers = []
    if r.uniform() < 0.25:
        start = position + r.uniform(-0.3, 0.3, 3)
        for k in range(3):
            end = start + [r.uniform(1.2, 2), r.uniform(-0.5, 0.2), 0.35 * k - 0.3]
            fingers.append(lambda p, a=start + [0.45, -0.1, 0.3 * k - 0.3], b=end: capsule(p, a, b, 0.17))

    def object_shape(p):
        return scale * part(((p - position) / scale) @ orientation)

    def all_shapes(p):
        d = [object_shape(p)] + [s(p) for s in objects] + [s(p) for s in fingers]
        return np.min(d, axis=0)

    # The camera points approximately at the part, from above.
    up, about = r.uniform(0.25, 1.35), r.uniform(0, 6.3)
    distance = r.uniform(3.2, 5)
    eye = distance * np.array([np.cos(about) * np.cos(up), np.sin(up), np.sin(about) * np.cos(up)])
    target = r.uniform(-0.25, 0.25, 3)
    forward = (target - eye) / np.linalg.norm(target - eye)
    right = np.cross(forward, [0, 1, 0])
    right /= np.linalg.norm(right)
    above = np.cross(right, forward)
    x, y = np.meshgrid((np.arange(side) + 0.5) / side * 2 - 1, 1 - (np.arange(side) + 0.5) / side * 2)
    rays = forward + 0.42 * (x.ravel()[:, None] * right + y.ravel()[:, None] * above)
    rays /= length(rays)[:, None]

    hit = march(all_shapes, eye, rays, max(0.5, distance - 3), distance + 3)
    floor = np.where(rays[:, 1] < -0.02, (-1.15 - eye[1]) / np.minimum(rays[:, 1], -0.02), np.inf)
    light = r.normal(size=3)
    light[1] = abs(light[1]) + 0.6
    light /= np.linalg.norm(light)
    ambient = r.uniform(0.2, 0.45)

    colour = np.tile(r.uniform(0.1, 0.9, 3), (len(rays), 1))
    on_floor = (floor < hit) & (floor < 40)
    p = eye + floor[on_floor, None] * rays[on_floor]
    spread = r.uniform(0.5, 2)
    table = ground(r, p[:, 0] * spread, p[:, 2] * spread)
    near = np.hypot(p[:, 0], p[:, 2]) < 3
    shade = np.ones(len(p))
    shade[near] = np.where(
        np.isfinite(march(all_shapes, p[near], np.tile(light, (near.sum(), 1)), 0.02, 5, 40)), 0.45, 1
    )
    colour[on_floor] = table * (ambient + (1 - ambient) * shade * light[1])[:, None]

    met = np.isfinite(hit) & (hit < floor)
    p = eye + hit[met, None] * rays[met]
    kinds = np.argmin([object_shape(p)] + [s(p) for s in objects] + [s(p) for s in fingers], axis=0)
    metal = r.uniform() < 0.65
    paint = np.full(3, r.uniform(0.35, 0.8)) * r.uniform(0.9, 1.1, 3) if metal else r.uniform(0.05, 0.9, 3)
    palette = np.vstack([paint] + [r.uniform(0.05, 0.9, 3) for _ in objects]
                        + [np.array([0.8, 0.58, 0.46]) * r.uniform(0.6, 1.1) for _ in fingers])
    n = normals(all_shapes, p)
    diffuse = np.clip(n @ light, 0, 1)
    half = light - rays[met]
    half /= length(half)[:, None]
    gloss = np.clip((n * half).sum(axis=-1), 0, 1) ** r.uniform(15, 80) * np.where(
        kinds == 0, 0.7 if metal else 0.3, 0.15
    )
    sky = 0.5 + 0.5 * n[:, 1]
    colour[met] = palette[kinds] * (ambient * sky + (1 - ambient) * diffuse)[:, None] + gloss[:, None]

    image = np.clip(colour * r.uniform(0.7, 1.4), 0, 1) ** (1 / 1.6)
    image = Image.fromarray((image.reshape(side, side, 3) * 255).round().astype(np.uint8))
    if r.uniform() < 0.2:
        small = int(side / r.uniform(1.5, 2.5))
        image = image.resize((small, small), Image.Resampling.BOX).resize((side, side), Image.Resampling.BILINEAR)
    pixels = np.asarray(image, np.float64) + r.normal(size=(side, side, 3)) * r.uniform(1, 8)
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))


def work(task):
    folder, name, number, side, seed = task
    path = folder / name / f"{number:04d}.jpg"
    if not path.exists():
        render(name, number, side, seed).save(path, quality=88)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--photos", type=int, default=130, help="of each class")
    parser.add_argument("--side", type=int, default=160)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    for name in PARTS:
        (options.folder / name).mkdir(parents=True, exist_ok=True)
    tasks = [(options.folder, name, number, options.side, options.seed)
             for number in range(options.photos) for name in PARTS]
    with multiprocessing.Pool(options.processes) as pool:
        for _ in pool.imap_unordered(work, tasks, chunksize=4):
            pass


if __name__ == "__main__":
    main()
