# SPDX-License-Identifier: GPL-2.0-or-later
"""Headless Chromium for tests of a page, driven through chromedriver (W3C WebDriver). Leaves what is looked at to the tests."""

import base64
import json
import pathlib
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

SWITCHES = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--disable-dev-shm-usage")

# Virtual key code and text of keys that are no characters.
KEYS = {"Enter": (13, "\r"), "Tab": (9, ""), "Escape": (27, ""), " ": (32, " "), "ArrowLeft": (37, ""), "ArrowRight": (39, ""), "Home": (36, ""), "End": (35, ""),
        "+": (187, "+"), "-": (189, "-")}

# Relative luminance and contrast as WCAG 2.1 defines them, of each element with text against the background it stands on.
CONTRAST = """
const channel = c => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
const numbers = text => text.match(/[\\d.]+/g).map(Number);
const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
const ground = element => {
  for (let e = element; e; e = e.parentElement) {
    const color = numbers(getComputedStyle(e).backgroundColor);
    if (color.length === 3 || color[3] > 0) return color;
  }
  return numbers(getComputedStyle(document.documentElement).backgroundColor);
};
const low = {};
for (const element of document.body.querySelectorAll("*")) {
  if (!element.checkVisibility() || ![...element.childNodes].some(node => node.nodeType === 3 && node.data.trim())) continue;
  if (["SCRIPT", "STYLE", "title", "desc"].includes(element.tagName)) continue;
  const style = getComputedStyle(element), text = numbers(element instanceof SVGElement ? style.fill : style.color);
  const pair = [luminance(text), luminance(ground(element))].sort((a, b) => b - a), ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
  if (ratio < 4.5) low[element.tagName + "." + element.getAttribute("class")] = ratio;
}
return low;
"""


def is_there():
    return shutil.which("chromedriver") is not None and shutil.which("chromium") is not None


class Browser:
    """A browser with a profile of its own, ended with the block."""

    def __init__(self, width=1280, height=900):
        self._size = (width, height)

    def __enter__(self):
        self._profile = tempfile.mkdtemp(prefix="sctpa-browser.", dir="/tmp")
        self._driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        port = next(line.split()[-1].rstrip(".") for line in self._driver.stdout if "on port" in line and "started" in line)
        self._base = f"http://127.0.0.1:{port}/session"
        arguments = [*SWITCHES, f"--user-data-dir={self._profile}", f"--window-size={self._size[0]},{self._size[1]}"]
        wanted = {"browserName": "chrome", "goog:chromeOptions": {"args": arguments, "binary": shutil.which("chromium")}, "goog:loggingPrefs": {"browser": "ALL"}}
        self._base += "/" + self._post("", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
        return self

    def __exit__(self, *_):
        try:
            urllib.request.urlopen(urllib.request.Request(self._base, method="DELETE"), timeout=20).read()
        finally:
            self._driver.terminate()
            self._driver.wait()
            shutil.rmtree(self._profile, ignore_errors=True)

    def _post(self, path, body):
        request = urllib.request.Request(self._base + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=180) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(json.load(error)["value"]["message"]) from None

    def open(self, path, fragment=""):
        self._post("/url", {"url": pathlib.Path(path).absolute().as_uri() + fragment})

    def run(self, script, *arguments):
        """What the function body `script` returns in the page."""
        return self._post("/execute/sync", {"script": script, "args": list(arguments)})

    def tool(self, command, **parameters):
        """A command of the DevTools protocol."""
        return self._post("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def console(self):
        """Messages since the last call; violations of the Content-Security-Policy are among them."""
        return [entry["message"] for entry in self._post("/se/log", {"type": "browser"})]

    def low_contrast(self):
        """{element: contrast} of text that stands out less than WCAG 2.1 asks (AA)."""
        return self.run(CONTRAST)

    def press(self, key, shift=False):
        """Presses and releases a key, as KeyboardEvent.key names it: one of KEYS, or a character."""
        code, text = KEYS.get(key, (ord(key[0].upper()), key))
        words = {"key": key, "code": key, "windowsVirtualKeyCode": code, "modifiers": 8 * shift}
        self.tool("Input.dispatchKeyEvent", type="keyDown", **words, **({"text": text} if text else {}))
        self.tool("Input.dispatchKeyEvent", type="keyUp", **words)

    def enter(self):
        self.press("Enter")

    def drag(self, selector, start, end):
        """Moves the pointer over an element, and with its button down from one point to another; points as parts of width and height."""
        def mouse(kind, part, **more):
            left, top, width, height = self.run("""const box = document.querySelector(arguments[0]).getBoundingClientRect();
                return [box.left, box.top, box.width, box.height]""", selector)
            self.tool("Input.dispatchMouseEvent", type=kind, x=left + part[0] * width, y=top + part[1] * height, **more)
        self.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center', behavior: 'instant'})", selector)
        mouse("mouseMoved", start)
        mouse("mousePressed", start, button="left", clickCount=1)
        for step in range(1, 6):
            mouse("mouseMoved", [a + (b - a) * step / 5 for a, b in zip(start, end)], button="left", buttons=1)
        mouse("mouseReleased", end, button="left", clickCount=1)
        # What moves last tells what lies there.
        mouse("mouseMoved", start)

    def dark(self, is_dark=True):
        self.tool("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}])

    def picture(self, path, selector=None):
        """A PNG of the page, or of the first element that selector matches."""
        if selector:
            self.run("document.querySelector(arguments[0]).scrollIntoView({block: 'start', behavior: 'instant'})", selector)
            time.sleep(0.2)
            element = next(iter(self._post("/element", {"using": "css selector", "value": selector}).values()))
            with urllib.request.urlopen(f"{self._base}/element/{element}/screenshot", timeout=180) as answer:
                content = json.load(answer)["value"]
        else:
            content = self.tool("Page.captureScreenshot", captureBeyondViewport=True)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(content))

    def pdf(self, path):
        """The page as it prints."""
        content = self.tool("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(content))
