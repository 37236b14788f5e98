// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parsing of inline asm, and what each opcode does to the machine. Opcodes that
// are not here end the block with a report, never silently.
#include "Ptx.h"
#include "Machine.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <unordered_map>

using namespace kpipe::exec;

bool PtxInstruction::has(const char *Word) const {
  return std::find(Words.begin(), Words.end(), Word) != Words.end();
}

static std::vector<std::string> split(const std::string &Text, char At) {
  std::vector<std::string> Parts;
  std::size_t From = 0;
  for (std::size_t I = 0; I <= Text.size(); ++I)
    if (I == Text.size() || Text[I] == At) {
      Parts.push_back(Text.substr(From, I - From));
      From = I + 1;
    }
  return Parts;
}

/// Takes the first word off a statement.
static std::string takeWord(std::string &Statement) {
  std::size_t Begin =
      std::min(Statement.find_first_not_of(' '), Statement.size());
  std::size_t End = std::min(Statement.find(' ', Begin), Statement.size());
  std::string Word = Statement.substr(Begin, End - Begin);
  Statement.erase(0, End);
  return Word;
}

static std::string withoutComments(std::string Text) {
  for (std::size_t At; (At = Text.find("//")) != std::string::npos;)
    Text.erase(At, Text.find('\n', At) - At);
  for (std::size_t At; (At = Text.find("/*")) != std::string::npos;) {
    std::size_t End = Text.find("*/", At + 2);
    Text.replace(At, End == std::string::npos ? End : End + 2 - At, " ");
  }
  return Text;
}

std::vector<PtxInstruction> kpipe::exec::parsePtx(const char *Text) {
  std::vector<PtxInstruction> Result;
  for (const std::string &Statement : split(withoutComments(Text), ';')) {
    // Braces and brackets only group; blanks separate, also behind a label.
    std::string Clean;
    for (std::size_t At = 0; At < Statement.size(); ++At) {
      char C = Statement[At];
      Clean += std::strchr("{}[]\n\t\r", C) ? ' ' : C;
      bool Twice = C == ':' && (Statement[At + 1] == ':' ||
                                (At && Statement[At - 1] == ':'));
      if (C == ':' && !Twice)
        Clean += ' ';
    }
    PtxInstruction I;
    I.Opcode = takeWord(Clean);
    while (!I.Opcode.empty() && I.Opcode.back() == ':') {
      Result.emplace_back();
      Result.back().Label = I.Opcode.substr(0, I.Opcode.size() - 1);
      I.Opcode = takeWord(Clean);
    }
    if (I.Opcode[0] == '@') {
      I.GuardNot = I.Opcode[1] == '!';
      I.Guard = I.Opcode.substr(I.GuardNot ? 2 : 1);
      I.Opcode = takeWord(Clean);
    }
    if (I.Opcode.empty() || I.is(".reg"))
      continue;
    I.Words = split(I.Opcode, '.');
    for (std::string Operand : split(Clean, ',')) {
      Operand.erase(std::remove(Operand.begin(), Operand.end(), ' '),
                    Operand.end());
      if (!Operand.empty())
        I.Operands.push_back(Operand);
    }
    Result.push_back(std::move(I));
  }
  return Result;
}

bool kpipe::exec::readShape(const std::string &Word, unsigned &M, unsigned &N,
                            unsigned &K) {
  const char *At = Word.c_str();
  auto Read = [&](char Letter, unsigned &Number) {
    if (*At != Letter || !std::isdigit(*++At))
      return false;
    for (Number = 0; std::isdigit(*At); ++At)
      Number = Number * 10 + unsigned(*At - '0');
    return true;
  };
  return Read('m', M) && Read('n', N) && Read('k', K) && !*At;
}

KxOperand *PtxOperands::find(const std::string &Operand) const {
  if (Operand[0] != '%' || !std::isdigit(Operand.c_str()[1]))
    return nullptr;
  unsigned Index = unsigned(std::strtoul(Operand.c_str() + 1, nullptr, 10));
  return Index < Count ? Ops + Index : nullptr;
}

std::uint64_t PtxOperands::get(const std::string &Operand) const {
  std::size_t Plus = Operand.find('+', 1);
  if (Plus != std::string::npos) // an address and its offset
    return get(Operand.substr(0, Plus)) + get(Operand.substr(Plus + 1));
  if (KxOperand *O = find(Operand))
    return O->Value;
  auto It = Registers.find(Operand);
  if (It != Registers.end())
    return It->second;
  bool Float = Operand.compare(0, 2, "0f") == 0; // its bits
  char *End = nullptr;
  std::uint64_t Number =
      std::strtoull(Operand.c_str() + (Float ? 2 : 0), &End, Float ? 16 : 0);
  if (*End || End == Operand.c_str())
    Unknown = Operand;
  return Number;
}

void PtxOperands::set(const std::string &Operand, std::uint64_t Value) {
  KxOperand *O = find(Operand);
  if (!O) {
    Registers[Operand] = Value;
    return;
  }
  O->Value = Value;
  std::memcpy(O->Address, &Value, O->Size);
}

