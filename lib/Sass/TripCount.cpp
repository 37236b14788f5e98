// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small interpreter of the integer instructions that loop counters are made
// of. It starts with what is constant where the loop is entered and runs the
// loop until it is left; what is not a constant stays unknown, and an unknown
// branch ends the attempt.
#include "TripCount.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <set>

namespace kpipe::sass {
namespace {

/// More than any tile has steps, and little work.
constexpr unsigned MostInstructions = 200000;

/// Values of registers and predicates by name; what is missing is unknown.
class State {
public:
  void run(const Instruction &I);
  /// Forgets all that I may write.
  void forget(const Instruction &I);
  /// Is a branch taken? Empty if unknown.
  std::optional<bool> taken(const Instruction &I) const;

private:
  std::map<std::string, int64_t, std::less<>> Known;

  std::optional<int64_t> value(llvm::StringRef Operand) const;
  std::optional<bool> predicate(llvm::StringRef Operand) const;
  std::optional<int64_t> result(const Instruction &I) const;
  std::optional<bool> comparison(const Instruction &I) const;
  std::optional<bool> table(const Instruction &I) const;
  void set(llvm::StringRef Name, std::optional<int64_t> Value) {
    if (!Value)
      Known.erase(Name.str());
    else if (Name != "PT" && Name != "UPT" && Name != "RZ" && Name != "URZ")
      Known[Name.str()] = *Value;
  }
};

bool isPredicateName(llvm::StringRef Name) {
  Name.consume_front("!");
  Name.consume_front("U");
  return Name.starts_with("P");
}

std::optional<int64_t> State::value(llvm::StringRef Operand) const {
  Operand.consume_back(".reuse");
  bool Negative = Operand.consume_front("-");
  int64_t Value;
  if (Operand == "RZ" || Operand == "URZ" || Operand == "SRZ")
    return 0;
  if (Operand.getAsInteger(0, Value)) {
    auto It = Known.find(Operand);
    if (It == Known.end())
      return std::nullopt;
    Value = It->second;
  }
  return int32_t(Negative ? -Value : Value);
}

std::optional<bool> State::predicate(llvm::StringRef Operand) const {
  bool Negated = Operand.consume_front("!");
  if (Operand == "PT" || Operand == "UPT")
    return !Negated;
  auto It = Known.find(Operand);
  if (It == Known.end())
    return std::nullopt;
  return bool(It->second) != Negated;
}

/// `HFMA2.MMA R5, -RZ, RZ, 0, 9.5367431640625e-07` is ptxas' way to say 16.
std::optional<int64_t> packedHalves(const Instruction &I) {
  if (I.Operands.size() != 5 || I.Operands[1] != "-RZ" ||
      I.Operands[2] != "RZ")
    return std::nullopt;
  uint32_t Bits = 0;
  for (const std::string &Half : {I.Operands[3], I.Operands[4]}) {
    llvm::APFloat Number(llvm::APFloat::IEEEhalf());
    auto Read = Number.convertFromString(Half,
                                         llvm::APFloat::rmNearestTiesToEven);
    if (!Read) {
      llvm::consumeError(Read.takeError());
      return std::nullopt;
    }
    Bits = Bits << 16 | Number.bitcastToAPInt().getZExtValue();
  }
  return int32_t(Bits);
}

std::optional<int64_t> State::result(const Instruction &I) const {
  llvm::StringRef Name = I.mnemonic();
  if (Name == "HFMA2")
    return packedHalves(I);
  if (I.Operands.size() < 2)
    return std::nullopt;
  if (Name == "MOV" || Name == "UMOV" || Name == "CS2R")
    return value(I.Operands[1]);
  if (Name == "IMAD" && I.hasModifier("MOV") && I.Operands.size() == 4)
    return value(I.Operands[3]);
  bool Adds = llvm::is_contained(
      {"IADD3", "UIADD3", "VIADD", "UVIADD", "IADD", "UIADD"}, Name);
  if (!Adds && !(Name == "IMAD" && I.hasModifier("IADD")))
    return std::nullopt;
  if (I.hasModifier("X") || I.hasModifier("64"))
    return std::nullopt;
  if (!Adds) { // a * 1 + b
    if (I.Operands.size() != 4 || I.Operands[2] != "0x1")
      return std::nullopt;
    std::optional<int64_t> A = value(I.Operands[1]), B = value(I.Operands[3]);
    return A && B ? std::optional<int64_t>(int32_t(*A + *B)) : std::nullopt;
  }
  int64_t Sum = 0;
  for (llvm::StringRef Operand : llvm::drop_begin(I.Operands)) {
    if (isPredicateName(Operand)) // carries, which only `.X` reads
      continue;
    std::optional<int64_t> Term = value(Operand);
    if (!Term)
      return std::nullopt;
    Sum += *Term;
  }
  return int32_t(Sum);
}

/// `ISETP.NE.AND P0, PT, R80, 0x8, PT`.
std::optional<bool> State::comparison(const Instruction &I) const {
  if (I.Operands.size() != 5 || I.hasModifier("EX") || I.hasModifier("XOR"))
    return std::nullopt;
  std::optional<int64_t> A = value(I.Operands[2]), B = value(I.Operands[3]);
  std::optional<bool> Other = predicate(I.Operands[4]);
  if (!A || !B || !Other)
    return std::nullopt;
  if (I.hasModifier("U32")) {
    A = uint32_t(*A);
    B = uint32_t(*B);
  }
  bool Holds;
  if (I.hasModifier("NE"))
    Holds = *A != *B;
  else if (I.hasModifier("EQ"))
    Holds = *A == *B;
  else if (I.hasModifier("LT"))
    Holds = *A < *B;
  else if (I.hasModifier("LE"))
    Holds = *A <= *B;
  else if (I.hasModifier("GT"))
    Holds = *A > *B;
  else if (I.hasModifier("GE"))
    Holds = *A >= *B;
  else
    return std::nullopt;
  return I.hasModifier("OR") ? Holds || *Other : Holds && *Other;
}

/// `PLOP3.LUT P0, PT, PT, PT, UP0, 0x80, 0x0`: a truth table of three inputs.
std::optional<bool> State::table(const Instruction &I) const {
  uint64_t Table;
  if (I.Operands.size() < 6 ||
      llvm::StringRef(I.Operands[5]).getAsInteger(0, Table))
    return std::nullopt;
  unsigned Row = 0;
  for (unsigned Op = 2; Op != 5; ++Op) {
    std::optional<bool> Input = predicate(I.Operands[Op]);
    if (!Input)
      return std::nullopt;
    Row = Row << 1 | *Input;
  }
  return Table >> Row & 1;
}

void State::forget(const Instruction &I) {
  if (std::optional<RegisterRange> Written = writtenRegisters(I))
    for (unsigned R = 0; R != Written->Count; ++R)
      Known.erase("R" + std::to_string(Written->First + R));
  // Uniform registers and predicates stand first where they are written; a
  // second predicate may follow one.
  for (llvm::StringRef Operand : llvm::ArrayRef(I.Operands).take_front(2)) {
    unsigned First;
    llvm::StringRef Number = Operand;
    if (Number.consume_front("UR") && !Number.consumeInteger(10, First))
      for (unsigned R = 0; R != 4; ++R)
        Known.erase("UR" + std::to_string(First + R));
    if (!isPredicateName(Operand))
      break;
    Known.erase(Operand.str());
  }
  if (I.mnemonic() == "R2P" || I.mnemonic() == "CALL")
    Known.clear();
}

void State::run(const Instruction &I) {
  if (I.isDead() || I.Operands.empty())
    return;
  bool Surely = true;
  if (!I.Predicate.empty()) {
    std::optional<bool> Runs = predicate(I.Predicate);
    if (Runs == false)
      return;
    Surely = Runs.has_value();
  }
  std::optional<int64_t> Value;
  llvm::StringRef Name = I.mnemonic();
  if (Surely && (Name == "ISETP" || Name == "UISETP"))
    Value = comparison(I);
  else if (Surely && (Name == "PLOP3" || Name == "UPLOP3"))
    Value = table(I);
  else if (Surely)
    Value = result(I);
  llvm::StringRef Into = I.Operands.front();
  forget(I);
  if (!Value)
    return;
  set(Into, Value);
  // Zero is the only constant that fills two registers.
  unsigned First;
  if (Name == "CS2R" && !I.hasModifier("32") && Into.consume_front("R") &&
      !Into.getAsInteger(10, First))
    set("R" + std::to_string(First + 1), 0);
}

std::optional<bool> State::taken(const Instruction &I) const {
  std::optional<bool> Runs = true;
  if (!I.Predicate.empty())
    Runs = predicate(I.Predicate);
  for (llvm::StringRef Condition : llvm::drop_end(I.Operands))
    if (std::optional<bool> Also = predicate(Condition); Runs && Also)
      Runs = *Runs && *Also;
    else
      return std::nullopt;
  return Runs;
}

class Counter {
public:
  Counter(const Function &F, const Loop &L)
      : F(F), L(L), Before(F.Blocks.size()) {
    for (unsigned B = 0; B != F.Blocks.size(); ++B)
      if (F.Blocks[B].Dominator) // else no path leads to it
        for (unsigned Next : F.Blocks[B].Successors)
          Before[Next].push_back(B);
  }

