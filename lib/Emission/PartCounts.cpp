// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts of a copy loop's parts, see PartCounts.h.

#include "PartCounts.h"
#include "ConstantText.h"
#include "Precedence.h"
#include "kpipe/Refusal.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/TypeLoc.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

namespace {

/// A name or number needs no parentheses around it.
bool simple(llvm::StringRef Text) {
  return llvm::all_of(Text, [](char C) {
    return llvm::isAlnum(C) || C == '_' || C == ':' || C == '.';
  });
}
/// Written as a number: not the name of a template's parameter, which stands
/// for another one in each instantiation.
bool literal(const Expr *E) {
  E = E->IgnoreParens();
  while (const auto *C = dyn_cast<ImplicitCastExpr>(E))
    E = C->getSubExpr()->IgnoreParens();
  return isa<IntegerLiteral>(E);
}

std::string grouped(const std::string &Text) {
  return simple(Text) ? Text : "(" + Text + ")";
}

bool isNumber(llvm::StringRef Text) {
  return !Text.empty() && llvm::all_of(Text, llvm::isDigit);
}

/// Made of decimal numbers alone, and so the same in every instance.
bool isOfNumbers(llvm::StringRef Text) {
  return !Text.empty() && llvm::all_of(Text, [](char C) {
    return llvm::isDigit(C) || llvm::StringRef(" +-*/%()").contains(C);
  });
}

/// A step's text without a cast of a few threads to another type of integers.
std::string withoutCast(llvm::StringRef Text) {
  llvm::StringRef Inner = Text;
  if (!Inner.consume_front("static_cast<") || !Inner.consume_back(")"))
    return Text.str();
  Inner = Inner.split(">(").second;
  uint64_t Product = 1;
  for (llvm::StringRef Factor : llvm::split(Inner, '*')) {
    unsigned Number = 0;
    if (Factor.trim().getAsInteger(10, Number) || Number > 1024)
      return Text.str();
    Product *= Number;
  }
  return Product <= 1024 * 1024 ? Inner.str() : Text.str();
}

/// Does an array's declaration spell its size with a name that the function
/// declares anew, and that may hide it where the loop stands?
bool isHidden(const Expr *Size, const FunctionDecl *In) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    llvm::SmallPtrSet<const NamedDecl *, 4> Spelled;
    bool VisitDeclRefExpr(const DeclRefExpr *D) override {
      Spelled.insert(D->getDecl());
      return true;
    }
    bool VisitTypedefTypeLoc(TypedefTypeLoc T) override {
      Spelled.insert(T.getDecl());
      return true;
    }
    bool VisitTagTypeLoc(TagTypeLoc T) override {
      Spelled.insert(T.getDecl());
      return true;
    }
  } Names;
  Names.TraverseStmt(const_cast<Expr *>(Size));
  struct Again : ConstDynamicRecursiveASTVisitor {
    const Finder &Of;
    bool Found = false;
    explicit Again(const Finder &Of) : Of(Of) {}
    bool VisitNamedDecl(const NamedDecl *D) override {
      Found |=
          D->getDeclName() && llvm::any_of(Of.Spelled, [&](const NamedDecl *S) {
            return S->getDeclName() == D->getDeclName() &&
                   S->getLocation() != D->getLocation();
          });
      return true;
    }
  } Others(Names);
  Others.TraverseDecl(In);
  return Others.Found;
}

/// `W + 2`, of what is added and taken away.
std::optional<ConstantText> spanText(
    const CopyLoop &L,
    llvm::function_ref<std::optional<ConstantText>(const Expr *)> Spelled) {
  std::optional<ConstantText> All;
  for (bool Minus : {false, true})
    for (const CopyLoop::Addend &A : L.Span) {
      if (A.Minus != Minus)
        continue;
      auto One = Spelled(A.Constant);
      if (!One || (Minus && !All))
        return std::nullopt;
      if (!All) {
        All = std::move(One);
        continue;
      }
      All->Text = asOperand(All->Text, All->Binds, Binding::Additive) +
                  (Minus ? " - " : " + ") +
                  asOperand(One->Text, One->Binds, Binding::Multiplicative);
      All->Binds = Binding::Additive;
      All->Replaced |= One->Replaced;
    }
  return All;
}

/// `ROWS * COLUMNS / 4`
std::optional<ConstantText> productText(
    const CopyLoop &L,
    llvm::function_ref<std::optional<ConstantText>(const Expr *)> Spelled) {
  std::optional<ConstantText> All;
  for (const Expr *E : L.LimitSizes) {
    auto One = Spelled(E);
    if (!One)
      return std::nullopt;
    if (!All) {
      All = std::move(One);
      continue;
    }
    All->Text = asOperand(All->Text, All->Binds, Binding::Multiplicative) +
                " * " + asOperand(One->Text, One->Binds, Binding::Unary);
    All->Binds = Binding::Multiplicative;
    All->Replaced |= One->Replaced;
  }
  if (All && L.LimitWidth != 1) {
    All->Text = asOperand(All->Text, All->Binds, Binding::Multiplicative) +
                " / " + std::to_string(L.LimitWidth);
    All->Binds = Binding::Multiplicative;
  }
  return All;
}

} // namespace

