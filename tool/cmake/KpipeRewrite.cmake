# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#[=======================================================================[.rst:
kpipe_rewrite
-------------

Compiles what kpipe makes of a target's CUDA sources in their place::

  kpipe_rewrite(TARGET <target> SOURCES <source>... [HEADERS <header>...]
                [ARCH <sm_86>] [STAGES <n>] [VARIANT <variant>]
                [PROFILE <file.json>] [OPTIONS <option>...] [OUTPUT_DIR <dir>] [REPORT <file.json>]
                [REQUIRE] [DISABLED])

``SOURCES`` are sources of the target, as they were given to it. ``HEADERS`` are
headers below the current source directory whose kernels are rewritten as well:
each source gets its own, and finds it before the original. ``ARCH`` is
what kpipe plans for, one architecture or a list: what is made fits all of them.
By default it is the target's ``CUDA_ARCHITECTURES`` as they are. ``PROFILE`` is a file of ``kpipe tune``, relative to the
current source directory. ``OPTIONS`` are further options of ``kpipe rewrite``.
``REPORT`` names a JSON report; with several sources its name gets the path of
the source, ``report-src-matmul.json``. A loop that is refused keeps its text
and never breaks the build, unless ``REQUIRE`` is given. ``DISABLED`` leaves
everything as it is.

The rewritten sources are in ``OUTPUT_DIR``, by default ``kpipe/<target>`` in the
current binary directory. They are made again when a source, a header of it, a
``.kpipe`` file, the target's flags or kpipe change. Errors of the compiler and
``-lineinfo`` name the original's lines.
#]=======================================================================]

# Functions keep the policies of the place where they are written, not those of
# their callers; include() keeps these from the project.
cmake_policy(SET CMP0116 NEW) # paths in dep-files
cmake_policy(SET CMP0118 NEW) # GENERATED is known everywhere

