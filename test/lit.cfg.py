# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How lit runs kpipe's tests. A test says what it needs by features:
#   cuda-toolkit  headers of a CUDA toolkit      nvcc      nvcc runs
#   nvdisasm      nvdisasm runs                  gpu       a GPU can be used
#   executor      kernels can be executed without a GPU
#   jsonschema    Python's module of that name
#   pip           pip in environments that venv makes
#   nvrtc         NVIDIA's library that compiles strings; $NVRTC is its path
#   slurm         Slurm and munge are installed, and tests run as root
#   unprivileged  %as-user runs a command without root's rights
#   root          tests run as root           portable  so kpipe was built
#   browser       a headless Chromium         html5lib  Python's module of that name
#   neovim        Neovim, which speaks to language servers
#   mkdocs        MkDocs in build/mkdocs
#   unit          the unit tests were built
#   one-more-field  test/Options was built
import contextlib
import os
import shutil
import subprocess
import sys
import time

import lit.formats

config.name = "kpipe"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cu", ".test", ".cpp"]
config.excludes = ["Inputs", "executor", "forms", "hopper", "include", "programs",
                   "Unit"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.kpipe_binary_root, "test")


def find_toolkit():
    """The toolkit's root, looked for as kpipe itself does."""
    nvcc = shutil.which("nvcc")
    beside = nvcc and os.path.dirname(os.path.dirname(os.path.realpath(nvcc)))
    for root in (os.environ.get("CUDA_PATH"), beside, "/usr/local/cuda"):
        if root and os.path.exists(os.path.join(root, "include",
                                                "cuda_runtime.h")):
            return root
    return ""


def runs(*command):
    try:
        return subprocess.run(command, env=config.environment,
                              capture_output=True).returncode == 0
    except OSError:
        return False


config.cuda_path = find_toolkit()
path = [config.kpipe_bin, config.llvm_tools_dir]
if config.cuda_path:
    path.append(os.path.join(config.cuda_path, "bin"))
# Where bootstrap.sh puts a disassembler if the toolkit has none.
path.append(os.path.join(config.kpipe_source_root, "build", "disassembler",
                         "nvidia", "cu13", "bin"))
