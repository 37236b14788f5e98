// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches as text that can be edited, see LaunchEdits.h. A kernel is also
// reached by whoever holds its address, by other files that declare it, and by
// launches in templates that nobody instantiates: so every mention of its name
// in the unit must be the callee of a launch that was seen.

#include "LaunchEdits.h"
#include "Code/MacroPlaces.h"
#include "ConfiguredApart.h"
#include "MacroLaunches.h"
#include "SeenLaunches.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

using Places = LaunchPlaces;

namespace {

const DeclRefExpr *calleeOf(const CUDAKernelCallExpr *C) {
  return dyn_cast<DeclRefExpr>(C->getCallee()->IgnoreParenImpCasts());
}

/// `k<64><<<…>>>` can be named again; `k<<<…>>>` of a template whose arguments
/// are deduced cannot.
bool namesItsInstance(const DeclRefExpr *Callee) {
  const auto *F = cast<FunctionDecl>(Callee->getDecl());
  const FunctionTemplateDecl *T = F->getPrimaryTemplate();
  if (!T)
    return true;
  const TemplateParameterList *Params = T->getTemplateParameters();
  if (Params->hasParameterPack() || Params->hasAssociatedConstraints() ||
      !Callee->hasExplicitTemplateArgs())
    return false;
  for (unsigned I = Callee->getNumTemplateArgs(); I < Params->size(); ++I) {
    const NamedDecl *P = Params->getParam(I);
    const auto *Value = dyn_cast<NonTypeTemplateParmDecl>(P);
    const auto *Type = dyn_cast<TemplateTypeParmDecl>(P);
    if (!(Value && Value->hasDefaultArgument()) &&
        !(Type && Type->hasDefaultArgument()))
      return false;
  }
  return true;
}

/// `<<<grid, block>>>` or `<<<grid, block, 0, …>>>`, spelled in the file.
bool hasRoom(const CUDAKernelCallExpr *C, const ASTContext &Context) {
  const CallExpr *Config = C->getConfig();
  if (!Config || Config->getNumArgs() < 3)
    return false;
  const Expr *Bytes = Config->getArg(2);
  if (isa<CXXDefaultArgExpr>(Bytes))
    return true;
  const auto *Zero = dyn_cast<IntegerLiteral>(Bytes->IgnoreParenImpCasts());
  return Zero && Zero->getValue() == 0 && !Bytes->getBeginLoc().isMacroID();
}

/// Two counts that are equal wherever both are evaluated: the same constant, or
/// the same expression of variables that never change.
bool sameCount(const Expr *A, const Expr *B, const ASTContext &Context) {
  Values Known(Context);
  if (auto X = Known.evaluate(A), Y = Known.evaluate(B); X || Y)
    return X == Y;
  struct Finder : ConstDynamicRecursiveASTVisitor {
    Values &Known;
    bool Steady = true;
    explicit Finder(Values &K) : Known(K) {}
    bool VisitDeclRefExpr(const DeclRefExpr *D) override {
      const auto *V = dyn_cast<VarDecl>(D->getDecl());
      return Steady = V && V->getType()->isIntegralOrEnumerationType() &&
                      Known.unchanged(V);
    }
    bool VisitCallExpr(const CallExpr *) override { return Steady = false; }
  } F(Known);
  A = A->IgnoreParenImpCasts(), B = B->IgnoreParenImpCasts();
  F.TraverseStmt(A);
  llvm::FoldingSetNodeID X, Y;
  A->Profile(X, Context, true);
  B->Profile(Y, Context, true);
  return F.Steady && X == Y;
}

} // namespace

