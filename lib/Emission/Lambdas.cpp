// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names, parameters and bodies of lambdas, see Lambdas.h.
#include "Lambdas.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace kpipe {

llvm::Error Lambdas::make(const Lines &Where, Names &Fresh,
                          RuntimeCalls &Calls) {
  const bool InRegisters = Plan.hasRoute(Route::Registers);
  const std::string Indent = Where.indent(2);
  auto Name = [&](TileWork W) -> std::string & { return Parts[int(W)].Name; };
  Name(TileWork::Ahead) = Fresh.fresh(InRegisters ? "fetch_tile" : "load_tile");
  if (InRegisters)
    Name(TileWork::Store) = Fresh.fresh("store_tile");
  Name(TileWork::Compute) = Fresh.fresh("compute_tile");
  if (llvm::Error E =
          take(TileWork::Ahead, Text.load(Half::Ahead, Indent), Indent, Calls))
    return E;
  if (InRegisters)
    if (llvm::Error E = take(TileWork::Store, Text.load(Half::Store, Indent),
                             Indent, Calls))
      return E;
  return take(TileWork::Compute, Text.compute(Indent), Indent, Calls);
}

/// The body of a lambda, which begins with the stages that it mentions.
llvm::Error Lambdas::take(TileWork W, llvm::Expected<std::string> Statements,
                          llvm::StringRef Indent, RuntimeCalls &Calls) {
  if (!Statements)
    return Statements.takeError();
  Part &P = Parts[int(W)];
  auto Identifiers = identifiersOf(*Statements, Source.context().getLangOpts());
  for (const StagedName &N : Stages.Staged) {
    if (N.mentionedBy(Identifiers))
      P.Body += Indent.str() +
                N.declaration(Stages.Stage, Stages.Bytes, Calls) + "\n";
    if (N.mentionedBy(Identifiers) || Identifiers.contains(N.Stages))
      P.TakesStage = true;
  }
  P.Body += *Statements;
  return llvm::Error::success();
}

bool Lambdas::isGiven(TileWork W, unsigned Variable) const {
  const HeaderVar &V = Loop.HeaderVars[Variable];
  switch (W) {
  case TileWork::Ahead:
    return V.ReadByLoad && Text.reads(Half::Ahead, V.Var);
  case TileWork::Store:
    return V.ReadByLoad && Text.reads(Half::Store, V.Var);
  case TileWork::Compute:
    return V.ReadByCompute;
  }
  return false;
}

bool Lambdas::takesSlot(TileWork W) const {
  return Plan.TilesInRegisters > 1 && W != TileWork::Compute;
}

std::string Lambdas::parameters(TileWork W) const {
  llvm::SmallVector<std::string, 4> All;
  for (unsigned I = 0; I != Header.Vars.size(); ++I)
    if (isGiven(W, I))
      All.push_back(Header.Vars[I].Type + " " + Header.Vars[I].Name);
  if (Parts[int(W)].TakesStage)
    All.push_back("int " + Stages.Stage);
  if (takesSlot(W))
    All.push_back("int " + Stages.Slot);
  return llvm::join(All, ", ");
}

TileCall Lambdas::caller(TileWork W) const {
  return [this, W](llvm::ArrayRef<std::string> Values,
                   llvm::function_ref<std::string()> At) {
    llvm::SmallVector<std::string, 4> All;
    for (unsigned I = 0; I != Header.Vars.size(); ++I)
      if (isGiven(W, I))
        All.push_back(Values[I]);
    if (Parts[int(W)].TakesStage)
      All.push_back(At());
    if (takesSlot(W))
      All.push_back(Stages.Slot);
    return name(W) + "(" + llvm::join(All, ", ") + ");";
  };
}

llvm::StringSet<> Lambdas::identifiers() const {
  std::string All;
  for (const Part &P : Parts)
    All += P.Body;
  return identifiersOf(All, Source.context().getLangOpts());
}

void Lambdas::define(TileWork W, const std::string &Captures, bool Mutable,
                     Lines &Out) const {
  Out.add(1, "auto " + name(W) + " = [" + Captures + "](" + parameters(W) +
                 ")" + (Mutable ? " mutable {" : " {"));
  Out.addText(Parts[int(W)].Body);
  Out.add(1, "};");
}

/// "k, A and B"
static std::string listOf(llvm::ArrayRef<const VarDecl *> Variables) {
  std::string List;
  for (const VarDecl *V : Variables) {
    if (!List.empty())
      List += V == Variables.back() ? " and " : ", ";
    List += V->getName();
  }
  return List;
}

void Lambdas::define(Lines &Out) const {
  std::string Captures = "&";
  for (const VarDecl *V : Loop.PrivateToLoad)
    Captures += ", " + V->getNameAsString();
  const bool Keeps = !Loop.PrivateToLoad.empty();
  if (Keeps)
    Out.add(1,
            "// " + Message(Loop.PrivateToLoad.size() == 1
                                ? msg::comment_own_copy
                                : msg::comment_own_copies,
                            name(TileWork::Ahead), listOf(Loop.PrivateToLoad))
                        .str());
  define(TileWork::Ahead, Captures, Keeps, Out);
  if (has(TileWork::Store))
    define(TileWork::Store, "&", false, Out);
  define(TileWork::Compute, "&", false, Out);
}

} // namespace kpipe
