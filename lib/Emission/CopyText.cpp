// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies as text, see CopyText.h.

#include "CopyText.h"
#include "ElseBraces.h"
#include "OneLine.h"
#include "Precedence.h"
#include "Unroll.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

static bool isZeroLiteral(const Expr *E) {
  const auto *I = dyn_cast<IntegerLiteral>(E->IgnoreParenImpCasts());
  return I && I->getValue() == 0;
}

std::string CopyText::text(const Expr *E) {
  auto R = Source.expression(E);
  if (!R) {
    Failure = {msg::copy_in_macro};
    return {};
  }
  if (Source.at(*R).contains("\\\n") || Source.at(*R).contains("\\\r\n")) {
    Failure = {msg::copy_on_joined_lines};
    return {};
  }
  std::vector<Edit> Edits = Mentions;
  Edits.insert(Edits.end(), Renamed.begin(), Renamed.end());
  return Source.edited(*R, Edits);
}

void CopyText::renameCounters(const TileCopy &C) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    const VarDecl *V = nullptr;
    llvm::SmallVector<SourceLocation, 4> Found;
    bool VisitDeclRefExpr(const DeclRefExpr *D) override {
      if (D->getDecl() == V)
        Found.push_back(D->getLocation());
      return true;
    }
  };
  Renamed.clear();
  for (auto &[Old, New] : C.Via.Counters) {
    if (Old->getName() == New->getName())
      continue;
    Finder F;
    F.V = Old;
    F.TraverseStmt(C.Value);
    for (SourceLocation At : F.Found) {
      auto Offset = Source.offset(At);
      if (!Offset) {
        Failure = {msg::copy_in_macro};
        return;
      }
      if (llvm::none_of(Renamed,
                        [&](const Edit &E) { return E.Offset == *Offset; }))
        Renamed.push_back({*Offset, static_cast<unsigned>(Old->getName().size()),
                           New->getNameAsString()});
    }
  }
}

std::string CopyText::address(const Expr *E) { return onOneLine(addressOf(E)); }

/// The address of an lvalue as a person would write it.
std::string CopyText::addressOf(const Expr *E) {
  const Expr *Plain = E->IgnoreImplicit();
  while (const auto *W = dyn_cast<CXXConstructExpr>(Plain))
    Plain = W->getArg(0)->IgnoreImplicit();
  // A cast to the type that the value has already.
  while (const auto *Same = dyn_cast<ExplicitCastExpr>(Plain->IgnoreParens())) {
    const Expr *Sub = Same->getSubExpr()->IgnoreParenImpCasts();
    if (Same->isGLValue() || !Sub->isGLValue() ||
        !Source.context().hasSameUnqualifiedType(Same->getType(),
                                                 Sub->getType()))
      break;
    E = Plain = Sub;
  }
  if (const auto *C = dyn_cast<CallExpr>(Plain);
      C && C->getNumArgs() >= 1 && !Plain->isGLValue())
    return text(C->getArg(0)); // __ldg(&x)
  if (!Plain->getBeginLoc().isMacroID()) {
    if (const auto *A = dyn_cast<ArraySubscriptExpr>(Plain))
      if (isZeroLiteral(A->getIdx()) &&
          !isa<DeclRefExpr>(A->getBase()->IgnoreParenImpCasts()))
        return text(A->getBase());
    // `*(p + i)`: an argument needs no brackets, unless a comma is in it.
    if (const auto *U = dyn_cast<UnaryOperator>(Plain);
        U && U->getOpcode() == UO_Deref) {
      const Expr *Pointer = U->getSubExpr()->IgnoreImplicit();
      const Expr *Inner = Pointer->IgnoreParens();
      if (isa<DeclRefExpr, ExplicitCastExpr>(
              Pointer->IgnoreParenImpCasts()))
        return text(Pointer);
      if (const auto *Sum = dyn_cast<BinaryOperator>(Inner);
          Sum && Sum->isAdditiveOp() && Sum->getType()->isPointerType() &&
          !Inner->getBeginLoc().isMacroID())
        return text(Inner);
    }
  }
  std::string Text = text(E);
  return "&" + asOperand(Text, bindingOf(Plain), Binding::Unary);
}