LaunchEdits relaunch(const FunctionDecl *Kernel, const LaunchIndex &Index,
                     const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  LaunchEdits R;
  auto no = [&](const Message &Why) {
    R.Not = Why;
    R.Launches.clear();
    return R;
  };
  const FunctionDecl *Written = writtenKernel(Kernel);
  if (!Kernel->hasAttr<CUDAGlobalAttr>())
    return no(msg::declared_in_device_function);
  if (Message Why = launchedFromAfar(Kernel))
    return no(Why);
  if (Message Why = namedUnread(Written, Index, SM))
    return no(Why);

  Places Known, Texts;
  FileID File = SM.getFileID(SM.getExpansionLoc(Written->getLocation()));
  for (const auto &[Launched, All] : Index.Of) {
    if (writtenKernel(Launched) != Written)
      continue;
    for (const Launch &L : All) {
      auto at = [&](msg::Id Why) {
        return Message(Why, SM.getExpansionLineNumber(L.Where));
      };
      const DeclRefExpr *Callee = L.Call ? calleeOf(L.Call) : nullptr;
      if (!Callee || isa<VarDecl>(Callee->getDecl()))
        return no(at(msg::launch_is_no_triple_chevron));
      if (isMadeByMacro(L, SM) || launchesAnother(L, Written, Index, SM))
        return no(at(msg::launch_is_in_macro));
      if (SM.getFileID(SM.getFileLoc(L.Where)) != File)
        return no(at(msg::launch_is_in_other_file));
      if (!namesItsInstance(Callee))
        return no(at(msg::launch_deduces_arguments));
      if (!hasRoom(L.Call, Context))
        return no(at(msg::launch_gives_dynamic_shared));
      if (Known.insert(Callee->getLocation()).second &&
          Texts.insert(SM.getFileLoc(Callee->getLocation())).second)
        R.Launches.push_back(L.Call);
    }
  }
  if (R.Launches.empty())
    return no(msg::no_launch_in_file);
  if (Message Why = namedOtherwise(Written, Known, Index, SM))
    return no(Why);
  llvm::sort(R.Launches, [&](const auto *A, const auto *B) {
    return SM.isBeforeInTranslationUnit(A->getBeginLoc(), B->getBeginLoc());
  });
  return R;
}

/// What the host allows the kernel is raised with what it asks for. Where the
/// two are not seen to be the same the launch alone is changed: it opts in.
static void raiseSettings(llvm::ArrayRef<KernelSetting> Settings,
                          llvm::ArrayRef<const Launch *> Launches,
                          const ASTContext &Context, Places &Known,
                          DynamicSharedGrowth &R) {
  llvm::SmallVector<LaunchBytes, 2> Raised;
  auto isLaunched = [&](const KernelSetting &S) {
    return S.MostBytes && llvm::any_of(Launches, [&](const Launch *L) {
             return sameCount(L->Bytes, S.MostBytes, Context);
           });
  };
  for (const KernelSetting &S : Settings) {
    R.AlwaysOptsIn |= S.MostBytes != nullptr;
    SourceLocation At = S.Kernel->getLocation();
    // Instantiations of a host template share one.
    if (Known.insert(At).second &&
        llvm::all_of(Settings,
                     [&](const KernelSetting &X) {
                       return X.Kernel->getLocation() != At || isLaunched(X);
                     }) &&
        !isOfMacro(At, Context.getSourceManager()))
      Raised.push_back({S.MostBytes, nullptr});
  }
  R.Counts.append(Raised);
}

/// Who asks how many blocks fit asks for those that are launched. Where the two
/// are not seen to be the same the kernel is named otherwise.
static void raiseQueries(llvm::ArrayRef<KernelSetting> Queries,
                         llvm::ArrayRef<const Launch *> Launches,
                         const ASTContext &Context, Places &Known,
                         DynamicSharedGrowth &R) {
  auto isLaunched = [&](const KernelSetting &Q) {
    return llvm::any_of(Launches, [&](const Launch *L) {
      return sameCount(L->Bytes, Q.MostBytes, Context);
    });
  };
  for (const KernelSetting &Q : Queries) {
    const SourceLocation At = Q.Kernel->getLocation();
    if (At.isMacroID() || !llvm::all_of(Queries, [&](const KernelSetting &X) {
          return X.Kernel->getLocation() != At || isLaunched(X);
        }))
      continue;
    if (!namesItsInstance(Q.Kernel) && R.NotOptingIn.empty())
      R.NotOptingIn = {msg::launch_deduces_arguments,
                       Context.getSourceManager().getExpansionLineNumber(At)};
    if (Known.insert(At).second)
      R.Counts.push_back({Q.MostBytes, Q.Kernel});
  }
}

