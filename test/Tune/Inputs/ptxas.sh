# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ptxas.sh spills|blocks|nothing SOURCE: prints what nvcc prints of gemm()'s
# registers if it is asked to: cp.async spills, or takes a block.
case $NVCC_APPEND_FLAGS in *--resource-usage*) ;; *) exit ;; esac
registers=128 spilled=0
if grep -q kpipe::copy_async "$2"; then
  case $1 in spills) spilled=12 ;; blocks) registers=130 ;; esac
fi
[ "$1" = nothing ] && exit
name=$(sed -n 's/.*void gemm(.*/_Z4gemmPKfS0_Pfi/p' "$2" | head -1)
cat >&2 <<END
ptxas info    : Compiling entry function '$name' for 'sm_90'
ptxas info    : Function properties for $name
    0 bytes stack frame, $spilled bytes spill stores, 0 bytes spill loads
ptxas info    : Used $registers registers, 8192 bytes smem, 380 bytes cmem[0]
END
