// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of PTX opcodes, see InlineAssembly.h.

#include "InlineAssembly.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Regex.h"

namespace kpipe {

namespace {

/// Opcodes that compute from registers to registers, ask for addresses, or
/// give hints to a cache.
bool computes(llvm::StringRef Base) {
  return llvm::StringSwitch<bool>(Base)
      .Cases({"mma", "wmma", "cvta", "cvt", "mov", "add", "sub", "mul", "mad"},
             true)
      .Cases({"fma", "lop3", "and", "or", "xor", "not", "shl", "shr", "shf"},
             true)
      .Cases(
          {"prmt", "selp", "setp", "set", "min", "max", "abs", "neg", "cnot"},
          true)
      .Cases({"dp2a", "dp4a", "rcp", "sqrt", "rsqrt", "sin", "cos", "lg2"},
             true)
      .Cases({"ex2", "tanh", "bfe", "bfi", "bfind", "brev", "clz", "popc"},
             true)
      .Cases({"fns", "div", "rem", "mul24", "mad24", "sad", "szext", "bmsk"},
             true)
      .Cases({"copysign", "testp", "slct", "addc", "subc", "madc"}, true)
      .Cases({"isspacep", "vadd", "vsub", "vmin", "vmax", "vabsdiff"}, true)
      .Cases({"vshl", "vshr", "vmad", "vset", "vadd2", "vsub2", "vavrg2"}, true)
      .Cases({"vmin2", "vmax2", "vabsdiff2", "vset2", "vadd4", "vsub4"}, true)
      .Cases({"vavrg4", "vmin4", "vmax4", "vabsdiff4", "vset4"}, true)
      .Cases({"mapa", "getctarank", "createpolicy", "istypep"}, true)
      .Cases({"tex", "tld4", "txq", "suq"}, true) // textures are read-only
      .Cases({"prefetch", "prefetchu", "nanosleep", "pmevent"}, true)
      .Default(false);
}

class Instruction {
public:
  explicit Instruction(llvm::StringRef Text) {
    if (Text.starts_with("@")) {
      Predicated = true;
      Text = Text.drop_until([](char C) { return C == ' ' || C == '\t'; })
                 .ltrim();
    }
    Opcode = Text.take_until(
        [](char C) { return C == ' ' || C == '\t' || C == '\n'; });
    Operands = Text.drop_front(Opcode.size()).trim();
    Opcode.split(Parts, '.');
  }

  AsmEffect effect() const {
    AsmEffect E;
    E.Opcode = Opcode.str();
    llvm::StringRef Base = Parts.front();
    if (Base == "bar" || Base == "barrier")
      E.Kind = barrier();
    else if (Base == "membar" || Base == "fence")
      E.Kind = CallKind::Fence;
    else if (Opcode.starts_with("cp.async") || Base == "mbarrier" ||
             is("async"))
      E.Kind = CallKind::AsyncCopy;
    else if (Base == "griddepcontrol")
      E.Kind = CallKind::GridSync;
    else if (Base == "atom" || Base == "red")
      E.Kind = is("acquire") || is("release") || is("acq_rel") || is("sc")
                   ? CallKind::Fence
                   : CallKind::Atomic;
    else if (Base == "shfl" || Base == "vote" || Base == "match" ||
             Base == "redux" || Base == "activemask" || Base == "elect" ||
             Base == "movmatrix")
      E.Kind = CallKind::WarpSync;
    else if (Base == "trap" || Base == "brkpt")
      E.Kind = CallKind::Assertion;
    else if (Base == "ldmatrix")
      E.ReadsShared = true;
    else if (Base == "stmatrix")
      E.WritesShared = true;
    else if (Base == "wgmma") {
      E.Kind = CallKind::Ordinary; // in flight until its wait
      E.OnlyMatrix = true;
      // What is in flight may read until it is waited for.
      E.ReadsShared = Opcode.starts_with("wgmma.mma_async") ||
                      Opcode.starts_with("wgmma.wait_group");
    }
    else if (Base == "ld" || Base == "ldu" || Base == "suld" ||
             Opcode.starts_with("wmma.load"))
      load(E);
    else if (Base == "st" || Base == "sust" || Opcode.starts_with("wmma.store"))
      store(E);
    else if (!computes(Base))
      E.Kind = CallKind::Ordinary;
    return E;
  }

private:
  bool Predicated = false;
  llvm::StringRef Opcode, Operands;
  llvm::SmallVector<llvm::StringRef, 8> Parts;

  bool is(llvm::StringRef Modifier) const {
    return llvm::is_contained(Parts, Modifier) ||
           // `.shared::cta` is a shared address, `::cluster` another block's.
           llvm::is_contained(Parts, (Modifier + "::cta").str());
  }

  CallKind barrier() const {
    if (is("warp"))
      return CallKind::WarpSync;
    bool Sync = Opcode == "bar.sync" || Opcode == "bar.cta.sync" ||
                Opcode == "barrier.sync" || Opcode == "barrier.cta.sync" ||
                Opcode == "barrier.sync.aligned" ||
                Opcode == "barrier.cta.sync.aligned";
    // With a predicate, some threads may pass it by.
    return Sync && !Predicated && Operands == "0" ? CallKind::BlockBarrier
                                                  : CallKind::NamedBarrier;
  }

