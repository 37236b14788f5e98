// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier or a pipeline of the author's whose waits became barriers of the
// block: the block's threads have to be those that meet there, all of them and
// in the same phase. See LoweredCode.h.
#include "Code/GroupQueries.h"
#include "Code/KnownFunctions.h"
#include "LibraryTypes.h"
#include "LoweredCode.h"
#include "MbarrierMeaning.h"
#include "Validation/Trees/SameForAll.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

bool isCalled(const Tree &T, std::initializer_list<llvm::StringRef> Names) {
  const FunctionDecl *F = calleeOf(T);
  return F && F->getIdentifier() && isToolkits(F) &&
         llvm::is_contained(Names, F->getName());
}

const Tree *nameIn(const Tree &T) {
  if (T.is("DeclRefExpr"))
    return &T;
  for (const auto &Kid : T.Kids)
    if (const Tree *Name = nameIn(*Kid))
      return Name;
  return nullptr;
}

/// Is a count that of the block's threads, however many axes it has?
bool countsBlock(const Tree &Count) {
  std::multiset<std::string> Axes;
  llvm::SmallVector<const Tree *, 8> Work{&Count};
  while (!Work.empty()) {
    const Tree &T = *Work.pop_back_val();
    if (const auto *C = dyn_cast_or_null<CallExpr>(T.Origin)) {
      std::optional<GroupQuery> Q = groupQuery(C);
      return &T == &withoutCasts(Count) && Q && !Q->Rank && !Q->Tile;
    }
    if (isa_and_nonnull<CastExpr>(T.Origin) ||
        (T.is("BinaryOperator") && T.Label == "*")) {
      for (const auto &Kid : T.Kids)
        Work.push_back(Kid.get());
      continue;
    }
    const Tree *Name = T.is("MSPropertyRefExpr") ? nameIn(T) : nullptr;
    const auto *V = Name ? dyn_cast_or_null<VarDecl>(Name->Of) : nullptr;
    if (!V || !isToolkits(V) || V->getName() != "blockDim")
      return false;
    Axes.insert(T.Name);
  }
  return Axes.size() == 3 && std::set(Axes.begin(), Axes.end()).size() == 3;
}

class Meetings {
public:
  Meetings(const Tree &Author, const ASTContext &Of, const LoweredCode &Code)
      : Author(Author), Gone(Code.Gone), Divided(Code.Divided), F(Author, Of) {}

  const Tree *run() {
    find(*Author.Kids.back());
    if (!Met.empty() && !Missed)
      look(*Author.Kids.back(), false);
    for (const auto &[Local, M] : Met)
      if (!Missed && !M.meetsBlock() && !haveAllCome(M))
        Missed = M.At.front();
    return Missed;
  }

private:
  const Tree &Author;
  const std::set<const Tree *> &Gone, &Divided;
  Frame F;
  const Tree *Missed = nullptr;
  std::optional<SameForAll> Same;

  /// A barrier or a pipeline.
  struct Object {
    llvm::SmallVector<const Tree *, 4> At; ///< where barriers of the block are
    llvm::SmallVector<const Tree *, 4> Elsewhere; ///< where it meets others
    bool Made = false, OfBlock = true;
    /// Others than those who wait may have ended a phase.
    bool ByParity = false;
    bool meetsBlock() const {
      return Made && OfBlock && !ByParity && Elsewhere.empty();
    }
  };
  std::map<unsigned, Object> Met;
  /// Pipelines that the threads have left.
  std::set<unsigned> Left;
  unsigned Loops = 0; ///< around what is looked at

  void miss(const Tree &T) {
    if (!Missed)
      Missed = &T;
  }

  /// Whoever meets there has the same phases only if all come by everywhere.
  bool haveAllCome(const Object &M) {
    if (!Same)
      Same.emplace(Author);
    auto Come = [&](const Tree *T) { return Same->come(*T); };
    return M.Made && llvm::all_of(M.At, Come) &&
           llvm::all_of(M.Elsewhere, Come);
  }

  std::optional<AsyncStatement> leaf(const Tree &T) {
    if (T.is("CompoundStmt") || T.is("NullStmt"))
      return std::nullopt;
    F.Here = &T;
    return asyncStatement(T, F);
  }

  /// In the order of the source, so that the same is missed each time.
  void find(const Tree &T) {
    if (Divided.count(&T))
      return; // rolesThatAreMixed() looks there
    if (Gone.count(&T))
      return findMet(T);
    for (const auto &Kid : T.Kids)
      find(*Kid);
  }

  /// The object at which a statement that went waited.
  void findMet(const Tree &T) {
    std::optional<AsyncStatement> Async = leaf(T);
    if (!Async) {
      for (const auto &Kid : T.Kids)
        findMet(*Kid);
      return;
    }
    if (llvm::none_of(Async->Events, [](const AsyncEvent &E) {
          return E.What == AsyncEvent::Barrier && !E.Object.empty();
        }))
      return;
    std::set<unsigned> Names;
    for (const AsyncEvent &E : Async->Events)
      if (E.At) {
        add(*E.At, Names);
        Met[E.At->Local].ByParity |= E.Parity != nullptr;
      }
    if (Names.empty())
      namesOfObjects(T, Names);
    if (Names.empty())
      miss(T);
    for (unsigned Local : Names)
      Met[Local].At.push_back(&T);
  }

