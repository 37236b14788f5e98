#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# browse.py --browser=PROGRAM [--save=FOLDER] SITE: serves the site on this machine
# and opens every page in a headless Chromium, as wide as a phone, and some as wide
# as a desktop; then searches. Prints what is wrong; exit 1 if anything is.
import argparse
import functools
import http.server
import os
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'Html', 'Inputs'))
from devtools import Browser

PHONE, DESKTOP = 400, 1280
LAYOUT = """(() => {
  const wrong = [], width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width)
    wrong.push(`${document.documentElement.scrollWidth} wide`);
  for (const image of document.images)
    if (!image.naturalWidth) wrong.push(`no image ${image.src}`);
  for (const e of document.querySelectorAll('h1, h2, h3, p, li, td, th, pre, img')) {
    const b = e.getBoundingClientRect();
    if (e.closest('[role=main]') && b.right > width + 1 && !e.closest('table, pre, .wide, .scroll'))
      wrong.push(`beyond the window: <${e.tagName}> ${e.textContent.trim().slice(0, 40)}`);
  }
  return wrong;
})()"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        pass  # the browser leaves a page while it loads


def complaints(browser, base):
    for event in browser.events:
        method, params = event.get('method'), event.get('params', {})
        if method == 'Runtime.exceptionThrown' or \
                params.get('entry', {}).get('level') in ('warning', 'error'):
            yield f'console: {params}'
        elif method == 'Network.requestWillBeSent':
            url = params['request']['url']
            if not url.startswith((base, 'data:')):
                yield f'request of {url}'


def search(browser, base, word):
    """The pages that the site's search finds."""
    browser.visit(f'{base}/search.html?q={word}')
    found = []
    for _ in range(100):
        found = browser.evaluate(
            "[...document.querySelectorAll('#mkdocs-search-results a')].map(a => a.href)")
        if found or 'No results' in browser.evaluate('document.body.innerText'):
            break
        time.sleep(0.1)
    return found


def faults(browser, base, site, save):
    pages = sorted(os.path.relpath(os.path.join(folder, name), site)
                   for folder, _, names in os.walk(site) for name in names
                   if name.endswith('.html') and name != '404.html'
                   and not name.endswith('-report.html'))  # test/Html looks at those
    for page in pages:
        for width in (PHONE, DESKTOP) if '/' not in page or 'gallery/' in page else (PHONE,):
            browser.view(width)
            browser.visit(f'{base}/{page}')
            for wrong in [*complaints(browser, base), *browser.evaluate(LAYOUT)]:
                yield f'{page}: at {width}: {wrong}'
            if save:
                browser.screenshot(os.path.join(
                    save, f'{page.replace("/", "_")}-{width}.png'))
    for word, page in (('ldmatrix', 'docs/measurements.html'), ('convolution', 'gallery/')):
        if not any(f'/{page}' in found for found in search(browser, base, word)):
            yield f'search for {word} does not find {page}'
    if search(browser, base, 'zzzzzz'):
        yield 'search for zzzzzz finds something'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--browser', required=True)
    parser.add_argument('--save', help='a folder for screenshots')
    parser.add_argument('site')
    options = parser.parse_args()
    handler = functools.partial(Quiet, directory=options.site)
    server = Server(('127.0.0.1', 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browser = Browser(options.browser)
    try:
        found = list(faults(browser, f'http://127.0.0.1:{server.server_port}', options.site,
                            options.save))
    finally:
        browser.close()
        server.shutdown()
    print('\n'.join(found + [f'{len(found)} faults']))
    return 1 if found else 0


sys.exit(main())
