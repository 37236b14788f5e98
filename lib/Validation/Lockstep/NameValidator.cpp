// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The name validator's front: which functions to ask for, which to compare, and
// what is said of a difference, see kpipe/Validation.h.
#include "Matcher.h"
#include "ProducerRegisters.h"
#include "Storage.h"
#include "Support/PlaceOf.h"
#include "kpipe/Plan.h"
#include "kpipe/Validation.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include <set>

using namespace clang;

namespace kpipe {

static Diagnostic changed(const DeclaredLoop &L, const SourceManager &SM,
                          SourceLocation Where, const Message &Why) {
  Diagnostic D;
  D.Level = Severity::Warning;
  D.Rule = RuleId::NameMeaning;
  D.Where = placeOf(L.Tile.Loop->getBeginLoc(), SM);
  D.What = {msg::not_pipelined, Message(msg::meaning_changed)};
  Place At = Where.isValid() ? placeOf(Where, SM) : D.Where;
  D.Notes.push_back({At, Why});
  return D;
}

std::string functionsToDescribe(llvm::ArrayRef<const DeclaredLoop *> Loops) {
  std::set<std::string> Names;
  for (const DeclaredLoop *L : Loops) {
    Names.insert(L->Tile.Function->getQualifiedNameAsString());
    for (const StagedBuffer &B : L->Tile.Buffers)
      for (const GivenArray &G : B.Given)
        Names.insert(G.Caller->getQualifiedNameAsString());
    for (const DeclaredLoop::Clone &C : L->Clones) {
      const FunctionDecl *F = C.Call->getDirectCallee();
      if (!F)
        continue;
      std::string Of = F->getQualifiedNameAsString();
      Of.resize(Of.size() - F->getNameAsString().size());
      for (const std::string &Name : {C.Ahead, C.Store})
        if (!Name.empty())
          Names.insert(Of + Name);
    }
  }
  std::string Text;
  for (const std::string &Name : Names)
    Text += Name + "\n";
  return Text;
}

struct DescribedFunctions::Trees {
  std::vector<std::unique_ptr<Tree>> Owned;
  llvm::StringMap<const Tree *> ByName;
};

DescribedFunctions::DescribedFunctions(llvm::StringRef Text)
    : All(std::make_unique<Trees>()) {
  while (std::unique_ptr<Tree> T = readTree(Text)) {
    All->ByName[T->Name] = T.get();
    All->Owned.push_back(std::move(T));
  }
}
DescribedFunctions::DescribedFunctions(DescribedFunctions &&) = default;
DescribedFunctions::~DescribedFunctions() = default;

/// The author's bounds of a function with what its loops say was written.
static std::string boundsWith(llvm::StringRef Author,
                              llvm::ArrayRef<const DeclaredLoop *> Loops,
                              const FunctionDecl *F) {
  llvm::SmallVector<llvm::StringRef, 4> Parts;
  (Author.empty() ? llvm::StringRef(",,,") : Author).split(Parts, ',');
  std::string Threads = Parts[0].str(), Blocks = Parts[1].str();
  bool Any = !Author.empty();
  for (const DeclaredLoop *L : Loops)
    if (L->Authors && L->Tile.Function == F) {
      Any = true;
      unsigned Most = L->Authors;
      if (!Threads.empty() && llvm::StringRef(Threads).getAsInteger(10, Most))
        return "?";
      Threads = std::to_string(Most + L->Extra);
      // Else ptxas does not know what a thread is launched with.
      if (L->Keeps && Blocks.empty())
        Blocks = "1";
    }
  for (const DeclaredLoop *L : Loops)
    if (L->Bounds && L->Tile.Function == F) {
      Any = true;
      Blocks = std::to_string(L->Bounds->Blocks);
      if (Threads.empty())
        Threads = std::to_string(L->Bounds->Threads);
    }
  return Any ? Threads + "," + Blocks + "," + Parts[2].str() + "," : "";
}

std::optional<ChangedMeaning>
findChangedMeaning(ASTContext &Context,
                   llvm::ArrayRef<const DeclaredLoop *> Loops,
                   llvm::ArrayRef<const DeclaredLoop *> All,
                   const DescribedFunctions &Result) {
  const SourceManager &SM = Context.getSourceManager();
  for (const DeclaredLoop *L : Loops)
    if (auto Other = otherName(*L, Context))
      return ChangedMeaning{L, changed(*L, SM, Other->Where, Other->Why)};

  // A loop's function, and those that give it arrays with stages.
  std::vector<const FunctionDecl *> Functions{Loops.front()->Tile.Function};
  for (const DeclaredLoop *L : Loops)
    for (const StagedBuffer &B : L->Tile.Buffers)
      for (const GivenArray &G : B.Given)
        if (!llvm::is_contained(Functions, G.Caller))
          Functions.push_back(G.Caller);
  for (const FunctionDecl *F : Functions) {
    std::unique_ptr<Tree> Author = treeOf(F, Context);
    const Tree *Ours = Result.All->ByName.lookup(Author->Name);
    if (!Ours)
      return ChangedMeaning{
          Loops.front(),
          changed(*Loops.front(), SM, F->getLocation(),
                  {msg::meaning_function, F->getNameAsString()})};
    // The loops that change something in it.
    llvm::SmallVector<const DeclaredLoop *, 4> Here;
    llvm::copy_if(All, std::back_inserter(Here), [&](const DeclaredLoop *L) {
      return L->Tile.Function == F ||
             llvm::any_of(L->Tile.Buffers, [&](const StagedBuffer &B) {
               return llvm::any_of(B.Given, [&](const GivenArray &G) {
                 return G.Caller == F;
               });
             });
    });
    if (Ours->Type != boundsWith(Author->Type, Here, F))
      return ChangedMeaning{Loops.front(),
                            changed(*Loops.front(), SM, F->getLocation(),
                                    {msg::meaning_bounds, F->getNameAsString()})};
    for (const DeclaredLoop *L : Here)
      if (L->Authors && L->Tile.Function == F &&
          !registersAreThere(*L, Ours->Type))
        return ChangedMeaning{L, changed(*L, SM, L->Tile.Loop->getBeginLoc(),
                                         {msg::meaning_registers})};
    Matcher M(Context, Result.All->ByName, Here);
    if (M.matchFunction(*Author, *Ours))
      continue;
    const DeclaredLoop *In =
        M.Difference.In ? M.Difference.In : Loops.front();
    SourceLocation Where;
    if (const Tree *T = M.Difference.Where) {
      if (T->Origin)
        Where = T->Origin->getBeginLoc();
      else if (T->Of)
        Where = T->Of->getLocation();
    }
    return ChangedMeaning{In, changed(*In, SM, Where, M.Difference.Why)};
  }
  return std::nullopt;
}

} // namespace kpipe