  /// Barriers and pipelines that all threads share; C functions have numbers
  /// for them.
  void namesOfObjects(const Tree &T, std::set<unsigned> &Names) {
    const auto *V = dyn_cast_or_null<VarDecl>(T.Of);
    if (T.is("DeclRefExpr") && V) {
      QualType Type = V->getType().getNonReferenceType();
      const CXXRecordDecl *R =
          recordOf(QualType(Type->getBaseElementTypeUnsafe(), 0));
      if (R && (R->getName() == "barrier" || R->getName() == "pipeline"))
        add(T, Names);
    }
    if (isCalled(T, {"__mbarrier_arrive", "__mbarrier_test_wait",
                     "__mbarrier_try_wait", "__pipeline_arrive_on"}))
      if (const Tree *Name = nameIn(T.kid(1)))
        add(*Name, Names);
    for (const auto &Kid : T.Kids)
      namesOfObjects(*Kid, Names);
  }

  void add(const Tree &Name, std::set<unsigned> &Names) {
    const auto *V = dyn_cast_or_null<VarDecl>(Name.Of);
    const CXXRecordDecl *R = V ? recordOf(V->getType()) : nullptr;
    const bool Pipeline = R && R->getName() == "pipeline";
    // Others may have a name for what is not declared here.
    if (!Name.Local || !V || V->getType()->isReferenceType() ||
        V->getType()->isPointerType() ||
        (!Pipeline && !V->hasAttr<CUDASharedAttr>()))
      return miss(Name);
    Names.insert(Name.Local);
  }

  /// How the objects are made, and where they are named beside what went.
  void look(const Tree &T, bool Went) {
    Went |= Gone.count(&T);
    if (T.is("UnaryExprOrTypeTraitExpr") || leaves(T))
      return;
    const bool Again = isLoop(T) || T.is("LambdaExpr");
    Loops += Again;
    lookInto(T, Went);
    Loops -= Again;
  }

  /// `pipe.quit();`: all threads do so, once, and nobody meets there again.
  bool leaves(const Tree &T) {
    const Tree &Call = withoutCasts(T);
    std::set<unsigned> Here;
    collect(T, Here);
    if (Here.empty())
      return false;
    for (unsigned Local : Here)
      if (Left.count(Local) && T.is("DeclRefExpr"))
        miss(T);
    if (!Call.is("CXXMemberCallExpr") || !isCalled(Call, {"quit"}))
      return false;
    std::optional<AsyncStatement> Async = leaf(T);
    if (!Async || Loops)
      miss(T);
    for (unsigned Local : Here) {
      Met[Local].Elsewhere.push_back(&T);
      Left.insert(Local);
    }
    return true;
  }

  void lookInto(const Tree &T, bool Went) {
    if (T.is("Var") && Met.count(T.Local) && T.Kids.size())
      pipeline(T, Met[T.Local]);
    if (isCalled(T, {"init", "__mbarrier_init"}) && T.Kids.size() >= 3) {
      const Tree *Name = nameIn(T.kid(1));
      auto Known = Name ? Met.find(Name->Local) : Met.end();
      if (Known != Met.end()) {
        Known->second.Made = true;
        Known->second.OfBlock &= countsBlock(T.kid(2));
        for (size_t I = 3; I < T.Kids.size(); ++I)
          if (!T.kid(I).is("CXXDefaultArgExpr"))
            miss(T); // a function for the end of each phase
        return;
      }
    }
    if (T.is("GCCAsmStmt") || calleeOf(T)) {
      F.Here = &T;
      auto AtBarrier = mbarrierStatement(T, F);
      const Tree *At =
          AtBarrier && AtBarrier->size() == 1 ? AtBarrier->front().At : nullptr;
      if (At && Met.count(At->Local) && AtBarrier->front().Count) {
        Met[At->Local].Made = true;
        Met[At->Local].OfBlock &= countsBlock(*AtBarrier->front().Count);
        return;
      }
    }
    if (!Went && T.is("DeclRefExpr") && Met.count(T.Local))
      miss(T); // who knows how often it is met
    std::set<unsigned> Here;
    if (!Went)
      collect(T, Here);
    if (auto Async = Here.empty() ? std::nullopt : leaf(T)) {
      for (const AsyncEvent &E : Async->Events)
        if (E.What == AsyncEvent::Arrive || E.What == AsyncEvent::ArriveOn ||
            E.What == AsyncEvent::ArriveBehind || E.Parity || E.Token)
          miss(T);
      for (unsigned Local : Here)
        Met[Local].Elsewhere.push_back(&T);
      return;
    }
    for (const auto &Kid : T.Kids)
      look(*Kid, Went);
  }

  void collect(const Tree &T, std::set<unsigned> &Here) const {
    if (T.is("DeclRefExpr") && Met.count(T.Local))
      Here.insert(T.Local);
    for (const auto &Kid : T.Kids)
      collect(*Kid, Here);
  }

  /// `make_pipeline(block, &state)`: each thread produces and consumes.
  void pipeline(const Tree &Var, Object &M) {
    const auto *V = dyn_cast_or_null<VarDecl>(Var.Of);
    const CXXRecordDecl *R = V ? recordOf(V->getType()) : nullptr;
    if (!R || R->getName() != "pipeline")
      return;
    const Tree *Call = &Var.kid(0);
    while (!calleeOf(*Call) && Call->Kids.size() == 1)
      Call = &Call->kid(0);
    const auto *C = dyn_cast_or_null<CallExpr>(Call->Origin);
    const CXXRecordDecl *Group =
        C && isCalled(*Call, {"make_pipeline"}) && C->getNumArgs() == 2
            ? recordOf(C->getArg(0)->IgnoreParenImpCasts()->getType())
            : nullptr;
    M.Made = Group && Group->getName() == "thread_block";
  }
};

} // namespace

const Tree *meetingThatIsMissed(const Tree &Author, const ASTContext &Of,
                                const LoweredCode &Code) {
  return Meetings(Author, Of, Code).run();
}

} // namespace kpipe
