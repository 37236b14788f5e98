#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# reserved.py [--page=PAGE] HEADER...: the headers of the runtime spell every
# name that is not theirs to offer so that no macro of a user's can be meant:
# __so or _So. What they offer has to stay free, and so has what CUDA and C++
# call it. Offered is what a header is called, and what stands in PAGE's code.
import os
import re
import sys

SKIP = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'
                  r'^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.S | re.M)
RESERVED = re.compile(r'__\w*|_[A-Z]\w*|KPIPE_\w+')
KNOWN = set('''
asm bool char const constexpr do else extern false for if inline int long namespace
return short signed sizeof static static_assert static_cast struct template true
typename unsigned using void volatile while alignof decltype class
reinterpret_cast nullptr auto operator
public private this explicit alignas enum
x y z int4 size_t uint64_t memset threadIdx blockDim dim3 std memory
cudaError_t cudaFuncAttributeMaxDynamicSharedMemorySize cudaFuncSetAttribute
cudaSuccess
const_cast fprintf stderr cudaDriverEntryPointQueryResult cudaDriverEntryPointSuccess
cudaGetDriverEntryPoint cudaGetDriverEntryPointByVersion cudaEnableDefault CUresult
CUDA_SUCCESS CUtensorMap cuuint32_t cuuint64_t cuTensorMapEncodeTiled
CU_TENSOR_MAP_DATA_TYPE_UINT8 CU_TENSOR_MAP_DATA_TYPE_UINT16 CU_TENSOR_MAP_DATA_TYPE_UINT32
CU_TENSOR_MAP_INTERLEAVE_NONE CU_TENSOR_MAP_SWIZZLE_64B CU_TENSOR_MAP_SWIZZLE_128B
CU_TENSOR_MAP_L2_PROMOTION_L2_256B CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE
kpipe'''.split())


def offered(headers):
    """A header is called what it offers; the rest is in the docs' table."""
    return {os.path.splitext(os.path.basename(h))[0] for h in headers}


def words_of(page):
    """The names in code of a page: between backticks and in blocks."""
    with open(page) as file:
        text = file.read()
    code = re.findall(r'^```.*?^```', text, re.S | re.M) + re.findall(
        r'`[^`\n]+`', text)
    return {name for part in code for name in re.findall(r'[A-Za-z_]\w*', part)}


def main():
    pages = [a[len('--page='):] for a in sys.argv[1:] if a.startswith('--')]
    headers = [a for a in sys.argv[1:] if not a.startswith('--')]
    known = KNOWN | offered(headers)
    for page in pages:
        known |= words_of(page)
    failed = False
    for header in headers:
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
