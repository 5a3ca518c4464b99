#!/usr/bin/env python3
"""Lists the photos to train and measure on: size, objects with boxes, and whether a photo is held out.

    photos.py --voc2007 FOLDER --animal-pose FOLDER --voc2012-annotations FOLDER [--exclude FILE] [--without FOLDER…]
              [--cats FOLDER…] [--dogs FOLDER…] --output photos.json

needs: numpy, Pillow

--voc2007: `JPEGImages` and `Annotations`. --animal-pose: `images` and `keypoints.json`; where the annotations of VOC
2012 have a file for a photo, these count. --exclude: file names, a line each, of photos that must not be used. Doubles
of these, by their difference hash, are left out as well; of doubles among the rest the first is kept. --without:
folders of further photos that show neither cats nor dogs. --cats, --dogs: folders of photos of one species without
boxes; the training finds them. Of the others one photo in five is held out, by the hash of its name.
"""

import argparse
import hashlib
import json
import pathlib
import re
import xml.etree.ElementTree as ElementTree

import numpy as np
from PIL import Image

# Bits in which the hashes of one photo, scaled or compressed otherwise, may differ.
EXCLUDED_DISTANCE = 4
DOUBLE_DISTANCE = 3
NAME = re.compile(r"((?:20\d\d_)?\d{6}|(?:ca|do|co|ho|sh)\d+)\.jpe?g$")


def held_out(name):
    return hashlib.sha256(name.encode()).digest()[0] % 5 == 0


def objects(path):
    """Class, box and whether the object is difficult, of a file of VOC."""
    found = []
    for entry in ElementTree.parse(path).getroot().iter("object"):
        box = entry.find("bndbox")
        corners = [float(box.find(key).text) for key in ("xmin", "ymin", "xmax", "ymax")]
        found.append((entry.find("name").text.strip(), corners, int(entry.findtext("difficult", "0"))))
    return found


def posed(path):
    """Objects by file name of Animal-Pose."""
    data = json.loads(path.read_text())
    names = {category["id"]: category["name"] for category in data["categories"]}
    found = {}
    for entry in data["annotations"]:
        found.setdefault(data["images"][str(entry["image_id"])], []).append(
            (names[entry["category_id"]], entry["bbox"], 0))
    return found


def listed(arguments):
    for path in sorted((arguments.voc2007 / "JPEGImages").iterdir()):
        yield path, "voc2007", objects(arguments.voc2007 / "Annotations" / f"{path.stem}.xml")
    poses = posed(arguments.animal_pose / "keypoints.json")
    for path in sorted((arguments.animal_pose / "images").iterdir()):
        annotation = arguments.voc2012_annotations / f"{path.stem}.xml"
        if annotation.exists():
            yield path, "voc2012", objects(annotation)
        else:
            yield path, "animal-pose", poses.get(path.name, [])
    for folder in arguments.without:
        for path in sorted(folder.iterdir()):
            yield path, "without", []
    for species in ("cat", "dog"):
        for folder in getattr(arguments, species + "s"):
            for path in sorted(folder.iterdir()):
                yield path, species, []


def difference_hash(image):
    pixels = np.asarray(image.convert("L").resize((9, 8), Image.BILINEAR), np.int16)
    return np.packbits((pixels[:, 1:] > pixels[:, :-1]).ravel()).view(np.uint64)[0]


def near(value, others, distance):
    return bool(len(others)) and bool((np.bitwise_count(np.array(others, np.uint64) ^ value) <= distance).any())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--voc2007", "--animal-pose", "--voc2012-annotations", "--output"):
        parser.add_argument(name, required=True, type=pathlib.Path)
    parser.add_argument("--exclude", type=pathlib.Path)
    for name in ("--without", "--cats", "--dogs"):
        parser.add_argument(name, type=pathlib.Path, nargs="*", default=[])
    arguments = parser.parse_args()
    excluded = set()
    for line in arguments.exclude.read_text().split() if arguments.exclude else []:
        match = NAME.search(line)
        excluded |= {pathlib.PurePath(line).stem} | ({match.group(1)} if match else set())
    rows, hashes, never = [], [], []
    for path, source, found in listed(arguments):
        image = Image.open(path)
        width, height = image.size
        image.draft("RGB", (64, 64))
        value = difference_hash(image)
        if path.stem in excluded:
            never.append(value)
            continue
        rows.append({"path": str(path), "source": source, "width": width, "height": height, "objects": found,
                     "held_out": source not in ("cat", "dog") and held_out(path.stem)})
        hashes.append(value)
    kept, seen = [], []
    for row, value in zip(rows, hashes):
        if not near(value, never, EXCLUDED_DISTANCE) and not near(value, seen, DOUBLE_DISTANCE):
            kept.append(row)
            seen.append(value)
    arguments.output.write_text(json.dumps(kept))
    print(f"{len(never)} photos excluded by name, {len(rows) - len(kept)} doubles, {len(kept)} kept")
    for held in (False, True):
        for name in ("cat", "dog"):
            count = sum(row["held_out"] == held and any(o[0] == name for o in row["objects"]) for row in kept)
            print(f"{'held out' if held else 'training'}: {count} photos with a {name}")


if __name__ == "__main__":
    main()
