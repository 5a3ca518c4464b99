"""Area resize and grey conversion: Pillow and OpenCV against ours."""

import cv2
import numpy as np
from PIL import Image

from raw_files import write_raw
from rows import Row
from timing import alternating, repeat

NAMES = ["resize/area-1920x1080-to-224", "grey/bgr-1920x1080", "grey/bgra-1920x1080"]


def run(name, env):
    bgr = env.photos.image(1920, 1080, 1)
    return resize(name, env, bgr) if name.startswith("resize") else grey(name, env, bgr)


def resize(name, env, bgr):
    rgb = cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB)
    file = write_raw(env.folder / "rgb.raw", "rgb8", [rgb])
    image, out = Image.fromarray(rgb), np.empty((224, 224, 3), np.uint8)
    results = alternating(
        {
            "ours": env.ours.runner("resize-area", file, width=224, height=224),
            "Pillow box": repeat(lambda: image.resize((224, 224), Image.Resampling.BOX)),
            "OpenCV area": repeat(lambda: cv2.resize(rgb, (224, 224), dst=out, interpolation=cv2.INTER_AREA)),
        },
        env.rounds,
    )
    # OpenCV's area filter weighs the pixels on the border of a cell by the part inside, Pillow's box takes them whole
    # or not at all. Ours is to be the former.
    ours = output_of_ours(env, "resize-area", file, (224, 224, 3), width=224, height=224)
    exact = cv2.resize(rgb.astype(np.float64), (224, 224), interpolation=cv2.INTER_AREA)
    rows = [Row.timed(name, peer, results, 0.25) for peer in ("Pillow box", "OpenCV area")]
    rows.append(Row.checked(name, "(our error against exact area)", float(abs(ours - exact).max()), 1.0, "levels"))
    return rows


def grey(name, env, bgr):
    four = "bgra" in name
    frame = cv2.cvtColor(bgr, cv2.COLOR_BGR2BGRA) if four else bgr
    code = cv2.COLOR_BGRA2GRAY if four else cv2.COLOR_BGR2GRAY
    file = write_raw(env.folder / f"grey-{frame.shape[2]}.raw", "bgra8" if four else "bgr8", [frame])
    out = np.empty(frame.shape[:2], np.uint8)
    results = alternating(
        {"ours": env.ours.runner("grey", file), "OpenCV cvtColor": repeat(lambda: cv2.cvtColor(frame, code, dst=out))},
        env.rounds,
    )
    ours = output_of_ours(env, "grey", file, out.shape)
    difference = float(abs(ours.astype(int) - cv2.cvtColor(frame, code)).max())
    return [
        Row.timed(name, "OpenCV cvtColor", results, 1.0),
        Row.checked(name, "(our difference from OpenCV)", difference, 1.0, "levels"),
    ]


def output_of_ours(env, case, file, shape, **parameters):
    output = env.folder / "output.raw"
    env.ours.ask(case, file, 1, output=output, **parameters)
    return np.fromfile(output, np.uint8).reshape(shape)
