#!/usr/bin/env python3
"""Checks the page of the service in a headless browser: starts the service, analyses photographs on its page as a user
does, and compares what the page draws and says with the service's answers.

    check-page.py SERVE [--photos FOLDER] [--screenshots FOLDER]

SERVE: the program openvision-serve, or the address of a service that runs (http://127.0.0.1:8080).
--photos FOLDER: photographs to analyse as well, with all requests; only counts are compared.
--screenshots FOLDER: the page in several states and sizes is written there as PNG files, to be seen by a person.
"""

import argparse
import base64
import json
import re
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request
import zlib
from pathlib import Path

from browser import Browser, find_browser
from service_page import Page, close, expected_overlays

ROOT = Path(__file__).resolve().parent.parent
PHOTOS = ROOT / "Tests" / "GuideTests" / "Photos"
POSTER = ROOT / "Scripts" / "demo" / "poster.jpg"
PORT = 18473

failures = []


def expect(condition, what):
    print(("  ok      " if condition else "  FAILED  ") + what)
    if not condition:
        failures.append(what)


# Files that the page is given.

def turned_by_exif(jpeg, orientation):
    """A JPEG with an EXIF segment that gives its orientation, 1 to 8."""
    tiff = struct.pack("<2sHIHHHIHHI", b"II", 42, 8, 1, 0x0112, 3, 1, orientation, 0, 0)
    segment = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(segment) + 2) + segment + jpeg[2:]


