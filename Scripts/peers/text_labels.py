"""Makes a folder of photographs of text with the positions of their text lines, labelled by hand, for `Benchmarks
accuracy text`.

    text_labels.py OUT FOLDER…

The photographs come with Debian's `opencv-doc` (under /usr/share/doc/opencv-doc/examples) and with scikit-image
(skimage/data); the folders are searched for files of these names and contents. 15 photographs, 70 lines. Not labelled:
text_motion.jpg and licenseplate_motion.jpg, whose text nobody can read, text.png, which is formulas in chalk, and
drawings.
"""

import argparse
import hashlib
import json
import pathlib
import shutil

# By file: the SHA-256 of its bytes; its lines, each a box (left, top, right, bottom) or four corners from the top left
# one of the text around clockwise; and the same of what need not be found: what can hardly be read, and text on arcs.
LABELS = {
    "scenetext01.jpg": (
        "7f3041a7019ab4d33d2452bc757d8c4f38616bfde71431e12f7ec370d7b2018e",
        [
            (283, 35, 434, 78),
            (278, 91, 422, 123),
            (278, 133, 422, 166),
            (275, 177, 423, 208),
            (287, 218, 403, 251),
        ],
        [(204, 504, 249, 548), (0, 490, 110, 600)],
    ),
    "scenetext02.jpg": (
        "d4295bff9f348012f91a2cf745753124f85041fe3c3717146c6759c4cd977211",
        [
            (434, 612, 783, 640, 783, 696, 434, 670),
            (431, 687, 792, 713, 792, 769, 431, 748),
            (431, 757, 893, 790, 893, 844, 431, 813),
            (434, 830, 680, 844, 680, 900, 434, 888),
        ],
        [],
    ),
    "scenetext03.jpg": (
        "cadf4a3d29a7ba6fe976b53fa65f490cc2868375e8feb3d93f26029f05c662ca",
        [
            (208, 544, 616, 622),
            (134, 577, 182, 607),
        ],
        [(60, 669, 78, 694)],
    ),
    "scenetext04.jpg": (
        "28e08d142a04f92f96d01ff2674f7804321841cba95bd968980cdc85ef0af6df",
        [
            (422, 420, 553, 457),
            (675, 359, 734, 370, 734, 401, 675, 394),
        ],
        [],
    ),
    "scenetext05.jpg": (
        "63985ac1a9989a8320605d5be0ec285af0c6304a78cc9cc5de6c2c7c435f7c0b",
        [
            (476, 312, 687, 330, 687, 394, 476, 380),
            (89, 176, 225, 185, 225, 225, 89, 211),
        ],
        [],
    ),
    "scenetext06.jpg": (
        "e4d64f10bbfb27b2c5980cb048fd0abe20dd74868ba5460298de473ced53b518",
        [
            (294, 156, 328, 177),
            (290, 174, 335, 192),
            (297, 202, 328, 215),
            (241, 282, 588, 295, 588, 325, 241, 314),
        ],
        [(307, 194, 315, 203), (503, 369, 517, 392)],
    ),
    "scenetext_word01.jpg": (
        "12106f10018a6c8e150c3159889808acc8801475ab8bb6f5ed4b207da9651f4e",
        [
            (5, 4, 105, 28),
        ],
        [],
    ),
    "scenetext_word02.jpg": (
        "73dfd0410033b674f419db18d70701572f5fd6c0e05c9d060a2ab9f603f1f8f2",
        [
            (30, 17, 217, 84),
        ],
        [],
    ),
    "scenetext_word03.jpg": (
        "6fdcbf406cd0710bc0f9390e1cb11d9f955d512ce7db3a0a84c87af5a6e9a89e",
        [
            (25, 2, 208, 70),
        ],
        [],
    ),
    "scenetext_word04.jpg": (
        "121c74707b905b98351f5b21c11195d062e1f9eca05732bd92707bbbb9966911",
        [
            (45, 2, 460, 112),
        ],
        [],
    ),
    "text_defocus.jpg": (
        "ffea13e23e2bdce60e50e43e5950d76d542a61a820c03c28fbb8f11b26edfdb6",
        [
            (0, 56, 697, 31, 697, 69, 0, 97),
            (0, 105, 697, 74, 697, 112, 0, 140),
            (0, 152, 697, 120, 697, 161, 0, 189),
            (0, 199, 697, 165, 697, 200, 0, 235),
            (66, 287, 334, 277, 334, 318, 66, 328),
            (0, 439, 634, 420, 634, 458, 0, 472),
        ],
        [(421, 230, 549, 273), (351, 283, 632, 401)],
    ),
    "imageTextN.png": (
        "78e5141dea1ad97e7d3d903de47fe95e9031e8f559bf14179f7e1e539cb1f94f",
        [
            (31, 19, 350, 28),
            (52, 38, 528, 50),
            (31, 56, 527, 68),
            (31, 75, 526, 87),
            (31, 93, 527, 105),
            (31, 112, 527, 124),
            (31, 130, 527, 142),
            (31, 149, 527, 161),
            (31, 167, 527, 179),
            (31, 186, 527, 198),
            (31, 204, 276, 216),
            (52, 223, 527, 235),
            (31, 241, 271, 253),
        ],
        [],
    ),
    "imageTextR.png": (
        "6a4adfe5e08abd805a9989e5cbe605074001a1566840b24189b0285c0246f700",
        [
            (7, 75, 328, 22, 330, 31, 9, 83),
            (31, 90, 510, 12, 511, 21, 33, 100),
            (14, 112, 513, 30, 515, 42, 15, 124),
            (17, 131, 516, 49, 518, 61, 19, 143),
            (20, 149, 519, 67, 521, 80, 22, 161),
            (23, 168, 522, 87, 524, 98, 25, 180),
            (25, 187, 525, 105, 527, 117, 27, 199),
            (29, 206, 528, 124, 530, 136, 31, 218),
            (32, 225, 531, 143, 533, 155, 34, 236),
            (35, 243, 534, 162, 536, 170, 36, 252),
            (38, 261, 285, 221, 287, 233, 40, 273),
            (62, 277, 539, 199, 540, 211, 64, 289),
            (44, 299, 286, 259, 288, 271, 46, 310),
        ],
        [],
    ),
    "box.png": (
        "1094629c1e2ebbc8a9ae2c9c63e18c1dff0f5f1481146e02f3b11a3d30feb20a",
        [
            (9, 136, 9, 83, 15, 83, 15, 136),
            (22, 160, 22, 59, 31, 59, 31, 160),
            (89, 140, 89, 90, 100, 90, 100, 140),
            (103, 148, 103, 71, 114, 71, 114, 148),
            (129, 155, 129, 65, 140, 65, 140, 155),
            (143, 122, 143, 100, 150, 100, 150, 122),
            (299, 204, 299, 110, 307, 110, 307, 204),
            (299, 98, 299, 22, 307, 22, 307, 98),
        ],
        [(32, 145, 32, 79, 53, 79, 53, 145), (65, 187, 65, 34, 105, 34, 105, 187)],
    ),
    "page.png": (
        "341a6f0a61557662b02734a9b6e56ec33a915b2c41886b97509dedf2a43b47a3",
        [
            (6, 13, 292, 35),
            (6, 49, 377, 66),
            (6, 66, 377, 82),
            (6, 85, 376, 101),
            (5, 101, 377, 117),
            (6, 117, 170, 122, 170, 138, 6, 132),
            (18, 169, 240, 177, 240, 189, 18, 181),
        ],
        [(0, 178, 80, 191)],
    ),
}


def corners(numbers):
    if len(numbers) == 8:
        return list(numbers)
    left, top, right, bottom = numbers
    return [left, top, right, top, right, bottom, left, bottom]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("folders", type=pathlib.Path, nargs="+")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    truth = {}
    for folder in arguments.folders:
        for path in sorted(folder.rglob("*")):
            if path.name not in LABELS or path.name in truth or not path.is_file():
                continue
            digest, lines, ignored = LABELS[path.name]
            if hashlib.sha256(path.read_bytes()).hexdigest() != digest:
                continue
            shutil.copyfile(path, arguments.out / path.name)
            truth[path.name] = {
                "lines": [{"quad": corners(line)} for line in lines]
                + [{"quad": corners(line), "ignore": True} for line in ignored]
            }
    for name in sorted(LABELS.keys() - truth.keys()):
        print(f"{name} was not found")
    (arguments.out / "truth.json").write_text(json.dumps(truth, indent=1) + "\n")
    print(f"{len(truth)} photographs")


if __name__ == "__main__":
    main()