function(kpipe_rewrite)
  cmake_parse_arguments(PARSE_ARGV 0 arg "REQUIRE;DISABLED"
    "TARGET;ARCH;STAGES;VARIANT;PROFILE;OUTPUT_DIR;REPORT" "SOURCES;HEADERS;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    _kpipe_meant("${arg_UNPARSED_ARGUMENTS}" meant)
    message(FATAL_ERROR
      "kpipe_rewrite: unknown arguments: ${arg_UNPARSED_ARGUMENTS}${meant}")
  elseif(NOT TARGET "${arg_TARGET}")
    message(FATAL_ERROR "kpipe_rewrite: TARGET '${arg_TARGET}' is no target")
  elseif(NOT arg_SOURCES)
    message(FATAL_ERROR "kpipe_rewrite: SOURCES names no file")
  elseif(arg_DISABLED)
    return()
  endif()
  if(NOT arg_ARCH)
    get_target_property(archs "${arg_TARGET}" CUDA_ARCHITECTURES)
    if(NOT archs MATCHES "^([0-9]|native)")
      message(FATAL_ERROR "kpipe_rewrite: say with ARCH which architecture to "
        "plan for; the target's CUDA_ARCHITECTURES is '${archs}'")
    endif()
    set(arg_ARCH "${archs}")
  endif()
  list(JOIN arg_ARCH "," arg_ARCH)
  # A word that is none of the above belongs to the list before it.
  foreach(word IN LISTS arg_SOURCES arg_HEADERS arg_OPTIONS)
    _kpipe_meant("${word}" meant)
    if(meant)
      message(FATAL_ERROR "kpipe_rewrite: unknown argument: ${word}${meant}")
    endif()
  endforeach()
  if(NOT arg_OUTPUT_DIR)
    set(arg_OUTPUT_DIR "kpipe/${arg_TARGET}")
  endif()
  get_filename_component(arg_OUTPUT_DIR "${arg_OUTPUT_DIR}" ABSOLUTE
    BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
  get_property(multi GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(multi) # what a macro is may depend on it
    string(APPEND arg_OUTPUT_DIR "/$<CONFIG>")
  endif()

  set(options "--arch=${arg_ARCH}" --line-directives)
  foreach(name IN ITEMS STAGES VARIANT)
    if(arg_${name})
      string(TOLOWER "${name}" option)
      list(APPEND options "--${option}=${arg_${name}}")
    endif()
  endforeach()
  if(arg_PROFILE)
    get_filename_component(profile "${arg_PROFILE}" ABSOLUTE)
    if(NOT EXISTS "${profile}")
      message(FATAL_ERROR "kpipe_rewrite: PROFILE '${arg_PROFILE}' is no file; "
        "'kpipe tune' makes one")
    endif()
    list(APPEND options "--profile=${profile}")
  endif()
  if(arg_REQUIRE)
    list(APPEND options --require)
  endif()
  if(CMAKE_CUDA_COMPILER_TOOLKIT_ROOT)
    list(APPEND options "--cuda-path=${CMAKE_CUDA_COMPILER_TOOLKIT_ROOT}")
  endif()
  list(APPEND options ${arg_OPTIONS})
  list(LENGTH arg_SOURCES count)
  foreach(source IN LISTS arg_SOURCES)
    set(report "")
    if(arg_REPORT)
      get_filename_component(report "${arg_REPORT}" ABSOLUTE
        BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
      if(count GREATER 1)
        # Two folders may have sources of one name.
        _kpipe_name("${source}" name)
        string(REGEX REPLACE "\\.[^./]*$" "" name "${name}")
        string(REPLACE "/" "-" name "${name}")
        string(REGEX REPLACE "\\.[^./]*$" "" report "${report}")
        string(APPEND report "-${name}.json")
      endif()
    endif()
    _kpipe_rewrite_one("${arg_TARGET}" "${source}" "${arg_OUTPUT_DIR}"
      "${report}" "${arg_HEADERS}" "${options}")
  endforeach()
  target_link_libraries("${arg_TARGET}" PRIVATE kpipe::runtime)
endfunction()

# "; did you mean STAGES?" where one of some words is no file and looks like a
# part or a longer form of an argument's name.
function(_kpipe_meant words result)
  set("${result}" "" PARENT_SCOPE)
  foreach(word IN LISTS words)
    if(NOT word MATCHES "^[A-Z][A-Z_]*[A-Z]$")
      continue()
    endif()
    get_filename_component(path "${word}" ABSOLUTE)
    string(SUBSTRING "${word}" 0 3 begin)
    foreach(name IN ITEMS TARGET SOURCES HEADERS ARCH STAGES VARIANT PROFILE
                          OPTIONS OUTPUT_DIR REPORT REQUIRE DISABLED)
      if(name MATCHES "^${begin}" AND NOT word STREQUAL name AND
         NOT EXISTS "${path}")
        set("${result}" "; did you mean ${name}?" PARENT_SCOPE)
        return()
      endif()
    endforeach()
  endforeach()
endfunction()

# The flags that the target's CUDA sources are compiled with, one a line, which
# no shell and no list can split: what depends on the language is asked in it.
function(_kpipe_write_flags target source file)
  set(flags "")
  foreach(flag IN ITEMS ${CMAKE_CUDA_FLAGS})
    separate_arguments(flag NATIVE_COMMAND "${flag}")
    list(JOIN flag "\n" flag)
    string(APPEND flags "${flag}\n")
  endforeach()
  string(APPEND flags "$<$<BOOL:$<TARGET_PROPERTY:${target},CUDA_STANDARD>>:"
    "-std=c++$<TARGET_PROPERTY:${target},CUDA_STANDARD>>\n")
  foreach(part IN ITEMS "-I;INCLUDE_DIRECTORIES" "-D;COMPILE_DEFINITIONS"
                        ";COMPILE_OPTIONS")
    list(GET part 0 prefix)
    list(GET part 1 property)
    set(value "$<FILTER:$<TARGET_PROPERTY:${target},${property}>,INCLUDE,.>")
    string(APPEND flags
      "$<$<BOOL:${value}>:${prefix}$<JOIN:${value},\n${prefix}>>\n")
    get_source_file_property(value "${source}" "${property}")
    if(value)
      string(APPEND flags "${prefix}$<JOIN:${value},\n${prefix}>\n")
    endif()
  endforeach()
  file(GENERATE OUTPUT "${file}" CONTENT "${flags}" TARGET "${target}"
    CONDITION "$<COMPILE_LANGUAGE:CUDA>")
endfunction()

# A source's path in the project; its name alone if it is elsewhere.
function(_kpipe_name source result)
  get_filename_component(original "${source}" ABSOLUTE)
  file(RELATIVE_PATH name "${CMAKE_CURRENT_SOURCE_DIR}" "${original}")
  if(name MATCHES "^\\.\\./")
    get_filename_component(name "${original}" NAME)
  endif()
  set("${result}" "${name}" PARENT_SCOPE)
endfunction()

# The target compiles the output in the original's place. Other targets of the
# folder may compile the original: nothing is said of the source itself.
function(_kpipe_replace_source target original output)
  get_target_property(sources "${target}" SOURCES)
  get_target_property(folder "${target}" SOURCE_DIR)
  set(kept "")
  set(found FALSE)
  foreach(source IN LISTS sources)
    get_filename_component(path "${source}" ABSOLUTE BASE_DIR "${folder}")
    if(path STREQUAL original)
      set(found TRUE)
    else()
      list(APPEND kept "${source}")
    endif()
  endforeach()
  if(NOT found)
    message(FATAL_ERROR "kpipe_rewrite: '${original}' is no source of the "
      "target '${target}'")
  endif()
  set_target_properties("${target}" PROPERTIES SOURCES "${kept}")
  target_sources("${target}" PRIVATE "${output}")
endfunction()

# Headers that are rewritten into the folder tree: what kpipe is told of them,
# what comes before it runs, and where a source looks for them.
function(_kpipe_headers headers tree options before includes)
  set(filter "")
  set(stale "")
  set(found "")
  foreach(header IN LISTS headers)
    get_filename_component(path "${header}" ABSOLUTE)
    file(RELATIVE_PATH name "${CMAKE_CURRENT_SOURCE_DIR}" "${path}")
    if(name MATCHES "^\\.\\./" OR NOT EXISTS "${path}")
      message(FATAL_ERROR "kpipe_rewrite: HEADERS '${header}' is no file below "
        "${CMAKE_CURRENT_SOURCE_DIR}")
    endif()
    string(REGEX REPLACE "([][+.*()^$?|{}\\\\])" "\\\\\\1" word "${name}")
    list(APPEND filter "/${word}$")
    list(APPEND stale "${tree}/${name}")
    # As `#include "a.cuh"` or by any folder on the way to it.
    get_filename_component(beside "${path}" DIRECTORY)
    while(TRUE)
      get_filename_component(name "${name}" DIRECTORY)
      if(name STREQUAL "")
        break()
      endif()
      list(APPEND found "${tree}/${name}")
    endwhile()
    list(APPEND found "${tree}" "${beside}")
  endforeach()
  list(REMOVE_DUPLICATES found)
  list(JOIN filter "|" filter)
  set("${options}" "--output-dir=${tree}" "--header-filter=${filter}"
    PARENT_SCOPE)
  # One of which nothing is pipelined any more is not written.
  set("${before}" COMMAND "${CMAKE_COMMAND}" -E rm -f ${stale} PARENT_SCOPE)
  set("${includes}" "${found}" PARENT_SCOPE)
endfunction()

function(_kpipe_rewrite_one target source folder report headers options)
  get_filename_component(original "${source}" ABSOLUTE)
  _kpipe_name("${source}" name)
  set(output "${folder}/${name}")
  string(SHA256 id "${output}")
  string(SUBSTRING "${id}" 0 12 id)
  set(work "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/kpipe/${target}/${id}")
  set(flags "${work}.$<CONFIG>.flags")
  _kpipe_write_flags("${target}" "${source}" "${flags}")
  # Relative, so that the output is the same wherever the project lies.
  file(RELATIVE_PATH input "${CMAKE_BINARY_DIR}" "${original}")
  set(directory "${CMAKE_BINARY_DIR}")
  set(before "")
  set(rewritten "")
  if(headers) # where their paths begin
    _kpipe_headers("${headers}" "${folder}/headers/${id}" more before rewritten)
    list(APPEND options ${more})
    set(input "${original}")
    set(directory "${CMAKE_CURRENT_SOURCE_DIR}")
  endif()
  set(results "")
  if(report)
    set(results BYPRODUCTS "${report}")
    list(APPEND options "--report=${report}")
  endif()
  get_filename_component(parent "${output}" DIRECTORY)
  add_custom_command(OUTPUT "${output}" ${results}
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${parent}"
    ${before}
    COMMAND kpipe::kpipe rewrite "${input}" -o "${output}" ${options}
      "--depfile=${work}.d" "--flags-file=${flags}"
    DEPENDS "${original}" "${flags}" kpipe::kpipe
    DEPFILE "${work}.d"
    WORKING_DIRECTORY "${directory}"
    COMMENT "Pipelining ${name}" VERBATIM COMMAND_EXPAND_LISTS)

  # In the original's place and as it.
  _kpipe_replace_source("${target}" "${original}" "${output}")
  get_filename_component(beside "${original}" DIRECTORY)
  get_source_file_property(includes "${source}" INCLUDE_DIRECTORIES)
  if(NOT includes)
    set(includes "")
  endif()
  set_source_files_properties("${output}" PROPERTIES LANGUAGE CUDA
    INCLUDE_DIRECTORIES "${rewritten};${beside};${includes}")
  foreach(property IN ITEMS COMPILE_DEFINITIONS COMPILE_OPTIONS COMPILE_FLAGS)
    get_source_file_property(value "${source}" "${property}")
    if(value)
      set_source_files_properties("${output}" PROPERTIES
        "${property}" "${value}")
    endif()
  endforeach()
endfunction()
