// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which variables may hold an address of a staged buffer, however it got there:
// as a pointer, as a number of any width, as a part of an object, through
// functions, objects and closures. Flow-insensitive: a variable that ever holds
// an address always does.
#ifndef KPIPE_RECOGNITION_ADDRESSFLOW_H
#define KPIPE_RECOGNITION_ADDRESSFLOW_H

#include "Code/Scope.h"
#include "kpipe/TileLoop.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <memory>

namespace kpipe {

/// Does an operator ask for single bits of a number?
bool asksForBits(const clang::BinaryOperator *B);

class AddressFlow : public clang::ConstDynamicRecursiveASTVisitor {
public:
  /// \param NumbersApart the numbers in an object that has pointers are none of
  /// them, such as a row's length beside the pointer to the rows.
  AddressFlow(const Scope &In, const StagedBuffer &Buffer,
              bool NumbersApart = false);

  /// Until nothing changes.
  void run(llvm::ArrayRef<const clang::Stmt *> Code);

  bool holds(const clang::VarDecl *V) const {
    return Held.lookup(V) != Nothing;
  }
  llvm::SmallVector<const clang::VarDecl *, 8> holders() const;
  /// A store of an address to memory that is not a local variable.
  const clang::Stmt *storedAway() const { return Away; }
  /// Where single bits of an address, as a number, are asked for, also in a
  /// function that is called.
  const clang::Stmt *bitsAsked() const { return *Bits; }

  bool VisitVarDecl(const clang::VarDecl *V) override;
  bool VisitBinaryOperator(const clang::BinaryOperator *B) override;
  bool VisitGCCAsmStmt(const clang::GCCAsmStmt *A) override;
  bool VisitCallExpr(const clang::CallExpr *C) override;
  bool VisitCXXConstructExpr(const clang::CXXConstructExpr *C) override;
  bool VisitCXXForRangeStmt(const clang::CXXForRangeStmt *R) override;
  bool VisitReturnStmt(const clang::ReturnStmt *R) override;

private:
  /// What a value has in it.
  enum Mask : unsigned {
    Nothing = 0,
    Address = 1, ///< an address in the buffer
    Way = 2,     ///< an address of what holds one
    Any = 3,
  };
  static constexpr unsigned MaxDepth = 6;

  const Scope *In; ///< null in a function that is called
  const clang::ASTContext &Context;
  const clang::VarDecl *Buffer;
  const bool NumbersApart;
  const clang::FunctionDecl *Callee = nullptr;
  unsigned Depth = 0;
  llvm::DenseMap<const clang::VarDecl *, unsigned> Held;
  VarSet Places; ///< references to parts of the buffer
  unsigned This = Nothing;
  unsigned Returned = Nothing;
  bool ReturnsPlace = false;
  const clang::Stmt *Away = nullptr;
  std::shared_ptr<const clang::Stmt *> Bits; ///< one of all callees
  VarSet Outer; ///< what a closure has stored to, beside its own variables
  bool Changed = false;

  /// What a call does with the addresses that it is given.
  struct Done {
    unsigned Returned = Nothing;
    bool ReturnsPlace = false;
    bool Keeps = false; ///< they may be wherever it can store
    VarSet Outer;
  };

  /// What was found of functions, by what their parameters bring.
  using Question =
      std::pair<const clang::FunctionDecl *, llvm::SmallVector<unsigned, 8>>;
  struct Before {
    bool operator()(const Question &A, const Question &B) const {
      return A.first != B.first ? A.first < B.first
                                : std::lexicographical_compare(
                                      A.second.begin(), A.second.end(),
                                      B.second.begin(), B.second.end());
    }
  };
  std::shared_ptr<std::map<Question, Done, Before>> Known;
  /// Of calls, since a variable was found to hold something.
  llvm::DenseMap<const clang::CallExpr *, Done> Results;

  AddressFlow(const AddressFlow &Caller, const clang::FunctionDecl *Callee);

  bool isPlace(const clang::Expr *E);
  bool isDistance(const clang::Expr *E);
  unsigned content(const clang::Expr *E);
  unsigned value(const clang::Expr *E);
  unsigned either(const clang::Expr *E);
  unsigned pointee(const clang::Expr *Pointer, const clang::Expr *At);
  unsigned ofRoots(const clang::Expr *LValue);
  unsigned ofChildren(const clang::Stmt *S);
  unsigned given(const clang::Expr *Argument);

  /// The variable whose storage an lvalue is a part of, or null.
  static const clang::VarDecl *storageOf(const clang::Expr *LValue);
  void hold(const clang::VarDecl *V, unsigned What);
  void found(bool Something);
  void store(const clang::Expr *LValue, unsigned What);
  void away(const clang::Stmt *S);
  void keep(const clang::Expr *Argument);
  void keepAround(const clang::VarDecl *V);
  bool mayHold(clang::QualType T) const;
  bool isOwn(const clang::VarDecl *V) const;

  Done resultOf(const clang::CallExpr *C);
  Done call(const clang::FunctionDecl *F,
            llvm::ArrayRef<const clang::Expr *> Args,
            const clang::Expr *Object);
  Done enter(const clang::FunctionDecl *F,
             llvm::ArrayRef<const clang::Expr *> Args, unsigned Object,
             unsigned Unseen);
  void finish(const Done &D, llvm::ArrayRef<const clang::Expr *> Args,
              const clang::Expr *Object);
};

} // namespace kpipe

#endif // KPIPE_RECOGNITION_ADDRESSFLOW_H
