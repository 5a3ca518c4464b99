#!/usr/bin/env python3
"""How often the right class is in what `openvision classify` prints by default.

    openvision classify PHOTOS --json > lines.jsonl
    leaves.py CSources/CVisionNetworks/files/scene-taxonomy.table lines.jsonl…

A photo's class is the WordNet identifier in its path. Prints the share with its 95 % interval (Wilson).
"""

import json
import re
import sys

import labels


def wilson(hits, count, z=1.96):
    centre = (hits + z * z / 2) / (count + z * z)
    reach = z / (count + z * z) * (hits * (count - hits) / count + z * z / 4) ** 0.5
    return centre - reach, centre + reach


def main():
    classes = labels.Classes(sys.argv[1])
    for path in sys.argv[2:]:
        count = hits = without = 0
        for line in open(path):
            record = json.loads(line)
            if record.get("error"):
                continue
            found = [
                classes.by_offset[offset]
                for offset in re.findall(r"n(\d{8})", record["image"]["path"])
                if offset in classes.by_offset]
            if not found:
                without += 1
                continue
            count += 1
            hits += classes.identifiers[found[-1]] in {result["identifier"] for result in record["results"]}
        low, high = wilson(hits, count)
        print(f"{path}: {hits} of {count} ({100 * hits / count:.1f} %, {100 * low:.1f} to {100 * high:.1f}), "
              f"{without} without a class of the taxonomy")


if __name__ == "__main__":
    main()
