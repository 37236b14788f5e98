# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Turns CUDA source into what a plain C++ compiler takes, line for line: inline
# asm becomes a call of the executor and `<<<…>>>` one of kx::on, `extern
# __shared__` arrays get external names, unrolling is left to loops, members of
# launch configurations are called so that no macro means them. Files that a
# program includes are turned as well where they need it; everything else the
# stand-in headers do. Knows nothing of compiling or running.

import os
import re

_SKIP = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'',
                   re.S)
# What is changed, or passed over because it only looks like it.
_FIND = re.compile(
    _SKIP.pattern +
    r'|(?P<asm>\b(?:__asm__|__asm|asm)\b\s*(?:\b(?:__volatile__|volatile)\b\s*)?\()'
    r'|(?P<extern>\bextern\b(?P<a>[^;{}()"]*?)\b__shared__\b(?P<b>[^;]*);)'
    r'|(?P<launch><<<)'
    r'|(?P<member>\.\s*)(?P<dim>gridDim|blockDim)\b'
    r'|(?P<aligned>\b__shared__\s+alignas\s*\()'
    r'|(?P<shared>\b__shared__(?P<c>\s+)extern\b(?P<d>[^;]*);)'
    r'|(?P<unroll>#[ \t]*pragma[ \t]+(?:unroll|nounroll)[^\n]*'
    r'|\b_Pragma\s*\(\s*"(?:no)?unroll[^"]*"\s*\))', re.S)
_OPERAND = re.compile(r'\s*(?:\[\w+\]\s*)?"([^"]*)"\s*\((.*)\)\s*$', re.S)
_INCLUDE = re.compile(r'^([ \t]*#[ \t]*include[ \t]*)(["<])([^">]+)[">]',
                      re.M)
_ALIGNAS = re.compile(r'\s*alignas\s*\(')
_NAME = re.compile(r'(\w+)\s*\[\s*\]')
_SIZED = re.compile(r'(\w+)\s*(?:\[[^\]]*\]\s*)*$')


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


def _translate(text):
    """The C++ text of one file, and the names of dynamic shared arrays."""
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
                out.append('__shared__ ')
                while end:
                    out.append('__attribute__((aligned(%s)))' %
                               text[at:end - 1])
                    at = end
                    again = _ALIGNAS.match(text, at)
                    if again:
                        at = again.end()
                    end = again and _closing(text, at)
                continue
        elif match['launch']:
            end = _configured(text, at)
            if end:
                out.append('->*::kx::on(%s)' % text[at:end])
                at = end + 3
                continue
        elif match['member']:
            # A part of cudaLaunchConfig_t; the stand-ins' names are macros.
            out.append(match['member'] + 'kx_' + match['dim'])
            continue
        elif match['extern'] or match['shared']:
            inner = ''.join(match[g] or '' for g in 'abcd')
            # With a size the launch has to give its bytes, here.
            names.update(_NAME.findall(inner) or _SIZED.findall(inner))
            out.append('extern KX_EXTERN_SHARED ' +
                       re.sub(r'\balignas\b', '__align__', inner) + ';')
            continue
        elif match['unroll']:
            # Unrolled or not, the accesses are the same; compiling is not.
            out.append('' if match['unroll'][0] == '_' else '//')
            continue
        out.append(match.group())
    out.append(text[at:])
    return ''.join(out), names


class Includes:
    """The files that a program includes and whose text has to change. Those in
    hidden folders come first and stay; write(path, text) stores what a file
    becomes and says where."""

    def __init__(self, hidden, folders, write):
        self.hidden, self.folders, self.write = hidden, folders, write
        self.known, self.names = {}, set()

    def _find(self, name, beside):
        for folder in beside + self.hidden + self.folders:
            path = os.path.join(folder, name)
            if os.path.isfile(path):
                return None if folder in self.hidden else path
        return None

    def _become(self, path):
        if path not in self.known:
            self.known[path] = None  # also for one that includes itself
            with open(path, errors='replace') as f:
                old = f.read()
            new, names = _translate(old)
            if self.apply(new, path) != old:
                new = self.apply(new, path, moved=True)
                self.names |= names
                self.known[path] = self.write(
                    path, '#line 1 "%s"\n%s' % (path, new))
        return self.known[path]

    def apply(self, text, path, moved=False):
        """The text with its includes replaced. Moved: it will be elsewhere than
        the files beside it."""
        def replaced(match):
            beside = [os.path.dirname(path)] if match[2] == '"' else []
            found = self._find(match[3], beside)
            became = found and (self._become(found) or moved and found)
            return '%s"%s"' % (match[1], became) if became else match[0]
        return _INCLUDE.sub(replaced, text)


def prepare(text, path, includes=None, arch=None):
    """Returns the C++ text and the names of dynamic shared arrays."""
    new, names = _translate(text)
    if includes:
        new = includes.apply(new, path)
        names |= includes.names
    before = '#define KX_DYNAMIC_SHARED 1\n' if names else ''
    if arch:
        number = arch.strip('sm_af')
        before += ('#undef __CUDA_ARCH__\n#define __CUDA_ARCH__ %s0\n'
                   '#define __CUDA_ARCH_FEAT_SM%s_ALL\n' % (number, number))
    return ('%s#include <kx/program.h>\n#line 1 "%s"\n%s' %
            (before, path, new), sorted(names))