  /// Accesses that order others, or that may not be repeated or moved.
  bool orders() const {
    return is("acquire") || is("release") || is("relaxed") || is("volatile") ||
           is("mmio");
  }

  void load(AsmEffect &E) const {
    if (is("const") || is("param"))
      return;
    if (orders())
      E.Kind = CallKind::Ordinary;
    E.ReadsShared = !is("global") && Parts.front() != "suld";
    E.ReadsGlobal = !is("shared");
    E.OnlyReadOnly = is("nc") || Parts.front() == "ldu";
  }

  void store(AsmEffect &E) const {
    if (orders())
      E.Kind = CallKind::Ordinary;
    E.WritesShared = !is("global") && Parts.front() != "sust";
    E.WritesGlobal = !is("shared");
  }
};

/// Is an opcode among the words, wherever labels and predicates stand?
bool hasWord(llvm::StringRef Text, llvm::StringRef Word) {
  auto isPart = [](char C) {
    return llvm::isAlnum(C) || C == '_' || C == '.' || C == '%';
  };
  while (!Text.empty()) {
    Text = Text.drop_until(isPart);
    const llvm::StringRef One = Text.take_while(isPart);
    if (One == Word || One.starts_with((Word + ".").str()))
      return true;
    Text = Text.drop_front(One.size());
  }
  return false;
}

} // namespace

std::string withoutComments(llvm::StringRef Text) {
  std::string Out;
  while (!Text.empty()) {
    if (Text.consume_front("/*")) {
      size_t End = Text.find("*/");
      Text = End == llvm::StringRef::npos ? "" : Text.drop_front(End + 2);
      Out += ' ';
    } else if (Text.starts_with("//")) {
      Text = Text.drop_until([](char C) { return C == '\n'; });
    } else {
      Out += Text.front();
      Text = Text.drop_front();
    }
  }
  return Out;
}

bool declaresNames(llvm::StringRef Text) {
  const std::string Clean = withoutComments(Text);
  std::string Outer; // what no braces are around
  unsigned Depth = 0;
  for (char C : Clean) {
    if (C == '{')
      ++Depth;
    else if (C == '}')
      Depth -= Depth != 0;
    else if (!Depth)
      Outer += C;
  }
  llvm::SmallVector<llvm::StringRef, 8> Statements;
  llvm::StringRef(Outer).split(Statements, ';');
  // `.shared::cta` is no label.
  static const llvm::Regex Label("^[[:space:]]*[A-Za-z_$][A-Za-z0-9_$]*"
                                 "[[:space:]]*:([^:]|$)");
  return llvm::any_of(Statements, [](llvm::StringRef S) {
    return !S.contains("%=") &&
           (S.trim().starts_with(".reg") || Label.match(S));
  });
}

AsmEffect classifyAsm(llvm::StringRef Text) {
  std::string Clean = withoutComments(Text);
  llvm::SmallVector<llvm::StringRef, 8> Statements;
  llvm::StringRef(Clean).split(Statements, ';');
  AsmEffect All;
  All.EndsThread = hasWord(Clean, "exit") || hasWord(Clean, "ret");
  unsigned Kinds = 0;
  bool Others = false;
  for (llvm::StringRef S : Statements) {
    S = S.trim(" \t\r\n{}");
    if (S.empty() || S.starts_with(".reg") || S.starts_with(".pragma"))
      continue;
    AsmEffect E = Instruction(S).effect();
    All.ReadsShared |= E.ReadsShared;
    All.ReadsGlobal |= E.ReadsGlobal;
    if (E.ReadsGlobal)
      All.OnlyReadOnly &= E.OnlyReadOnly;
    All.WritesShared |= E.WritesShared;
    All.WritesGlobal |= E.WritesGlobal;
    All.OnlyMatrix |= E.OnlyMatrix;
    Others |= E.Kind != CallKind::Pure && !E.OnlyMatrix;
    All.Waits |= E.Kind == CallKind::BlockBarrier ||
                 E.Kind == CallKind::NamedBarrier;
    Kinds += E.Kind != CallKind::Pure;
    bool Decides = E.Kind != CallKind::Pure && All.Kind == CallKind::Pure;
    // What is not known outweighs what is.
    Decides |= E.Kind == CallKind::Ordinary && All.Kind != CallKind::Ordinary;
    // Nor is there a word for two things of different kinds in one statement.
    if (E.Kind != CallKind::Pure && All.Kind != CallKind::Pure &&
        E.Kind != All.Kind) {
      All.Kind = CallKind::Ordinary;
      Decides = false;
    }
    if (Decides) {
      All.Kind = E.Kind;
      All.Opcode = E.Opcode;
    }
    if (All.Opcode.empty())
      All.Opcode = E.Opcode;
  }
  All.OnlyMatrix &= !Others;
  // A barrier with accesses before or behind it is more than a barrier.
  bool Accesses = All.ReadsShared || All.ReadsGlobal || All.WritesShared ||
                  All.WritesGlobal;
  if (All.Kind == CallKind::BlockBarrier && (Accesses || Kinds > 1))
    All.Kind = CallKind::Ordinary;
  return All;
}

} // namespace kpipe
