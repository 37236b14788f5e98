// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See LaunchMaps.h. What a launch gives is evaluated twice, so nothing in it
// may have an effect.
#include "LaunchMaps.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

bool LaunchMaps::declare(llvm::ArrayRef<MappedArray> Arrays) {
  const FunctionDecl *F = Kernel;
  if (const FunctionDecl *Pattern = F->getTemplateInstantiationPattern())
    F = Pattern;
  // A caller elsewhere would be linked, and would give no map.
  if (F->isExternC())
    return fail({msg::tma_extern_c});
  const unsigned Count = F->getNumParams();
  if (!Count || F->isVariadic() || Count != Kernel->getNumParams() ||
      llvm::any_of(F->parameters(), [](const ParmVarDecl *P) {
        return P->hasDefaultArg() || P->isParameterPack();
      }))
    return fail({msg::tma_parameters});
  const auto Last =
      Source.offset(F->getParamDecl(Count - 1)->getSourceRange().getEnd());
  if (!Last)
    return fail({msg::tma_parameters});
  std::string Text;
  for (const MappedArray &A : Arrays)
    Text += ", const __grid_constant__ CUtensorMap " + A.Map;
  Edits.push_back({Source.tokenEnd(*Last), 0, std::move(Text)});
  return true;
}

/// What the launch gives for a parameter, as the parameter's own value.
std::string LaunchMaps::argument(const CUDAKernelCallExpr &Launch,
                                 const VarDecl *Parameter, bool Operand) {
  const unsigned I = cast<ParmVarDecl>(Parameter)->getFunctionScopeIndex();
  const Expr *Given = Launch.getArg(I);
  const Expr *Written = Given->IgnoreParenImpCasts();
  std::string Text = Source.text(Given->IgnoreImpCasts());
  if (Text.empty() || isa<CXXDefaultArgExpr>(Given))
    return "";
  const QualType To = Parameter->getType().getCanonicalType(),
                 From = Written->getType().getCanonicalType();
  const ASTContext &Context = Source.context();
  if (To->isPointerType())
    return From->isPointerType() &&
                   Context.hasSameUnqualifiedType(From->getPointeeType(),
                                                  To->getPointeeType())
               ? Text
               : "";
  if (!To->isIntegerType() || !From->isIntegerType())
    return "";
  const bool Simple = isa<DeclRefExpr, IntegerLiteral, MemberExpr>(Written) ||
                      isa<ParenExpr>(Given->IgnoreImpCasts());
  if (Context.hasSameUnqualifiedType(From, To))
    return Simple || !Operand ? Text : "(" + Text + ")";
  return "static_cast<" +
         To.getUnqualifiedType().getAsString(Context.getPrintingPolicy()) +
         ">(" + Text + ")";
}

bool LaunchMaps::give(const CUDAKernelCallExpr &Launch,
                      llvm::ArrayRef<MappedArray> Arrays) {
  const ASTContext &Context = Source.context();
  const unsigned Line =
      Context.getSourceManager().getExpansionLineNumber(Launch.getBeginLoc());
  if (Launch.getNumArgs() != Kernel->getNumParams())
    return fail({msg::tma_launch, Line});
  for (const Expr *A : Launch.arguments())
    if (A->HasSideEffects(Context, /*IncludePossibleEffects=*/true))
      return fail({msg::tma_launch_effects, Line});
  for (const Expr *A : Launch.getConfig()->arguments())
    if (A->HasSideEffects(Context, /*IncludePossibleEffects=*/false))
      return fail({msg::tma_launch_effects, Line});
  const auto End = Source.expression(
      Launch.getArg(Launch.getNumArgs() - 1)->IgnoreImpCasts());
  if (!End)
    return fail({msg::tma_launch, Line});
  std::string Text;
  for (const MappedArray &A : Arrays) {
    const std::string Base = argument(Launch, A.From.Base, false);
    bool Good = !Base.empty();
    const bool Alone = A.From.Pitch.Terms.size() == 1 &&
                       A.From.Pitch.Terms.begin()->first.size() <= 1 &&
                       A.From.Pitch.Terms.begin()->second == 1;
    // The kernel may compute it with 64 bits.
    const std::string Pitch = sumText(
        A.From.Pitch,
        [&](unsigned S) {
          std::string One = argument(Launch, At.symbol(S).Var, !Alone);
          Good &= !One.empty();
          return One;
        },
        /*Wide=*/!Alone);
    if (!Good)
      return fail({msg::tma_launch, Line});
    Text += ", kpipe::tile_map<" + std::to_string(A.Rows.Rows) + ", " +
            std::to_string(A.Rows.Columns) + ">(" + Base + ", " + Pitch + ")";
  }
  Edits.push_back({End->End, 0, std::move(Text)});
  return true;
}

} // namespace kpipe
