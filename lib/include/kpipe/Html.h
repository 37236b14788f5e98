// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Html: the report for people as one self-contained page. Makes text out of
// plain structs; it must not know Clang, options or files. How to read the page
// is in docs/html.md.
#ifndef KPIPE_HTML_H
#define KPIPE_HTML_H

#include "kpipe/CheckVerdict.h"
#include "kpipe/Reporting.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kpipe {

/// One source file before and after, for all architectures whose result is the
/// same text.
struct HtmlSource {
  std::string Path;               ///< as it is shown
  std::string Name;               ///< as the places of diagnostics spell it
  std::vector<std::string> Archs; ///< "sm_86" form
  /// Any bytes; what is no UTF-8 is shown as U+FFFD.
  std::string Old, New;
};

/// What was found of one property that the machine code should have.
struct MachineCheck {
  std::string Id; ///< stable, kebab-case
  CheckVerdict Verdict = CheckVerdict::NotChecked;
  /// For people: what was looked for and found, or why it was not checked.
  std::string Text;
};

/// What an instruction is to a pipeline.
enum class MachineRole {
  None,        ///< nothing in particular; shown dimmed
  GlobalLoad,  ///< global memory to registers: LDG
  AsyncCopy,   ///< global to shared memory: LDGSTS
  Commit,      ///< closes a group of asynchronous copies: LDGDEPBAR
  Wait,        ///< for a group: DEPBAR
  SharedStore, ///< registers to shared memory: STS
  SharedLoad,  ///< shared memory to registers: LDS, LDSM
  Compute,     ///< arithmetic of the tile: FFMA, HMMA, IMMA, …
  Barrier,     ///< of the block: BAR
  Branch,      ///< the loop's own jump
  Spill        ///< local memory: LDL, STL
};

struct MachineLine {
  std::string Text; ///< as the disassembler prints it, without its newline
  MachineRole Role = MachineRole::None;
  /// Begins a part of the listing, e.g. "steady state"; mostly empty.
  std::string Heading;
  /// A remark beside the line; mostly empty.
  std::string Note;
};

/// What the assembler says that a kernel takes.
struct MachineResources {
  unsigned Registers = 0; ///< per thread
  /// Bytes per thread that are stored to and loaded from local memory because
  /// registers ran out.
  unsigned SpillStores = 0, SpillLoads = 0;
  uint64_t Shared = 0; ///< static, bytes per block
};

/// The checked machine code of one kernel on one architecture.
struct MachineCode {
  std::string Kernel; ///< demangled
  std::string Arch;   ///< "sm_86" form
  std::vector<MachineCheck> Checks;
  /// Of the rewritten kernel, in the order of the listing; may be empty.
  std::vector<MachineLine> Lines;
  std::optional<MachineResources> Before, After;
};

/// Everything that a page tells. Nothing in it need be escaped.
struct HtmlReport {
  std::string Version; ///< of kpipe
  /// The command and its arguments, each as given.
  std::vector<std::string> Command;
  std::vector<std::string> Archs;
  /// As mergeReports() gives them.
  std::vector<LoopReport> Loops;
  /// Diagnostics that belong to no loop.
  std::vector<Diagnostic> Others;
  std::vector<HtmlSource> Sources;
  /// Empty: nothing was compiled, and the page has no such part.
  std::vector<MachineCode> Machine;
};

/// Writes the page. It is valid HTML, asks for nothing from elsewhere, holds no
/// script, and is the same for the same report.
void writeHtml(llvm::raw_ostream &OS, const HtmlReport &Report);

} // namespace kpipe

#endif // KPIPE_HTML_H
