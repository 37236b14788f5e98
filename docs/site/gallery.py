# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The gallery: programs of test/bench/programs, plain and as kpipe rewrites them
# now, the drawing of the pipeline from its HTML page, and what docs/measurements.md
# says of their speed. Nothing here is pasted.
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

# What the figures were measured for.
ARCH = 'sm_90'
# Programs as test/bench/programs/list.json names them.
KERNELS = ['sgemm scalar 128x128x8', 'hgemm mma.sync padded', 'convolution 2-D',
           'attention', 'n-body', 'gemv, few rows']


def read(*path):
    with open(os.path.join(*path), encoding='utf-8') as file:
        return file.read()


def figures(measurements):
    """Where and when the speeds were measured, and the row of each program."""
    where = re.search(r'^## Method\n\n(\d{4}-\d\d-\d\d, .*?):$', measurements, re.M | re.S)
    table = re.search(r'^\| program \| original \| `auto` \| best \|\n\| -.*\n((?:\|.*\n)+)',
                      measurements, re.M)
    if not where or not table:
        sys.exit('docs/measurements.md: no date of the figures, or no table of speeds')
    rows = [[cell.strip() for cell in row.strip('|').split('|')]
            for row in table[1].strip().split('\n')]
    return ' '.join(where[1].split()), {row[0]: row[1:] for row in rows}


def kernel_of(text):
    """A program without what only tells how it is licensed and run."""
    body = text.split('\nint main(')[0]
    return '\n'.join(line for line in body.split('\n') if 'SPDX-License' not in line
                     and line != '//').strip()


def opening(text):
    """What the program says of itself."""
    words = []
    for line in text.split('\n'):
        if not line.startswith('//'):
            break
        if 'SPDX' not in line:
            words.append(line[2:].strip())
    return ' '.join(words).strip()


def drawing(page):
    """The pipeline over time as a file of its own, in the page's light colours."""
    style = re.search(r'<style>(.*?)</style>', page, re.S)[1]
    root = re.search(r':root \{(.*?)\}', style, re.S)[1].replace('color-scheme: light dark;', '')
    rules = re.findall(r'^(?:svg |\.bar)[^{]*\{[^}]*\}', style, re.M)
    found = re.search(r'<figure class="timeline">.*?(<svg .*?</svg>)', page, re.S)
    if not found:
        sys.exit('the page of --html has no drawing of the pipeline')
    svg = found[1].replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    end = svg.index('>') + 1
    name = html.unescape(re.search(r'<title[^>]*>(.*?)</title>', svg, re.S)[1])
    return name, f'{svg[:end]}<style>svg {{{root}}}\n' + '\n'.join(rules) + f'</style>{svg[end:]}\n'


def reasons(report):
    return ''.join(f'- {reason["message"]}\n' for loop in report['loops']
                   for arch in loop['archs'] for reason in arch['reasons'])


def rewrite(kpipe, root, source, flags):
    """A program before and after, its page, and what is said of its loop."""
    programs = os.path.join(root, 'test', 'bench', 'programs')
    with tempfile.TemporaryDirectory() as work:
        for name in os.listdir(programs):
            if name == source or name.endswith('.h'):
                shutil.copy(os.path.join(programs, name), work)
        shutil.copy(os.path.join(root, '.clang-format'), work)
        os.symlink(os.path.join(root, 'runtime', 'include'), os.path.join(work, 'include'))
        done = subprocess.run(
            [os.path.abspath(kpipe), 'rewrite', source, '--arch=' + ARCH, '--registers=estimate',
             '--require', '-o', 'out.cu', '--html=page.html', '--report=report.json',
             '--', '-std=c++17', '-Iinclude', *flags],
            cwd=work, stderr=subprocess.PIPE, text=True)
        said = re.findall(r'remark: (pipelined .*) \[kpipe-pipelined\]', done.stderr)
        if done.returncode or not said:
            sys.exit(f'{source}: {done.stderr}')
        return (read(work, source), read(work, 'out.cu'), read(work, 'page.html'),
                said[0], reasons(json.loads(read(work, 'report.json'))))


def entry(name, stem, plain, new, said, why, alt, speed):
    return f'''# {name}

{opening(plain)}

**{said}**{speed}

<div class="wide" tabindex="0"><img src="{stem}.svg" alt="{html.escape(alt)}"></div>

Time goes to the right and is not to scale; there is a row for each buffer of the ring. The
[whole page]({stem}-report.html) of `--html` has the budget as well, and both texts side by side;
[how to read it](../docs/html.md). The plan:

{why}
## Plain

[{stem}.cu](../test/bench/programs/{stem}.cu) without its `main`:

```cuda
{kernel_of(plain)}
```

## Pipelined

What `kpipe rewrite {stem}.cu --arch={ARCH}` makes of it:

```cuda
{kernel_of(new)}
```
'''


def make(kpipe, root, stage):
    """Writes the pages of the gallery; returns them in order."""
    programs = {p['name']: p for p in
                json.loads(read(root, 'test', 'bench', 'programs', 'list.json'))}
    measured, rows = figures(read(root, 'docs', 'measurements.md'))
    pages, index = ['gallery/index.md'], []
    for name in KERNELS:
        stem, extension = os.path.splitext(programs[name]['source'])
        plain, new, page, said, why = rewrite(kpipe, root, stem + extension,
                                              programs[name]['flags'])
        alt, svg = drawing(page)
        row = rows.get(name)
        speed = f'''

| original | `auto` | best |
| --- | --- | --- |
| {row[0]} | {row[1]} | {row[2]} |

Speed-ups over the original, of what was planned then and of the best form:
[measured](../docs/measurements.md#speed) {measured}.''' if row else ''
        stage.write(f'gallery/{stem}.svg', svg)
        stage.write(f'gallery/{stem}-report.html', page)
        stage.write(f'test/bench/programs/{stem}.cu', plain)
        stage.write(f'gallery/{stem}.md',
                    entry(name, stem, plain, new, said, why, alt, speed))
        pages.append(f'gallery/{stem}.md')
        index.append(f'| [{name}]({stem}.md) | {said} | {row[1] if row else "–"} |')
    stage.write(pages[0], f'''# Gallery

Six kernels, plain and as this version of kpipe rewrites them for {ARCH}. The texts and the drawings
were made when this site was built. The speed-ups over the original are those of the forms that were
planned when they were [measured](../docs/measurements.md#speed): {measured}.

| kernel | what became of it | `auto` |
| --- | --- | --- |
''' + '\n'.join(index) + '\n')
    return pages
