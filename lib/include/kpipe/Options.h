// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a user may ask of the transformation, as plain values: filled by the
// driver from the command line, overlaid per loop by profiles and by directives
// in comments. Nothing here knows how options are spelled.
#ifndef KPIPE_OPTIONS_H
#define KPIPE_OPTIONS_H

#include "kpipe/Diagnostic.h"
#include "kpipe/LoopChoice.h"
#include "llvm/ADT/StringMap.h"
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace kpipe {

/// A loop that may not be pipelined, and what is said of it.
struct VetoedLoop {
  Place Where; ///< of the loop
  Diagnostic Why;
};

/// A loop that copies asynchronously and stays as it is.
struct AsyncLoop {
  Place Where; ///< of the loop
  /// Copies are in flight from turn to turn: it is staged by hand.
  bool Staged = false;
  /// What is said of it, and of which place.
  Message Why;
  Place At;
  /// Its threads have roles, so that it may have no barrier of the block: it is
  /// one of the unit's loops for this alone. As in LoopOutcome.
  bool HasRoles = false;
  LoopKey Key;
  unsigned LastLine = 0;
};

/// A loop that was staged by hand, and of which one stage is left.
struct RestagedLoop {
  Place Where;
  LoopKey Key; ///< of the author's text
};

/// One that was to be restaged, and keeps its author's stages.
struct KeptStages {
  Place Where;
  Message Why;
  Place At; ///< what it is said of
};

/// A loop whose text has copies of 16 bytes beside the author's, or has the
/// copy engine bring the tile.
struct RemappedLoop {
  Place Where;
  LoopKey Key; ///< of the author's text
  std::vector<std::string> Arrays;
  /// What is said of the arrays that stay as they are.
  std::vector<Message> Said;
  /// No array stays as it is, and each has a piece of 16 bytes for every
  /// thread, or is a small part of the tile.
  bool Whole = false;
  /// Remap, or how the copy engine brings it.
  CopyMapping By = CopyMapping::Remap;
};

/// A loop that was to be remapped, or brought by the copy engine, and keeps the
/// author's copies.
struct KeptMapping {
  Place Where;
  Message Why;
  CopyMapping By = CopyMapping::Remap;
};

/// Requests that hold for every loop of a run unless a directive overrides
/// them.
struct TransformOptions {
  /// Target architectures, "sm_86" form: one plan has to fit all of them.
  std::vector<std::string> Archs;
  /// What is asked for the form of each loop.
  LoopForm Form;
  /// Block shape for kernels whose size the file does not tell (threads).
  std::optional<std::array<unsigned, 3>> Block;
  /// Only kernels whose qualified name matches this regular expression.
  std::string KernelRegex;
  /// Headers whose path matches may be edited as well as the main file.
  std::string HeaderFilter;
  /// Template kernels to instantiate for analysis: `name<args>`.
  std::vector<std::string> Instantiate;
  /// Staged arrays that outgrow static shared memory may move to dynamic shared
  /// memory, and the kernel's launches with them.
  bool DynamicShared = true;
  /// Other files launch kernels as well, and whoever says so changes the bytes
  /// of dynamic shared memory there.
  bool LaunchedElsewhere = false;
  /// Paste the primitives that are used instead of including the header.
  bool InlineRuntime = false;
  /// Loops whose form is known, by measurement or from a profile: it overlays
  /// Form, and directives overlay it. If set, a loop that is not among them is
  /// told of.
  std::optional<std::vector<LoopChoice>> Choices;
  /// Loops that were pipelined before and failed a check of the result.
  std::vector<VetoedLoop> Vetoes;
  /// Loops of which the lowering of asynchronous copies says what they are.
  std::vector<AsyncLoop> Asynchronous;
  /// What became of loops that were staged by hand and were to be restaged.
  std::vector<RestagedLoop> Restaged;
  std::vector<KeptStages> KeptStaged;
  /// What became of loops that were to be remapped.
  std::vector<RemappedLoop> Remapped;
  std::vector<KeptMapping> KeptMappings;
  /// What ptxas takes for the kernels of the text as it is, registers of a
  /// thread by mangled names. Empty: not known.
  llvm::StringMap<unsigned> Registers;
  /// Boxes are to be dumped: to find them takes time.
  bool DumpBoxes = false;
};

} // namespace kpipe

#endif // KPIPE_OPTIONS_H
