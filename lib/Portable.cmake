# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The portable build: LLVM, Clang and the C library from Debian's static
# libraries, into one stripped program that needs nothing but a kernel.
file(GLOB clang_archives "${LLVM_LIBRARY_DIR}/libclang*.a")
# What belongs to clangd, clang-tidy, the static analyzer and other programs.
list(FILTER clang_archives EXCLUDE REGEX
  "/libclang(Daemon|Tidy|StaticAnalyzer|Interpreter|d|Doc|IncludeCleaner|IncludeFixer|Move|Query|ReorderFields|ChangeNamespace|ApplyReplacements|HandleCXX|HandleLLVM|DirectoryWatcher|InstallAPI|ExtractAPI)")
file(GLOB llvm_archives "${LLVM_LIBRARY_DIR}/libLLVM*.a")
find_library(KPIPE_ZLIB NAMES libz.a)
find_library(KPIPE_ZSTD NAMES libzstd.a)
foreach(library IN ITEMS KPIPE_ZLIB KPIPE_ZSTD)
  if(NOT ${library})
    message(FATAL_ERROR "The portable build needs static zlib and zstd "
      "(Debian: zlib1g-dev, libzstd-dev)")
  endif()
endforeach()
target_link_libraries(kpipe-lib PUBLIC
  -Wl,--start-group ${clang_archives} ${llvm_archives} -Wl,--end-group
  "${KPIPE_ZLIB}" "${KPIPE_ZSTD}" m)
target_link_options(kpipe-lib PUBLIC
  -fuse-ld=lld -Wl,--gc-sections -Wl,-s -static-pie)
