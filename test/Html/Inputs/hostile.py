# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# hostile.py KERNEL FILE: the kernel with everything in it that could break a
# page, as bytes.
import sys

source = open(sys.argv[1], "rb").read()
comment = (b"// </script></pre></table><script>alert(1)</script> <!-- & &amp; \"'\r\n"
           b"// \xff\xfe\xc3 \x01\x1b[31m\x7f \xe2\x80\xae direction \xef\xbf\xbe\r\n"
           b"/* " + b"x" * 3000 + b" */\n\ttemplate <class T, T... V> struct L {};\n")
source = comment + source.replace(
    b"__global__", b"template <class T, bool Less = (1 < 2)> __global__")
source += (b"\nvoid launch(const float *A, const float *B, float *C) {\n"
           b"  gemm<L<int, 1, 2>><<<1, 256>>>(A, B, C, 1, 1, 1);\n}\n// no newline")
open(sys.argv[2], "wb").write(source)
