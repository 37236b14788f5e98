#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# plot.py RESULT.json > CHART.svg: draws what run.py measured: for each program
# of programs/list.json how many times as fast as the original the form is that
# kpipe plans, and the best of all.
import json
import sys
from xml.sax.saxutils import escape

from table import listed

LEFT, WIDTH, RIGHT, TOP, ROW, BAR = 210, 420, 190, 64, 34, 12
PLANNED, BEST, TEXT, LINE = '#4477aa', '#ccbb44', '#555555', '#999999'


def rows(result):
    names = listed()
    for program in result['programs']:
        if program['name'] not in names:
            continue
        forms = {f['name']: f for f in program['forms'] if 'median' in f}
        if 'original' not in forms or 'best' not in program:
            continue
        planned = next((f for f in forms.values() if f['planned']), None)
        best = forms[program['best']]
        by_hand = forms.get('by hand')
        base = forms['original']['median']
        yield (program['name'], base / planned['median'] if planned else None,
               base / best['median'], best['name'], program.get('efficiency'),
               base / by_hand['median'] if by_hand else None)


def text(x, y, words, size=12, anchor='start', weight='normal'):
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{TEXT}" '
            f'text-anchor="{anchor}" font-weight="{weight}">{escape(words)}'
            '</text>')


def bar(x, y, width, colour):
    return (f'<rect x="{x}" y="{y}" width="{max(width, 0):.1f}" '
            f'height="{BAR}" fill="{colour}"/>')


def draw(result):
    found = list(rows(result))
    top = max([1.1] + [max(p or 0, b) for _, p, b, *_ in found]) * 1.02
    scale = WIDTH / top
    height = TOP + ROW * len(found) + 40
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + RIGHT}" '
           f'height="{height}" font-family="sans-serif">',
           text(12, 22, f'Times as fast as the original, {result["gpu"]}', 15,
                weight='bold'),
           bar(12, 36, 24, PLANNED), text(42, 46, 'what kpipe plans'),
           bar(172, 36, 24, BEST), text(202, 46, 'best of kpipe tune')]
    for i, (name, planned, best, form, limit, by_hand) \
            in enumerate(found):
        y = TOP + ROW * i
        out.append(text(LEFT - 8, y + 16, name, anchor='end'))
        if planned:
            out += [bar(LEFT, y + 2, planned * scale, PLANNED),
                    text(LEFT + planned * scale + 4, y + 12, f'{planned:.2f}', 10)]
        out += [bar(LEFT, y + 2 + BAR, best * scale, BEST),
                text(LEFT + best * scale + 4, y + 12 + BAR,
                     f'{best:.2f}  {form}' +
                     (f', {100 * limit:.0f} % of the limit'
                      if limit and 'padded' not in form else '') +
                     (f', by hand {by_hand:.2f}' if by_hand else ''),
                     10)]
    x = LEFT + scale
    out += [f'<line x1="{x:.1f}" y1="{TOP - 6}" x2="{x:.1f}" '
            f'y2="{TOP + ROW * len(found)}" stroke="{LINE}" '
            'stroke-dasharray="3,3"/>',
            text(x, TOP + ROW * len(found) + 14, 'original', 10, 'middle'),
            text(12, height - 8, f'{result["date"]}, nvcc: {result["nvcc"]}, '
                 f'{result["arch"]}, {result["rounds"]} rounds', 10), '</svg>']
    return '\n'.join(out) + '\n'


def main():
    with open(sys.argv[1]) as file:
        sys.stdout.write(draw(json.load(file)))


if __name__ == '__main__':
    main()
