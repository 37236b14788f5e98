# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# browser.py --browser=PROGRAM [--save=FOLDER] PAGE...: opens each page in a
# headless Chromium, narrow and wide, light and dark, with scripts on and off,
# on paper and by keyboard. What is measured in the page is in inspect.js.
import argparse
import os
import sys

from devtools import Browser

HERE = os.path.dirname(os.path.abspath(__file__))
VIEWS = [(400, False), (600, True), (1280, False), (1280, True), (1920, False),
         (360, False)]


def complaints(browser, page):
    """What the browser itself found wrong, and what the page asked for."""
    for event in browser.events:
        method, params = event.get("method"), event.get("params", {})
        if method in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown",
                      "Log.entryAdded"):
            yield f"console: {params}"
        elif method == "Network.requestWillBeSent":
            url = params["request"]["url"]
            if url.split("#")[0] != "file://" + os.path.abspath(page):
                yield f"request of {url}"


def keyboard(browser):
    """Every link and every fold is reached with Tab alone, and shows it."""
    browser.view(1280)
    script = "[...document.querySelectorAll('a, summary')].filter(e => " \
             "!e.closest('details:not([open]) > :not(summary)')).length"
    wanted = browser.evaluate(script)
    seen = 0
    for _ in range(8 * wanted + 40):
        browser.press("Tab", 9)
        focus = browser.evaluate(
            "(() => { const e = document.activeElement; if (e === document.body)"
            " return ''; const s = getComputedStyle(e); const first = !e.reached;"
            " e.reached = true; return [e.tagName, first, s.outlineStyle].join(); })()")
        if not focus:
            break
        tag, first, outline = focus.split(",")
        if outline == "none":
            yield f"focus of {tag} cannot be seen"
        seen += first == "true" and tag in ("A", "SUMMARY")
    if seen != wanted:
        yield f"Tab reaches {seen} of {wanted} links and folds"
    browser.evaluate("document.querySelector('summary').focus()")
    before = browser.evaluate("document.querySelector('details').open")
    browser.call("Input.dispatchKeyEvent", type="keyDown", key="Enter",
                 code="Enter", windowsVirtualKeyCode=13, text="\r")
    browser.call("Input.dispatchKeyEvent", type="keyUp", key="Enter",
                 code="Enter", windowsVirtualKeyCode=13)
    if browser.evaluate("document.querySelector('details').open") == before:
        yield "Enter does not turn a fold"


def links(browser, page):
    """A link to a line shows the line, folded or not."""
    targets = browser.evaluate(
        "[...new Set([...document.querySelectorAll('a')].map(a => "
        "a.getAttribute('href')))]")
    for target in targets:
        browser.open("/dev/null")
        browser.open(page, target)
        shown = browser.evaluate(
            "(() => { const e = document.querySelector(':target');"
            " if (!e) return false; const b = e.getBoundingClientRect();"
            " return b.height > 0 && b.bottom > 0 && b.top < innerHeight; })()")
        if not shown:
            yield f"{target} is not shown by its link"


def check(browser, page, save):
    inspect = open(os.path.join(HERE, "inspect.js")).read()
    for scripts in (True, False):
        browser.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        for width, dark in VIEWS if scripts else VIEWS[:1]:
            browser.view(width, dark=dark)
            browser.open(page)
            name = f"{width}-{'dark' if dark else 'light'}"
            for wrong in complaints(browser, page):
                yield f"{name}: {wrong}"
            for wrong in browser.evaluate(inspect):
                yield f"{name}: {wrong}"
            if save and scripts:
                base = os.path.splitext(os.path.basename(page))[0]
                browser.screenshot(os.path.join(save, f"{base}-{name}.png"))
    browser.call("Emulation.setScriptExecutionDisabled", value=False)
    # Folds that are opened are laid out as well.
    browser.view(1280)
    browser.open(page)
    browser.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    for wrong in browser.evaluate(inspect):
        yield f"unfolded: {wrong}"
    browser.open(page)
    yield from keyboard(browser)
    yield from links(browser, page)
    browser.view(794, dark=True, medium="print")
    browser.open(page)
    back = browser.evaluate(
        "getComputedStyle(document.querySelector('.card')).backgroundColor")
    if back != "rgb(255, 255, 255)":
        yield f"print: cards are {back}, not white"
    if not browser.call("Page.printToPDF", printBackground=True)["data"]:
        yield "print: no PDF"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--browser", required=True)
    parser.add_argument("--save", help="a folder for screenshots")
    parser.add_argument("pages", nargs="+")
    options = parser.parse_args()
    browser = Browser(options.browser)
    failed = False
    try:
        for page in options.pages:
            wrong = list(check(browser, page, options.save))
            for line in wrong:
                print(f"{page}: {line}")
            print(f"{page}: {'bad' if wrong else 'good'} in the browser")
            failed |= bool(wrong)
    finally:
        browser.close()
    return failed


sys.exit(main())
