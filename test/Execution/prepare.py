# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Turns CUDA source into what a plain C++ compiler takes, line for line: inline
# asm becomes a call of the executor and `<<<…>>>` one of kx::on, `extern
# __shared__` arrays get external names, unrolling is left to loops. Everything
# else the stand-in headers do. Knows nothing of compiling or running.

import re

_SKIP = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'',
                   re.S)
# What is changed, or passed over because it only looks like it.
_FIND = re.compile(
    _SKIP.pattern +
    r'|(?P<asm>\b(?:__asm__|__asm|asm)\b\s*(?:\b(?:__volatile__|volatile)\b\s*)?\()'
    r'|(?P<extern>\bextern\b(?P<a>[^;{}()"]*?)\b__shared__\b(?P<b>[^;]*);)'
    r'|(?P<launch><<<)'
    r'|(?P<aligned>\b__shared__\s+alignas\s*\()'
    r'|(?P<shared>\b__shared__(?P<c>\s+)extern\b(?P<d>[^;]*);)'
    r'|(?P<unroll>#[ \t]*pragma[ \t]+(?:unroll|nounroll)[^\n]*'
    r'|\b_Pragma\s*\(\s*"(?:no)?unroll[^"]*"\s*\))', re.S)
_OPERAND = re.compile(r'\s*(?:\[\w+\]\s*)?"([^"]*)"\s*\((.*)\)\s*$', re.S)
_NAME = re.compile(r'(\w+)\s*\[\s*\]')


def _closing(text, start):
    """Index after the parenthesis that closes the one before start."""
    depth = 1
    i = start
    while i < len(text):
        skip = _SKIP.match(text, i)
        if skip:
            i = skip.end()
            continue
        depth += {'(': 1, ')': -1}.get(text[i], 0)
        i += 1
        if depth == 0:
            return i
    return None


def _configured(text, start):
    """Index of the `>>>` that ends the configuration of a launch."""
    depth, i = 0, start
    while i < len(text):
        skip = _SKIP.match(text, i)
        if skip:
            i = skip.end()
            continue
        if depth == 0 and text.startswith('>>>', i):
            return i
        depth += {'(': 1, '[': 1, '{': 1, ')': -1, ']': -1, '}': -1}.get(
            text[i], 0)
        i += 1
    return None


def _split(text, at):
    """Splits at a character outside of strings and brackets; `::` is no `:`."""
    parts, depth, last, i = [], 0, 0, 0
    while i < len(text):
        skip = _SKIP.match(text, i)
        if skip:
            i = skip.end()
            continue
        c = text[i]
        depth += {'(': 1, '[': 1, '{': 1, ')': -1, ']': -1, '}': -1}.get(c, 0)
        if c == at and depth == 0:
            parts.append(text[last:i])
            last = i + 1
        i += 1
    return parts + [text[last:]]


def _operands(section, output):
    result = []
    for part in _split(section, ','):
        match = _OPERAND.match(part)
        if match:
            constraint, expression = match.groups()
            kind = 'inout' if '+' in constraint else 'out' if output else 'in'
            result.append('::kx::%s(%s)' % (kind, expression))
    return result


def _asm_call(whole, body):
    macro = '\\\n' in whole  # its line ends are no part of any operand
    parts = _split(body.replace('\\\n', '  '), ':')
    operands = [o for i, section in enumerate(parts[1:3])
                for o in _operands(section, output=i == 0)]
    call = '::kx::ptx(' + ', '.join([parts[0].strip()] + operands) + ')'
    # The count of lines stays.
    missing = whole.count('\n') - call.count('\n')
    return call + ('\\\n' if macro else '\n') * missing


def prepare(text, path):
    """Returns the C++ text and the names of dynamic shared arrays."""
    names, out, at = set(), [], 0
    while True:
        match = _FIND.search(text, at)
        if not match:
            break
        out.append(text[at:match.start()])
        at = match.end()
        if match['asm']:
            end = _closing(text, at)
            if end:
                out.append(_asm_call(text[match.start():end], text[at:end - 1]))
                at = end
                continue
        elif match['aligned']:
            # Behind the section's attribute the standard's spelling is none.
            end = _closing(text, at)
            if end:
                out.append('__shared__ __attribute__((aligned(%s)))' %
                           text[at:end - 1])
                at = end
                continue
        elif match['launch']:
            end = _configured(text, at)
            if end:
                out.append('->*::kx::on(%s)' % text[at:end])
                at = end + 3
                continue
        elif match['extern'] or match['shared']:
            inner = ''.join(match[g] or '' for g in 'abcd')
            names.update(_NAME.findall(inner))
            out.append('extern KX_EXTERN_SHARED ' + inner + ';')
            continue
        elif match['unroll']:
            # Unrolled or not, the accesses are the same; compiling is not.
            out.append('' if match['unroll'][0] == '_' else '//')
            continue
        out.append(match.group())
    out.append(text[at:])
    storage = '#define KX_DYNAMIC_SHARED 1\n' if names else ''
    return ('%s#include <kx/program.h>\n#line 1 "%s"\n%s' %
            (storage, path, ''.join(out)), sorted(names))
