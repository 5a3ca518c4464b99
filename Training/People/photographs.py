#!/usr/bin/env python3
"""Lists the photographs of PASCAL VOC 2007 and 2012 that the people network is trained and validated with.

usage: photographs.py OUT.json VOC2007 ANNOTATIONS2012 MAIN2012.txt PHOTOS2012... [--leave-out NAMES.txt]
       [--leave-out-truth TRUTH.json]... [--seed 20]

VOC2007 is the folder VOCdevkit/VOC2007 of the trainval set, ANNOTATIONS2012 the folder of XML files of VOC 2012,
MAIN2012.txt its ImageSets/Main/trainval.txt, PHOTOS2012 folders with any of its photographs. Photographs whose number
is in NAMES.txt or TRUTH.json, and those that look like one of them, are left out. OUT.json is a list: file, width,
height, persons (box as x1, y1, x2, y2; ignore = "difficult"), part: "train" or "validation" (VOC 2012 from 2008 on
only; one photograph in four of those with people, 200 of those without).

needs: numpy, pillow
"""
import argparse
import json
import pathlib
import random
import re
import xml.etree.ElementTree as tree

import numpy as np
from PIL import Image

# Two photographs whose hashes differ in at most this many of 256 bits are taken for the same.
ALIKE = 32
NAME = re.compile(r"(20\d\d_\d{6}|\d{6})$")


def looks(path):
    """Returns 256 bits: whether each pixel of a reduced image is brighter than its left neighbour."""
    small = np.asarray(Image.open(path).convert("L").resize((17, 16), Image.Resampling.BOX), np.int16)
    return np.packbits((small[:, 1:] > small[:, :-1]).ravel())


def read(xml):
    root = tree.parse(xml).getroot()
    persons = []
    for entry in root.findall("object"):
        if entry.findtext("name") == "person":
            box = entry.find("bndbox")
            left, top, right, bottom = (float(box.findtext(key)) for key in ("xmin", "ymin", "xmax", "ymax"))
            persons.append({
                "box": [left - 1, top - 1, right, bottom], "ignore": entry.findtext("difficult", "0").strip() == "1"})
    size = root.find("size")
    return {"width": int(size.findtext("width")), "height": int(size.findtext("height")), "persons": persons}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("voc2007", type=pathlib.Path)
    parser.add_argument("annotations2012", type=pathlib.Path)
    parser.add_argument("main2012", type=pathlib.Path)
    parser.add_argument("photos2012", type=pathlib.Path, nargs="+")
    parser.add_argument("--leave-out", type=pathlib.Path)
    parser.add_argument("--leave-out-truth", type=pathlib.Path, action="append", default=[])
    parser.add_argument("--seed", type=int, default=20)
    arguments = parser.parse_args()
    out = set()
    names = arguments.leave_out.read_text().split("\n") if arguments.leave_out else []
    for path in arguments.leave_out_truth:
        names += [entry["file"] for entry in json.loads(path.read_text())["images"]]
    for name in names:
        found = NAME.search(name.rsplit(".", 1)[0])
        if found:
            out.add(found[1])
    files = {path.stem: path for path in sorted((arguments.voc2007 / "JPEGImages").glob("*.jpg"))}
    main2012 = set(arguments.main2012.read_text().split())
    for folder in arguments.photos2012:
        for path in sorted(folder.iterdir()):
            if re.fullmatch(r"20\d\d_\d{6}", path.stem) and path.stem in main2012 | out:
                files.setdefault(path.stem, path)
    kept, hashes, others = [], [], []
    for stem, path in files.items():
        bits = looks(path)
        if stem in out:
            others.append(bits)
            continue
        folder = arguments.annotations2012 if "_" in stem else arguments.voc2007 / "Annotations"
        kept.append({"file": str(path.resolve()), **read(folder / f"{stem}.xml")})
        hashes.append(bits)
    hashes, others = np.array(hashes), np.array(others)

    def nearest(bits, many):
        return np.unpackbits(many ^ bits, axis=1).sum(1).min() if len(many) else 256

    photos = [photo for photo, bits in zip(kept, hashes) if nearest(bits, others) > ALIKE]
    hashes = np.array([bits for bits in hashes if nearest(bits, others) > ALIKE])
    print(f"{len(files)} photographs, {len(out)} names to leave out, {len(kept) - len(photos)} doubles of those")
    later = [index for index, photo in enumerate(photos) if "/20" in photo["file"] and "/2007_" not in photo["file"]]
    random.Random(arguments.seed).shuffle(later)
    people = [index for index in later if photos[index]["persons"]]
    empty = [index for index in later if not photos[index]["persons"]]
    validation = people[: len(people) // 4] + empty[:200]
    for photo in photos:
        photo["part"] = "train"
    for index in validation:
        photos[index]["part"] = "validation"
    chosen = hashes[validation]
    result = [photo for photo, bits in zip(photos, hashes)
              if photo["part"] == "validation" or nearest(bits, chosen) > ALIKE]
    for part in ("train", "validation"):
        these = [photo for photo in result if photo["part"] == part]
        print(part, len(these), "with people", sum(bool(photo["persons"]) for photo in these), "people",
              sum(len(photo["persons"]) for photo in these))
    arguments.out.write_text(json.dumps(result))


if __name__ == "__main__":
    main()
