// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can be asked for the form of a pipelined loop, wherever it is asked: in
// options, `.kpipe` files, directives and profiles. LoopForm.def is the table
// of its fields.
#ifndef KPIPE_LOOPFORM_H
#define KPIPE_LOOPFORM_H

#include "kpipe/Asked.h"
#include "llvm/ADT/StringRef.h"

namespace kpipe {

/// Which way a tile takes from global to shared memory.
enum class Variant { Ldg, CpAsync };

/// How the last tiles of a loop are computed, which have none behind them to
/// load; or who loads.
enum class ScheduleKind {
  Peeled,  ///< by code of their own behind the loop, which asks for nothing
  Guarded, ///< by the loop, which asks for each load if its tile exists
  /// A warp more in each block loads, and the author's threads compute.
  Specialized
};

/// Who loads under ScheduleKind::Specialized.
enum class ProducerKind {
  Warp,
  Group ///< a warpgroup, which gives its registers to the author's threads
};

/// Which loops the compiler is told to unroll, or not to, where that is not
/// left to the author's pragmas and the compiler.
enum class Unrolling {
  Stages,  ///< the pipelined loop as often as there are stages, whose numbers
           ///< become constants
  Never,   ///< not the pipelined loop
  Compute, ///< short loops of the compute region, so that the loads of one
           ///< iteration can run beside the arithmetic of the one before
};

/// Whether rows of staged arrays are made longer where their accesses conflict
/// for banks of shared memory. Where nothing is asked they are made longer as
/// under IfFree, and nothing is said of rows that stay as they are.
enum class Padding {
  Never,
  IfFree, ///< where that costs no block per SM
  Always  ///< also where it does
};

/// Which thread copies which part of a tile.
enum class CopyMapping {
  Author, ///< as it is written
  Remap,  ///< pieces of 16 bytes by neighbours, where rows are aligned
  Tma,    ///< the copy engine, into swizzled rows (sm_90)
  Bulk    ///< the copy engine, row by row, into rows as they are (sm_90)
};

/// Blocks that are to fit on one SM.
enum class BlocksPerSM : unsigned {};

/// What is written into `__launch_bounds__`.
struct WrittenBounds {
  /// That are to fit on an SM at least.
  unsigned Blocks = 0;
  /// Of a block, where the kernel had no bounds.
  unsigned Threads = 0;
};

/// A permission, which is given or not.
enum class Flag { Given };

/// What is asked for the form of a loop; kpipe decides what is empty.
struct LoopForm {
#define KPIPE_FORM_FIELD(Member, Type, Name, Places, InTuneTable, Help)        \
  Asked<Type> Member;
#include "kpipe/LoopForm.def"
};

/// What the table says of a field, its type apart.
struct FormField {
  /// Beyond options, `.kpipe` files and profiles, which have every field.
  enum Places : unsigned {
    None = 0,
    Directive = 1,       ///< a comment above a loop or kernel may ask for it
    Report = 2,          ///< reports tell what became of it
    AlwaysInProfile = 4, ///< profiles hold it also where nothing is asked
  };

  llvm::StringLiteral Name;
  unsigned Where;
  llvm::StringLiteral InTuneTable;
  llvm::StringLiteral Help;

  bool is(Places P) const { return Where & P; }
};

/// Calls Visit(const FormField &, Asked<T> LoopForm::*) for each field in the
/// order of the table.
template <typename Visitor> void forEachField(Visitor Visit) {
  constexpr unsigned None = FormField::None, Directive = FormField::Directive,
                     Report = FormField::Report,
                     AlwaysInProfile = FormField::AlwaysInProfile;
  (void)None;
#define KPIPE_FORM_FIELD(Member, Type, Name, Places, InTuneTable, Help)        \
  Visit(FormField{Name, Places, InTuneTable, Help}, &LoopForm::Member);
#include "kpipe/LoopForm.def"
}

/// Field by field what Over says, and what Base says where Over says nothing.
LoopForm overlay(LoopForm Base, const LoopForm &Over);

/// A form that says something of everything: what it asked nothing about is
/// `auto`. Permissions stay as they are.
LoopForm complete(LoopForm Form);

bool operator==(const LoopForm &A, const LoopForm &B);

} // namespace kpipe

#endif // KPIPE_LOOPFORM_H
