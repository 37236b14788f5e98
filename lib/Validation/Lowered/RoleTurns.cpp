// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches that were divided: one part is all that producers do in a turn, the
// other all that consumers do, of a pipeline with one stage, so that they take
// turns. See LoweredCode.h. Source: libcu++, "cuda::make_pipeline".
#include "Code/GroupQueries.h"
#include "Code/KnownFunctions.h"
#include "LibraryTypes.h"
#include "LoweredCode.h"
#include "Validation/Trees/SameForAll.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

class Roles {
public:
  Roles(const Tree &Author, const ASTContext &Of, const LoweredCode &Code)
      : Author(Author), Code(Code), F(Author, Of) {}

  const Tree *run() {
    for (const Tree *D : Code.Divided)
      if (!isRight(*D))
        return D;
    return nullptr;
  }

private:
  const Tree &Author;
  const LoweredCode &Code;
  Frame F;

  /// The nodes around one, outermost first.
  static bool pathOf(const Tree &T, const Tree *To,
                     std::vector<const Tree *> &Path) {
    if (&T == To)
      return true;
    Path.push_back(&T);
    for (const auto &Kid : T.Kids)
      if (pathOf(*Kid, To, Path))
        return true;
    Path.pop_back();
    return false;
  }

  bool isRight(const Tree &D) {
    std::vector<const Tree *> Path;
    const auto *Of = dyn_cast_or_null<FunctionDecl>(Author.Of);
    if (!pathOf(Author, &D, Path) || Path.size() < 2 || !Of ||
        !Of->hasAttr<CUDAGlobalAttr>())
      return false;
    const Tree &Turn = *Path[Path.size() - 1], &Loop = *Path[Path.size() - 2];
    const auto [First, Last] = partsOf(D, Turn);
    unsigned Pipe = 0;
    return First && Turn.is("CompoundStmt") &&
           (Loop.is("ForStmt") || Loop.is("WhileStmt")) &&
           SameForAll(Author).come(Turn) && !leaves(Turn, false) &&
           calls(*First, {"producer_acquire", "producer_commit"}, Pipe) &&
           calls(*Last, {"consumer_wait", "consumer_release"}, Pipe) &&
           copiesBetween(*First) && !copies(*Last) && hasOneStage(Pipe) &&
           mentions(Author, Pipe) ==
               mentions(*First, Pipe) + mentions(*Last, Pipe);
  }

  /// What producers do, and behind it what consumers do.
  std::pair<const Tree *, const Tree *> partsOf(const Tree &D,
                                                const Tree &Turn) const {
    if (D.Kids.size() == 3) {
      if (!isSteady(D.kid(0)))
        return {};
      return {&D.kid(1), &D.kid(2)};
    }
    std::vector<const Tree *> Both;
    for (const auto &S : Turn.Kids)
      if (Code.Divided.count(S.get()) && S->Kids.size() == 2)
        Both.push_back(S.get());
    if (Both.size() != 2)
      return {};
    return {&Both[0]->kid(1), &Both[1]->kid(1)};
  }

  static bool leaves(const Tree &T, bool Nested) {
    if (T.is("ReturnStmt") || T.is("GotoStmt") || T.is("LabelStmt") ||
        T.is("SwitchStmt") ||
        ((T.is("BreakStmt") || T.is("ContinueStmt")) && !Nested))
      return true;
    return llvm::any_of(T.Kids, [&](const auto &Kid) {
      return leaves(*Kid, Nested || isLoop(T));
    });
  }

  /// Is a condition the same whenever it is asked? Made of names that nothing
  /// changes, and of what the hardware says.
  bool isSteady(const Tree &T) const {
    if (T.is("DeclRefExpr") && !T.Local) {
      const auto *D = dyn_cast_or_null<DeclRefExpr>(T.Origin);
      const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
      return D && (!V || V->isConstexpr());
    }
    if (T.is("DeclRefExpr"))
      return F.isKept(T.Local) && T.Type.find('&') == std::string::npos;
    if (T.is("MSPropertyRefExpr"))
      return true;
    if (const auto *C = dyn_cast_or_null<CallExpr>(T.Origin))
      return groupQuery(C).has_value(); // a thread keeps its rank
    if (T.Kids.empty())
      return isa_and_nonnull<Expr>(T.Origin);
    return isa_and_nonnull<CastExpr, BinaryOperator, UnaryOperator,
                           ConditionalOperator>(T.Origin) &&
           !effectsIn(T) && !(T.is("UnaryOperator") && T.Label == "*") &&
           llvm::all_of(T.Kids,
                        [&](const auto &Kid) { return isSteady(*Kid); });
  }

