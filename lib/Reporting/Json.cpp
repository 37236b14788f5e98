// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The JSON of `--report`. Numbers carry their unit in their key; what is not
// known is left out. The schema is in docs/report.md.
#include "llvm/Support/JSON.h"
#include "JsonFields.h"
#include "Words.h"
#include "kpipe/FormJson.h"
#include "kpipe/Reporting.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace kpipe {

namespace {

using llvm::json::OStream;

/// Changes when a key changes its meaning or goes away.
constexpr int SchemaVersion = 1;

void writePlace(OStream &J, const Place &Where) {
  J.attribute("file", utf8(Where.File));
  if (Where.Line == 0)
    return;
  J.attribute("line", Where.Line);
  J.attribute("column", Where.Column);
}

void writeFix(OStream &J, const Fix &F) {
  J.object([&] {
    J.attribute("message", utf8(F.What.str()));
    J.attributeArray("insertions", [&] {
      for (const Insertion &I : F.Edits)
        J.object([&] {
          writePlace(J, I.Before);
          J.attribute("text", utf8(I.Text));
        });
    });
  });
}

void writeDiagnostic(OStream &J, const Diagnostic &D) {
  J.object([&] {
    J.attribute("severity", describe(D.Level));
    if (D.Rule) // a planner's reason has none
      J.attribute("id", printedId(*D.Rule));
    writePlace(J, D.Where);
    J.attribute("message", utf8(D.What.str()));
    if (D.Notes.empty())
      return;
    J.attributeArray("notes", [&] {
      for (const Note &N : D.Notes)
        J.object([&] {
          writePlace(J, N.Where);
          J.attribute("message", utf8(N.What.str()));
          if (N.Fixes.empty())
            return;
          J.attributeArray("fixes", [&] {
            for (const Fix &F : N.Fixes)
              writeFix(J, F);
          });
        });
    });
  });
}

void writeDiagnostics(OStream &J, llvm::StringRef Key,
                      llvm::ArrayRef<Diagnostic> Diagnostics) {
  J.attributeArray(Key, [&] {
    for (const Diagnostic &D : Diagnostics)
      writeDiagnostic(J, D);
  });
}

void writeBudget(OStream &J, const BudgetReport &B) {
  J.attributeObject("budget", [&] {
    J.attribute("sharedBytesBefore", B.SharedBefore);
    J.attribute("sharedBytesAfter", B.SharedAfter);
    writeIfKnown(J, "blocksPerSMBefore", B.BlocksBefore);
    writeIfKnown(J, "blocksPerSMAfter", B.BlocksAfter);
    if (B.Limit)
      J.attribute("limitedBy", describe(*B.Limit));
    writeIfKnown(J, "cliffBytes", B.CliffBytes);
    writeIfKnown(J, "bytesToCliff", B.DistanceToCliff);
  });
}

void writePlan(OStream &J, const ArchReport &Arch) {
  J.attribute("variant", describe(*Arch.Routes));
  forEachField([&](const FormField &Field, auto Member) {
    if (const auto &Value = Arch.Form.*Member;
        Value && Field.is(FormField::Report))
      J.attribute(jsonKey(Field), jsonFor(*Value));
  });
  J.attribute("registersStaged", Arch.RegistersStaged);
  J.attributeArray("copies", [&] {
    for (const CopyReport &Copy : Arch.Copies)
      J.object([&] {
        J.attribute("array", utf8(Copy.Array));
        if (Copy.Bytes)
          J.attribute("bytes", Copy.Bytes);
        J.attribute("route", describe(Copy.Way));
        J.attribute("reason", utf8(Copy.Reason.str()));
      });
  });
}

void writeConflicts(OStream &J, const ArchReport &Arch) {
  if (Arch.Conflicts.empty())
    return;
  J.attributeArray("bankConflicts", [&] {
    for (const ConflictReport &C : Arch.Conflicts)
      J.object([&] {
        J.attribute("array", utf8(C.Array));
        writePlace(J, C.Where);
        J.attribute("access", C.Write ? "write" : "read");
        J.attribute("degree", C.Degree);
        J.attribute("leastDegree", C.LeastDegree);
        J.attribute("message", utf8(describe(C)));
        J.attribute("padded", C.Padded);
        if (C.PadElements) {
          J.attribute("padElements", C.PadElements);
          J.attribute("padBytesPerStage", C.PadBytes);
          J.attribute("degreePadded", std::max(C.ReadsPadded, C.WritesPadded));
        }
        if (!C.NotPadded.empty())
          J.attribute("notPadded", utf8(C.NotPadded.str()));
      });
  });
}

void writeRegisters(OStream &J, const RegisterReport &R) {
  auto Use = [&](const char *Key, const RegisterUseReport &U) {
    J.attributeObject(Key, [&] {
      J.attribute("registers", U.Registers);
      J.attribute("spilledBytes", U.SpilledBytes);
      writeIfKnown(J, "blocksPerSM", U.BlocksPerSM);
    });
  };
  J.attributeObject("registers", [&] {
    J.attribute("source", R.Measured ? "nvcc" : "estimate");
    if (!R.Measured) {
      J.attribute("because", utf8(R.WhyNot.str()));
      return;
    }
    J.attribute("kernel", utf8(R.Kernel));
    Use("before", R.Before);
    Use("after", R.After);
    J.attribute("textsCompared", R.Compiled);
    if (!R.Instead.empty())
      J.attribute("madeAsWith", R.Instead);
  });
}

void writeArch(OStream &J, const ArchReport &Arch) {
  J.object([&] {
    J.attribute("arch", Arch.Arch);
    J.attribute("verdict", describe(Arch.Verdict));
    writeDiagnostics(J, "reasons", Arch.Reasons);
    if (Arch.Verdict == LoopVerdict::Pipelined)
      writePlan(J, Arch);
    writeConflicts(J, Arch);
    if (Arch.Budget)
      writeBudget(J, *Arch.Budget);
    if (Arch.Registers)
      writeRegisters(J, *Arch.Registers);
  });
}

void writeLoop(OStream &J, const LoopReport &Loop) {
  J.object([&] {
    writePlace(J, Loop.Where);
    J.attribute("function", utf8(Loop.Function));
    if (Loop.Ratio) {
      // Two decimals; a double's full digits would only pretend precision.
      J.attributeBegin("operationsPerByte");
      J.rawValue([&](llvm::raw_ostream &OS) {
        OS << llvm::format("%.2f", *Loop.Ratio);
      });
      J.attributeEnd();
      J.attribute("ratioClass", ratioClass(*Loop.Ratio));
    }
    if (Loop.TensorCores)
      J.attribute("tensorCores", true);
    if (Loop.ShortLoops)
      J.attribute("shortLoops", true);
    if (Loop.LoadsNoTile)
      J.attribute("loadsNoTile", true);
    J.attributeArray("archs", [&] {
      for (const ArchReport &Arch : Loop.Archs)
        writeArch(J, Arch);
    });
  });
}

} // namespace

void writeJson(llvm::raw_ostream &OS, llvm::ArrayRef<LoopReport> Loops,
               llvm::ArrayRef<Diagnostic> Others) {
  OStream J(OS, /*IndentSize=*/2);
  J.object([&] {
    J.attribute("version", SchemaVersion);
    J.attributeArray("loops", [&] {
      for (const LoopReport &Loop : Loops)
        writeLoop(J, Loop);
    });
    writeDiagnostics(J, "diagnostics", Others);
  });
  OS << '\n';
}

} // namespace kpipe
