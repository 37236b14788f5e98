# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The pages of reach.py: what became of each loop, and the shares.
import datetime
import os
import platform
import re
import textwrap

HERE = os.path.dirname(os.path.abspath(__file__))


def staged(row):
    """Two or more stages, or copies that need no registers."""
    verdict = row['verdict']
    return verdict.kind == 'pipelined' and \
        (verdict.stages > 1 or verdict.form in ('cp.async', 'mixed'))


def percent(part, whole):
    return f'{100 * part / max(whole, 1):.0f} %'


class Sums:
    """What a list amounts to. Copies of a loop count once."""

    def __init__(self, rows):
        distinct = [r for r in rows if not r['duplicate']]
        wanted = [r for r in distinct if r['expected'] == 'pipeline']
        self.rows, self.distinct = len(rows), len(distinct)
        self.any = sum(r['verdict'].kind == 'pipelined' for r in distinct)
        self.wanted = len(wanted)
        self.pipelined = sum(r['verdict'].kind == 'pipelined' for r in wanted)
        self.staged = sum(map(staged, wanted))
        two = [r for r in wanted if not r.get('form', '').startswith('single')]
        self.two, self.two_staged = len(two), sum(map(staged, two))
        self.already = sum(r['verdict'].kind == 'already pipelined'
                           for r in distinct)
        self.unseen = sum(r['verdict'].kind == 'not seen' for r in distinct)
        self.unseen_wanted = sum(r['verdict'].kind == 'not seen' for r in wanted)
        self.wrong = [r for r in rows if r['expected'] == 'refuse'
                      and r['verdict'].kind == 'pipelined'
                      and not r.get('right')]

    def passes(self, options):
        return (self.pipelined >= self.wanted * options.bar / 100
                and self.staged >= self.pipelined * options.bar_staged / 100
                and not self.wrong)


def words_of(row):
    """A row's verdict as a line of a page."""
    verdict, notes = row['verdict'], []
    if verdict.kind == 'pipelined':
        words = f'pipelined, {verdict.form}, {verdict.stages} stage' \
            + 's' * (verdict.stages != 1)
    elif verdict.kind == 'already pipelined':
        words = 'already pipelined' + (f': {verdict.message}' if verdict.message
                                       else '')
    elif verdict.kind == 'refused':
        words = f"refused: {', '.join(verdict.rules)}"
        if 'reason' in row and verdict.message:
            words += ': ' + textwrap.shorten(verdict.message, 90,
                                             placeholder=' …')
    else:
        words = 'not seen'
    if verdict.kind == 'already pipelined' and row.get('reason'):
        notes.append(row['reason'])
    elif row['expected'] == 'refuse':
        reason = row.get('reason')
        notes.append('expected to be refused' + (f': {reason}' if reason
                                                 else ''))
        if row.get('right') and verdict.kind == 'pipelined':
            notes.append('pipelined rightly: ' + row['right'])
    elif row.get('form', '').startswith('single'):
        notes.append('one stage expected: ' + row['reason'])
    if row['duplicate']:
        notes.append('copy')
    return words + (f" ({'; '.join(notes)})" if notes else '')


def lists(rows, commits):
    """A heading for each repository, a link for each file, a line a loop."""
    place = ('', '')
    for row in rows:
        repository, name = row['repository'], row['file']
        if place[0] != repository:
            yield f'\n## {repository}\n'
        if place != (repository, name):
            yield (f'- [{name}](https://github.com/{repository}/blob/'
                   f'{commits[repository]}/{name})')
        place = (repository, name)
        yield textwrap.fill(
            f"{row['line']} `{row['function']}`: {words_of(row)}", 100,
            initial_indent='  - ', subsequent_indent='    ',
            break_long_words=False, break_on_hyphens=False)


def system():
    """The machine and the CUDA headers of a run, for a page."""
    try:
        name = platform.freedesktop_os_release()['PRETTY_NAME']
    except OSError:
        name = platform.system()
    name = re.sub(r' \(.*\)', '', name).replace('GNU/Linux ', '')
    return f'{os.cpu_count()} cores, {name}'


def compiled_words(compiled):
    """How many originals and outputs nvcc takes."""
    if not compiled:
        return 'nvcc was not run.'
    takes = [output for original, output in compiled.values() if original]
    return (f'nvcc compiles {len(takes)} of {len(compiled)} originals as they '
            'are parsed here (the others need libraries that are not there); '
            'where the original compiles, the output must too: '
            f'{sum(takes)} of {len(takes)}.')


