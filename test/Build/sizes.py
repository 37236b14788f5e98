# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# No function of lib/, tool/ and runtime/ over 80 lines, no .cpp over 400. A file
# that is better whole says so in its first lines: "one file because …".
#
# Functions are found by their braces: outside of functions, braces belong to
# namespaces, types and initialisers, which their first words tell; what is left
# with a parameter list is a function, with the lambdas and local types in it.
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
MOST_LINES, MOST_FUNCTION = 400, 80
REASON_WITHIN = 12
REASON = re.compile(r'one file because', re.I)
# What holds braces and is not code to read, each as a blank of the same lines.
BLANK = re.compile(r'''//[^\n]*|/\*.*?\*/            # comments
    | R"(?P<end>[^(\s]*)\(.*?\)(?P=end)"             # raw strings
    | "(?:\\.|[^"\\\n])*"
    | (?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'            # not 1'000
    | ^[ \t]*\#(?:\\\n|[^\n])*                       # preprocessor lines
    ''', re.X | re.S | re.M)
TEMPLATE = re.compile(r'^template\s*<[^;{}]*?>\s*(?=[a-zA-Z_\[])')
HOLDS_DECLARATIONS = re.compile(
    r'^(?:inline\s+)?(?:namespace|class|struct|union|extern\s*$)\b(?![^(]*\w\s*\()')


def code(text):
    return BLANK.sub(lambda m: '\n' * m[0].count('\n') or ' ', text)


def functions(text):
    """(first line, last line, what it starts with) of each function."""
    text = code(text)
    open_braces = []  # for each: does it hold declarations, and where it began
    inside = 0        # of how many braces of functions and initialisers
    head = 0          # where what is declared next begins
    parentheses = 0
    for i, c in enumerate(text):
        if c in '()':
            parentheses += 1 if c == '(' else -1
        elif c == '{':
            said = TEMPLATE.sub('', text[head:i].strip())
            holds = not inside and bool(HOLDS_DECLARATIONS.match(said))
            start = head + len(text[head:i]) - len(text[head:i].lstrip())
            open_braces.append((holds, start, said))
            inside += not holds
            if holds:
                head, parentheses = i + 1, 0
        elif c == '}':
            holds, start, said = open_braces.pop()
            inside -= not holds
            if not inside:
                if not holds and '(' in said:
                    line = lambda at: text.count('\n', 0, at) + 1
                    yield line(start), line(i), said
                # After an initialiser the declaration goes on.
                if holds or not re.match(r'\s*[,;({]', text[i + 1:i + 40]):
                    head = i + 1
        elif c == ';' and not inside and parentheses <= 0:
            head = i + 1
    if open_braces:
        yield 1, 10 ** 6, 'braces that do not match, in all of it ('


def name(said):
    return (re.search(r'[\w:~]+\s*(?=\()', said) or re.match(r'.*', said))[0]


def too_large(file):
    text = file.read_text()
    lines = text.count('\n')
    first = '\n'.join(text.splitlines()[:REASON_WITHIN])
    # A reason may be wrapped.
    excused = REASON.search(re.sub(r'\s*\n//\s*', ' ', first))
    if file.suffix == '.cpp' and lines > MOST_LINES and not excused:
        yield f'{lines} lines'
    for start, end, said in functions(text):
        if end - start + 1 > MOST_FUNCTION:
            yield f'line {start}: {name(said)} has {end - start + 1} lines'


def main():
    files = [f for folder in ('lib', 'tool', 'runtime')
             for f in sorted((ROOT / folder).rglob('*'))
             if f.suffix in ('.cpp', '.h', '.cuh') and 'declarations' not in f.parts]
    found = 0
    for file in files:
        for what in too_large(file):
            print(f'{file.relative_to(ROOT)}: {what}')
            found += 1
    if '--print' in sys.argv:
        for file in files:
            for start, end, said in functions(file.read_text()):
                print(f'{end - start + 1:4} {file.relative_to(ROOT)}:{start} {name(said)}')
    print(f'{found} too large' if found else f'{len(files)} files are small enough')
    sys.exit(bool(found))


if __name__ == '__main__':
    main()
