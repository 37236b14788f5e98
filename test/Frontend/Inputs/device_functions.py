# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# device_functions.py: reads what nvcc's preprocessor made of CUDA's headers and
# prints a CUDA file that names every device function declared there, and calls
# each whose parameters can be told from the text. A compiler's errors about it
# are what kpipe's own declarations lack. What is left out is listed, with the
# reason, on standard error.
#
# usage: device_functions.py HEADERS.i > USES.cu
import re
import sys

# Not for programs: what nvcc's and the headers' own code calls, what a header
# takes back, and functions of the host compiler that only look like a device's.
LEFT_OUT = [
    (r'__internal_.*|.*_impl|.*_internal|__float_simpl_.*', "a header's own helper"),
    (r'__(f2|f4|u128)Atomic.*|__nv_bswap\d+|__get_storage_value', "a header's own helper"),
    (r'cuda[A-Z].*', 'the runtime called from device code'),
    (r'__cudaCDP2.*|__cudaPush.*|__nv_aligned_device_malloc', "the compiler's own"),
    (r'__.*DeprecationAvoidance|__cmath_power|__pow_helper', "the compiler's own"),
    (r'__(finite|isinf|isnan|signbit)l?|__prof_trigger|sizeof', "a macro of the compiler's, or the host's"),
]
TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|[A-Za-z_]\w*|\d[\w.]*|::|->|<<|>>|\S')
TYPES = {'int', 'float', 'double', 'char', 'short', 'long', 'unsigned', 'signed', 'bool',
         'void', 'const', 'volatile', '__restrict__', '__restrict', 'size_t', 'auto'}
NOISE = {'static', 'inline', '__inline__', '__inline', 'extern', 'constexpr', 'noexcept'}


def cuda_text(text):
    """The lines that come from CUDA's headers, libcu++'s classes aside."""
    inside, out = False, []
    for line in text.split('\n'):
        m = re.match(r'# \d+ "([^"]*)"', line)
        if m:
            inside = '/cuda' in m[1] and '/cccl/' not in m[1]
        elif inside and not line.startswith('#'):
            out.append(line)
    return '\n'.join(out)


def skip(tokens, i, begin, end):
    """Index behind the bracket that opens at i."""
    depth = 0
    while i < len(tokens):
        depth += (tokens[i] == begin) - (tokens[i] == end)
        i += 1
        if depth == 0:
            break
    return i


def declarations(tokens, scope=()):
    """(scope, tokens of a declaration up to its body or semicolon) of all that
    stands in a namespace."""
    i, begin = 0, 0
    while i < len(tokens):
        t = tokens[i]
        if t == '}':
            scope, i = scope[:-1], i + 1
            begin = i
        elif t == ';':
            yield scope, tokens[begin:i]
            i += 1
            begin = i
        elif t == '{':
            head = tokens[begin:i]
            if head[:1] == ['extern'] and len(head) == 2:
                scope += (None,)
                i += 1
            elif 'namespace' in head and '(' not in head:
                scope += (head[-1] if head[-1] != 'namespace' else None,)
                i += 1
            else:
                if '(' in head and not {'struct', 'class', 'union', 'enum'} & set(head):
                    yield scope, head
                i = skip(tokens, i, '{', '}')
                if tokens[i:i + 1] == [';']:
                    i += 1
            begin = i
        elif t == '(':
            i = skip(tokens, i, '(', ')')
        else:
            i += 1


def without_attributes(tokens):
    out, i, device = [], 0, False
    while i < len(tokens):
        if tokens[i] in ('__attribute__', '__declspec', 'asm', '__asm__', 'throw', 'noexcept') \
                and tokens[i + 1:i + 2] == ['(']:
            end = skip(tokens, i + 1, '(', ')')
            device |= 'device' in tokens[i:end]
            i = end
        else:
            if tokens[i] not in NOISE:
                out.append(tokens[i])
            i += 1
    return out, device


def parameters(tokens):
    """The types of a parameter list; None where they cannot be told."""
    if tokens in ([], ['void']):
        return []
    parts, depth, part = [], 0, []
    for t in tokens + [',']:
        depth += (t in '([{<') - (t in ')]}>')
        if t == ',' and depth == 0:
            parts.append(part)
            part = []
        else:
            part.append(t)
    types = []
    for p in parts:
        if '=' in p:
            p = p[:p.index('=')]
        if {'(', '[', '.', '<', '...'} & set(p):
            return None
        words = [w for w in p if re.match(r'\w', w)]
        plain = [w for w in words if w not in ('const', 'volatile', '__restrict__', '__restrict',
                                               'struct', 'enum')]
        if len(plain) > 1 and p[-1] == words[-1] and words[-1] not in TYPES:
            p = p[:-1]
        types.append(' '.join(p))
    return types


def main():
    text = cuda_text(open(sys.argv[1]).read())
    names, calls, left = {}, {}, {}
    for scope, whole in declarations(TOKEN.findall(text)):
        tokens, device = without_attributes(whole)
        if not device or '(' not in tokens:
            continue
        template = tokens[0] == 'template'
        if template:
            tokens = tokens[skip(tokens, 1, '<', '>'):]
        if '(' not in tokens:
            continue
        at = tokens.index('(')
        name = tokens[at - 1]
        if '=' in tokens[:at] or 'using' in tokens or 'typedef' in tokens or 'friend' in tokens:
            continue
        if not re.fullmatch(r'[A-Za-z_]\w*', name) or 'operator' in tokens[:at]:
            left.setdefault('operators are named by their types', set()).add(name)
            continue
        if tokens[at - 2:at - 1] == ['::']:
            continue  # a member, defined outside of its class
        reason = next((why for what, why in LEFT_OUT if re.fullmatch(what, name)), None)
        if any(s and (s.startswith('__') or s in ('detail', 'details')) for s in scope):
            reason = 'inside a namespace of the implementation'
        if 'experimental' in scope:
            reason = 'deprecated since CUDA 11'
        if reason:
            left.setdefault(reason, set()).add(name)
            continue
        full = '::'.join([s for s in scope if s] + [name])
        names[full] = None
        types = None if template else parameters(tokens[at + 1:skip(tokens, at, '(', ')') - 1])
        if types is not None and full == name:
            calls[full + '(' + ', '.join(types) + ')'] = (full, types)
    for full in names:
        print(f'using ::{full}; // {full}' if '::' in full else
              f'namespace named {{ using ::{full}; }} // {full}')
    for n, (full, types) in enumerate(calls.values()):
        given = ', '.join(f'{t} a{i}' for i, t in enumerate(types))
        print(f'__device__ void call{n}({given}) {{ ::{full}('
              + ', '.join(f'a{i}' for i in range(len(types))) + f'); }} // {full}')
    print(f'{len(names)} device functions, {len(calls)} signatures', file=sys.stderr)
    for reason, which in sorted(left.items()):
        print(f'left out, {reason}: {" ".join(sorted(which))}', file=sys.stderr)


main()
