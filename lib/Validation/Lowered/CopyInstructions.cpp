// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One regular expression for each instruction, see CopyInstructions.h.
#include "CopyInstructions.h"
#include "Code/InlineAssembly.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Regex.h"

namespace kpipe {

static CopyInstruction::Operand operand(llvm::StringRef Text) {
  CopyInstruction::Operand O;
  if (Text.consume_front("%"))
    Text.getAsInteger(10, O.Number.emplace());
  else
    Text.getAsInteger(0, O.Value);
  return O;
}

static unsigned number(llvm::StringRef Text) {
  unsigned N = 0;
  Text.getAsInteger(10, N);
  return N;
}

std::optional<std::vector<CopyInstruction>>
readCopyInstructions(llvm::StringRef Assembly) {
  static const llvm::Regex Copy(
      "^(@([A-Za-z_][A-Za-z0-9_]*)[ \t\n]+)?cp\\.async\\.c[ag]\\.shared"
      "(::cta)?\\.global(\\.L2::(64|128|256)B)?[ \t\n]*\\[[ \t]*%([0-9]+)[ \t]*"
      "\\][ \t\n]*,[ \t\n]*\\[[ \t]*%([0-9]+)[ \t]*\\][ \t\n]*,[ \t\n]*"
      "(%[0-9]+|[0-9]+)([ \t\n]*,[ \t\n]*(%[0-9]+|[0-9]+))?$");
  static const llvm::Regex Commit("^cp\\.async\\.commit_group$");
  static const llvm::Regex WaitAll("^cp\\.async\\.wait_all$");
  static const llvm::Regex Wait(
      "^cp\\.async\\.wait_group[ \t\n]+(%[0-9]+|[0-9]+)$");
  static const llvm::Regex Register(
      "^\\.reg[ \t]+\\.pred[ \t]+([A-Za-z_][A-Za-z0-9_]*)$");
  static const llvm::Regex Asks(
      "^setp\\.ne\\.[bsu]32[ \t]+([A-Za-z_][A-Za-z0-9_]"
      "*)[ \t]*,[ \t]*%([0-9]+)[ \t]*,[ \t]*0$");
  std::vector<CopyInstruction> All;
  llvm::StringRef Predicate;
  std::optional<unsigned> Asked;
  llvm::SmallVector<llvm::StringRef, 8> Parts;
  const std::string Clean = withoutComments(Assembly);
  llvm::StringRef(Clean).split(Parts, ';');
  for (llvm::StringRef Part : Parts) {
    Part = Part.trim(" \t\r\n{}");
    llvm::SmallVector<llvm::StringRef, 12> M;
    CopyInstruction I;
    if (Part.empty() || Register.match(Part))
      continue;
    if (Asks.match(Part, &M)) {
      if (Asked)
        return std::nullopt;
      Predicate = M[1];
      Asked = number(M[2]);
      continue;
    }
    if (Copy.match(Part, &M)) {
      I.To = number(M[6]);
      I.From = number(M[7]);
      I.Bytes = operand(M[8]);
      if (!M[10].empty())
        I.Kept = operand(M[10]);
      if (!M[2].empty()) {
        if (!Asked || M[2] != Predicate)
          return std::nullopt;
        I.Only = Asked;
      }
    } else if (Commit.match(Part)) {
      I.What = CopyInstruction::Commit;
    } else if (WaitAll.match(Part)) {
      I.What = CopyInstruction::WaitAll;
    } else if (Wait.match(Part, &M)) {
      I.What = CopyInstruction::WaitGroup;
      I.Bytes = operand(M[1]);
    } else {
      return std::nullopt;
    }
    All.push_back(I);
  }
  return std::move(All);
}

} // namespace kpipe