void Machine::ptx(const char *Text, KxOperand *Operands, unsigned Count,
                  void *PC) {
  // Statements are string literals: parsed once each.
  static std::unordered_map<const char *, std::vector<PtxInstruction>> Known;
  auto It = Known.find(Text);
  if (It == Known.end())
    It = Known.emplace(Text, parsePtx(Text)).first;
  PtxOperands Values(Operands, Count);
  const std::vector<PtxInstruction> &All = It->second;
  for (std::size_t At = 0; At < All.size(); ++At) {
    const PtxInstruction &I = All[At];
    if (!I.Label.empty() ||
        (!I.Guard.empty() && (Values.get(I.Guard) != 0) == I.GuardNot))
      continue;
    if (!I.is("bra")) {
      execute(I, Values, PC);
      if (!Values.unknown().empty())
        fail(Hazard::Unsupported, PC,
             "inline asm reads '" + Values.unknown() +
                 "', which has no value,");
      continue;
    }
    auto Target =
        std::find_if(All.begin(), All.end(), [&](const PtxInstruction &Other) {
          return !Other.Label.empty() && !I.Operands.empty() &&
                 Other.Label == I.Operands[0];
        });
    if (Target == All.end())
      fail(Hazard::Unsupported, PC,
           "inline asm branches to no label of its own");
    At = std::size_t(Target - All.begin());
  }
}

void Machine::execute(const PtxInstruction &I, PtxOperands &V, void *PC) {
  auto Operand = [&](std::size_t N) -> const std::string & {
    if (N >= I.Operands.size())
      fail(Hazard::Unsupported, PC, "too few operands for '" + I.Opcode + "'");
    return I.Operands[N];
  };
  if (I.is("cp.async.ca.shared") || I.is("cp.async.cg.shared")) {
    unsigned Bytes = unsigned(V.get(Operand(2)));
    if (I.has("cg") && Bytes != 16)
      fail(Hazard::BadCopy, PC, "cp.async.cg copies 16 bytes only");
    // Behind the size: how much is read, or a predicate that says nothing is;
    // a cache policy comes last.
    std::size_t Count = I.Operands.size() - I.has("L2::cache_hint");
    unsigned Valid = Bytes;
    if (Count > 3)
      Valid = V.isPredicate(Operand(3)) ? (V.get(Operand(3)) ? 0 : Bytes)
                                        : unsigned(V.get(Operand(3)));
    return copyAsync(kx_generic_address(V.get(Operand(0))),
                     reinterpret_cast<const void *>(V.get(Operand(1))), Bytes,
                     Valid, PC);
  }
  if (I.Opcode == "cp.async.commit_group")
    return commit();
  if (I.Opcode == "cp.async.wait_group")
    return waitPrior(unsigned(V.get(Operand(0))));
  if (I.Opcode == "cp.async.wait_all")
    return waitAll();
  if ((I.is("bar.sync") || I.is("barrier.sync") || I.is("barrier.cta.sync")) &&
      I.Operands.size() == 1 && V.get(Operand(0)) == 0) {
    barrier(0, KxCount, PC);
    return;
  }
  if (I.is("cvta.to.shared"))
    return V.set(Operand(0), kx_shared_address(reinterpret_cast<const void *>(
                                 V.get(Operand(1)))));
  // As the text has it, which escapes what is no operand.
  if (I.is("mov.") && I.Operands.size() == 2 &&
      I.Operands[1].compare(0, 2, "%%") == 0 && readSpecial(I, V))
    return;
  if (I.is("cvta.to.global") || I.is("mov.b") || I.is("mov.u") ||
      I.is("mov.s") || I.is("mov.f") || I.Opcode == "cvt.u32.u64" ||
      I.Opcode == "cvt.u64.u32")
    return V.set(Operand(0), V.get(Operand(1)));
  if (I.is("ldmatrix.sync")) {
    WarpInstruction W{&I};
    W.Matrices = I.has("x4") ? 4 : I.has("x2") ? 2 : 1;
    W.Transposed = I.has("trans");
    void *Row = kx_generic_address(V.get(Operand(W.Matrices)));
    // Lanes beyond the matrices' rows name no address.
    if (Sched.Current->lane() < W.Matrices * 8) {
      requireAligned(Row, 16, PC);
      access(Row, 16, Access::Read, PC);
      W.Rows[0] = static_cast<unsigned char *>(Row);
    }
    warp(0xFFFFFFFFu, &W, &combineLdmatrix, false, PC);
    for (unsigned M = 0; M < W.Matrices; ++M)
      V.set(Operand(M), W.Out[M]);
    return;
  }
  if (I.is("mma.sync")) {
    unsigned A = 0, B = 0, C = 0;
    if (mmaRegisters(I, A, B, C) && I.Operands.size() == C + A + B + C) {
      WarpInstruction W{&I};
      for (unsigned R = 0; R < A + B + C; ++R)
        W.In[R] = V.get(Operand(C + R));
      warp(0xFFFFFFFFu, &W, &combineMma, false, PC);
      for (unsigned R = 0; R < C; ++R)
        V.set(Operand(R), W.Out[R]);
      return;
    }
  }
  if (executeMbarrier(I, V, PC) || executeBulk(I, V, PC) ||
      executeWgmma(I, V, PC) || executeOrder(I, V, PC) || computeScalar(I, V) ||
      computePredicate(I, V) || isHint(I, V))
    return;
  fail(Hazard::Unsupported, PC,
       "inline asm '" + I.Opcode + "' has no stand-in");
}

extern "C" void kx_ptx(const char *Text, KxOperand *Operands, unsigned Count) {
  if (TheMachine->running())
    TheMachine->ptx(Text, Operands, Count, __builtin_return_address(0));
}
