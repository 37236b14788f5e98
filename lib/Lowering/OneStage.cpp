// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OneStage.h"
#include "Code/AstUtils.h"
#include "NextTile.h"
#include "kpipe/TextMarks.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/TypeLoc.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

namespace {

/// What a piece of code names, but for parts that are not there any more.
struct NamesLeft : ConstDynamicRecursiveASTVisitor {
  const llvm::SmallPtrSetImpl<const Stmt *> &Gone;
  const VarDecl *Of;
  const Stmt *Found = nullptr;
  NamesLeft(const llvm::SmallPtrSetImpl<const Stmt *> &Gone, const VarDecl *Of)
      : Gone(Gone), Of(Of) {}
  bool TraverseStmt(const Stmt *S) override {
    return Gone.count(S) || ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
  }
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    if (D->getDecl() == Of)
      Found = D;
    return !Found;
  }
};

class OneStageWriter {
public:
  OneStageWriter(const FunctionDecl *Body, const StagedLoop &L,
                 const SourceText &Source, NotStaged &No)
      : Body(Body), L(L), Source(Source), No(No),
        Next(Source, L.Counter, L.Step) {}

  std::optional<std::set<Edit>> run() {
    for (const Stmt *S : L.First)
      drop(S);
    for (const Stmt *S : L.Swaps)
      drop(S);
    dropGuard();
    nextTile();
    for (const VarDecl *V : L.Arrays)
      if (!onePlane(V))
        return std::nullopt;
    if (!pointers())
      return std::nullopt;
    planes(L.Loop);
    wait();
    dropUnused();
    if (Next.InMacro && !No.Why)
      no(L.Guard, msg::restage_in_macro);
    if (No.Why)
      return std::nullopt;
    return finish();
  }

private:
  const FunctionDecl *Body;
  const StagedLoop &L;
  const SourceText &Source;
  NotStaged &No;
  NextTile Next;
  std::set<Edit> Edits;
  /// Statements and expressions without a text.
  llvm::SmallPtrSet<const Stmt *, 16> Gone;

  bool no(const Stmt *At, Message Why) {
    if (!No.Why)
      No = {At, std::move(Why)};
    return false;
  }

  void drop(const Stmt *S) {
    const Range R = Source.statement(S);
    Edits.insert({R.Begin, R.size(), GoneMark.str()});
    Gone.insert(S);
  }

  void erase(unsigned Begin, unsigned End, const Stmt *What) {
    Edits.insert({Begin, End - Begin, ""});
    Gone.insert(What);
  }

  /// `if (k + BK < K)` goes, and with it the braces of a block that declares
  /// nothing.
  void dropGuard() {
    const Stmt *Then = L.Guard->getThen();
    auto If = Source.offset(L.Guard->getIfLoc()),
         Begin = Source.offset(Then->getBeginLoc());
    if (L.Guard->getIfLoc().isMacroID() || !If)
      return void(no(L.Guard, msg::restage_in_macro));
    if (!Begin)
      Begin = Source.expansionOffset(Then->getBeginLoc());
    const auto *Block = dyn_cast<CompoundStmt>(Then);
    const auto End = Block ? Source.offset(Block->getRBracLoc()) : std::nullopt;
    const bool Opens = End && llvm::none_of(Block->body(), [](const Stmt *S) {
                         return isa<DeclStmt>(S);
                       });
    Edits.insert({*If, *Begin + (Opens ? 1 : 0) - *If, GoneMark.str()});
    unsigned Last = Opens ? *End + 1 : Source.statement(Then).End;
    if (const Stmt *Else = L.Guard->getElse()) {
      Last = Source.statement(Else).End;
      Gone.insert(Else);
    }
    if (const unsigned From = Opens ? *End : Source.statement(Then).End;
        From != Last)
      Edits.insert({From, Last - From, GoneMark.str()});
    Gone.insert(L.Guard->getCond());
  }