  std::optional<uint64_t> run() {
    State S = atEntry();
    uint64_t Trips = 0;
    unsigned Executed = 0;
    for (unsigned At = L.Header;;) {
      Trips += At == L.Header;
      const Block &Here = F.Blocks[At];
      for (unsigned I = Here.Begin; I != Here.End; ++I, ++Executed)
        S.run(F.Instructions[I]);
      if (Executed > MostInstructions || Here.Successors.empty())
        return std::nullopt;
      std::optional<unsigned> Next = successor(Here, S);
      if (!Next)
        return std::nullopt;
      if (!L.contains(*Next))
        return Trips;
      At = *Next;
    }
  }

private:
  const Function &F;
  const Loop &L;
  std::vector<llvm::SmallVector<unsigned, 2>> Before; ///< each block's

  std::optional<unsigned> successor(const Block &Here, const State &S) const {
    if (Here.Successors.size() == 1)
      return Here.Successors.front();
    const Instruction &Last = F.Instructions[Here.End - 1];
    std::optional<bool> Taken = S.taken(Last);
    if (!Taken || Last.mnemonic() != "BRA")
      return std::nullopt;
    return Here.Successors[*Taken ? 0 : 1]; // the target comes first
  }

  /// Blocks from which To is reached without going through From.
  std::set<unsigned> between(unsigned From, unsigned To, bool Entering) const {
    std::set<unsigned> Found;
    std::vector<unsigned> Work{To};
    while (!Work.empty()) {
      unsigned At = Work.back();
      Work.pop_back();
      for (unsigned B : Before[At])
        // The loop's own back edges are not an entry.
        if (B != From && !(Entering && At == To && L.contains(B)) &&
            Found.insert(B).second)
          Work.push_back(B);
    }
    return Found;
  }

  /// What is constant when the loop is entered: runs the blocks that are surely
  /// passed, and forgets what those on the way between them may write.
  State atEntry() const {
    std::vector<unsigned> Path{L.Header};
    while (F.Blocks[Path.back()].Dominator &&
           *F.Blocks[Path.back()].Dominator != Path.back())
      Path.push_back(*F.Blocks[Path.back()].Dominator);
    State S;
    for (size_t I = Path.size() - 1; I != 0; --I) {
      const Block &Here = F.Blocks[Path[I]];
      for (unsigned At = Here.Begin; At != Here.End; ++At)
        S.run(F.Instructions[At]);
      for (unsigned B : between(Path[I], Path[I - 1], I == 1))
        for (unsigned At = F.Blocks[B].Begin; At != F.Blocks[B].End; ++At)
          S.forget(F.Instructions[At]);
    }
    return S;
  }
};

} // namespace

std::optional<uint64_t> countTrips(const Function &F, unsigned L) {
  return Counter(F, F.Loops[L]).run();
}

} // namespace kpipe::sass
