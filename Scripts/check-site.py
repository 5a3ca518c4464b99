#!/usr/bin/env python3
"""Checks the documentation site that Scripts/docs.sh built: every link between its pages, and, in a headless browser,
that the landing pages, the guides and a page of symbols of each module show what they should.

    check-site.py FOLDER       a site that was built for the path /
"""

import http.server
import json
import re
import shutil
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULES = ["Vision", "VisionExtras", "CoreML", "CreateML"]
BROWSERS = ["chromium", "chromium-browser", "google-chrome"]


def links(value):
    """The addresses of pages in a page's data."""
    if isinstance(value, dict):
        if isinstance(value.get("url"), str) and value.get("type") in ("topic", "section"):
            yield value["url"]
        for part in value.values():
            yield from links(part)
    elif isinstance(value, list):
        for part in value:
            yield from links(part)


def check_links(site):
    pages, dead = 0, set()
    for path in sorted((site / "data" / "documentation").rglob("*.json")):
        pages += 1
        for url in links(json.loads(path.read_text())):
            target = url.partition("#")[0].strip("/")
            if target and not (site / target / "index.html").is_file():
                dead.add((str(path.relative_to(site / "data")), url))
    for page, url in sorted(dead)[:20]:
        print(f"{page}: links to {url}, which does not exist")
    print(f"links: {pages} pages, {len(dead)} dead links")
    return pages > 0 and not dead


def expectations():
    """Addresses and the texts that their pages must show."""
    yield "/documentation/", MODULES
    for module in MODULES:
        catalog = ROOT / "Sources" / module / f"{module}.docc"
        landing = (catalog / f"{module}.md").read_text()
        guides = re.findall(r"<doc:(\w+)>", landing)
        titles = []
        for guide in guides:
            text = (catalog / f"{guide}.md").read_text()
            titles.append(re.search(r"^# (.+)$", text, re.M).group(1))
            code = re.search(r"^```swift\n(.*?)$", text, re.M).group(1).strip()
            headings = re.findall(r"^## (.+)$", text, re.M)
            yield f"/documentation/{module.lower()}/{guide.lower()}/", [titles[-1], *headings, code.split("  //")[0]]
        yield f"/documentation/{module.lower()}/", [module, *titles]
    for module, symbol in (
            ("vision", "VNTrackObjectRequest"), ("visionextras", "FeaturePrintIndex"), ("coreml", "MLModel"),
            ("createml", "MLImageClassifier"), ("visionimage", "CGImage")):
        yield f"/documentation/{module}/{symbol.lower()}/", [symbol, "Topics"]


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def check_pages(site, browser):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    count, problems = 0, 0
    for address, texts in expectations():
        count += 1
        run = subprocess.run(
            [browser, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=20000", "--dump-dom",
             f"http://127.0.0.1:{server.server_address[1]}{address}"],
            capture_output=True, text=True, timeout=120)
        # What the page shows, without marks and with single spaces.
        shown = re.sub(r"<(script|style).*?</\1>", " ", run.stdout, flags=re.S)
        shown = re.sub(r"\s+", "", re.sub(r"<[^>]+>", "", shown))
        for entity, sign in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&nbsp;", ""), ("&amp;", "&")):
            shown = shown.replace(entity, sign)
        for text in texts:
            if re.sub(r"\s+", "", text) not in shown:
                problems += 1
                print(f"{address}: does not show “{text}”")
    server.shutdown()
    print(f"pages: {count} opened, {problems} texts missing")
    return problems == 0


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    site = Path(sys.argv[1])
    good = check_links(site)
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser:
        good = check_pages(site, browser) and good
    else:
        print("pages: not opened, because no browser is installed (Debian: chromium)")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
