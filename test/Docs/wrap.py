#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# wrap.py ROOT: checks README.md and all pages under docs/ and test/ of ROOT:
#
#   - lines have at most 100 columns. Two kinds may be longer, since they can
#     not be wrapped: what a program printed in a `console` block (the commands
#     themselves wrap, with a backslash), and a link that is alone on its line;
#   - a link to a file leads to one that exists, and its anchor to a heading;
#   - every page is reached from README.md by links.
#
# Prints a line for each fault; exit 1 if there is one.
import os
import re
import sys

COLUMNS = 100
LINK = re.compile(r'\[[^\]]*\]\(([^)\s]+)\)')
ALONE = re.compile(r'[\s\-*]*!?\[[^\]]*\]\([^)]*\)[.,;]?')


def pages(root):
    """README.md, then the others in order, as paths relative to root."""
    found = []
    for top in ('docs', 'test'):
        for folder, _, names in os.walk(os.path.join(root, top)):
            found += [os.path.relpath(os.path.join(folder, name), root)
                      for name in names if name.endswith('.md')]
    return ['README.md'] + sorted(found)


def lines_of(root, page):
    """Each line with its number and the kind of the block that it is in."""
    kind = None
    with open(os.path.join(root, page), encoding='utf-8') as file:
        for number, line in enumerate(file.read().split('\n'), 1):
            if line.lstrip().startswith('```'):
                kind = (line.strip('` ') or 'text') if kind is None else None
                yield number, line, 'fence'
            else:
                yield number, line, kind


def anchors(root, page):
    """The anchors that GitHub makes of a page's headings."""
    found = set()
    for _, line, kind in lines_of(root, page):
        if kind is None and (match := re.match(r'#+ (.*)', line)):
            words = re.sub(r'\[([^\]]*)\]\([^)]*\)', r'\1', match[1]).lower()
            slug = re.sub(r'[^\w\- ]', '', words).replace(' ', '-')
            number = 0
            while (name := f'{slug}-{number}' if number else slug) in found:
                number += 1
            found.add(name)
    return found


def too_long(line, kind):
    if len(line) <= COLUMNS:
        return False
    if kind == 'console':
        return line.startswith('$ ')
    return kind is not None or not ALONE.fullmatch(line)


def links(root, page):
    """Number of the line, spelling, file and anchor of each link of a page."""
    for number, line, kind in lines_of(root, page):
        if kind is not None:
            continue
        for link in LINK.findall(re.sub(r'`[^`]*`', '`', line)):
            if re.match(r'[a-z]+:', link):
                continue
            path, _, anchor = link.partition('#')
            path = os.path.normpath(os.path.join(os.path.dirname(page), path)) \
                if path else page
            yield number, link, path, anchor


def faults(root):
    known, reached, queue = pages(root), set(), ['README.md']
    for page in known:
        for number, line, kind in lines_of(root, page):
            if too_long(line, kind):
                yield f'{page}:{number}: {len(line)} columns'
        for number, link, path, anchor in links(root, page):
            if not os.path.exists(os.path.join(root, path)):
                yield f'{page}:{number}: no such file: {link}'
            elif anchor and path.endswith('.md') and \
                    anchor not in anchors(root, path):
                yield f'{page}:{number}: no such heading: {link}'
    while queue:
        page = queue.pop()
        if page not in reached:
            reached.add(page)
            queue += [path for _, _, path, _ in links(root, page)
                      if path in known]
    for page in known:
        if page not in reached:
            yield f'{page}: no page that README.md leads to links here'


def main():
    found = list(faults(sys.argv[1]))
    print('\n'.join(found + [f'{len(found)} faults']))
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
