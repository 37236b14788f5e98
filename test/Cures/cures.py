#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What a diagnostic says that would help does help. Each file of Inputs is a case,
# named after the message of Messages.def that tells the cure (what follows a dot
# tells the cures of one message apart): kpipe says the message and pipelines
# nothing, and once the cure is applied it pipelines every loop without a warning.
# The cure is what stands under `#ifdef CURED`, which is decided here, as conditions
# in a loop are refused themselves, and the options of a line `// CURE: …`; those of
# `// OPTIONS: …` are there in both cases.
#
# Every message that tells the reader to do something is in a case, or in EXEMPT
# with the reason.
import os
import argparse
import concurrent.futures
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

# What is planned, the same with and without nvcc.
os.environ.setdefault('KPIPE_REGISTERS', 'estimate')

ENTRY = re.compile(r'KPIPE_MESSAGE\((\w+),\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)')
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')

# Words with which a sentence, or what follows a semicolon or an "or", tells the
# reader to do something.
TELLS = re.compile(
    r"(?:^|; |, or |^or |^if they never overlap, )(?:and )?"
    r"(?:add|ask|change|declare|give|launch|leave|let|make|measure|name|pass|put|"
    r"read|return|say|use|wait|write)\b|--[a-z-]+(?:=\S+)? (?:permits|says)")

# Told to do something, but not about a loop that is refused.
EXEMPT = {
    'fix_promise': 'the title of an edit; test/Driver/fixes.test makes it',
    'fix_restrict': 'the title of an edit, as above',
    'fix_restrict_both': 'the title of an edit, as above',
    'fix_restrict_const': 'the title of an edit, as above',
    'permitted_by_allow_drop': 'says what was permitted',
    'lost_blocks_permitted': 'says what was permitted',
    'permitted_by_pad_always': 'says what was permitted',
    'tiles_lower_blocks': 'a note on a pipelined loop',
    'unless_allow_drop': 'a note on a pipelined loop',
    'unless_pad_always': 'a note on a pipelined loop',
    'dynamic_unknown': 'a note on a plan',
    'loads_no_tile': 'there is nothing to cure; it says how to hear more',
    'load_no_tiles': 'as above',
    'loads_no_tile_within': 'as above',
    'load_no_tiles_within': 'as above',
    'threads_unknown': 'a note on a plan',
    'threads_unknown_since': 'a note on a plan',
    'tune_again': 'about a profile; the loop is pipelined without one',
    'ask_for_two_stages': 'the driver refuses --variant=cp-async with --stages=1; '
                          'only other users of planning see it',
    'store_all_or_one_stage': 'the analysis keeps one buffer for such a loop; only '
                              'kpipe-unruled gets as far as this check',
}
# What the page says of a rule where a diagnostic has no cure of its own; of cures
# that are about one loop each has a case.
GENERAL = 'cure_of_'


def messages(path):
    return {name: ''.join(STRING.findall(words)).replace("\\\"", '"')
            for name, words in ENTRY.findall(path.read_text())}


def pattern(words):
    return re.compile('.*?'.join(re.escape(p) for p in re.split(r'\{\d\}', words)))


def option(case, name):
    found = re.search(r'^// ' + name + r': (.*)$', case.read_text(), re.M)
    return shlex.split(found[1]) if found else []


def applied(text, cured):
    """The text with the conditions on CURED decided."""
    kept, open_ones = [], []  # each: is it about CURED, is its text kept
    for line in text.splitlines(keepends=True):
        word = line.split()[0] if line.strip() else ''
        ours = line.split()[1:] == ['CURED']
        if word.startswith('#if'):
            open_ones.append([ours, not ours or cured == (word == '#ifdef')])
            if ours:
                continue
        elif word in ('#else', '#endif') and open_ones and open_ones[-1][0]:
            if word == '#else':
                open_ones[-1][1] ^= True
            else:
                open_ones.pop()
            continue
        elif word == '#endif':
            open_ones.pop()
        if all(keep for _, keep in open_ones):
            kept.append(line)
    return ''.join(kept)


def run(kpipe, folder, case, options):
    """The last --arch of the options counts; without one it is sm_86."""
    arch = [o for o in ['--arch=sm_86', *options] if o.startswith('--arch=')][-1]
    command = [kpipe, 'rewrite', case, '--dry-run', arch,
               *(o for o in options if not o.startswith('--arch='))]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    return shlex.join(command), done.returncode, done.stdout + done.stderr


def check(kpipe, folders, case, words):
    """What is wrong with a case; empty if nothing is."""
    wrong = []
    options, cure = option(case, 'OPTIONS'), option(case, 'CURE')
    command, status, said = run(kpipe, folders[False], case.name, options)
    if status or 'remark: pipelined' in said:
        wrong.append(f'is not refused without the cure:\n$ {command}\n{said}')
    elif not pattern(words).search(said):
        wrong.append(f'is refused with other words than "{words}":\n$ {command}\n{said}')
    command, status, said = run(kpipe, folders[True], case.name, options + cure)
    if status or 'remark: pipelined' not in said or 'warning:' in said:
        wrong.append(f'is not pipelined with the cure:\n$ {command}\n{said}')
    return [f'{case.name} {w}' for w in wrong]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--kpipe', required=True)
    parser.add_argument('--messages', required=True, type=Path,
                        help='Messages.def')
    parser.add_argument('--only', help='cases whose names contain this')
    parser.add_argument('inputs', type=Path, help='the folder of the cases')
    args = parser.parse_args()

    known = messages(args.messages)
    cases = sorted(args.inputs.glob('*.cu'))
    tested = {case.name.split('.')[0] for case in cases}
    wrong = [f'{name}: no such message in {args.messages.name}'
             for name in sorted(tested - set(known))]
    telling = {name for name, words in known.items() if TELLS.search(words)}
    wrong += [f'{name} tells a cure that no case applies: "{known[name]}"'
              for name in sorted(telling - tested - set(EXEMPT))
              if not name.startswith(GENERAL)]
    wrong += [f'{name} is exempt, but is no message that tells a cure, or has a case'
              for name in sorted(set(EXEMPT) & (tested | (set(known) - telling)) |
                                 (set(EXEMPT) - set(known)))]
    cases = [c for c in cases if c.name.split('.')[0] in known and
             (not args.only or args.only in c.name)]
    with tempfile.TemporaryDirectory() as temporary, \
            concurrent.futures.ThreadPoolExecutor(2) as pool:
        folders = {cured: Path(temporary) / ('cured' if cured else 'refused')
                   for cured in (False, True)}
        for cured, folder in folders.items():
            folder.mkdir()
            for path in args.inputs.iterdir():
                (folder / path.name).write_text(applied(path.read_text(), cured))
        kpipe = str(Path(args.kpipe).resolve())
        for found in pool.map(
                lambda c: check(kpipe, folders, c, known[c.name.split('.')[0]]), cases):
            wrong += found
    print('\n'.join(wrong) if wrong else f'{len(cases)} cures work')
    return bool(wrong)


if __name__ == '__main__':
    sys.exit(main())