def old_page(rows, sums, commits):
    yield ('Which tile loops of public repositories kpipe pipelines with '
           'default options for {arch}. The loops come from a survey of the '
           'repositories at the commits below: '
           f'{sums.rows} tile loops, {sums.distinct} of them distinct. The '
           'others are copies, marked so. "Expected to be refused" means that '
           'a rule forbids the loop, or that it does not compile at all. A '
           'second, larger list: [survey.md](survey.md).')
    yield (f'**{sums.any} of {sums.distinct} distinct tile loops pipelined, '
           f'{percent(sums.any, sums.distinct)}**; of the {sums.wanted} '
           f'expected to be, {sums.pipelined} '
           f'({percent(sums.pipelined, sums.wanted)}).')


def survey_page(rows, sums, commits):
    yield ('A second survey, of other repositories and other files than '
           '[reach.md](reach.md): loops with a barrier found by a scan of the '
           'text and read, and what kpipe should do with each written down '
           'before kpipe saw it. '
           f'{sums.rows} loops, {sums.distinct} of them distinct. "Expected '
           'to be refused" gives the reason; "one stage expected" too, where '
           'the source or the budget of {arch} forbids more.')
    wrong = 'none' if not sums.wrong else str(len(sums.wrong))
    yield (f'**{sums.pipelined} of the {sums.wanted} distinct loops expected '
           f'to be pipelined are, {percent(sums.pipelined, sums.wanted)}; '
           f'{sums.staged} of these {sums.pipelined} with two or more stages '
           f'or cp.async, {percent(sums.staged, sums.pipelined)}** (of the '
           f'{sums.two} where that is expected, {sums.two_staged}). Loops '
           f'that should be refused and are pipelined: {wrong}. '
           f'{sums.already} are recognised as staged by hand, and are not '
           'counted as refused. kpipe does '
           f'not see {sums.unseen} loops, {sums.unseen_wanted} of them '
           'expected to be pipelined: their kernels need headers that are not '
           'there or have no instantiation, or they have no block barrier '
           'and store to shared memory that it knows.')


def async_page(rows, sums, commits):
    yield ('Loops of the repositories of [survey.md](survey.md) that copy '
           'asynchronously and wait in the same turn: all that a search for '
           'cp.async, memcpy_async and __pipeline in them finds, with a '
           'barrier of the block in the loop. Where the number of stages is a '
           'template argument, the instance with one is named. '
           f'{sums.rows} loops, {sums.distinct} of them distinct; copies '
           'differ in the type of the sums only.')
    wrong = 'none' if not sums.wrong else str(len(sums.wrong))
    yield (f'**{sums.pipelined} of the {sums.wanted} distinct loops expected '
           f'to be pipelined are, {percent(sums.pipelined, sums.wanted)}; '
           f'{sums.staged} with two or more stages or cp.async.** Loops that '
           f'should be refused and are pipelined: {wrong}.')


PAGES = {'reach': ('Reach', old_page), 'survey': ('Survey', survey_page),
         'async': ('Asynchronous inputs', async_page)}


def write(name, rows, sums, options, compiled, commits):
    title, text = PAGES[name]
    run = ['    test/reach/reach.py --kpipe build/release/bin/kpipe '
           '--root CHECKOUTS'
           + (' --compile nvcc' if compiled else '')]
    texts = [t.replace('{arch}', options.arch)
             for t in text(rows, sums, commits)]
    what = (f'Run on {datetime.date.today()} on {system()}. '
            + compiled_words(compiled))
    table = ['| repository | commit |', '|---|---|'] + [
        f'| {r} | {commits[r][:12]} |'
        for r in dict.fromkeys(row['repository'] for row in rows)]
    parts = ['# ' + title, textwrap.fill(texts[0], 100), '\n'.join(run),
             textwrap.fill(what, 100), '\n'.join(table),
             textwrap.fill(texts[1], 100),
             'Each item below is a loop: its line, its function, the verdict, '
             'and the form or the rule.']
    with open(os.path.join(HERE, name + '.md'), 'w') as file:
        file.write('\n\n'.join(parts) + '\n')
        file.write('\n'.join(lists(rows, commits)) + '\n')


def say(name, rows, sums, options, compiled):
    if options.only:
        for row in rows:
            print(f"{row['repository']} {row['file']}:{row['line']}: "
                  f'{words_of(row)}')
    print(f'{name}: {sums.pipelined} of {sums.wanted} expected loops '
          f'pipelined, {sums.staged} with two stages or cp.async')
    for row in sums.wrong:
        print(f"{row['repository']} {row['file']}:{row['line']}: pipelined, "
              f"expected to be refused: {row.get('reason', '')}")
    for unit, (original, output) in (compiled or {}).items():
        if original and not output:
            print(f'{unit.repository} {unit.path}: the original compiles, '
                  'the output does not')
    if compiled:
        print(compiled_words(compiled))
