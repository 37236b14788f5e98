#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check.py SITE: every link of the site's pages into the site leads to a file, and
# to a place in it if it names one; no page loads anything from elsewhere. Links to
# other sites are not followed. Prints a line for each fault; exit 1 if there is
# one.
import os
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

# What a browser loads without being asked.
LOADS = {('script', 'src'), ('img', 'src'), ('link', 'href'), ('iframe', 'src')}


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.places, self.links = {''}, []
        with open(path, encoding='utf-8') as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == 'id' or (tag == 'a' and name == 'name'):
                self.places.add(value)
            elif name in ('href', 'src', 'action') and value is not None:
                self.links.append((self.getpos()[0], value, (tag, name) in LOADS))


def faults(site):
    pages = {os.path.join(folder, name): Page(os.path.join(folder, name))
             for folder, _, names in os.walk(site) for name in sorted(names)
             if name.endswith('.html')}
    for path, page in sorted(pages.items()):
        for line, link, loads in page.links:
            where = f'{os.path.relpath(path, site)}:{line}'
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if loads and parts.scheme != 'data':
                    yield f'{where}: loads {link}'
                continue
            beside = site if parts.path.startswith('/') else os.path.dirname(path)
            target = os.path.normpath(os.path.join(
                beside, unquote(parts.path).lstrip('/'))) if parts.path else path
            if os.path.isdir(target):
                target = os.path.join(target, 'index.html')
            if not os.path.exists(target):
                yield f'{where}: no such file: {link}'
            elif target in pages and unquote(parts.fragment) not in pages[target].places:
                yield f'{where}: no such place: {link}'


def main():
    found = list(faults(sys.argv[1]))
    print('\n'.join(found + [f'{len(found)} faults']))
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