/// Is a variable named where it is launched, or set, and nowhere else?
static bool onlyLaunches(const DeclRefExpr *Holder, const FunctionDecl *Written,
                         const LaunchIndex &Index) {
  Places Known;
  for (const auto &[Launched, All] : Index.Of)
    for (const Launch &L : All)
      if (L.Holder && (L.Call || L.Configured)) {
        Known.insert(L.Holder->getLocation());
        // Of another instance of a template around it.
        if (L.Holder->getLocation() == Holder->getLocation() &&
            writtenKernel(Launched) != Written)
          return false;
      }
  for (const auto &[Set, All] : Index.Settings)
    for (const KernelSetting &S : All)
      Known.insert(S.Kernel->getLocation());
  auto It = Index.Holders.find(cast<VarDecl>(Holder->getDecl()));
  return It != Index.Holders.end() &&
         llvm::all_of(It->second,
                      [&](SourceLocation At) { return Known.contains(At); });
}

/// Why nobody could have a launch ask for more; empty if nothing speaks
/// against it.
static Message whyItStays(const Launch &L, const FunctionDecl *Written,
                          const LaunchIndex &Index, const SourceManager &SM) {
  auto at = [&](msg::Id Why) {
    return Message(Why, SM.getExpansionLineNumber(L.Where));
  };
  if (!L.Kernel && (!L.Holder || !onlyLaunches(L.Holder, Written, Index)))
    return at(msg::launch_names_no_kernel);
  if (L.Cooperative)
    return at(msg::launch_is_cooperative);
  return {};
}

/// The least and the most that launches ask for.
/// \returns whether it is a constant, if it is the kernel that is launched.
static bool noteBytes(const Launch &L, const FunctionDecl *Kernel,
                      const ASTContext &Context, bool AllConstant,
                      DynamicSharedGrowth &R) {
  std::optional<uint64_t> Most = L.DynamicShared;
  for (const BlockBytes &B : L.ByBlock)
    if (!L.DynamicShared)
      Most = std::max(Most.value_or(0), B.Bytes);
  if (!Most)
    R.MostBytes.reset();
  else if (R.MostBytes)
    R.MostBytes = std::max(*R.MostBytes, *Most);
  // Others launch other instantiations.
  const auto *Launched =
      dyn_cast<FunctionDecl>((L.Kernel ? L.Kernel : L.Held)->getDecl());
  if (Launched && Launched->getCanonicalDecl() != Kernel->getCanonicalDecl())
    return true;
  Expr::EvalResult Asked;
  if (L.Indirect || L.Bytes->isValueDependent() ||
      !L.Bytes->EvaluateAsInt(Asked, Context) ||
      !Asked.Val.getInt().isNonNegative())
    return false;
  if (AllConstant)
    R.LeastBytes = std::min(R.LeastBytes.value_or(UINT64_MAX),
                            Asked.Val.getInt().getZExtValue());
  return true;
}

