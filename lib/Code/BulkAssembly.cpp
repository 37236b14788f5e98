// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A splitter for PTX, see BulkAssembly.h.
#include "BulkAssembly.h"
#include "InlineAssembly.h"
#include "llvm/ADT/StringExtras.h"

namespace kpipe {

/// Splits at commas that stand in no brackets.
static std::vector<std::string> operandsOf(llvm::StringRef Text) {
  std::vector<std::string> All;
  int Depth = 0;
  size_t Begin = 0;
  for (size_t I = 0; I <= Text.size(); ++I) {
    const char C = I == Text.size() ? ',' : Text[I];
    if (C == '[' || C == '{')
      ++Depth;
    if (C == ']' || C == '}')
      --Depth;
    if (C != ',' || (Depth > 0 && I != Text.size()))
      continue;
    llvm::StringRef One = Text.slice(Begin, I).trim();
    if (!One.empty())
      All.push_back(One.str());
    Begin = I + 1;
  }
  return All;
}

/// Takes labels, and braces that open a scope, off the front.
static llvm::StringRef instructionIn(llvm::StringRef Part) {
  for (;;) {
    Part = Part.trim();
    if (Part.consume_front("{") || Part.consume_front("}"))
      continue;
    llvm::StringRef Word = Part.take_while(
        [](char C) { return llvm::isAlnum(C) || C == '_' || C == '$' ||
                            C == '%' || C == '='; });
    llvm::StringRef Behind = Part.drop_front(Word.size()).ltrim();
    if (Word.empty() || !Behind.starts_with(":") || Behind.starts_with("::"))
      return Part;
    Part = Behind.drop_front();
  }
}

std::vector<PtxInstruction> readInstructions(llvm::StringRef Text) {
  const std::string Clean = withoutComments(Text);
  llvm::SmallVector<llvm::StringRef, 8> Parts;
  llvm::StringRef(Clean).split(Parts, ';');
  std::vector<PtxInstruction> All;
  for (llvm::StringRef Part : Parts) {
    Part = instructionIn(Part);
    PtxInstruction I;
    if (Part.empty() || Part.starts_with(".reg") || Part.starts_with(".pragma"))
      continue;
    if (Part.consume_front("@")) {
      I.Predicated = true;
      Part = Part.drop_until([](char C) { return llvm::isSpace(C); }).ltrim();
    }
    llvm::StringRef Opcode =
        Part.take_until([](char C) { return llvm::isSpace(C); });
    I.Opcode = Opcode.str();
    I.Operands = operandsOf(Part.drop_front(Opcode.size()));
    All.push_back(std::move(I));
  }
  return All;
}

} // namespace kpipe