/// What a counter beside the loop's own variable begins with: where that is
/// `auto`, it has to be of the same type. (nvcc does not know the variable's
/// name before the declaration ends, so its type is asked of its value.)
static std::string zeroFor(const ForStmt &F, const SourceText &Source) {
  const auto *V = cast<VarDecl>(cast<DeclStmt>(F.getInit())->getSingleDecl());
  if (!V->getTypeSourceInfo()->getTypeLoc().getContainedAutoTypeLoc())
    return "0";
  const auto *T = V->getType()->getAs<BuiltinType>();
  // Another instantiation may have another type.
  if (T && !cast<FunctionDecl>(V->getParentFunctionOrMethod())
                ->isTemplateInstantiation())
    switch (T->getKind()) {
    case BuiltinType::Int:
      return "0";
    case BuiltinType::UInt:
      return "0u";
    case BuiltinType::Long:
      return "0l";
    case BuiltinType::ULong:
      return "0ul";
    case BuiltinType::LongLong:
      return "0ll";
    case BuiltinType::ULongLong:
      return "0ull";
    default:
      break;
    }
  auto Init = Source.expression(V->getInit()->IgnoreImpCasts());
  return Init ? "decltype(" + Source.at(*Init).str() + "){0}" : "0";
}

/// Copy loops whose values sit in registers are unrolled, and those that start
/// at a thread's own index are counted, so that register indices are constant.
bool CopyText::count(const ForStmt &F, std::vector<Edit> &Edits) {
  bool Guarded = false;
  if (Registers.Once.contains(&F))
    return false;
  if (auto E = unrollFully(&F, Source))
    Edits.push_back(std::move(*E));
  for (const CountedLoop &C : Registers.Counted) {
    if (C.For != &F)
      continue;
    auto Cond = Source.expression(F.getCond());
    auto Inc = Source.expression(F.getInc());
    Range Init = Source.statement(F.getInit());
    if (!Cond || !Inc) {
      Failure = {msg::copy_loop_header_in_macro};
      return false;
    }
    Edits.push_back({Init.End - 1, 0, ", " + C.Counter + " = " + zeroFor(F, Source)});
    Edits.push_back({Cond->Begin, Cond->size(), C.Counter + " < " + C.Trips});
    Edits.push_back({Inc->End, 0, ", ++" + C.Counter});
    if (C.NoCondition)
      continue;
    std::string Guard = "if (";
    if (!C.Whole.empty())
      Guard += C.Counter + " < " + C.Whole + " || ";
    Guard += Source.at(*Cond).str() + ")";
    guardBody(*F.getBody(), Guard, Source, Unit, Edits);
    Guarded = true;
  }
  return Guarded;
}

/// A copy with a guard, which is evaluated once and before what it guards.
std::string CopyText::zeroFill(const TileCopy &C, Range Whole,
                               llvm::StringRef Dst, llvm::StringRef Src,
                               const Expr *Zero) {
  std::string Guard = onOneLine(text(C.Guard));
  if (C.AddressIsFree) {
    // What is no number need not become a bool as an argument.
    if (!C.Guard->getType()->isScalarType())
      Guard = "(" + Guard + ") ? true : false";
    return (Calls.to(Primitive::CopyAsyncZfill) + "(" + Dst + ", " + Src +
            ", " + Guard + ")")
        .str();
  }
  std::string Copy =
      (Calls.to(Primitive::CopyAsync) + "(" + Dst + ", " + Src + ")").str();
  std::string Fill = text(C.Dst) + " = " + text(Zero);
  if (!Source.isStatement(Whole))
    return "((" + Guard + ") ? " + Copy + " : void(" + Fill + "))";
  std::string Indent = Source.indentation(Whole.Begin).str();
  return "if (" + Guard + ")\n" + Indent + Unit + Copy + ";\n" + Indent +
         "else\n" + Indent + Unit + Fill;
}

