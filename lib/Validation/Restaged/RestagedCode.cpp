// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See RestagedCode.h. Outside of the loop everything is equal, but for arrays
// that were two buffers and for statements that the loop's proof takes.
#include "RestagedCode.h"
#include "StagedTurns.h"
#include "Validation/Trees/JumpMeaning.h"
#include "Validation/Trees/SameForAll.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

class RestagedWalk {
public:
  RestagedWalk(RestagedPair &Both,
               llvm::function_ref<bool(const Tree &)> IsLoop)
      : Both(Both), IsLoop(IsLoop) {}

  std::optional<RestagedFault> run() {
    const Tree &A = Both.Author, &O = Both.Other;
    const auto *F = dyn_cast_or_null<FunctionDecl>(A.Of);
    if (!F || !F->hasAttr<CUDAGlobalAttr>())
      return RestagedFault{&A, {msg::proof_kernel}};
    bool Same = A.Kids.size() == O.Kids.size() && A.Type == O.Type;
    for (size_t I = 0; Same && I + 1 < A.Kids.size(); ++I)
      Same = Both.same(A.kid(I), O.kid(I));
    if (!Same)
      return RestagedFault{&A, {msg::proof_code}};
    eachNode(A, [&](const Tree &T) {
      if (T.is("GotoStmt") || T.is("LabelStmt") || T.is("IndirectGotoStmt"))
        fail(T, msg::restage_jumps);
    });
    if (!Found)
      lists(statementsIn(*A.Kids.back()), statementsIn(*O.Kids.back()), false);
    return std::move(Found);
  }

private:
  RestagedPair &Both;
  llvm::function_ref<bool(const Tree &)> IsLoop;
  std::optional<RestagedFault> Found;

  bool fail(const Tree &At, Message Why) {
    if (!Found)
      Found = RestagedFault{&At, std::move(Why)};
    return false;
  }

  bool holdsLoop(const Tree &T) const {
    bool Holds = false;
    eachNode(T, [&](const Tree &N) { Holds |= N.is("ForStmt") && IsLoop(N); });
    return Holds;
  }

  bool lists(const TreeList &A, const TreeList &O, bool InLoop) {
    size_t J = 0;
    llvm::SmallVector<size_t, 8> Gone;
    for (size_t I = 0; I != A.size(); ++I) {
      const Tree &S = *A[I];
      while (J != O.size() && O[J]->is("NullStmt") && !S.is("NullStmt"))
        ++J;
      const Tree *Y = J != O.size() ? O[J] : nullptr;
      if (S.is("ForStmt") && IsLoop(S)) {
        if (!Y || InLoop)
          return fail(S, msg::proof_kernel);
        if (auto Fault = compareTurns(Both, {A, I, Gone}, *Y)) {
          Found = std::move(Fault);
          return false;
        }
        Gone.clear();
        ++J;
      } else if (Y && (Both.same(S, *Y) || buffers(S, *Y))) {
        ++J;
      } else if (S.is("NullStmt")) {
        continue;
      } else if (holdsLoop(S)) {
        if (!Y || !inside(S, *Y, InLoop))
          return fail(S, msg::proof_code);
        ++J;
      } else {
        Gone.push_back(I);
      }
    }
    for (; J != O.size(); ++J)
      if (!O[J]->is("NullStmt"))
        return fail(A.empty() ? Both.Author : *A.back(), msg::proof_code);
    return Gone.empty() || fail(*A[Gone.front()], msg::proof_code);
  }

  bool inside(const Tree &X, const Tree &Y, bool InLoop) {
    static const char *const Around[] = {"CompoundStmt", "IfStmt", "ForStmt",
                                         "WhileStmt", "DoStmt"};
    if (!llvm::is_contained(Around, X.Kind))
      return false;
    if (X.is("CompoundStmt"))
      return Y.is("CompoundStmt") &&
             lists(statementsIn(X), statementsIn(Y), InLoop);
    if (!Both.sameNode(X, Y) || X.Kids.size() != Y.Kids.size())
      return false;
    for (size_t I = 0; I != X.Kids.size(); ++I)
      if (!Both.same(X.kid(I), Y.kid(I)) &&
          (!isBody(X, I) ||
           !lists(statementsIn(X.kid(I)), statementsIn(Y.kid(I)),
                  InLoop || isLoop(X))))
        return false;
    return true;
  }

  /// `__shared__ half As[2][BM][BK], Bs[2][BK][BN];` without the two.
  bool buffers(const Tree &X, const Tree &Y) {
    if (!X.is("DeclStmt") || !Y.is("DeclStmt") ||
        X.Kids.size() != Y.Kids.size())
      return false;
    for (size_t I = 0; I != X.Kids.size(); ++I) {
      const Tree &V = X.kid(I), &W = Y.kid(I);
      if (Both.same(V, W))
        continue;
      const auto *Mine = dyn_cast_or_null<VarDecl>(V.Of);
      const auto *Array =
          Mine ? Both.AuthorIn.Context.getAsConstantArrayType(Mine->getType())
               : nullptr;
      if (!V.is("Var") || !W.is("Var") || V.Name != W.Name ||
          V.Label != " shared static" || W.Label != V.Label || !isPlain(V) ||
          !isPlain(W) || !Array || Array->getSize() != 2 ||
          // "float[2][64]" and "float[64]"
          !halves(V.Type, W.Type) || !Both.pair(V.Local, W.Local))
        return false;
      Both.Buffers.insert(V.Local);
      Both.OthersBuffers.insert(W.Local);
    }
    return true;
  }

  /// What is made of nothing, in shared memory by nobody.
  static bool isPlain(const Tree &V) {
    return V.Kids.empty() ||
           (V.Kids.size() == 1 && V.kid(0).is("CXXConstructExpr") &&
            V.kid(0).Kids.empty());
  }

  static bool halves(llvm::StringRef Two, llvm::StringRef One) {
    const size_t At = Two.find('[');
    llvm::StringRef Rest = Two.substr(At);
    return At != llvm::StringRef::npos && Rest.consume_front("[2]") &&
           One.starts_with(Two.take_front(At)) && One.drop_front(At) == Rest;
  }
};

} // namespace

std::optional<RestagedFault>
compareRestaged(const Tree &Author, const ASTContext &Of, const Tree &Other,
                const ASTContext &OfOther,
                llvm::function_ref<bool(const Tree &)> IsLoop) {
  Frame A(Author, Of), O(Other, OfOther);
  RestagedPair Both{{}, Author, Other, A, O, {}, {}};
  return RestagedWalk(Both, IsLoop).run();
}

} // namespace kpipe
