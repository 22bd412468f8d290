# SPDX-License-Identifier: Apache-2.0
# Copyright the subspace suite contributors
"""A headless Chromium, driven through its DevTools protocol by the standard library alone.

With --remote-debugging-pipe the browser reads commands from file descriptor 3 and writes answers and events to 4,
each a JSON text that ends with a NUL byte. No port is opened.
"""
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
KEYS = {"Enter": (13, "\r"), "Tab": (9, ""), " ": (32, " "), "Escape": (27, ""), "Home": (36, ""), "End": (35, ""),
        "ArrowLeft": (37, ""), "ArrowUp": (38, ""), "ArrowRight": (39, ""), "ArrowDown": (40, "")}


def find_browser():
    """The path of a browser, or None. SUBSPACE_BROWSER names one of your own."""
    named = os.environ.get("SUBSPACE_BROWSER")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


class Pipe:
    """Commands to the browser, answers and events from it."""

    def __init__(self, program):
        self.folder = tempfile.TemporaryDirectory(prefix="subspace-browser-", ignore_cleanup_errors=True)
        # Numbers well above 3 and 4, so that moving them there in the child overwrites neither.
        to_browser, from_browser = (tuple(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in os.pipe())
                                    for _ in range(2))

        def place_pipes():
            os.dup2(to_browser[0], 3)
            os.dup2(from_browser[1], 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--no-first-run", "--disable-gpu",
             "--disable-dev-shm-usage", "--disable-background-networking", "--hide-scrollbars",
             "--user-data-dir=" + self.folder.name, "about:blank"],
            preexec_fn=place_pipes, pass_fds=(3, 4), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_browser[0])
        os.close(from_browser[1])
        self.write_end, self.read_end = to_browser[1], from_browser[0]
        self.pending = b""
        self.last_id = 0
        self.events = []

    def close(self):
        os.close(self.write_end)
        os.close(self.read_end)
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()

    def receive(self, timeout):
        """The next message, or None after `timeout` seconds."""
        until = time.monotonic() + timeout
        while b"\0" not in self.pending:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.read_end], [], [], left)[0]:
                return None
            piece = os.read(self.read_end, 1 << 20)
            if not piece:
                raise RuntimeError("the browser has ended")
            self.pending += piece
        text, self.pending = self.pending.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, session=None, timeout=300, **parameters):
        self.last_id += 1
        command = {"id": self.last_id, "method": method, "params": parameters}
        if session:
            command["sessionId"] = session
        os.write(self.write_end, json.dumps(command).encode() + b"\0")
        while True:
            message = self.receive(timeout)
            if message is None:
                raise RuntimeError(f"{method}: no answer within {timeout} s")
            if message.get("id") == self.last_id:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]
            self.events.append(message)


class Page:
    """One page, with the pointer and the keyboard of a reader."""

    def __init__(self, pipe):
        self.pipe = pipe
        target = pipe.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = pipe.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.target = target
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")
        pipe.events.clear()

    def close(self):
        self.pipe.call("Target.closeTarget", targetId=self.target)

    def call(self, method, **parameters):
        return self.pipe.call(method, session=self.session, **parameters)

    def open(self, url, timeout=300):
        self.call("Page.navigate", url=url)
        until = time.monotonic() + timeout
        while not self.events("Page.loadEventFired"):
            message = self.pipe.receive(until - time.monotonic())
            if message is None:
                raise RuntimeError(f"{url} did not load within {timeout} s")
            self.pipe.events.append(message)

    def events(self, method):
        return [event["params"] for event in self.pipe.events
                if event.get("method") == method and event.get("sessionId") == self.session]

    def eval(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def settle(self):
        """Until the page has drawn what was asked of it."""
        self.eval("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def centre(self, selector):
        return self.eval(f"""(() => {{
            const element = document.querySelector({json.dumps(selector)});
            element.scrollIntoView({{block: "center", inline: "center"}});
            const box = element.getBoundingClientRect();
            return [box.left + box.width / 2, box.top + box.height / 2];
        }})()""")

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, selector):
        x, y = self.centre(selector)
        self.mouse("mouseMoved", x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1)
        self.settle()

    def press(self, key):
        code, text = KEYS[key]
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code="Space" if key == " " else key,
                      windowsVirtualKeyCode=code, text=text if kind == "keyDown" else "")
        self.settle()

    def media(self, media="", scheme="light"):
        self.call("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.settle()

    def width(self, pixels):
        self.call("Emulation.setDeviceMetricsOverride", width=pixels, height=800, deviceScaleFactor=1,
                  mobile=pixels < 600)
        self.settle()