  /// In the copies, and in what is computed for them alone.
  void nextTile() {
    Next.change(L.Guard->getThen(), L.Guard->getThen());
    for (const Stmt *S : cast<CompoundStmt>(L.Loop->getBody())->body()) {
      const auto *D = dyn_cast<DeclStmt>(S);
      const auto *V = D && D->isSingleDecl()
                          ? dyn_cast<VarDecl>(D->getSingleDecl())
                          : nullptr;
      if (S == L.Guard)
        break;
      if (V && V->getInit() && !Next.isNext(V->getInit()) && isOfCopies(V))
        Next.change(V->getInit(), V->getInit());
    }
    Edits.insert(Next.Edits.begin(), Next.Edits.end());
    Gone.insert(Next.Gone.begin(), Next.Gone.end());
  }

  bool isOfCopies(const VarDecl *V) {
    Gone.insert(L.Guard->getThen());
    NamesLeft Others(Gone, V), Own(Next.Gone, V);
    Others.TraverseStmt(Body->getBody());
    Gone.erase(L.Guard->getThen());
    Own.TraverseStmt(L.Guard->getThen());
    return !Others.Found && Own.Found;
  }

  /// `As[2][BM][BK]` is declared as `As[BM][BK]`.
  bool onePlane(const VarDecl *V) {
    const TypeSourceInfo *Info = V->getTypeSourceInfo();
    const auto Array =
        Info ? Info->getTypeLoc().getUnqualifiedLoc().getAs<ArrayTypeLoc>()
             : ArrayTypeLoc();
    const DeclStmt *D = declarationOf(V, Body->getBody());
    auto Begin = Array ? Source.offset(Array.getLBracketLoc()) : std::nullopt,
         End = Array ? Source.offset(Array.getRBracketLoc()) : std::nullopt;
    if (!Begin || !End || Array.getLBracketLoc().isMacroID())
      return no(D, msg::restage_in_macro);
    Edits.insert({*Begin, *End + 1 - *Begin, ""});
    auto But = Gone;
    But.insert(L.Loop);
    NamesLeft Others(But, V);
    Others.TraverseStmt(Body->getBody());
    return !Others.Found ||
           no(Others.Found, {msg::restage_other_use, V->getNameAsString()});
  }

  /// Are those that change places named nowhere but in the loop?
  bool pointers() {
    auto But = Gone;
    But.insert(L.Loop);
    for (const auto &[P, Array] : L.Pointers) {
      NamesLeft Others(But, P);
      Others.TraverseStmt(Body->getBody());
      if (Others.Found)
        return no(Others.Found, {msg::restage_other_use, P->getNameAsString()});
    }
    return true;
  }

  /// `As[stage][…]` becomes `As[…]`.
  void planes(const Stmt *S) {
    if (!S || Gone.count(S))
      return;
    if (const auto *A = dyn_cast<ArraySubscriptExpr>(S)) {
      const auto *D =
          dyn_cast<DeclRefExpr>(A->getBase()->IgnoreParenImpCasts());
      const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
      if (V && L.Arrays.count(V)) {
        const auto Name = Source.offset(D->getEndLoc()),
                   End = Source.offset(A->getRBracketLoc());
        if (!Name || !End)
          return void(no(A, msg::restage_in_macro));
        erase(Source.tokenEnd(*Name), *End + 1, A->getIdx());
        return;
      }
    }
    if (const auto *D = dyn_cast<DeclRefExpr>(S))
      if (const auto *V = dyn_cast<VarDecl>(D->getDecl())) {
        if (L.Arrays.count(V))
          return void(no(D, {msg::restage_other_use, V->getNameAsString()}));
        if (auto P = L.Pointers.find(V); P != L.Pointers.end()) {
          const auto Name = Source.offset(D->getLocation());
          if (!Name)
            return void(no(D, msg::restage_in_macro));
          Edits.insert({*Name, Source.tokenEnd(*Name) - *Name,
                        P->second->getNameAsString()});
        }
      }
    for (const Stmt *Child : S->children())
      planes(Child);
  }

  /// What is copied is waited for at once.
  void wait() {
    std::string Text;
    if (L.WaitsForOlder) // the author's barrier follows
      Text = " asm volatile(\"cp.async.wait_all;\" ::: \"memory\");";
    else
      for (const Stmt *S : {L.Wait, L.Barrier})
        if (S)
          Text += " " + Source.at(Source.statement(S)).str();
    if (llvm::StringRef(Text).contains("//"))
      return void(no(L.Wait, msg::restage_no_wait));
    llvm::replace(Text, '\n', ' ');
    Edits.insert({Source.statement(L.Issued).End, 0, std::move(Text)});
  }

