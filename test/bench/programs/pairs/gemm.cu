// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program around a matrix product of somebody else's, whose text prepare.py
// puts in front: CALL launches it on A, B and C of n x n numbers of type ELEMENT.
int main() {
  const int n = bench::size(4096);
  ELEMENT *A = bench::random<ELEMENT>(n * n, 1);
  ELEMENT *B = bench::random<ELEMENT>(n * n, 2);
  ELEMENT *C = bench::output<ELEMENT>(n * n);
  bench::run("gemm", [&] { CALL; });
  bench::report("C", C, n * n);
}