  static const Tree *methodOf(const Tree &S) {
    const Tree &Call = withoutCasts(S);
    return Call.is("CXXMemberCallExpr") && Call.Kids.size() == 1 &&
                   Call.kid(0).is("MemberExpr") &&
                   Call.kid(0).Kids.size() == 1 &&
                   isClass(Call.kid(0).kid(0), "pipeline")
               ? &Call
               : nullptr;
  }

  /// Directly in a part, these and no others, of one pipeline.
  bool calls(const Tree &Part, std::vector<llvm::StringRef> Names,
             unsigned &Pipe) const {
    size_t Next = 0;
    if (!Part.is("CompoundStmt"))
      return false;
    for (const auto &S : Part.Kids)
      if (const Tree *Call = methodOf(*S)) {
        const Tree &Object = Call->kid(0).kid(0);
        const FunctionDecl *Callee = calleeOf(*Call);
        if (Next == Names.size() || !Object.is("DeclRefExpr") ||
            !Object.Local || !Callee || !Callee->getIdentifier() ||
            Callee->getName() != Names[Next++] ||
            (Pipe && Pipe != Object.Local))
          return false;
        Pipe = Object.Local;
      }
    return Next == Names.size() && allMethods(Part) == Names.size();
  }

  static size_t allMethods(const Tree &T) {
    size_t All = T.is("CXXMemberCallExpr") && T.Kids.size() &&
                 T.kid(0).is("MemberExpr") && T.kid(0).Kids.size() == 1 &&
                 isClass(T.kid(0).kid(0), "pipeline");
    for (const auto &Kid : T.Kids)
      All += allMethods(*Kid);
    return All;
  }

  bool copies(const Tree &T) const {
    const FunctionDecl *Callee = calleeOf(T);
    if (Callee && isToolkits(Callee) && Callee->getIdentifier() &&
        Callee->getName().contains("memcpy_async"))
      return true;
    return llvm::any_of(T.Kids, [&](const auto &Kid) { return copies(*Kid); });
  }

  /// Behind the first call, and in front of the second.
  bool copiesBetween(const Tree &Part) const {
    unsigned Calls = 0;
    bool Any = false;
    for (const auto &S : Part.Kids) {
      Calls += methodOf(*S) != nullptr;
      if (!copies(*S))
        continue;
      if (Calls != 1)
        return false;
      Any = true;
    }
    return Any;
  }

  static unsigned mentions(const Tree &T, unsigned Local) {
    unsigned All = T.is("DeclRefExpr") && T.Local == Local;
    for (const auto &Kid : T.Kids)
      All += mentions(*Kid, Local);
    return All;
  }

  bool hasOneStage(unsigned Pipe) const {
    bool Has = false;
    eachNode(Author, [&](const Tree &T) {
      if (!T.is("Var") || T.Local != Pipe || T.Kids.size() != 1)
        return;
      const Tree *Call = &T.kid(0);
      while (!calleeOf(*Call) && Call->Kids.size() == 1)
        Call = &Call->kid(0);
      const FunctionDecl *Callee = calleeOf(*Call);
      std::vector<const Tree *> Given = argumentsOf(*Call);
      if (!Callee || !Callee->getIdentifier() || !isToolkits(Callee) ||
          Callee->getName() != "make_pipeline" || Given.size() != 3)
        return;
      const Expr *State = exprOf(*Given[1]);
      const CXXRecordDecl *R = State ? recordOf(State->getType()) : nullptr;
      Has = isClass(withoutCasts(*Given[0]), "thread_block") && R &&
            R->getName() == "pipeline_shared_state" &&
            templateNumber(R, 1) == 1;
    });
    return Has;
  }
};

} // namespace

bool isOfRoles(const Tree &Branch) {
  bool Found = false;
  eachNode(Branch, [&](const Tree &T) {
    const FunctionDecl *F = calleeOf(T);
    Found |=
        F && F->getIdentifier() && isToolkits(F) &&
        (F->getName() == "producer_acquire" || F->getName() == "consumer_wait");
  });
  return Found;
}

const Tree *rolesThatAreMixed(const Tree &Author, const ASTContext &Of,
                              const LoweredCode &Code) {
  return Roles(Author, Of, Code).run();
}

} // namespace kpipe
