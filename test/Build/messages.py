# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Words come from one file. That a diagnostic is a message is the compiler's
# business: kpipe::Message cannot be made from text. Here: every message of
# Messages.def is said somewhere, and where it is made in place, `{msg::name, …}`
# or `Message(msg::name, …)`, with as many arguments as it has places; `verbatim`
# carries only text that is not kpipe's own; and no comment of the emitted code is
# spelled in lib/Emission or lib/Engine.
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
ENTRY = re.compile(r'KPIPE_MESSAGE\((\w+),\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)')
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
TOKEN = re.compile(r'''"(?:[^"\\\n]|\\.)*"|'(?:[^'\\]|\\.)'|[(){}\[\],]''')
CODE = re.compile(r'//[^\n]*|"(?:[^"\\\n]|\\.)*"')


def sources():
    for folder in ('lib', 'tool'):
        for path in sorted((ROOT / folder).rglob('*')):
            if path.suffix in ('.cpp', '.h') and 'declarations' not in path.parts:
                yield path, path.read_text()


def messages():
    text = (ROOT / 'lib/include/kpipe/Messages.def').read_text()
    return {name: ''.join(STRING.findall(words)) for name, words in ENTRY.findall(text)}


def strings(text):
    """The string literals of a source, without its comments."""
    return [m[1:-1] for m in CODE.findall(text) if m.startswith('"')]


def elements(text, begin):
    """What stands between the bracket at begin and its end, split at commas."""
    found, depth, start = [], 0, begin + 1
    for m in TOKEN.finditer(text, begin):
        token = m[0]
        if token in '({[':
            depth += 1
        elif token in ')}]':
            depth -= 1
        if depth == 0 or (depth == 1 and token == ','):
            found.append(text[start:m.start()])
            start = m.end()
        if depth == 0:
            return [e for e in found if e.strip()]
    return found


def places(words):
    return len(set(re.findall(r'\{(\d+)\}', words)))


def too_few(text, known):
    """Messages made in place with fewer arguments than they have places."""
    for m in re.finditer(r'(?:\bMessage\(|\{)(?=[^(){};,]*\bmsg::\w)', text):
        first, *rest = elements(text, m.end() - 1)
        for name in re.findall(r'\bmsg::(\w+)', first):
            if name in known and len(rest) < places(known[name]):
                yield name


def wrong():
    said, known = set(), messages()
    for path, text in sources():
        said.update(re.findall(r'\bmsg::(\w+)', text))
        for name in too_few(text, known):
            yield f'{path.relative_to(ROOT)}: {name} is made with too few arguments'
        if {'Emission', 'Engine'} & set(path.parts):
            for literal in strings(text):
                if re.search(r'(//|/\*).*\w', literal):
                    yield f'{path.relative_to(ROOT)}: a comment is spelled here: {literal}'
        for own in re.findall(r'msg::verbatim,\s*"', text):
            yield f'{path.relative_to(ROOT)}: text of kpipe\'s own is said verbatim'
    # lib/Html/LoopPart.cpp makes these names of those in Rules.def.
    rules = (ROOT / 'lib/include/kpipe/Rules.def').read_text()
    said.update('cure_of_' + name for name in re.findall(r'KPIPE_RULE\((\w+), "', rules))
    for name in sorted(known.keys() - said):
        yield f'Messages.def: nothing says {name}'
    for name, words in known.items():
        places = sorted({int(n) for n in re.findall(r'\{(\d+)\}', words)})
        if places != list(range(len(places))):
            yield f'Messages.def: {name} leaves out an argument: {places}'


if __name__ == '__main__':
    problems = list(wrong())
    print('\n'.join(problems) or f'{len(messages())} messages, each said')
    sys.exit(bool(problems))
