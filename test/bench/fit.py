#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# fit.py MEASURED.json [--model=lib/Planning/Model.h]: what run.py measured,
# against the numbers behind `auto`. Decides for each program as the planner
# does, looks its choice up among the measured forms, and does the same with
# other values of each number. The loss of a set of numbers is the geometric mean
# of chosen time over best time, less one. The same for rules that the planner
# does not have. Exit 1 if the decisions here are not those of the planner (which
# are in MEASURED.json), or if another value of one number would have chosen
# better by more than the measurements differ from run to run.
import argparse
import json
import math
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
MODEL = os.path.join(HERE, '..', '..', 'lib', 'Planning', 'Model.h')

NEVER = 1 << 30
NOISE = 0.001
TRIED = {
    'AsyncBytes': [4, 8, 16, NEVER],
    'DeepTileBytes': [0, 4096, 8192, 12288, 16384, 24576, 32768, NEVER],
    'DeepRatio': [0, 32, 64, 128, NEVER],
    'DeepStages': [2, 3, 4],
    'GuardedTileBytes': [0, 4096, 8192, 12288, 16384, 24576, NEVER],
    'RolledOperations': [0, 64, 128, 256, 512, 1024, 2048, 4096, NEVER],
    'WideRegisters': [0, 4, 8, 16, 32, NEVER],
    'WideRatio': [0, 8, 16, 32, 48, 64, 128, NEVER],
    'MostWideRatio': [64, 96, 128, 200, 256, NEVER],
}


def read_model(path):
    with open(path) as file:
        found = re.findall(r'constexpr \w+ (\w+) = (\d+);', file.read())
    return {name: int(value) for name, value in found}


def choice(program, model):
    """The name of the form that the planner would choose, best first: others
    follow where shared memory has no room for it."""
    known = program['features']
    copies = known['copies']
    registers = known['registers']
    wide = (all(c['async'] and c['bytes'] == 16 for c in copies) and
            registers is not None and registers >= model['WideRegisters'] and
            not known['tensor_cores'] and
            model['WideRatio'] < known['ratio'] < model['MostWideRatio'])
    ways = {'cp.async' if registers is None or
            (c['async'] and c['bytes'] >= model['AsyncBytes'] and not wide)
            else 'registers' for c in copies}
    route = ways.pop() if len(ways) == 1 else 'mixed'
    feeds = known['tensor_cores'] and route == 'cp.async'
    deep = feeds and (known['tile_bytes'] >= model['DeepTileBytes'] or
                      known['ratio'] <= model['DeepRatio'])
    rolled = not known['tensor_cores'] and known['rolled_operations'] and \
        known['rolled_operations'] >= model['RolledOperations']
    last = ' guarded' if rolled or feeds and \
        known['tile_bytes'] < model['GuardedTileBytes'] else ''
    most = model['DeepStages'] if deep else 2
    return [f'{route} {stages}{last}' for stages in range(most, 1, -1)] + \
        ['registers 1']


def padded(names):
    """Longer rows go before a third stage, two stages before longer rows."""
    ring = [name for name in names if not name.startswith('registers 1')]
    one = [name for name in names if name.startswith('registers 1')]
    return [name + ' padded' for name in ring] + ring + \
        [name + ' padded' for name in one] + one


def same(program, names):
    return padded(names)


def peeled(program, names):
    return padded([name.replace(' guarded', '') for name in names])


def guarded(program, names):
    return padded([name.replace(' guarded', '') + ' guarded'
                   for name in names])


def plain(program, names):
    return names


def unrolled(program, names):
    return [name + ' unrolled' + more for name in names
            for more in (' padded', '')] + padded(names)


def guarded_if(way):
    return lambda program, names: \
        guarded(program, names) if names[0].startswith(way) \
        else padded(names)


# What becomes of the planner's choice under another rule.
RULES = {
    'rows as they are': plain,
    'unrolled by the stages': unrolled,
    'peeled': peeled,
    'guarded': guarded,
    'guarded on tensor cores': lambda program, names:
        guarded(program, names) if program['features']['tensor_cores']
        else padded(names),
    'guarded on FMA units': lambda program, names:
        padded(names) if program['features']['tensor_cores']
        else guarded(program, names),
    'guarded for registers': guarded_if('registers'),
    'guarded for both ways in one loop': guarded_if('mixed'),
    'guarded for cp.async': guarded_if('cp.async'),
    'three stages for both ways in one loop': lambda program, names:
        padded(['mixed 3', *names] if names[0].startswith('mixed') else names),
    'one buffer for registers': lambda program, names:
        padded(['registers 1'] if names[0].startswith('registers') else names),
}


def chosen(program, model, rule=same):
    """The measured form that the planner would take."""
    forms = {f['name']: f for f in program['forms']
             if f['kind'] == 'form' and 'median' in f}
    return next((forms[name] for name in rule(program, choice(program, model))
                 if name in forms), None)


def best(program, asked=False):
    """Of the forms that `auto` chooses from, or of those as well that are only
    made when they are asked for."""
    return min((f for f in program['forms']
                if f['kind'] == 'form' and 'median' in f and
                (asked or 'rolled' not in f['name'])),
               key=lambda f: f['median'])


def loss(programs, model, rule=same):
    logs = []
    for program in programs:
        form = chosen(program, model, rule)
        if form:
            logs.append(math.log(form['median'] / best(program)['median']))
    return math.exp(sum(logs) / len(logs)) - 1


def check(programs, model):
    """Programs for which the decision here is not that of the planner."""
    for program in programs:
        planned = next((f['name'] for f in program['forms'] if f['planned']),
                       None)
        mine = chosen(program, model)
        if not mine or mine['name'] != planned:
            yield f'{program["name"]}: kpipe planned {planned}, ' \
                  f'fit.py {mine and mine["name"]}'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('measured')
    parser.add_argument('--model', default=MODEL)
    args = parser.parse_args()
    with open(args.measured) as file:
        result = json.load(file)
    programs, model = result['programs'], read_model(args.model)
    wrong, near = list(check(programs, model)), 0
    print(f'{result["gpu"]}, {result["date"]}: {len(programs)} programs')
    for program in programs:
        form, top = chosen(program, model), best(program)
        if form:
            print(f'{program["name"]:28} {form["name"]:16} '
                  f'{form["median"] / top["median"] - 1:6.1%} slower than '
                  f'{top["name"]}')
            near += form['median'] <= 1.03 * top['median']
            more = best(program, asked=True)
            if more is not top:
                print(f'{"":28} {more["name"]} is '
                      f'{form["median"] / more["median"]:.2f} times as fast')
    now = loss(programs, model)
    print(f'loss {now:.2%}, {near} of {len(programs)} within 3 %')
    for name, values in TRIED.items():
        print(f'{name} = {model[name]}')
        for value in values:
            other = loss(programs, {**model, name: value})
            print(f'  {"never" if value == NEVER else value:>6}: {other:.2%}' +
                  ('  better' if other < now - NOISE else ''))
            if other < now - NOISE:
                wrong.append(f'{name} = {value} would choose better')
    print('other rules')
    for name, rule in RULES.items():
        print(f'  {loss(programs, model, rule):6.2%} {name}')
    print('\n'.join(wrong) or 'the numbers are the best of those tried')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
