// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A listing line by line: functions, labels, instructions. What the words of an
// instruction mean is not known here.
#include "ControlFlow.h"
#include "kpipe/Sass.h"
#include "llvm/ADT/StringExtras.h"

namespace kpipe::sass {
namespace {

/// Cuts a list at commas that stand in no bracket.
std::vector<std::string> splitOperands(llvm::StringRef Text) {
  std::vector<std::string> Operands;
  unsigned Depth = 0;
  size_t Begin = 0;
  auto Take = [&](size_t End) {
    llvm::StringRef Operand = Text.slice(Begin, End).trim();
    if (!Operand.empty())
      Operands.push_back(Operand.str());
    Begin = End + 1;
  };
  for (size_t I = 0; I != Text.size(); ++I) {
    if (llvm::StringRef("[({").contains(Text[I]))
      ++Depth;
    else if (llvm::StringRef("])}").contains(Text[I]) && Depth)
      --Depth;
    else if (Text[I] == ',' && !Depth)
      Take(I);
  }
  Take(Text.size());
  return Operands;
}

/// Takes `/*0ab0*/` off the front of a line; an encoding is no address.
std::optional<uint64_t> takeAddress(llvm::StringRef &Line) {
  llvm::StringRef Rest = Line;
  uint64_t Address;
  if (!Rest.consume_front("/*") || Rest.starts_with("0x") ||
      Rest.consumeInteger(16, Address) || !Rest.consume_front("*/"))
    return std::nullopt;
  Line = Rest.ltrim();
  return Address;
}

class Parser {
public:
  explicit Parser(llvm::StringRef Text) : Text(Text) {}

  llvm::Expected<Listing> run() {
    for (llvm::StringRef Line : llvm::split(Text, '\n'))
      if (llvm::Error Bad = line(Line.trim()))
        return std::move(Bad);
    if (llvm::Error Bad = finish())
      return std::move(Bad);
    if (Result.Functions.empty())
      return llvm::createStringError(
          "the listing holds no instruction of a GPU");
    return std::move(Result);
  }

private:
  llvm::StringRef Text;
  Listing Result;
  Function Current;
  LabelMap Labels;

  llvm::Error line(llvm::StringRef Line) {
    if (Line.consume_front(".target")) {
      Result.Target = Line.trim().str();
      return llvm::Error::success();
    }
    if (Line.consume_front("code for "))
      Result.Target = Line.trim().str();
    else if (Line.consume_front("Function :"))
      return begin(Line.trim());
    else if (Line.consume_front(".section") &&
             Line.ltrim().consume_front(".text."))
      return begin(Line.ltrim().drop_front(6).split(',').first);
    else if (std::optional<uint64_t> Address = takeAddress(Line))
      instruction(*Address, Line);
    else if (Line.ends_with(":") && !Line.contains(' '))
      Labels[Line.drop_back().str()] = Current.Instructions.size();
    return llvm::Error::success();
  }

  llvm::Error begin(llvm::StringRef Name) {
    llvm::Error Bad = finish();
    Current = Function();
    Current.Name = Name.str();
    Labels.clear();
    return Bad;
  }

  llvm::Error finish() {
    if (Current.Instructions.empty())
      return llvm::Error::success();
    if (llvm::Error Bad = buildControlFlow(Current, Labels))
      return Bad;
    Result.Functions.push_back(std::move(Current));
    return llvm::Error::success();
  }

  void instruction(uint64_t Address, llvm::StringRef Line) {
    Line = Line.take_front(Line.find(';'));
    // cuobjdump puts the encoding behind; nvdisasm -hex does too.
    Line = Line.take_front(Line.find("/*")).trim();
    if (Line.empty())
      return;
    Instruction I;
    I.Address = Address;
    I.Text = Line.str();
    if (Line.consume_front("@")) {
      I.Predicate = Line.take_until(llvm::isSpace).str();
      Line = Line.drop_front(I.Predicate.size()).ltrim();
    }
    I.Opcode = Line.take_until(llvm::isSpace).str();
    I.Operands = splitOperands(Line.drop_front(I.Opcode.size()));
    Current.Instructions.push_back(std::move(I));
  }
};

} // namespace

llvm::StringRef Instruction::mnemonic() const {
  return llvm::StringRef(Opcode).split('.').first;
}

bool Instruction::hasModifier(llvm::StringRef Name) const {
  for (llvm::StringRef Modifier :
       llvm::split(llvm::StringRef(Opcode).split('.').second, '.'))
    if (Modifier == Name)
      return true;
  return false;
}

unsigned Instruction::accessBytes() const {
  if (hasModifier("256"))
    return 32;
  if (hasModifier("128"))
    return 16;
  if (hasModifier("64"))
    return 8;
  if (hasModifier("U16") || hasModifier("S16"))
    return 2;
  if (hasModifier("U8") || hasModifier("S8"))
    return 1;
  return 4;
}

llvm::Expected<Listing> parseListing(llvm::StringRef Text) {
  return Parser(Text).run();
}

} // namespace kpipe::sass