  /// Does S do no more than `stage ^= 1`, `stage = 1 - stage`?
  static bool steps(const Stmt *S, const VarDecl *V) {
    const auto *B = dyn_cast<BinaryOperator>(S);
    if (!B || !B->isAssignmentOp() ||
        B->getRHS()->HasSideEffects(V->getASTContext()))
      return false;
    const auto *D = dyn_cast<DeclRefExpr>(B->getLHS()->IgnoreParens());
    return D && D->getDecl() == V;
  }

  /// Variables that nothing but what went asked for, and their steps.
  void dropUnused() {
    for (bool More = true; More;) {
      More = false;
      Locals All(Gone);
      All.TraverseStmt(Body->getBody());
      for (const DeclStmt *D : All.Found) {
        const auto *V = cast<VarDecl>(D->getSingleDecl());
        if (!wasAsked(V))
          continue;
        llvm::SmallVector<const Stmt *, 2> Steps;
        for (const Stmt *S : cast<CompoundStmt>(L.Loop->getBody())->body())
          if (!Gone.count(S) && steps(S, V))
            Steps.push_back(S);
        auto But = Gone;
        But.insert(Steps.begin(), Steps.end());
        NamesLeft Left(But, V);
        Left.TraverseStmt(Body->getBody());
        if (Left.Found)
          continue;
        drop(D);
        for (const Stmt *S : Steps)
          drop(S);
        More = true;
      }
    }
  }

  struct Locals : ConstDynamicRecursiveASTVisitor {
    const llvm::SmallPtrSetImpl<const Stmt *> &Gone;
    llvm::SmallVector<const DeclStmt *, 8> Found;
    explicit Locals(const llvm::SmallPtrSetImpl<const Stmt *> &Gone)
        : Gone(Gone) {}
    bool TraverseStmt(const Stmt *S) override {
      return Gone.count(S) || ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
    }
    bool TraverseForStmt(const ForStmt *F) override {
      return TraverseStmt(F->getBody()); // counters stay
    }
    bool VisitDeclStmt(const DeclStmt *D) override {
      const auto *V =
          D->isSingleDecl() ? dyn_cast<VarDecl>(D->getSingleDecl()) : nullptr;
      if (V && V->hasLocalStorage() && V->getInit() &&
          V->getType()->isScalarType() && !D->getBeginLoc().isMacroID() &&
          !V->getInit()->HasSideEffects(V->getASTContext()))
        Found.push_back(D);
      return true;
    }
  };

  /// Did something that went name V?
  bool wasAsked(const VarDecl *V) const {
    const llvm::SmallPtrSet<const Stmt *, 1> Nothing;
    return llvm::any_of(Gone, [&](const Stmt *S) {
      NamesLeft In(Nothing, V);
      In.TraverseStmt(S);
      return In.Found;
    });
  }

  /// Without what lies in another edit, and with as many lines.
  std::set<Edit> finish() {
    std::set<Edit> All;
    for (const Edit &E : Edits) {
      const bool Inside = llvm::any_of(Edits, [&](const Edit &O) {
        return E.Length && !(O == E) && O.Offset <= E.Offset &&
               E.Offset + E.Length <= O.Offset + O.Length;
      });
      if (Inside)
        continue;
      Edit One = E;
      const size_t Had = Source.all().substr(E.Offset, E.Length).count('\n');
      for (size_t I = 0; I != Had; ++I)
        One.Text += "\n" + GoneMark.str();
      All.insert(std::move(One));
    }
    return All;
  }
};

} // namespace

std::optional<std::set<Edit>>
asOneStage(const FunctionDecl *Body, const Stmt *Loop, const AsyncOps &Ops,
           AsyncCode &Code, const SourceText &Source, NotStaged &No) {
  No = {};
  std::optional<StagedLoop> L = stagedLoop(Body, Loop, Ops, Code, No);
  if (!L)
    return std::nullopt;
  return OneStageWriter(Body, *L, Source, No).run();
}

} // namespace kpipe
