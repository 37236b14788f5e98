// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ptxas prints with -v, and kernels' names.
#include "kpipe/Verify.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Demangle/Demangle.h"
#include <cstdlib>

namespace kpipe {

/// The number in front of \p Words: 16384 of "…, 16384 bytes smem, …".
static uint64_t numberBefore(llvm::StringRef Line, llvm::StringRef Words) {
  size_t At = Line.find(Words);
  if (At == llvm::StringRef::npos)
    return 0;
  llvm::StringRef Front = Line.take_front(At).rtrim();
  size_t Digits = Front.find_last_not_of("0123456789");
  uint64_t Number = 0;
  Front.drop_front(Digits + 1).getAsInteger(10, Number);
  return Number;
}

static llvm::StringMap<ResourceUse> parse(llvm::StringRef PtxasOutput,
                                          bool Kernels) {
  llvm::StringMap<ResourceUse> Uses;
  llvm::StringSet<> Entries;
  std::string Entry, Function;
  for (llvm::StringRef Line : llvm::split(PtxasOutput, '\n')) {
    if (Line.contains("Compiling entry function '")) {
      Entry = Function = Line.split('\'').second.split('\'').first.str();
      Entries.insert(Entry);
      if (Kernels)
        Uses[Entry];
    } else if (Line.contains("Function properties for ")) {
      Function = Line.split("properties for ").second.trim().str();
      if (!Kernels && !Entries.contains(Function))
        Uses[Function];
    } else if (auto It = Uses.find(Function); It == Uses.end()) {
      continue;
    } else if (Line.contains("bytes stack frame")) {
      It->second.Stack = numberBefore(Line, " bytes stack frame");
      It->second.SpillStores = numberBefore(Line, " bytes spill stores");
      It->second.SpillLoads = numberBefore(Line, " bytes spill loads");
    } else if (Line.contains("Used ") && Line.contains(" registers")) {
      It->second.Registers = numberBefore(Line, " registers");
      It->second.StaticShared = numberBefore(Line, " bytes smem");
    }
  }
  return Uses;
}

llvm::StringMap<ResourceUse> parseResourceUse(llvm::StringRef PtxasOutput) {
  return parse(PtxasOutput, /*Kernels=*/true);
}

ResourceUse parseCalledUse(llvm::StringRef PtxasOutput) {
  ResourceUse Sum;
  for (const auto &Entry : parse(PtxasOutput, /*Kernels=*/false)) {
    Sum.SpillStores += Entry.second.SpillStores;
    Sum.SpillLoads += Entry.second.SpillLoads;
  }
  return Sum;
}

/// Parts such as `_GLOBAL__N__1f2e3d4c_7_gemm_cu_5a6b` and
/// `_INTERNAL_1f2e3d4c_7_gemm_cu_5a6b` are nvcc's.
static std::string withoutFileNames(llvm::StringRef Name) {
  std::string Out;
  while (!Name.empty()) {
    auto [Part, Rest] = Name.split("::");
    if (Part.starts_with("_GLOBAL__N_"))
      Part = "(anonymous namespace)";
    bool Internal = Part.starts_with("_INTERNAL_");
    if (!Internal)
      Out += (Out.empty() ? "" : "::") + Part.str();
    Name = Rest;
  }
  return Out;
}

std::string kernelName(llvm::StringRef Mangled) {
  llvm::ItaniumPartialDemangler D;
  std::string Text = Mangled.str();
  if (D.partialDemangle(Text.c_str()) || !D.isFunction())
    return Text;
  char *Name = D.getFunctionName(nullptr, nullptr);
  if (!Name)
    return Text;
  Text = Name;
  std::free(Name);
  return withoutFileNames(Text);
}

} // namespace kpipe