bool CopyText::keep(unsigned Index, Half Which, std::vector<Edit> &Edits) {
  renameCounters(Loop.Copies[Index]);
  return Plan.Copies[Index].Way == Route::AsyncCopy
             ? copyAsync(Loop.Copies[Index], Which, Edits)
             : moveThrough(Registers.Registers[Index], Loop.Copies[Index],
                           Which, Edits);
}

/// The copy in one piece, which is the load's.
bool CopyText::copyAsync(const TileCopy &C, Half Which,
                         std::vector<Edit> &Edits) {
  if (Which == Half::Store)
    return false;
  auto Whole = Source.expression(C.Store);
  if (!Whole) {
    Failure = {msg::copy_in_macro};
    return true;
  }
  std::string Dst = address(C.Dst);
  if (C.Kind != Fill::Ternary) {
    Edits.push_back({Whole->Begin, Whole->size(),
                     Calls.to(Primitive::CopyAsync) + "(" + Dst + ", " +
                         address(C.Value) + ")"});
    return true;
  }
  const Expr *V = C.Value->IgnoreParenImpCasts();
  while (const auto *W = dyn_cast<CXXConstructExpr>(V))
    V = W->getArg(0)->IgnoreParenImpCasts();
  const auto *T = cast<ConditionalOperator>(V);
  Edits.push_back(
      {Whole->Begin, Whole->size(),
       zeroFill(C, *Whole, Dst, address(T->getTrueExpr()), T->getFalseExpr())});
  return true;
}

/// The register in place of the author's left side, which may have left no room
/// for the value in its line.
Edit CopyText::assigned(const TileCopy &C, Range Dst,
                        const std::string &Reg) const {
  const auto *B = dyn_cast<BinaryOperator>(C.Store);
  const auto *Call = dyn_cast<CXXOperatorCallExpr>(C.Store); // of a float2
  const Expr *Right = B                                 ? B->getRHS()
                      : Call && Call->getNumArgs() == 2 ? Call->getArg(1)
                                                        : nullptr;
  const auto Value = Right ? Source.expression(Right) : std::nullopt;
  if (Value && Dst.End < Value->Begin) {
    const llvm::StringRef Between = Source.at({Dst.End, Value->Begin});
    if (Between.contains('\n') && Between.trim() == "=")
      return {Dst.Begin, Value->Begin - Dst.Begin, Reg + " = "};
  }
  return {Dst.Begin, Dst.size(), Reg};
}

/// The copy in two: the value to registers, and from there to its place.
bool CopyText::moveThrough(const std::string &Reg, const TileCopy &C,
                           Half Which, std::vector<Edit> &Edits) {
  if (!C.ValueIsLoaded)
    return Which == Half::Store;
  auto Dst = Source.expression(C.Dst);
  auto Whole = Source.expression(C.Store);
  if (!Dst || !Whole) {
    Failure = {msg::copy_in_macro};
    return true;
  }
  if (Which == Half::Ahead) {
    if (C.Via.Var)
      Edits.push_back({Whole->Begin, Whole->size(), Reg + " = " + text(C.Value)});
    else
      Edits.push_back(assigned(C, *Dst, Reg));
    if (C.FillStore) {
      const Expr *Left = nullptr;
      if (const auto *B = dyn_cast<BinaryOperator>(C.FillStore))
        Left = B->getLHS();
      else
        Left = cast<CXXOperatorCallExpr>(C.FillStore)->getArg(0);
      auto R = Source.expression(Left);
      if (!R)
        Failure = {msg::copy_in_macro};
      else
        Edits.push_back({R->Begin, R->size(), Reg});
    }
    return true;
  }
  std::string Store = text(C.Dst) + " = " + Reg;
  if (C.IfElse) {
    Range R = Source.statement(C.IfElse);
    Edits.push_back({R.Begin, R.size(), Store + ";"});
  } else {
    Edits.push_back({Whole->Begin, Whole->size(), Store});
  }
  return true;
}

} // namespace kpipe