llvm::Expected<PartCount>
partCount(const CopyLoop &L, const FunctionDecl *Helper, const TileLoop &Loop,
          const SourceText &Source, RuntimeCalls &Calls) {
  std::string Number = std::to_string(L.Trips);
  bool Template = (Helper ? Helper : Loop.Function)->isTemplateInstantiation();
  const Stmt *Scope = Helper ? Helper->getBody() : Loop.Loop;
  llvm::SmallVector<const Expr *, 2> Most{L.Bound};
  if (L.Limit)
    Most = L.LimitSizes;
  const bool Hidden = L.Limit && llvm::any_of(Most, [&](const Expr *E) {
                        return isHidden(E, Helper ? Helper : Loop.Function);
                      });
  const bool NoText = llvm::any_of(
      Most, [&](const Expr *E) { return !E || Source.text(E).empty(); });
  // The number says the same as a size that cannot be spelled here.
  if (Most.empty() || !Most.front() ||
      (L.Limit && !Template && (NoText || Hidden)))
    return PartCount{Number};
  if (Hidden)
    return cannotMove(msg::copy_limit_is_hidden);
  if (NoText || (L.Step && Source.text(L.Step).empty()))
    return cannotMove(msg::copy_loop_bounds_in_macro);
  auto Spelled = [&](const Expr *E) {
    return constantText(
        E, Scope, L.BlockAxes ? std::optional(L.Block) : std::nullopt, Source);
  };
  auto Known = L.SharesStart ? spanText(L, Spelled)
               : L.Limit     ? productText(L, Spelled)
                             : Spelled(L.Bound);
  std::optional<ConstantText> Apart = ConstantText{"1"},
                              From = ConstantText{"0"};
  if (L.Step)
    Apart = Spelled(L.Step);
  if (L.ConstantInit && !L.ConstantInitIsZero)
    From = Spelled(L.Init);
  // In a template the number may be another one in the next instantiation.
  if (!Known || !Apart || !From) {
    if (Template)
      return cannotMove(msg::trip_count_of_local_names);
    return PartCount{Number};
  }
  const std::string &Bound = Known->Text, Step = withoutCast(Apart->Text);
  bool Literal =
      ((!L.SharesStart && L.LimitWidth == 1 && Most.size() == 1 &&
        literal(Most.front())) ||
       (L.SharesStart && llvm::all_of(L.Span,
                                      [](const CopyLoop::Addend &A) {
                                        return literal(A.Constant);
                                      })) ||
       (Known->Replaced && isNumber(Bound))) &&
      (!L.Step || literal(L.Step) || (Apart->Replaced && isNumber(Step)));
  if (Literal ||
      (isOfNumbers(Bound) && isOfNumbers(Step) && isOfNumbers(From->Text)))
    return PartCount{Number};
  std::string Span = Bound;
  if (L.Compare == CopyLoop::Test::LessEqual && !L.Limit)
    Span = grouped(Bound) + " + 1";
  if (L.ConstantInit && !L.ConstantInitIsZero)
    Span = grouped(Span) + " - " + grouped(From->Text);
  // It also stands behind a `<`.
  if (Step == "1")
    return PartCount{
        Span == Bound ? asOperand(Span, Known->Binds, Binding::Shift) : Span};
  if (L.Compare == CopyLoop::Test::StepFits && !L.Limit)
    return PartCount{grouped(Span) + " / " + grouped(Step)};
  return PartCount{Calls.to(Primitive::CeilDiv) + "(" + Span + ", " + Step +
                       ")",
                   /*RoundedUp=*/true};
}

std::string wholeParts(const PartCount &Count, const CopyLoop &L,
                       const SourceText &Source) {
  if (!Count.RoundedUp)
    return std::to_string(L.Trips - 1);
  const auto *B = dyn_cast<BinaryOperator>(L.Bound->IgnoreImpCasts());
  bool Product = B && B->getOpcode() == BO_Mul && !B->getExprLoc().isMacroID();
  std::string Bound = Source.text(L.Bound);
  return (Product ? Bound : grouped(Bound)) + " / " +
         grouped(Source.text(L.Step));
}

std::string otherBlock(const TileLoop &Loop, const PipelinePlan &Plan) {
  std::string Other;
  for (unsigned Axis = 0; Axis != 3; ++Axis)
    for (unsigned I = 0; I != Loop.Copies.size(); ++I) {
      auto Counted =
          llvm::find_if(Loop.Copies[I].Loops, [&](const CopyLoop &L) {
            return L.BlockAxes >> Axis & 1;
          });
      if (Counted == Loop.Copies[I].Loops.end() ||
          Plan.Copies[I].Way != Route::Registers)
        continue;
      Other += (Other.empty() ? "" : " || ") +
               ("blockDim." + std::string(1, "xyz"[Axis]) + " != ") +
               std::to_string(Counted->Block[Axis]);
      break;
    }
  return Other;
}

std::string partIndex(const CopyLoop &L, const SourceText &Source) {
  std::string Name = L.Index->getNameAsString();
  if (!L.ConstantInitIsZero)
    Name += " - " + grouped(Source.text(L.Init));
  if (!L.Step || Source.text(L.Step) == "1")
    return Name;
  return grouped(Name) + " / " + grouped(Source.text(L.Step));
}

} // namespace kpipe
