"""One row of the results, and their output as tables."""

import dataclasses


@dataclasses.dataclass
class Row:
    what: str
    peer: str
    peer_ms: float | None
    ours_ms: float | None
    ratio: float | None
    # The ratio to reach, or a text for figures other than times; None where there is no target.
    target: float | str | None = None
    met: bool | None = None
    note: str = ""
    spread: tuple | None = None

    @staticmethod
    def timed(what, peer, results, target=None, note=""):
        """A row from the results of `alternating`."""
        result = results[peer]
        return Row(
            what, peer, result.median, results["ours"].median, result.ratio, target,
            None if target is None else result.ratio <= target, note, (result.ratios[0], result.ratios[-1]),
        )

    @staticmethod
    def checked(what, peer, value, limit, unit):
        """A row about accuracy: `value` is to be at most `limit`."""
        return Row(what, peer, None, None, None, f"≤ {limit:g} {unit}", value <= limit, f"{value:.3g} {unit}")

    def cells(self):
        number = lambda value: "" if value is None else f"{value:.4g}"
        ratio = "" if self.ratio is None else f"{self.ratio:.3f}"
        if self.spread:
            ratio += f" ({self.spread[0]:.2f}-{self.spread[1]:.2f})"
        target = self.target if isinstance(self.target, str) else "" if self.target is None else f"≤ {self.target:.2f}"
        met = {None: "", True: "yes", False: "NO"}[self.met]
        return [self.what, self.peer, number(self.peer_ms), number(self.ours_ms), ratio, target, met, self.note]


COLUMNS = ["what", "peer", "peer ms", "ours ms", "ours / peer (range)", "to reach", "met", "note"]


def plain(rows):
    table = [COLUMNS] + [row.cells() for row in rows]
    widths = [max(len(line[i]) for line in table) for i in range(len(COLUMNS))]
    pad = lambda text, i: text.rjust(widths[i]) if i in (2, 3, 4) else text.ljust(widths[i])
    return "\n".join("  ".join(pad(text, i) for i, text in enumerate(line)).rstrip() for line in table)


def markdown(rows):
    lines = ["| " + " | ".join(COLUMNS) + " |", "|---|---|---:|---:|---:|---|---|---|"]
    return "\n".join(lines + ["| " + " | ".join(row.cells()) + " |" for row in rows])
