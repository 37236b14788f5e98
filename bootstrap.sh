#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# From a fresh machine to a running kpipe: installs what is missing from
# Debian's packages, configures and builds, then runs the example or the tests.
#
#   ./bootstrap.sh demo         rewrite docs/examples/gemm.cu, show diff and budgets
#   ./bootstrap.sh test         run all tests through ctest
#   ./bootstrap.sh build        only install and build
#   --with-cuda                 besides, install a CUDA toolkit from PyPI's wheels
#                               into build/cuda where none is installed
#   KPIPE_PRESET=debug …        another CMake preset than release
set -euo pipefail
cd "$(dirname "$0")"

preset=${KPIPE_PRESET:-release}
packages=(clang-22 clang-tools-22 libclang-22-dev llvm-22-dev llvm-22-tools
          lld-22 cmake ninja-build make g++ git
          python3 python3-venv python3-jsonschema patch zlib1g-dev libzstd-dev
          libgtest-dev libboost-context-dev dpkg-dev
          python3-html5lib chromium-headless-shell neovim)
# One release of the toolkit; the parts carry versions of their own.
cuda_wheels=(nvidia-cuda-nvcc==13.0.88 nvidia-cuda-crt==13.0.88
             nvidia-cuda-runtime==13.0.96 nvidia-cuda-cccl==13.0.85
             nvidia-nvvm==13.0.88 nvidia-cuda-nvrtc==13.0.88
             nvidia-cuda-cuobjdump==13.2.51
             nvidia-cuda-nvdisasm==13.2.51)

# What `kpipe tune --launcher` is tested with; wanted by the tests alone.
scheduler=(slurmctld slurmd slurm-client munge procps)

die() { echo "bootstrap.sh: $*" >&2; exit 1; }
usage() { sed -n 's/^#   //p' "$0" >&2; exit 1; }

command= with_cuda=
for argument in "$@"; do
  case "$argument" in
    demo|test|build) command=$argument ;;
    --with-cuda) with_cuda=1 ;;
    *) usage ;;
  esac
done
[ -n "$command$with_cuda" ] || usage
command=${command:-build}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else die "root's rights are needed to install: $*"; fi
}

install_packages() {
  command -v dpkg-query >/dev/null ||
    { echo "bootstrap.sh: no Debian here; expecting LLVM/Clang 22, lit, CMake, Ninja"; return; }
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null |
      grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} = 0 ] && return
  echo "bootstrap.sh: installing ${missing[*]}"
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null ||
    die "could not install ${missing[*]} with apt-get"
}

install_cuda() {
  if [ -n "${CUDA_PATH:-}" ] || command -v nvcc >/dev/null ||
     [ -x /usr/local/cuda/bin/nvcc ]; then
    echo "bootstrap.sh: a CUDA toolkit is installed already"
    return
  fi
  if [ ! -x build/cuda/nvidia/cu13/bin/nvcc ]; then
    python3 -m pip --version >/dev/null 2>&1 ||
      as_root apt-get install -y -qq python3-pip >/dev/null
    echo "bootstrap.sh: installing CUDA 13.0 from PyPI into build/cuda"
    python3 -m pip install --quiet --no-deps --target build/cuda \
      "${cuda_wheels[@]}" || die "could not install ${cuda_wheels[*]} with pip"
  fi
}

# kpipe verify and its tests read machine code; nvcc may come without a
# disassembler. Without one they are not run, so that it is no error.
install_disassembler() {
  local folder=build/disassembler
  command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ] || return 0
  command -v nvdisasm >/dev/null || [ -x /usr/local/cuda/bin/nvdisasm ] ||
    [ -x $folder/nvidia/cu13/bin/nvdisasm ] && return 0
  echo "bootstrap.sh: installing nvdisasm from PyPI into $folder"
  python3 -m pip --version >/dev/null 2>&1 ||
    as_root apt-get install -y -qq python3-pip >/dev/null
  python3 -m pip install --quiet --no-deps --target $folder \
    "${cuda_wheels[@]: -1}" ||
    echo "bootstrap.sh: no nvdisasm; tests that want it will not run" >&2
}

# The site of docs/ is made by MkDocs; without it that test is not run.
install_mkdocs() {
  [ ! -d build/mkdocs/mkdocs ] || return 0
  echo "bootstrap.sh: installing MkDocs from PyPI into build/mkdocs"
  python3 -m pip --version >/dev/null 2>&1 ||
    as_root apt-get install -y -qq python3-pip >/dev/null
  python3 -m pip install --quiet --target build/mkdocs \
    -r docs/site/requirements.txt ||
    echo "bootstrap.sh: no MkDocs; the test that wants it will not run" >&2
}

[ "$command" != test ] || packages+=("${scheduler[@]}")
install_packages "${packages[@]}"
[ -z "$with_cuda" ] || install_cuda
# A toolkit that was fetched once is used from then on, unless one is installed.
if [ -z "${CUDA_PATH:-}" ] && [ -x build/cuda/nvidia/cu13/bin/nvcc ] &&
   ! command -v nvcc >/dev/null; then
  export CUDA_PATH="$PWD/build/cuda/nvidia/cu13"
  export PATH="$CUDA_PATH/bin:$PATH"
fi
[ "$command" != test ] || { install_disassembler; install_mkdocs; }
cmake --preset "$preset" >build.log 2>&1 ||
  { cat build.log >&2; rm -f build.log; die "cmake could not configure"; }
rm -f build.log
# The demo needs the tool alone, not what only tests run.
targets=()
[ "$command" != demo ] || targets=(--target kpipe)
cmake --build --preset "$preset" "${targets[@]}"
kpipe=build/$preset/bin/kpipe

case "$command" in
  demo)
    echo "== kpipe rewrite docs/examples/gemm.cu --arch=sm_86 --diff"
    "$kpipe" rewrite docs/examples/gemm.cu --arch=sm_86 --diff
    echo "== kpipe analyze docs/examples/gemm.cu --arch=sm_75,sm_86,sm_90"
    "$kpipe" analyze docs/examples/gemm.cu --arch=sm_75,sm_86,sm_90
    ;;
  test)
    results=build/$preset/test/results
    rm -rf "$results" && mkdir -p "$results"
    # The unit tests beside lit's, which alone keep the cores busy for most of the
    # time. ctest's own verdict is repeated by the summary, which names what failed.
    ctest --test-dir "build/$preset" -j2 --output-on-failure || true
    python3 test/summary.py "$results"
    ;;
esac
