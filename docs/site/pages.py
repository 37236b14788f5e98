# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The project's pages as MkDocs wants them: a folder with nothing else, laid out
# like the project, so that links between pages are right as they stand. GitHub's
# Markdown and MkDocs' differ; where they do, the page is changed here, not in the
# project.
import os
import re
import shutil
import unicodedata

FENCE = re.compile(r'^ {0,3}```')
LINK = re.compile(r'(?P<image>!?)\[(?P<text>[^\]]*)\]\((?P<path>[^)\s#:]+)(?P<anchor>#[^)\s]*)?\)')


def project_pages(root):
    """README.md, then the others in order, as paths relative to root."""
    found = []
    for top in ('docs', 'test'):
        for folder, _, names in os.walk(os.path.join(root, top)):
            found += [os.path.relpath(os.path.join(folder, name), root)
                      for name in names if name.endswith('.md')]
    return ['README.md'] + sorted(found)


def slug(heading, _separator='-'):
    """A heading's anchor, as GitHub makes it."""
    words = re.sub(r'[^\w\- ]', '', unicodedata.normalize('NFC', heading).lower())
    return words.strip().replace(' ', '-')


def outside_fences(text, change):
    """The text with a function applied to each stretch that is no code block."""
    parts, inside = [[]], False
    for line in text.split('\n'):
        if FENCE.match(line):
            inside = not inside
            parts[-1 if inside else len(parts):] = \
                [parts[-1], [line]] if inside else []
            if not inside:
                parts[-1].append(line)
                parts.append([])
            continue
        parts[-1].append(line)
    return '\n'.join('\n'.join(part) if part and FENCE.match(part[0])
                     else change('\n'.join(part)) for part in parts)


def fence_indented(text):
    """Indented code blocks as fenced ones: lists need half their indent."""
    lines, block, before, out = text.split('\n'), [], '', []
    for line in lines + ['']:
        starts = not block and not out[-1:] == [''] and out
        if line.startswith('    ') and not starts and not before.startswith((' ', '- ')):
            block.append(line[4:])
            continue
        if block:
            out += ['```text', *block, '```']
            block = []
        if line.strip():
            before = line
        out.append(line)
    return '\n'.join(out[:-1])


class Stage:
    """Copies pages of a project, and the files that they link to."""

    def __init__(self, root, to):
        self.root, self.to = root, to

    def write(self, path, text):
        full = os.path.join(self.to, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, 'w', encoding='utf-8') as file:
            file.write(text)

    def add(self, page):
        with open(os.path.join(self.root, page), encoding='utf-8') as file:
            text = file.read()
        self.write(page, outside_fences(
            text, lambda t: LINK.sub(lambda m: self.link(page, m), fence_indented(t))))

    def link(self, page, found):
        """A link as it stands, with its file beside the pages. A folder is no
        page, and MkDocs leaves out what begins with a dot: of those only the
        words stay."""
        path = os.path.normpath(os.path.join(os.path.dirname(page), found['path']))
        full = os.path.join(self.root, path)
        if os.path.isdir(full) or os.path.basename(path).startswith('.'):
            return found['text']
        if not path.endswith('.md') and os.path.exists(full):
            target = os.path.join(self.to, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copyfile(full, target)
        return found[0]


def navigation(readme, pages, gallery):
    """The list of pages under "Documentation" in the README, then what only
    other pages link to."""
    listed = readme.split('\n## Documentation\n', 1)[1].split('\n## ', 1)[0]
    nav, used = [{'Home': 'README.md'}, {'Gallery': gallery}], {'README.md'}
    for line in listed.split('\n'):
        if line.endswith(':') and not line.startswith(('-', ' ')):
            nav.append({line[:-1]: []})
        elif nav[-1] and line.startswith(('- ', '  ')):
            group = next(iter(nav[-1].values()))
            for found in LINK.finditer(line):
                if found['path'] in pages and found['path'] not in used:
                    used.add(found['path'])
                    group.append({found['text']: found['path']})
    nav.append({'More': [page for page in pages if page not in used]})
    return nav
