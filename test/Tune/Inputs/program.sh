# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# program.sh SOURCE [--WHAT=WORD...]: what stands for a program on a GPU: reads
# the source that it was "built" from and prints a time for its form, which is
# the same in every run. Each word that is found in the source makes it
#   --fail     fail                     --hang     sleep for long
#   --differ   print another result     --silent   print no time
#   --busy     fail once, then no more  --wait     take a second
#   --times    WORD=TIME,...: the time of a kernel is that of the first word in it
#   --format   of a line with a time, for printf
# A shell starts in a tenth of the time that Python takes.
source=$1
shift
fail= hang= differ= silent= busy= wait= format='kpipe-time: %s %s\n'
# A loop of loads only has an empty asm where it would compute.
times='asm volatile("" :=0.5,copy_async=2,fetch_tile=3'
for option; do
  value=${option#*=}
  case $option in
    --fail=*) fail=$value ;; --hang=*) hang=$value ;; --busy=*) busy=$value ;;
    --differ=*) differ=$value ;; --silent=*) silent=$value ;;
    --wait=*) wait=$value ;; --times=*) times=$value ;;
    --format=*) format=$value ;;
    *) echo "error: $option" >&2; exit 2 ;;
  esac
done
text=$(cat "$source")
has() { # a word, if there is one
  [ -n "$1" ] && case $text in *"$1"*) ;; *) false ;; esac
}
if has "$busy" && [ ! -e "$source.ran" ]; then
  : > "$source.ran"
  echo 'error: all CUDA-capable devices are busy or unavailable' >&2
  exit 1
fi
if has "$fail"; then
  echo 'error: an illegal memory access was encountered' >&2
  exit 1
fi
if has "$hang"; then sleep 600; fi
if has "$wait"; then sleep 1; fi
if has "$differ"; then echo 'sum 7'; else echo 'sum 4'; fi
if has "$silent"; then exit; fi
# Pasted primitives come before the first kernel.
rest=${text#*__global__}
while :; do
  kernel=${rest%%__global__*}
  name=${kernel%%(*}
  left=$times time=4
  while [ -n "$left" ]; do
    pair=${left%%,*}
    case $kernel in *"${pair%=*}"*) time=${pair##*=}; break ;; esac
    case $left in *,*) left=${left#*,} ;; *) left= ;; esac
  done
  printf "$format" "${name##* }" "$time"
  case $rest in *__global__*) rest=${rest#*__global__} ;; *) break ;; esac
done
