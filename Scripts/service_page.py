"""The page of the service as a user has it: choosing requests and photographs, reading what is shown and drawn."""

import json
from pathlib import Path


class Page:
    def __init__(self, browser, address, screenshots):
        self.browser, self.address, self.screenshots = browser, address, screenshots

    def open(self):
        self.browser.open(self.address, "document.querySelectorAll('#chips input').length > 0")

    def shot(self, name):
        if self.screenshots:
            # Two frames, so that what a change of size or colours starts has been drawn.
            self.browser.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
            self.browser.screenshot(self.screenshots / f"{name}.png")

    def press(self, selector):
        self.browser.run(f"document.querySelector({json.dumps(selector)}).click()")

    def text(self, selector):
        return self.browser.run(f"document.querySelector({json.dumps(selector)})?.innerText ?? null")

    def is_hidden(self, selector):
        return self.browser.run(f"document.querySelector({json.dumps(selector)}).offsetParent === null")

    def choose(self, names):
        """Chooses these requests and no others; None for all."""
        self.press("#all" if names is None else "#none")
        for name in names or []:
            self.press(f"#chips input[value={name}]")

    def threshold(self, percent):
        self.browser.run(f"(() => {{ const e = document.querySelector('#threshold'); e.value = {percent};"
                         " e.dispatchEvent(new Event('input')) })()")

    def settled(self):
        self.browser.wait("['done', 'photo'].includes(document.querySelector('#stage').dataset.state)", 300)

    def analyse(self, file):
        self.browser.choose_file("#input", file)
        self.browser.wait(f"document.querySelector('#file').textContent === {json.dumps(Path(file).name)}")
        self.settled()

    def record(self):
        return json.loads(self.browser.run("document.querySelector('#json').textContent"))

    def drawn(self):
        return json.loads(self.browser.run("document.querySelector('#canvas').dataset.drawn ?? '{}'"))

    def pixel(self, point):
        """The colour of the canvas at a point of the image."""
        width = self.record()["image"]["width"]
        return self.browser.run(
            "(() => { const c = document.querySelector('#canvas'); const s = c.width / %f;"
            " return [...c.getContext('2d').getImageData(Math.round(%f * s), Math.round(%f * s), 1, 1).data] })()"
            % (width, point[0], point[1]))[:3]

    def on_screen(self, point):
        """Where a point of the image is in the window."""
        width = self.record()["image"]["width"]
        return self.browser.run(
            "(() => { const r = document.querySelector('#canvas').getBoundingClientRect(); const s = r.width / %f;"
            " return [r.x + %f * s, r.y + %f * s] })()" % (width, point[0], point[1]))


DRAWN = {"faces", "people", "animals", "text", "barcodes", "rectangles", "document", "horizon", "saliency"}


def expected_overlays(record):
    """How many results of a record have something to draw: skeletons need a joint that is certain."""
    counts = {}
    for name, results in record["results"].items():
        if name in DRAWN:
            found = len(results)
        elif name in ("pose", "hands"):
            found = sum(any((joint["confidence"] or 0) >= 0.2 for joint in result["joints"].values())
                        for result in results)
        else:
            found = 0
        if found:
            counts[name] = found
    return counts


def close(colour, other, tolerance=60):
    return all(abs(a - b) <= tolerance for a, b in zip(colour, other))
