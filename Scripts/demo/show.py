#!/usr/bin/env python3
"""Runs the demonstration: one command of the tool after the other, each with its results in a folder, and a page
(index.html) that shows them beside the commands that made them.

    show.py TOOL FOOTAGE FOLDER        FOOTAGE: what Scripts/fetch-footage.sh prints
"""

import html
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

POSTER = Path(__file__).resolve().parent / "poster.jpg"


class Step(NamedTuple):
    title: str
    remark: str  # what the result shows
    command: str  # the arguments of the tool, in the folder of the results
    results: tuple = ()  # files that it makes; images and videos are shown
    source: str = ""  # an image to show beside the first result
    log: str = ""  # a file for what the command prints, where that is long


STEPS = [
    Step("People followed through a video",
         "Six people cross a car park, and in front of each other; each box keeps its number and colour.",
         # The boxes are the people's in frame 620. At frame 684 three people meet, and two boxes are exchanged.
         "track input/vtest.avi --start 620 --end 680 --box 374,422,57,153 --box 577,261,46,108 --box 613,298,42,101"
         " --box 459,173,32,82 --box 119,140,25,68 --box 67,178,30,70 --render tracked.mp4 --csv people.csv",
         ("tracked.mp4",)),
    Step("A face with its landmarks", "The outlines of the features, the angles of the head, the capture quality.",
         "faces input/astronaut.png --landmarks --quality --render faces.jpg", ("faces.jpg",)),
    Step("People", "The boxes of whole bodies, also where they are cut off.",
         "people input/basketball1.png --render people.jpg", ("people.jpg",)),
    Step("Poses of bodies", "The joints of everyone in the photo; faint ones where they are hidden.",
         "pose input/basketball1.png --render poses.jpg", ("poses.jpg",), log="poses.txt"),
    Step("A person cut out", "The background replaced by a blurred one.",
         "segment input/astronaut.png --background blur --output portrait.jpg", ("portrait.jpg",),
         source="input/astronaut.png"),
    Step("Text read", "A page that lies on a table, seen from the side; the lines in the order of reading.",
         "text input/poster.jpg --render text.jpg", ("text.jpg",)),
    Step("A code read", "The payload of the QR code on the same page.",
         "barcodes input/poster.jpg --render codes.jpg", ("codes.jpg",)),
    Step("The page straightened", "Its four corners, and the page as a scanner would see it.",
         "document input/poster.jpg --correct page.jpg", ("page.jpg",), source="input/poster.jpg"),
    Step("Rectangles", "The outlines of pages, cards, screens and signs.",
         "rectangles input/poster.jpg --render rectangles.jpg", ("rectangles.jpg",)),
    Step("Searchable PDF", "The page with its text below the image: open it and search for “pier”.",
         "text page.jpg --format pdf --output page.pdf", ("page.pdf",)),
    Step("What photos show", "Each class with the more general ones that it belongs to.",
         "classify input/chelsea.png input/coffee.png input/butterfly.jpg input/squirrel_cls.jpg"),
    Step("Cats and dogs", "A box around each.", "animals input/chelsea.png --render animals.jpg", ("animals.jpg",)),
    Step("What stands out", "Where people look first: the brighter, the more.",
         "saliency input/butterfly.jpg --render saliency.jpg", ("saliency.jpg",)),
    Step("Thumbnails", "Cropped to a square around what stands out.",
         "crop input/butterfly.jpg input/coffee.png input/chelsea.png --to 300x300 --output thumbnail.jpg",
         ("thumbnail-1.jpg", "thumbnail-2.jpg", "thumbnail-3.jpg")),
    Step("Similar photos", "The photos of the folder in the order of their likeness to the orange.",
         "similar input/orange.jpg input --top 8 --sheet similar.jpg", ("similar.jpg",)),
    Step("An index of photos", "The feature prints of all photos, in a database that is kept up to date …",
         "index input --db photos.db", ("photos.db",)),
    Step("Search in the index", "… and searched: other views of the same street come first.",
         "search input/leuvenA.jpg --db photos.db --top 8 --sheet search.jpg", ("search.jpg",)),
    Step("One photo laid over another", "Two views of one wall, aligned by their homography.",
         "align input/graf1.png input/graf3.png --render aligned.jpg", ("aligned.jpg",), source="input/graf3.png"),
    Step("Motion between two frames", "Optical flow: the colour is the direction, its strength the speed.",
         "flow input/rubberwhale1.png input/rubberwhale2.png --render motion.png", ("motion.png",),
         source="input/rubberwhale1.png"),
    Step("Contours", "The outlines of regions, and of holes inside of them.",
         "contours input/smarties.png --svg contours.svg --render contours.png", ("contours.png",)),
    Step("The horizon", "A photo levelled.", "horizon input/building.jpg --render level.jpg", ("level.jpg",),
         source="input/building.jpg"),
    Step("Is the camera still?", "The shift of each frame against the one before.",
         "stability input/vtest.avi --end 200"),
    Step("A network of the store", "Any ONNX, TensorFlow Lite or Core ML file runs; this one has a thousand classes.",
         "run efficientnet-lite0 input/coffee.png"),
]

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 68rem; padding: 0 1rem; color: #222; }
section { border-top: 1px solid #ccc; padding: 1rem 0; }
h2 { margin: 0 0 .2rem; font-size: 1.2rem; } p { margin: .2rem 0 .6rem; }
img, video { max-width: 49%; max-height: 28rem; vertical-align: top; border-radius: 4px; }
pre { background: #f4f4f2; padding: .6rem .8rem; overflow-x: auto; font-size: 13px; border-radius: 4px; }
pre.command { background: #22303c; color: #f0f0f0; white-space: pre-wrap; }
nav a { margin-right: 1rem; white-space: nowrap; }
"""
SHOWN_LINES = 24


def shown(path):
    name = html.escape(path.name if path.parent == Path(".") else str(path), quote=True)
    if path.suffix in (".jpg", ".png", ".svg"):
        return f'<a href="{name}"><img src="{name}" alt="{name}"></a>'
    if path.suffix == ".mp4":
        return f'<video src="{name}" controls loop muted autoplay></video>'
    return f'<p><a href="{name}">{name}</a></p>'


def section(number, step, output):
    lines = output.strip().split("\n")
    if len(lines) > SHOWN_LINES:
        lines = lines[:SHOWN_LINES] + [f"… {len(lines) - SHOWN_LINES} lines more"]
    files = ([Path(step.source)] if step.source else []) + [Path(name) for name in step.results]
    parts = [
        f'<section id="step{number}"><h2>{html.escape(step.title)}</h2><p>{html.escape(step.remark)}</p>',
        f'<pre class="command">openvision {html.escape(step.command)}</pre>',
        *[shown(path) for path in files],
    ]
    if lines != [""]:
        parts.append(f"<pre>{html.escape(chr(10).join(lines))}</pre>")
    return "\n".join(parts + ["</section>"])


def page(sections):
    links = "\n".join(f'<a href="#step{n}">{html.escape(step.title)}</a>' for n, step in enumerate(STEPS, 1))
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>OpenVision: the demonstration</title>'
        f"<style>{STYLE}</style></head><body><h1>OpenVision: the demonstration</h1>\n"
        "<p>Made on this computer, on its processor, by the commands shown. They run in this folder.</p>\n"
        f"<nav>{links}</nav>\n" + "\n".join(sections)
        + "\n<section><p>Photos and video: OpenCV's samples (Debian's package opencv-doc, Apache-2.0), NASA (the "
        "astronaut, public domain), Stéfan van der Walt (the cat, CC0), Rachel Michetti (the cup, CC0); the page on "
        "the table was drawn for OpenVision.</p></section></body></html>\n")


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    tool, footage, folder = (Path(argument).resolve() for argument in sys.argv[1:])
    folder.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(folder / "input", ignore_errors=True)
    shutil.copytree(footage, folder / "input")
    shutil.copy(POSTER, folder / "input")
    for step in STEPS:
        for name in step.results:
            (folder / name).unlink(missing_ok=True)

    sections, failed = [], []
    for number, step in enumerate(STEPS, 1):
        print(f"[{number:2}/{len(STEPS)}] {step.title} … ", end="", flush=True)
        start = time.monotonic()
        run = subprocess.run(
            [tool, *shlex.split(step.command)], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        missing = [name for name in step.results if not (folder / name).is_file()]
        if run.returncode != 0 or missing:
            failed.append(step.title)
            print("failed\n" + (run.stderr or f"made no {', '.join(missing)}").strip())
        else:
            print(f"{time.monotonic() - start:.1f} s")
        output = run.stdout + (run.stderr if run.returncode != 0 else "")
        if step.log:
            (folder / step.log).write_text(output)
        sections.append(section(number, step, output))
    (folder / "index.html").write_text(page(sections), encoding="utf-8")

    if failed:
        print(f"\n{len(failed)} of {len(STEPS)} steps failed: {', '.join(failed)}", file=sys.stderr)
    print(f"\nOpen {folder / 'index.html'} in a browser: all results, each with the command that made it. First:")
    for name, what in (
            ("tracked.mp4", "six people followed, with boxes that keep their numbers"),
            ("faces.jpg", "a face with its landmarks, angles and quality"),
            ("text.jpg, page.pdf", "a page read; the page straightened, with its text to search in"),
            ("similar.jpg", "photos in the order of their likeness to an orange")):
        print(f"  {name:20}{what}")
    sys.exit(1 if failed else 0)


main()
