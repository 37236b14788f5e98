// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The JSON of `kpipe verify --report`. Numbers carry their unit in their key;
// what is not known is left out. The schema is docs/verify.schema.json.
#include "JsonFields.h"
#include "Words.h"
#include "kpipe/Verify.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace kpipe {

namespace {

using llvm::json::OStream;

/// Changes when a key changes its meaning or goes away.
constexpr int VerifySchemaVersion = 1;

/// Two decimals at most; a double's full digits would only pretend precision.
void writeDecimal(OStream &J, llvm::StringRef Key,
                  std::optional<double> Number) {
  if (!Number)
    return;
  J.attributeBegin(Key);
  J.rawValue([&](llvm::raw_ostream &OS) {
    OS << llvm::format("%.2f", *Number);
  });
  J.attributeEnd();
}

void writeUse(OStream &J, llvm::StringRef Key, const ResourceUse &Use,
              const std::optional<Occupancy> &Fits) {
  J.attributeObject(Key, [&] {
    J.attribute("registers", Use.Registers);
    J.attribute("spillStoreBytes", Use.SpillStores);
    J.attribute("spillLoadBytes", Use.SpillLoads);
    J.attribute("stackBytes", Use.Stack);
    J.attribute("staticSharedBytes", Use.StaticShared);
    if (!Fits)
      return;
    J.attribute("blocksPerSM", Fits->BlocksPerSM);
    J.attribute("limitedBy", describe(Fits->Limit));
    J.attribute("cliffBytes", Fits->CliffBytes);
    J.attribute("bytesToCliff", Fits->DistanceToCliff);
  });
}

void writeChecks(OStream &J, llvm::ArrayRef<Check> Checks) {
  J.attributeArray("checks", [&] {
    for (const Check &C : Checks)
      J.object([&] {
        J.attribute("id", C.Id);
        J.attribute("verdict", describe(C.Verdict));
        J.attribute("text", utf8(C.Text));
        if (!C.Evidence.empty())
          J.attributeArray("evidence", [&] {
            for (const std::string &Line : C.Evidence)
              J.value(utf8(Line));
          });
        if (!C.Advice.empty())
          J.attribute("advice", C.Advice);
      });
  });
}

void writeLoop(OStream &J, const LoopVerification &L) {
  J.object([&] {
    J.attribute("beginAddress", L.Begin);
    J.attribute("endAddress", L.End);
    J.attribute("tilesPerRun", L.Tiles);
    J.attribute("computeInstruction", L.ComputeKind);
    writeDecimal(J, "computePerTile", L.ComputePerTile);
    writeDecimal(J, "computePerTileBefore", L.ComputePerTileBefore);
    writeDecimal(J, "bytesPerTileAndThread", L.BytesPerTile);
    writeDecimal(J, "operationsPerByte", L.Ratio);
    writeDecimal(J, "plannedOperationsPerByte", L.PlannedRatio);
    writeChecks(J, L.Checks);
  });
}

void writeKernel(OStream &J, const KernelVerification &K) {
  J.object([&] {
    J.attribute("kernel", utf8(K.Kernel));
    J.attribute("symbol", utf8(K.Mangled));
    J.attribute("arch", K.Arch);
    J.attribute("unchanged", K.Unchanged);
    writeIfKnown(J, "threadsPerBlock", K.Threads);
    writeUse(J, "before", K.Before, K.FitsBefore);
    writeUse(J, "after", K.After, K.FitsAfter);
    writeIfKnown(J, "plannedRegisters", K.PlannedRegisters);
    writeIfKnown(J, "plannedBlocksPerSM", K.PlannedBlocks);
    writeChecks(J, K.Checks);
    J.attributeArray("loops", [&] {
      for (const LoopVerification &L : K.Loops)
        writeLoop(J, L);
    });
  });
}

} // namespace

void writeVerifyJson(llvm::raw_ostream &OS, const VerifyReport &Report) {
  OStream J(OS, /*IndentSize=*/2);
  J.object([&] {
    J.attribute("version", VerifySchemaVersion);
    J.attribute("original", utf8(Report.Original));
    J.attribute("rewritten", utf8(Report.Rewritten));
    J.attributeArray("notMade", [&] {
      for (const std::string &Why : Report.NotMade)
        J.value(utf8(Why));
    });
    J.attributeObject("counts", [&] {
      J.attribute("holds", Report.count(CheckVerdict::Holds));
      J.attribute("fails", Report.count(CheckVerdict::Fails));
      J.attribute("notChecked", Report.count(CheckVerdict::NotChecked));
    });
    J.attributeArray("kernels", [&] {
      for (const KernelVerification &K : Report.Kernels)
        writeKernel(J, K);
    });
  });
  OS << '\n';
}

} // namespace kpipe
