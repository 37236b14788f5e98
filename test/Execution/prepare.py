# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Turns CUDA source into what a plain C++ compiler takes, line for line: inline
# asm becomes a call of the executor, `extern __shared__` arrays get external
# names, unrolling is left to loops. Everything else the stand-in headers do.
# Knows nothing of compiling or running.

import re

_SKIP = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'',
                   re.S)
_ASM = re.compile(r'\b(?:__asm__|__asm|asm)\b\s*(?:\b(?:__volatile__|volatile)\b\s*)?\(')
_OPERAND = re.compile(r'\s*(?:\[\w+\]\s*)?"([^"]*)"\s*\((.*)\)\s*$', re.S)
_EXTERN = re.compile(r'\bextern\b([^;{}()"]*?)\b__shared__\b([^;]*);'
                     r'|\b__shared__(\s+)extern\b([^;]*);', re.S)
_NAME = re.compile(r'(\w+)\s*\[\s*\]')
_UNROLL = re.compile(r'#[ \t]*pragma[ \t]+(?:unroll|nounroll)[^\n]*'
                     r'|\b_Pragma\s*\(\s*"(?:no)?unroll[^"]*"\s*\)')


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
        # Line ends of a macro are no part of an operand.
        match = _OPERAND.match(part.replace('\\\n', ' \n'))
        if match:
            constraint, expression = match.groups()
            kind = 'inout' if '+' in constraint else 'out' if output else 'in'
            result.append('kx::%s(%s)' % (kind, expression.replace('\n', ' ')))
    return result


def _asm_statement(body):
    # "::" between sections is two separators.
    parts = _split(body, ':')
    operands = []
    for i, section in enumerate(parts[1:3]):
        operands += _operands(section, output=i == 0)
    return parts[0].strip(), operands


def _replace_asm(text):
    out, i = [], 0
    while i < len(text):
        skip = _SKIP.match(text, i)
        if skip:
            out.append(skip.group())
            i = skip.end()
            continue
        match = _ASM.match(text, i) if text[i] in 'a_' and (
            i == 0 or not (text[i - 1].isalnum() or text[i - 1] == '_')) else None
        end = _closing(text, match.end()) if match else None
        if not end:
            out.append(text[i])
            i += 1
            continue
        whole = text[i:end]
        template, operands = _asm_statement(text[match.end():end - 1])
        call = '::kx::ptx(' + ', '.join([template] + operands) + ')'
        # Keep the count of lines, and a macro's continuations.
        missing = whole.count('\n') - call.count('\n')
        out.append(call + ('\\\n' if '\\\n' in whole else '\n') * missing)
        i = end
    return ''.join(out)


def prepare(text, path):
    """Returns the C++ text and the names of dynamic shared arrays."""
    names = set()

    def external(match):
        inner = ''.join(g or '' for g in match.groups())
        names.update(_NAME.findall(inner))
        return 'extern KX_EXTERN_SHARED' + (' ' + inner if inner[:1] not in ' \t\n'
                                            else inner) + ';'

    text = _UNROLL.sub(lambda m: '' if m.group().startswith('_') else '//', text)
    text = _EXTERN.sub(external, text)
    if 'asm' in text:
        text = _replace_asm(text)
    storage = '#define KX_DYNAMIC_SHARED 1\n' if names else ''
    return ('%s#include <kx/program.h>\n#line 1 "%s"\n%s' %
            (storage, path, text), sorted(names))
