// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk that collects effects: it follows evaluation order closely enough to
// know which variables are surely written before they are read; loops and
// branches are joined conservatively. Private to Effects*.cpp.
#ifndef KPIPE_CODE_EFFECTCOLLECTOR_H
#define KPIPE_CODE_EFFECTCOLLECTOR_H

#include "Effects.h"
#include "KnownFunctions.h"
#include "clang/AST/ExprCXX.h"

namespace kpipe {

class EffectCollector {
public:
  EffectCollector(const Scope &In, Effects &Out) : In(&In), Out(Out) {}

  void stmt(const clang::Stmt *S);
  void value(const clang::Expr *E); ///< evaluates E and drops or uses the value

  VarSet Assigned; ///< surely written so far

private:
  enum Mode { Read, Write, ReadWrite };

  const Scope *In;
  Effects &Out;
  const clang::Expr *OuterCall =
      nullptr; ///< the call in the analysed statement
  unsigned Breakable = 0, Continuable = 0;

  void event(EventKind Kind, const clang::Stmt *At,
             const llvm::Twine &Name = "") {
    Out.Events.push_back({Kind, OuterCall ? OuterCall : At, Name.str(), {}});
  }
  /// What nobody can define for kpipe, such as a destructor.
  void unknownCall(const clang::Stmt *At, Message Callee) {
    event(EventKind::UnknownCall, At);
    Out.Events.back().Callee = std::move(Callee);
  }
  /// A function whose definition would tell what it does.
  void undefined(const clang::Stmt *At, const clang::FunctionDecl *F) {
    event(EventKind::UnknownCall, At, F->getNameAsString());
    Out.Events.back().Callee = {msg::quoted_name, F->getNameAsString()};
  }
  /// A function with a body that is not entered.
  void notEntered(const clang::Stmt *At, const clang::FunctionDecl *F) {
    std::string Name = F->getNameAsString();
    unknownCall(At, F->isWeak()        ? Message(msg::weak_callee, Name)
                    : In->isCalling(F) ? Message(msg::recursive_callee, Name)
                                       : Message(msg::deep_callee, Name,
                                                 std::to_string(In->depth())));
  }
  void readVar(const clang::VarDecl *V) {
    Out.Reads.insert(V);
    if (!Assigned.count(V))
      Out.Exposed.insert(V);
  }
  void writeVar(const clang::VarDecl *V, bool Whole) {
    Out.Writes.insert(V);
    if (Whole)
      Assigned.insert(V);
  }
  void declaration(const clang::DeclStmt *S);
  void choice(const clang::IfStmt *I);
  void loop(const clang::ForStmt *F);
  void loop(const clang::WhileStmt *W);
  void loop(const clang::DoStmt *D);
  void loop(const clang::CXXForRangeStmt *F);
  void address(const clang::Expr *E); ///< evaluates what E's place depends on
  void access(const clang::Expr *E, Mode M, bool ReadOnly = false,
              bool Atomic = false);
  /// The same for an lvalue that is evaluated already.
  void evaluated(const clang::Expr *E, Mode M, bool ReadOnly = false,
                 bool Atomic = false);
  void record(const Roots &R, const clang::Expr *At, Mode M, bool Whole,
              bool ReadOnly, bool Atomic, bool Volatile);
  void throughPointer(const clang::Expr *Pointer, Mode M, bool ReadOnly = false,
                      bool Atomic = false);
  /// Evaluates E as an operand: an object's place, or a value.
  void operand(const clang::Expr *E);
  void conversion(const clang::CastExpr *C);
  void binary(const clang::BinaryOperator *B);
  void unary(const clang::UnaryOperator *U);
  void conditional(const clang::AbstractConditionalOperator *C);
  /// Evaluates what E stands for, if that is another expression: the argument
  /// of a template or a default one, the alternative that the types chose.
  bool standIn(const clang::Expr *E);
  /// Evaluates the operands of an expression that does nothing else.
  void parts(const clang::Expr *E);
  void closure(const clang::LambdaExpr *L);
  void property(const clang::PseudoObjectExpr *P);
  void atomic(const clang::AtomicExpr *A);
  void call(const clang::CallExpr *C);
  void known(const clang::CallExpr *C, const clang::FunctionDecl *F,
             llvm::ArrayRef<const clang::Expr *> Args,
             const clang::Expr *Object);
  /// Loads, stores and atomics of the toolkit.
  void memoryFunction(CallKind Kind, llvm::ArrayRef<const clang::Expr *> Args);
  void wmma(CallKind Kind, llvm::ArrayRef<const clang::Expr *> Args);
  void construct(const clang::CXXConstructExpr *C);
  void enter(const clang::FunctionDecl *F,
             llvm::ArrayRef<const clang::Expr *> Args, const clang::Expr *At,
             const clang::Expr *Object = nullptr);
  void unknownArguments(llvm::ArrayRef<const clang::Expr *> Args,
                        const clang::FunctionDecl *F);
  void assembly(const clang::GCCAsmStmt *A);
  template <typename First, typename Second>
  void branch(First Then, Second Else) {
    VarSet Before = Assigned;
    Then();
    VarSet AfterThen = Assigned;
    Assigned = Before;
    Else();
    VarSet Both;
    for (const clang::VarDecl *V : Assigned)
      if (AfterThen.count(V))
        Both.insert(V);
    Assigned = Both;
  }
  template <typename Body> void maybe(Body Run) {
    branch(Run, [] {});
  }
  /// One turn of a loop, which may leave it.
  template <typename Body> void turn(Body Run) {
    ++Breakable, ++Continuable;
    maybe(Run);
    --Breakable, --Continuable;
  }
};

} // namespace kpipe

#endif // KPIPE_CODE_EFFECTCOLLECTOR_H
