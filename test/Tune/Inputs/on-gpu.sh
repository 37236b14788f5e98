# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# on-gpu.sh GPU SOURCE: program.sh on a GPU that only one program may hold; all
# times of the GPU "GPU-b" are half a millisecond more. $SLOW_GPU takes longer to
# answer, which is no time of the program's.
[ "$CUDA_VISIBLE_DEVICES" = "$1" ] || { echo "error: not GPU $1" >&2; exit 1; }
mkdir "held-$1" || { echo "error: GPU $1 is held" >&2; exit 1; }
trap 'rmdir "held-$1"' EXIT
form=${2##*/}
form=${form#gemm-*-*-}
echo "$1 ${form%.exe}" >> runs
[ "$1" != "$SLOW_GPU" ] || sleep 0.1
case $1 in
  GPU-b) sh "${0%/*}/program.sh" "$2" --times=copy_async=2.5,fetch_tile=3.5,float=4.5 ;;
  *) sh "${0%/*}/program.sh" "$2" ;;
esac
