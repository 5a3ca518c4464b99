"""A headless Chromium that is driven through its DevTools protocol, over a pair of pipes. Needs nothing of PyPI."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

BROWSERS = ["chromium", "chromium-browser", "google-chrome"]


def find_browser():
    """The path of a browser, or None."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


class PageError(Exception):
    """An exception of the page, or a condition that it did not reach in time."""


class Browser:
    """A browser with one page. Use it in a `with` statement: it is ended at the end, and its profile removed."""

    def __init__(self, program, arguments=()):
        self.profile = tempfile.mkdtemp(prefix="openvision-browser-")
        command_read, self.commands = os.pipe()
        self.answers, answer_write = os.pipe()

        def connect():
            # The browser reads commands from descriptor 3 and answers on 4. Copies above these two first: the pipes may
            # have just these numbers.
            high = [os.dup(command_read), os.dup(answer_write)]
            while min(high) < 10:
                high = [os.dup(descriptor) for descriptor in high]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
             "--disable-background-networking", "--hide-scrollbars", "--force-color-profile=srgb",
             f"--user-data-dir={self.profile}", *arguments, "about:blank"],
            preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(command_read)
        os.close(answer_write)
        self.buffer, self.number, self.session = b"", 0, None
        self.events, self.handlers = [], {}
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "DOM", "Log", "Network"):
            self.send(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.commands)
        os.close(self.answers)
        shutil.rmtree(self.profile, ignore_errors=True)

    # The protocol: JSON texts that end with a NUL byte.

    def _write(self, method, parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.commands, data):]
        return self.number

    def _read(self, deadline):
        while b"\0" not in self.buffer:
            if not select.select([self.answers], [], [], max(0, deadline - time.monotonic()))[0]:
                raise PageError("The browser does not answer.")
            data = os.read(self.answers, 1 << 16)
            if not data:
                raise PageError("The browser has ended.")
            self.buffer += data
        text, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(text)

    def send(self, method, timeout=60, **parameters):
        """Calls a method of the protocol and returns its result."""
        number = self._write(method, parameters)
        deadline = time.monotonic() + timeout
        while True:
            message = self._read(deadline)
            if message.get("id") == number:
                if "error" in message:
                    raise PageError(f"{method}: {message['error']['message']}")
                return message["result"]
            if "method" in message:
                self.events.append(message)
                # Handlers only write: an answer that they waited for would be taken for that of this call.
                if handler := self.handlers.get(message["method"]):
                    handler(message["params"])

    # What tests do with a page.

    def run(self, expression):
        """The value of a JavaScript expression; promises are waited for."""
        answer = self.send("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True,
                           userGesture=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise PageError(f"{expression}: {details.get('exception', {}).get('description', details['text'])}")
        return answer["result"].get("value")

    def wait(self, expression, seconds=60):
        """Waits until an expression is true, and returns its value."""
        deadline = time.monotonic() + seconds
        while not (value := self.run(expression)):
            if time.monotonic() > deadline:
                raise PageError(f"This did not become true in {seconds} s: {expression}")
            time.sleep(0.05)
        return value

    def open(self, address, ready="document.readyState === 'complete'"):
        self.send("Page.navigate", url=address)
        self.wait(f"location.href.startsWith({json.dumps(address)}) && ({ready})")

    def resize(self, width, height, phone=False):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, mobile=phone,
                  deviceScaleFactor=2 if phone else 1)
        self.send("Emulation.setTouchEmulationEnabled", enabled=phone)

    def dark(self, value):
        self.send("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if value else "light"}])

    def choose_file(self, selector, path):
        """Gives a file to an input element, as if it had been chosen."""
        node = self.send("Runtime.evaluate", expression=f"document.querySelector({json.dumps(selector)})")
        self.send("DOM.setFileInputFiles", files=[str(Path(path).resolve())], objectId=node["result"]["objectId"])

    def drop_file(self, path, x, y):
        """Drags a file over a point of the page and drops it there."""
        data = {"items": [], "files": [str(Path(path).resolve())], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.send("Input.dispatchDragEvent", type=kind, x=x, y=y, data=data)

    def move(self, x, y):
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key, code=None, text=None):
        """Presses a key, such as "Tab" or "Enter"."""
        numbers = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "ArrowRight": 39}
        common = {"key": key, "code": code or key, "windowsVirtualKeyCode": numbers.get(key, 0)}
        text = {"Enter": "\r", " ": " "}.get(key, text)
        self.send("Input.dispatchKeyEvent", type="keyDown", **common, **({"text": text} if text else {}))
        self.send("Input.dispatchKeyEvent", type="keyUp", **common)

    def intercept(self, pattern, answer):
        """Answers requests to addresses of a pattern: `answer(count)` gives status, headers and body, or None for those
        that go to the server."""
        count = 0

        def paused(event):
            nonlocal count
            count += 1
            given = answer(count)
            if given is None:
                self._write("Fetch.continueRequest", {"requestId": event["requestId"]})
                return
            status, headers, body = given
            self._write("Fetch.fulfillRequest", {
                "requestId": event["requestId"], "responseCode": status, "body": base64.b64encode(body).decode(),
                "responseHeaders": [{"name": name, "value": value} for name, value in headers.items()]})

        self.handlers["Fetch.requestPaused"] = paused
        self.send("Fetch.enable", patterns=[{"urlPattern": pattern}])

    def stop_intercepting(self):
        self.handlers.pop("Fetch.requestPaused", None)
        self.send("Fetch.disable")

    def screenshot(self, file):
        data = self.send("Page.captureScreenshot", format="png")["data"]
        Path(file).write_bytes(base64.b64decode(data))

    def complaints(self):
        """What the page wrote as errors to the console since the last call, and exceptions that nothing caught."""
        found = []
        for event in self.events:
            parameters = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                details = parameters["exceptionDetails"]
                found.append(details.get("exception", {}).get("description", details["text"]))
            elif event["method"] == "Log.entryAdded" and parameters["entry"]["level"] == "error":
                found.append(parameters["entry"]["text"])
        self.events.clear()
        return found
