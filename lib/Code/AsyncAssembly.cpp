// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reader for a handful of instructions, see AsyncAssembly.h. What it does not
// expect it does not read.
#include "AsyncAssembly.h"
#include "InlineAssembly.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace kpipe {

namespace {

std::optional<unsigned> operand(llvm::StringRef Text) {
  unsigned N;
  Text = Text.trim();
  if (!Text.consume_front("%") || Text.getAsInteger(10, N))
    return std::nullopt;
  return N;
}

/// `[%0]`, without an offset.
std::optional<unsigned> address(llvm::StringRef Text) {
  Text = Text.trim();
  if (!Text.consume_front("[") || !Text.consume_back("]"))
    return std::nullopt;
  return operand(Text);
}

std::optional<AsmNumber> number(llvm::StringRef Text) {
  AsmNumber N;
  if ((N.Operand = operand(Text)))
    return N;
  if (Text.trim().getAsInteger(0, N.Value))
    return std::nullopt;
  return N;
}

/// The instructions of one statement, with what a `setp` says of predicates.
class AssemblyReader {
public:
  std::optional<std::vector<AsyncInstruction>> read(llvm::StringRef Text) {
    const std::string Clean = withoutComments(Text);
    llvm::SmallVector<llvm::StringRef, 8> Parts;
    llvm::StringRef(Clean).split(Parts, ';');
    for (llvm::StringRef Part : Parts) {
      Part = Part.trim(" \t\r\n{}");
      if (!Part.empty() && !instruction(Part))
        return std::nullopt;
    }
    return std::move(Found);
  }

private:
  std::vector<AsyncInstruction> Found;
  llvm::StringRef Name; ///< of the predicate
  std::optional<unsigned> Asked;

  bool instruction(llvm::StringRef Text) {
    if (Text.consume_front(".reg"))
      return Text.trim().starts_with(".pred");
    AsyncInstruction I;
    if (Text.consume_front("@")) {
      auto [Predicate, Rest] = Text.split(' ');
      if (!Asked || Predicate.trim() != Name)
        return false;
      I.Predicate = Asked;
      Text = Rest.trim();
    }
    llvm::StringRef Opcode =
        Text.take_until([](char C) { return llvm::isSpace(C); });
    llvm::SmallVector<llvm::StringRef, 4> Operands;
    llvm::StringRef Rest = Text.drop_front(Opcode.size()).trim();
    if (!Rest.empty())
      Rest.split(Operands, ',');
    if (Opcode.starts_with("setp.ne."))
      return !I.Predicate && asks(Operands);
    if (Opcode.starts_with("cp.async.ca.shared") ||
        Opcode.starts_with("cp.async.cg.shared"))
      return copies(I, Opcode, Operands);
    if (I.Predicate)
      return false; // a wait for some threads only
    if (Opcode == "cp.async.commit_group")
      return adds(I, AsyncInstruction::Kind::Commit, Operands.empty());
    if (Opcode == "cp.async.wait_all")
      return adds(I, AsyncInstruction::Kind::WaitAll, Operands.empty());
    if (Opcode != "cp.async.wait_group" || Operands.size() != 1)
      return false;
    std::optional<AsmNumber> Groups = number(Operands[0]);
    if (Groups)
      I.Groups = *Groups;
    return adds(I, AsyncInstruction::Kind::WaitGroup, Groups.has_value());
  }

  bool adds(AsyncInstruction I, AsyncInstruction::Kind What, bool Fits) {
    I.What = What;
    if (Fits)
      Found.push_back(I);
    return Fits;
  }

  /// `setp.ne.b32 p, %0, 0`: the one predicate that is understood.
  bool asks(llvm::ArrayRef<llvm::StringRef> Operands) {
    if (Asked || Operands.size() != 3 || Operands[2].trim() != "0")
      return false;
    Name = Operands[0].trim();
    Asked = operand(Operands[1]);
    return Asked.has_value();
  }

  /// Hints (`.L2::128B`) change no value; a cache policy is one more operand.
  bool copies(AsyncInstruction I, llvm::StringRef Opcode,
              llvm::ArrayRef<llvm::StringRef> Operands) {
    if (Opcode.contains("cache_hint") || Opcode.contains("mbarrier") ||
        !Opcode.contains(".global") || Operands.size() < 3 ||
        Operands.size() > 4)
      return false;
    std::optional<unsigned> To = address(Operands[0]),
                            From = address(Operands[1]);
    std::optional<AsmNumber> Bytes = number(Operands[2]);
    if (!To || !From || !Bytes)
      return false;
    I.To = *To;
    I.From = *From;
    I.Bytes = *Bytes;
    if (Operands.size() == 4 && !(I.Kept = number(Operands[3])))
      return false;
    return adds(I, AsyncInstruction::Kind::Copy, true);
  }
};

} // namespace

std::optional<std::vector<AsyncInstruction>>
readAsyncAssembly(llvm::StringRef Text) {
  if (!Text.contains("cp.async"))
    return std::nullopt;
  return AssemblyReader().read(Text);
}

} // namespace kpipe
