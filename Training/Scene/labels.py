"""The labels of photos, as classes of the taxonomy.

A photo of ImageNet has one class; everything else that is not above it counts as absent (which is not quite true:
photos hold more than their label), but nothing is known about people. A photo with boxes has those of the labelled
classes that it has, lacks the others of them with everything below, and nothing is known about the rest.
"""

import json
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Shared"))
import tables  # noqa: E402

# The words of the boxes and the classes that they stand for. A class that is absent takes everything below it along.
BOXES = {
    "person": "people", "dog": "dog", "cat": "domestic_cat", "car": "car", "chair": "chair", "sofa": "sofa",
    "couch": "sofa",
    "horse": "horse", "motorbike": "motorcycle", "motorcycle": "motorcycle", "bicycle": "bicycle", "bottle": "bottle",
    "pottedplant": "flower_pot", "potted plant": "flower_pot", "tvmonitor": "display_screen", "tv": "display_screen",
    "train": "train", "bird": "bird", "diningtable": "dining_table", "dining table": "dining_table",
    "aeroplane": "airplane",
    "airplane": "airplane", "boat": "watercraft", "bus": "bus", "cow": "cattle", "sheep": "sheep",
}  # fmt: skip
VOC = sorted(set(BOXES.values()))
ANIMALS = ["dog", "domestic_cat", "sheep", "horse", "cattle"]
LABELLED = {"voc20": VOC, "coco80": VOC, "dog,cat,sheep,horse,cow only": ANIMALS}


class Classes:
    """The table that taxonomy.py has written."""

    def __init__(self, table):
        arrays = tables.read(table)
        self.identifiers = arrays["identifiers"]
        self.offsets = [line.split("+") for line in arrays["offsets"]]
        self.parents, self.outputs = (
            [part.tolist() for part in np.split(arrays[name], np.cumsum(arrays[counts])[:-1])]
            for name, counts in (("parents", "parent_counts"), ("outputs", "output_counts")))
        self.index = {name: cls for cls, name in enumerate(self.identifiers)}
        self.by_offset = {offset: cls for cls, offsets in enumerate(self.offsets) for offset in offsets}
        count = len(self.identifiers)
        # above[i, j]: j is i or above it
        above = np.zeros((count, count), bool)

        def fill(cls):
            if not above[cls, cls]:
                above[cls, cls] = True
                for parent in self.parents[cls]:
                    fill(parent)
                    above[cls] |= above[parent]

        for cls in range(count):
            fill(cls)
        self.above = above
        self.below = above.T
        # below_outputs[i, o]: the output o is class i or below it
        own = np.zeros((count, 1000), bool)
        for cls, outputs in enumerate(self.outputs):
            own[cls, outputs] = True
        self.own = own
        self.outputs_below = (self.below.astype(np.int32) @ own) > 0

    def __len__(self):
        return len(self.identifiers)


def truth(images, boxes_folder, classes):
    """image x class: 1 present, 0 absent, -1 unknown."""
    manifest = {
        entry["image"]: entry for entry in json.loads((pathlib.Path(boxes_folder) / "manifest.json").read_text())
    }
    values = np.full((len(images), len(classes)), -1, np.int8)
    for row, image in enumerate(images):
        if image["set"] == "boxes":
            entry = manifest[image["name"]]
            easy, hard = set(), set()
            for labelled in entry["objects"]:
                if labelled["name"] in BOXES:
                    (hard if labelled["difficult"] else easy).add(BOXES[labelled["name"]])
            absent = [n for n in LABELLED.get(entry["labelled_classes"], []) if n not in easy and n not in hard]
            for name in absent:
                values[row, classes.below[classes.index[name]]] = 0
            if "domestic_cat" in absent:
                values[row, classes.below[classes.index["cat"]]] = 0
            for name in easy:
                values[row, classes.above[classes.index[name]]] = 1
        else:
            singles = [images[i] for i in image["of"]] if image["set"] == "pairs" else [image]
            values[row] = 0
            # Many objects are photographed with someone holding, wearing or riding them.
            values[row, classes.index["people"]] = -1
            for single in singles:
                values[row, classes.above[classes.by_offset[single["label"][1:]]]] = 1
    return values
