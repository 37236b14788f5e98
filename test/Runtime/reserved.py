#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# reserved.py HEADER...: the headers of the runtime spell every name that is not
# theirs to offer so that no macro of a user's can be meant: __so or _So. What
# they offer has to stay free, and so has what CUDA and C++ call it.
import os
import re
import sys

SKIP = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'
                  r'^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.S | re.M)
RESERVED = re.compile(r'__\w*|_[A-Z]\w*|KPIPE_\w+')
KNOWN = set('''
asm bool char const constexpr else extern false for if inline int long namespace
return short signed sizeof static static_assert static_cast struct template true
typename unsigned using void volatile while alignof decltype class
reinterpret_cast nullptr auto operator
x y z int4 size_t memset threadIdx blockDim dim3 std memory
cudaError_t cudaFuncAttributeMaxDynamicSharedMemorySize cudaFuncSetAttribute
cudaSuccess
kpipe'''.split())


def offered(headers):
    """A header is called what it offers; the rest is in the docs' table."""
    return {os.path.splitext(os.path.basename(h))[0] for h in headers}


def main():
    known = KNOWN | offered(sys.argv[1:])
    failed = False
    for header in sys.argv[1:]:
        with open(header) as file:
            text = SKIP.sub(lambda m: '\n' * m[0].count('\n'), file.read())
        for number, line in enumerate(text.split('\n'), 1):
            for name in re.findall(r'\b[A-Za-z_]\w*', line):
                if not RESERVED.fullmatch(name) and name not in known:
                    print(f'{header}:{number}: a macro could be called {name}')
                    failed = True
    return failed


if __name__ == '__main__':
    sys.exit(main())