def png(width, height, colour):
    """A PNG of one colour."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + bytes(colour) * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def size_of_png(data):
    return struct.unpack(">II", data[16:24])


# The checks, each a part of what a user does.

def check_first_sight(page):
    print("The page before a photograph")
    names = {entry["name"] for entry in
             json.load(urllib.request.urlopen(page.address + "v1/requests"))["requests"]}
    offered = set(page.browser.run("[...document.querySelectorAll('#chips input')].map(e => e.value)"))
    expect(offered == names, f"offers the {len(names)} requests of the service")
    expect(page.address.split("/")[2] in page.text(".privacy"), "says to which server photographs go")
    expect(page.browser.run("document.querySelector('#analyze').disabled"), "analyses nothing without a photograph")
    expect(not page.is_hidden("#camera"), "offers the camera where the browser allows it")
    links = page.browser.run("[...document.querySelectorAll('[src],[href]')].map(e => e.src || e.href)")
    expect(all(link.startswith(page.address) for link in links), "loads everything from the service")


def check_photograph(page, file, requests=None):
    page.choose(requests)
    page.analyse(file)
    page.threshold(0)
    record, drawn = page.record(), page.drawn()
    expect(page.is_hidden("#error"), f"{Path(file).name}: no error")
    expect(drawn == expected_overlays(record), f"{Path(file).name}: draws what was found: {drawn}")
    listed = page.browser.run("document.querySelectorAll('#layers li').length")
    total = sum(min(len(results), 200) for results in record["results"].values())
    expect(listed == total, f"{Path(file).name}: lists {total} results")
    return record


def check_layers(page):
    print("Layers, confidence, pointing")
    check_photograph(page, PHOTOS / "astronaut.jpg", ["classify", "faces", "people", "pose", "saliency", "horizon"])
    record = page.record()
    box = record["results"]["people"][0]["box"]
    edge = (box["x"], box["y"] + box["height"] * 0.45)
    expect(close(page.pixel(edge), (0x40, 0xc4, 0x63)), "the edge of a person's box has the colour of its layer")
    page.press("#layers input[data-layer=people]")
    expect("people" not in page.drawn() and not close(page.pixel(edge), (0x40, 0xc4, 0x63)), "its switch removes it")
    page.press("#layers input[data-layer=people]")
    page.threshold(95)
    certain = [name for name, results in record["results"].items() if name not in ("classify",)
               and any((result["confidence"] or 0) >= 0.95 for result in results)]
    expect(sorted(page.drawn()) == sorted(certain), f"only what is certain to 95 % is drawn then: {sorted(certain)}")
    page.threshold(0)
    bars = page.browser.run("[...document.querySelectorAll('[data-layer=classify] .fill')].map(e => e.style.width)")
    expected = [max(1, result["confidence"] * 100) for result in record["results"]["classify"]]
    expect(len(bars) == len(expected) and all(abs(float(bar.rstrip("%")) - value) < 0.01
                                              for bar, value in zip(bars, expected)),
           "the bars of classes are as long as their confidences")
    face = record["results"]["faces"][0]["box"]
    page.browser.move(*page.on_screen((face["x"] + face["width"] / 3, face["y"] + 3)))
    expect("Face 1" in (page.text("#tip") or "") and not page.is_hidden("#tip"), "pointing at the face describes it")
    expect(page.browser.run("document.querySelector('li.marked .name')?.innerText") == "Face 1", "and marks its row")
    page.shot("pointing")
    page.browser.move(5, 5)
    expect(page.is_hidden("#tip"), "and not any more when the pointer has left")


def check_text(page):
    print("Text and codes")
    record = check_photograph(page, POSTER, ["text", "barcodes", "rectangles", "document"])
    shown = page.text("#layers")
    expect(all(line["text"] in shown for line in record["results"]["text"]), "lists the lines that were read")
    expect(record["results"]["barcodes"][0]["payload"] in shown, "lists the payload of the code")
    code = record["results"]["barcodes"][0]["corners"]
    middle = [sum(point[axis] for point in code) / 4 for axis in (0, 1)]
    page.browser.click(*page.on_screen(middle))
    expect("Kind: qr" in (page.text("#tip") or ""), "a click on the code describes it")
    page.browser.move(5, 5)
    expect(not page.is_hidden("#tip"), "and it stays")
    page.browser.press("Escape")
    expect(page.is_hidden("#tip"), "until Escape is pressed")
    page.shot("text")


def check_json(page):
    print("JSON and the saved drawing")
    page.press("#tabJSON")
    expect(not page.is_hidden("#json") and page.is_hidden("#layers"), "the tab shows the JSON")
    page.browser.send("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    page.press("#copy")
    page.browser.wait("document.querySelector('#copy').textContent === 'Copied'", 5)
    copied = page.browser.run("navigator.clipboard.readText()")
    expect(json.loads(copied) == page.record(), "the button copies it")
    page.shot("json")
    page.press("#tabResults")
    # The link that the page makes for the download is kept, and so is the file behind it.
    page.browser.run("""(() => {
        const make = URL.createObjectURL;
        URL.createObjectURL = (blob) => { window.savedBlob = blob; return make.call(URL, blob); };
        HTMLAnchorElement.prototype.click = function () { window.savedName = this.download; };
        })()""")
    page.press("#save")
    name = page.browser.wait("window.savedName", 20)
    data = base64.b64decode(page.browser.run("""new Promise((done) => {
        const reader = new FileReader();
        reader.onload = () => done(reader.result.split(",")[1]);
        reader.readAsDataURL(window.savedBlob); })"""))
    image = page.record()["image"]
    expect(name == "poster-results.png", "the drawing is saved under the photograph's name")
    expect(size_of_png(data) == (image["width"], image["height"]), "as a PNG of the photograph's size")


def check_exif(page, folder):
    print("Photographs that EXIF data turns")
    plain = check_photograph(page, PHOTOS / "astronaut.jpg", ["faces"])
    upright = page.pixel((340, 40)), page.pixel((30, 300))
    data = (PHOTOS / "astronaut.jpg").read_bytes()
    for orientation in (3, 6, 8):
        file = folder / f"turned-{orientation}.jpg"
        file.write_bytes(turned_by_exif(data, orientation))
        check_photograph(page, file, ["faces"])
        # Where the two points of the upright photograph are now: 384 × 384 pixels, stored as they were.
        points = {3: lambda x, y: (383 - x, 383 - y), 6: lambda x, y: (383 - y, x), 8: lambda x, y: (y, 383 - x)}
        where = [points[orientation](*point) for point in ((340, 40), (30, 300))]
        shown = [page.pixel(point) for point in where]
        expect(all(close(a, b, 25) for a, b in zip(shown, upright)), f"orientation {orientation} is drawn upright")
    # The other way round: stored on its side, so that EXIF data makes it upright, with the face where it was.
    wide = (PHOTOS / "cat.jpg").read_bytes()
    file = folder / "cat-6.jpg"
    file.write_bytes(turned_by_exif(wide, 6))
    record = check_photograph(page, file, ["animals", "saliency"])
    shown = page.browser.run("(() => { const c = document.querySelector('#canvas'); return c.width / c.height })()")
    expect((record["image"]["width"], record["image"]["height"]) == (300, 451), "the answer is of the upright image")
    expect(abs(shown - 300 / 451) < 0.01, "and so is the drawing")
    expect(bool(plain["results"]["faces"]), "the face is found in the upright photograph")
    page.shot("exif")


def check_errors(page, folder):
    print("Errors in plain words")
    broken = folder / "broken.jpg"
    broken.write_bytes((PHOTOS / "cat.jpg").read_bytes()[:40] + bytes(200))
    page.choose(["faces"])
    page.analyse(broken)
    expect(not page.is_hidden("#error") and page.is_hidden("#results"), "a damaged photograph is an error")
    expect(re.search(r"not an image format|cannot be analysed", page.text("#error")), "which says so")
    page.shot("error")
    notes = folder / "notes.txt"
    notes.write_text("no photograph")
    page.browser.choose_file("#input", notes)
    page.browser.wait("document.querySelector('#error').innerText.includes('not a photograph')", 5)
    expect("notes.txt" in page.text("#error"), "a file of another kind is named")

    busy = json.dumps({"error": {"code": "busy", "message": "The queue is full."}}).encode()
    page.browser.intercept("*/v1/analyze", lambda count: (
        429, {"Content-Type": "application/json", "Retry-After": "1"}, busy) if count == 1 else None)
    page.browser.choose_file("#input", PHOTOS / "cat.jpg")
    page.browser.wait("document.querySelector('#busyText').textContent.includes('busy')", 20)
    page.shot("busy")
    page.settled()
    expect(page.is_hidden("#error") and page.record()["results"], "a busy server is asked again after its time")
    page.browser.stop_intercepting()
    refused = json.dumps({"error": {"code": "unauthorized", "message": "A bearer token is needed."}}).encode()
    page.browser.intercept("*/v1/analyze", lambda count: (
        401, {"Content-Type": "application/json"}, refused) if count == 1 else None)
    page.press("#analyze")
    page.browser.wait("document.querySelector('#tokenForm').offsetParent !== null", 20)
    page.browser.run("document.querySelector('#token').value = 'secret'")
    page.press("#tokenForm button")
    page.settled()
    sent = [event["params"]["request"]["headers"].get("Authorization") for event in page.browser.events
            if event["method"] == "Network.requestWillBeSent" and event["params"]["request"]["url"].endswith("analyze")]
    expect(sent[-1] == "Bearer secret", "a token that is asked for is sent")
    page.browser.stop_intercepting()
    page.browser.intercept("*/v1/analyze", lambda count: (502, {"Content-Type": "text/html"}, b"<h1>Bad gateway"))
    page.press("#analyze")
    page.browser.wait("document.querySelector('#error').offsetParent !== null", 20)
    expect("Something went wrong in the server" in page.text("#error") and "<h1>" not in page.text("#error"),
           "the HTML of a proxy is not shown")
    page.browser.stop_intercepting()


def check_keyboard_and_drop(page):
    print("Keyboard, dropping, the camera")
    page.open()
    focused = []
    for _ in range(8):
        page.browser.press("Tab")
        focused.append(page.browser.run("document.activeElement.id || document.activeElement.value"))
    expect({"choose", "camera", "all", "none", "classify", "faces"} <= set(focused), "Tab reaches everything in order")
    page.choose(["faces", "people"])
    page.browser.drop_file(PHOTOS / "astronaut.jpg", 300, 300)
    page.browser.wait("document.querySelector('#stage').dataset.state === 'done'", 120)
    expect(page.drawn() == expected_overlays(page.record()), "a photograph that is dropped is analysed")
    page.browser.run("document.querySelector('[data-item=\"faces/0\"] .row').focus()")
    page.browser.press("Enter")
    expect("Capture quality" in page.text('[data-item="faces/0"]'), "Enter unfolds a result")
    page.choose(["classify"])
    page.press("#cameraAgain")
    page.browser.wait("!document.querySelector('#shoot').disabled", 20)
    page.shot("camera")
    page.press("#shoot")
    page.browser.wait("document.querySelector('#file').textContent === 'Camera'"
                      " && document.querySelector('#stage').dataset.state === 'done'", 60)
    expect(page.record()["image"]["width"] > 0, "a photograph of the camera is analysed")


def check_sizes(page):
    print("Phone, dark, hidden cameras")
    page.choose(["faces", "people", "pose", "classify"])
    page.analyse(PHOTOS / "astronaut.jpg")
    page.shot("wide")
    page.browser.dark(True)
    page.shot("dark")
    page.browser.resize(390, 844, phone=True)
    page.browser.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    expect(page.browser.run("document.documentElement.scrollWidth <= innerWidth"), "no scrolling sideways on a phone")
    expect(page.browser.run("""(() => { const c = document.querySelector('#canvas').getBoundingClientRect();
        const s = document.querySelector('#stage').getBoundingClientRect();
        return c.x >= s.x - 1 && c.right <= s.right + 1 && c.bottom <= s.bottom + 1 })()"""),
           "the photograph fits into its width")
    page.shot("phone-dark")
    page.browser.dark(False)
    page.shot("phone")
    page.browser.run("document.querySelector('#results').scrollIntoView()")
    page.shot("phone-results")
    page.browser.resize(1360, 860)


def check(address, browser, options):
    if options.screenshots:
        options.screenshots.mkdir(parents=True, exist_ok=True)
    page = Page(browser, address, options.screenshots)
    browser.resize(1360, 860)
    browser.dark(False)
    page.open()
    page.shot("empty")
    with tempfile.TemporaryDirectory() as folder:
        check_first_sight(page)
        check_layers(page)
        check_text(page)
        check_json(page)
        check_exif(page, Path(folder))
        expect(browser.complaints() == [], "the browser has nothing to complain of")
        check_errors(page, Path(folder))
        check_keyboard_and_drop(page)
        check_sizes(page)
        if options.photos:
            print("Photographs of the folder")
            for file in sorted(options.photos.iterdir()):
                check_photograph(page, file)
                page.threshold(20)
                page.shot(f"photo-{file.stem}")


def started(program):
    """Starts the service and waits until it answers."""
    process = subprocess.Popen([program, "--port", str(PORT)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while True:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{PORT}/v1/requests").read()
            return process
        except OSError:
            if process.poll() is not None or time.monotonic() > deadline:
                process.kill()
                sys.exit(f"{program} does not answer on port {PORT}.")
            time.sleep(0.1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("serve")
    parser.add_argument("--photos", type=Path)
    parser.add_argument("--screenshots", type=Path)
    options = parser.parse_args()
    program = find_browser()
    if not program:
        sys.exit("No browser is installed (Debian: chromium).")
    runs = options.serve.startswith("http://")
    process = None if runs else started(options.serve)
    address = options.serve.rstrip("/") + "/" if runs else f"http://127.0.0.1:{PORT}/"
    camera = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
    try:
        with Browser(program, camera) as browser:
            check(address, browser, options)
    finally:
        if process:
            process.terminate()
            process.wait(30)
    print(f"page: {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