static DynamicSharedGrowth regrowKernel(const FunctionDecl *Kernel,
                                        const LaunchIndex &Index,
                                        const ASTContext &Context,
                                        bool Elsewhere) {
  const SourceManager &SM = Context.getSourceManager();
  DynamicSharedGrowth R;
  R.Elsewhere = Elsewhere;
  auto no = [&](const Message &Why) {
    R.Not = Why;
    R.Counts.clear();
    return R;
  };
  const FunctionDecl *Written = writtenKernel(Kernel);
  const Message Afar = launchedFromAfar(Kernel);
  // Of launches that are not seen, or far away: the user can promise these.
  auto afar = [&](const Message &Why) {
    R.Cure = msg::launches_are_elsewhere;
    return no(Why);
  };

  Places Known, Texts;
  FileID File = SM.getFileID(SM.getExpansionLoc(Written->getLocation()));
  R.MostBytes = 0;
  bool AllConstant = !Elsewhere;
  const auto Launches = launchesOf(Written, Index, SM);
  for (const Launch *L : Launches) {
    auto at = [&](msg::Id Why) {
      return Message(Why, SM.getExpansionLineNumber(L->Where));
    };
    if (Message Why = whyItStays(*L, Written, Index, SM))
      return no(Why);
    const BytesPlace Place = placeOfBytes(*L, Written, Index, File, Context);
    if (Place == BytesPlace::Hidden || launchesAnother(*L, Written, Index, SM))
      return no(at(msg::launch_is_in_macro));
    if (SM.getFileID(SM.getFileLoc(L->Where)) != File) {
      if (!Elsewhere)
        return afar(at(msg::launch_is_in_other_file));
      // To be changed by hand, like those that are not seen.
      R.MostBytes.reset();
      Known.insert((L->Kernel ? L->Kernel : L->Held)->getLocation());
      continue;
    }
    if (isa<CXXDefaultArgExpr>(L->Bytes) || L->DynamicShared == 0u)
      return no(at(msg::launch_gives_no_dynamic_shared));
    AllConstant &= noteBytes(*L, Kernel, Context, AllConstant, R);
    const DeclRefExpr *Name = L->Kernel ? L->Kernel : L->Holder;
    if (L->Kernel && !namesItsInstance(L->Kernel) && R.NotOptingIn.empty())
      R.NotOptingIn = at(msg::launch_deduces_arguments);
    if (L->Held)
      Known.insert(L->Held->getLocation());
    if (Known.insert(Name->getLocation()).second &&
        Texts.insert(SM.getFileLoc(Name->getLocation())).second)
      R.Counts.push_back({L->Bytes, Name, Place == BytesPlace::MacroText});
  }
  if (R.Counts.empty() && !Elsewhere) {
    // What launches it in a way that is not read does name it.
    Message Why = namedOtherwise(Written, Known, Index, SM);
    return Why ? no(Why) : afar(msg::no_launch_in_file);
  }
  if (Afar && !Elsewhere)
    return afar(Afar);
  if (Message Why = namedUnread(Written, Index, SM); Why && !Elsewhere)
    return afar(Why);
  if (R.Counts.empty())
    R.MostBytes.reset();
  if (!AllConstant)
    R.LeastBytes.reset();

  auto It = Index.Settings.find(Written->getCanonicalDecl());
  if (It != Index.Settings.end())
    raiseSettings(It->second, Launches, Context, Known, R);
  keepConfiguredApart(Launches, Index, Written, Context, R);
  It = Index.Queries.find(Written->getCanonicalDecl());
  if (It != Index.Queries.end() && !Elsewhere)
    raiseQueries(It->second, Launches, Context, Known, R);
  if (Message Why = namedOtherwise(Written, Known, Index, SM))
    return no(Why);
  return R;
}

DynamicSharedGrowth regrow(const FunctionDecl *F, const CallIndex &Calls,
                           const LaunchIndex &Index, const ASTContext &Context,
                           bool Elsewhere) {
  const Runners Of = runnersOf(F, Calls);
  // Its instances are launched by the same text.
  if (areOneSeenKernel(Of, Index, Context.getSourceManager()))
    return regrowKernel(Of.Kernels.front(), Index, Context, Elsewhere);
  DynamicSharedGrowth R;
  R.Elsewhere = Elsewhere;
  R.Not = msg::sized_by_callers;
  return R;
}

std::optional<unsigned> certainThreads(const FunctionDecl *Kernel,
                                       const LaunchIndex &Index,
                                       const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const FunctionDecl *Written = writtenKernel(Kernel);
  if (!Kernel->hasAttr<CUDAGlobalAttr>() || launchedFromAfar(Kernel) ||
      namedUnread(Written, Index, SM) ||
      Index.NamedInSkipped.count(Written->getCanonicalDecl()))
    return std::nullopt;
  // One text stands for all of them.
  if (const FunctionTemplateDecl *T = Written->getDescribedFunctionTemplate())
    for (const FunctionDecl *F : T->specializations())
      if (launchedFromAfar(F))
        return std::nullopt;
  Places Known;
  std::optional<unsigned> Threads;
  for (const Launch *L : launchesOf(Written, Index, SM)) {
    std::optional<unsigned> Own = L->certainThreads();
    if (!L->Kernel || Own.value_or(0) == 0 || (Threads && Threads != Own))
      return std::nullopt;
    Threads = Own;
    Known.insert(L->Kernel->getLocation());
  }
  auto It = Index.Settings.find(Written->getCanonicalDecl());
  if (It != Index.Settings.end())
    for (const KernelSetting &S : It->second)
      Known.insert(S.Kernel->getLocation());
  if (namedOtherwise(Written, Known, Index, SM))
    return std::nullopt;
  return Threads;
}

} // namespace kpipe
