# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# kpipe_embed(<target> <root> <folder> <file>...): puts the files' bytes into
# the target and adds them to the table that Embedded.h describes, under
# <root>/<path relative to folder>. kpipe_embed_finish(<target>) writes the
# table. The bytes are taken by the assembler, so a file costs no compile time.

function(kpipe_embed target root folder)
  foreach(file IN LISTS ARGN)
    file(RELATIVE_PATH relative "${folder}" "${file}")
    set_property(TARGET ${target} APPEND PROPERTY KPIPE_EMBEDDED
      "${root}/${relative}|${file}")
  endforeach()
endfunction()

function(kpipe_embed_finish target)
  get_target_property(entries ${target} KPIPE_EMBEDDED)
  set(bytes "")
  set(externs "")
  set(rows "")
  set(files "")
  set(index 0)
  foreach(entry IN LISTS entries)
    string(REPLACE "|" ";" pair "${entry}")
    list(GET pair 0 path)
    list(GET pair 1 file)
    list(APPEND files "${file}")
    set(name "kpipe_embedded_${index}")
    string(APPEND bytes
      "    \"${name}: .incbin \\\"${file}\\\"\\n.byte 0\\n\"\n")
    string(APPEND externs "extern const char ${name}[];\n")
    math(EXPR next "${index} + 1")
    string(APPEND rows
      "    {\"${path}\", ${name}, kpipe_embedded_${next} - 1},\n")
    set(index ${next})
  endforeach()
  string(APPEND externs "extern const char kpipe_embedded_${index}[];\n")
  set(output "${CMAKE_CURRENT_BINARY_DIR}/Embedded.cpp")
  file(CONFIGURE OUTPUT "${output}" CONTENT
"// Written by Embed.cmake; do not edit.
#include \"Frontend/Embedded.h\"

__asm__(\".pushsection .rodata.kpipe_embedded,\\\"a\\\",@progbits\\n\"
${bytes}    \"kpipe_embedded_${index}: .byte 0\\n\"
    \".popsection\\n\");

extern \"C\" {
${externs}}

namespace {
struct Row {
  const char *Path, *Begin, *End;
};
const Row Rows[] = {
${rows}};
} // namespace

void kpipe::forEachEmbeddedFile(
    llvm::function_ref<void(llvm::StringRef, llvm::StringRef)> Visit) {
  for (const Row &R : Rows)
    Visit(R.Path, llvm::StringRef(R.Begin, R.End - R.Begin));
}
" @ONLY)
  # The assembler reads the files behind the build's back: name them.
  set_source_files_properties("${output}" PROPERTIES
    OBJECT_DEPENDS "${files}" SKIP_PRECOMPILE_HEADERS ON)
  target_sources(${target} PRIVATE "${output}")
endfunction()