config.environment["PATH"] = os.pathsep.join(path + [os.environ["PATH"]])
for name in ("CUDA_PATH", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

# CUDA's headers are read once for each set of flags. Entries that a newer kpipe
# no longer asks for go after a day.
cache = os.path.join(config.test_exec_root, "header-cache")
for entry in os.scandir(cache) if os.path.isdir(cache) else ():
    if entry.stat().st_mtime < time.time() - 24 * 3600:
        with contextlib.suppress(FileNotFoundError):
            os.remove(entry.path)
config.environment["KPIPE_HEADER_CACHE"] = cache
# What is planned, the same with and without nvcc; test/Registers asks nvcc.
config.environment["KPIPE_REGISTERS"] = "estimate"

# For the commands in docs.
config.environment["kpipe_DIR"] = config.kpipe_binary_root
config.environment["LIT"] = sys.argv[0]

# The interpreter itself: pyenv's is a shell script that looks for it each time.
config.python = subprocess.run(
    [config.python, "-c", "import sys; print(sys.executable)"],
    check=True, stdout=subprocess.PIPE, text=True).stdout.strip()

tools = config.llvm_tools_dir
config.substitutions += [
    (r"%kpipe-unruled\b", os.path.join(config.kpipe_bin, "kpipe-unruled")),
    (r"%kpipe\b", os.path.join(config.kpipe_bin, "kpipe")),
    # What is written, without the lines that FileCheck reads: those match
    # themselves.
    (r"%code\b", "grep -vE '^ *// *[A-Z]+(-[A-Z0-9]+)*:'"),
    (r"%build-dir\b", config.kpipe_binary_root),
    (r"%source-dir\b", config.kpipe_source_root),
    (r"%path\b", config.environment["PATH"]), # lit's shell expands no variables
    (r"%unit\b", os.path.join(config.kpipe_bin, "kpipe-unit")),
    (r"%one-more-field\b",
     os.path.join(config.kpipe_bin, "kpipe-one-more-field")),
    (r"%front-fuzz\b", os.path.join(config.kpipe_bin, "kpipe-front-fuzz")),
    (r"%clangxx\b", os.path.join(tools, "clang++")),
    (r"%clang(?![-\w])", os.path.join(tools, "clang")),
    (r"%python\b", f'"{config.python}"'),
    (r"%runtime-include\b",
     os.path.join(config.kpipe_source_root, "runtime", "include")),
]
if config.cuda_path:
    config.available_features.add("cuda-toolkit")
    config.substitutions.append((r"%cuda-toolkit\b", config.cuda_path))
if runs("nvcc", "--version"):
    config.available_features.add("nvcc")
if runs("nvdisasm", "--version"):
    config.available_features.add("nvdisasm")
if runs("nvidia-smi", "-L"):
    config.available_features.add("gpu")
if runs(config.python, "-c", "import jsonschema"):
    config.available_features.add("jsonschema")
if runs(config.python, "-c", "import venv, ensurepip"):
    config.available_features.add("pip")
for name in ("lib64/libnvrtc.so", "lib/libnvrtc.so.13"):
    if os.path.exists(os.path.join(config.cuda_path or "none", name)):
        config.available_features.add("nvrtc")
        config.environment["NVRTC"] = os.path.join(config.cuda_path, name)
        break
# Debian's modules belong to Debian's Python, which need not be the first.
for python in (config.python, "/usr/bin/python3"):
    if runs(python, "-c", "import html5lib"):
        config.available_features.add("html5lib")
        config.substitutions.append((r"%html5-python\b", f'"{python}"'))
        break
for name in ("chromium-headless-shell", "chromium", "google-chrome"):
    if browser := shutil.which(name):
        config.available_features.add("browser")
        config.substitutions.append((r"%browser\b", browser))
        break
# Where bootstrap.sh and docs/site/build.py put it.
mkdocs = os.path.join(config.kpipe_source_root, "build", "mkdocs")
if runs(config.python, "-c", f"import sys; sys.path.insert(0, {mkdocs!r}); "
        "import mkdocs.commands.build, pygments"):
    config.available_features.add("mkdocs")
config.substitutions.append((r"%mkdocs\b", mkdocs))
if shutil.which("nvim"):
    config.available_features.add("neovim")
if os.path.exists(os.path.join(config.kpipe_bin, "kpipe-unit")):
    config.available_features.add("unit")
if os.path.exists(os.path.join(config.kpipe_bin, "kpipe-one-more-field")):
    config.available_features.add("one-more-field")
if os.geteuid() == 0:
    config.available_features.add("root")
    # Debian's daemons are in sbin, which root's PATH has.
    if all(shutil.which(name) for name in ("srun", "slurmctld", "slurmd",
                                           "munged", "ps")):
        config.available_features.add("slurm")
if config.kpipe_portable in ("ON", "1", "TRUE"):
    config.available_features.add("portable")
as_user = [] if os.geteuid() else ["setpriv", "--reuid=65534",
                                   "--regid=65534", "--clear-groups"]
if not as_user or runs(*as_user, "test", "-x",
                       os.path.join(config.kpipe_bin, "kpipe")):
    config.available_features.add("unprivileged")
    config.substitutions.append((r"%as-user\b", " ".join(as_user)))
if config.kpipe_execute:
    config.available_features.add("executor")
    variants = os.path.join(config.test_source_root, "Execution", "variants.py")
    kpipe = os.path.join(config.kpipe_bin, "kpipe")
    config.substitutions += [
        (r"%execute\b", config.kpipe_execute),
        (r"%variants\b", f'"{config.python}" {variants} --kpipe={kpipe} '
         f"--execute={config.kpipe_execute}"),
    ]
