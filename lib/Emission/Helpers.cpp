// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clones of helpers, see Helpers.h.

#include "Helpers.h"
#include "kpipe/Refusal.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// The helper as written: for an instantiation its template's pattern.
const FunctionDecl *written(const FunctionDecl *F) {
  const FunctionDecl *Pattern = F->getTemplateInstantiationPattern();
  return Pattern ? Pattern : F;
}

Range wholeText(const FunctionDecl *F, const SourceText &Source) {
  const FunctionDecl *W = written(F);
  SourceLocation Begin = W->getBeginLoc();
  if (const FunctionTemplateDecl *T = W->getDescribedFunctionTemplate())
    Begin = T->getBeginLoc();
  return {Source.expansionOffset(Begin),
          Source.tokenEnd(Source.expansionOffset(W->getEndLoc()))};
}

bool hasRoute(const TileLoop &Loop, const PipelinePlan &Plan,
              const CallExpr *Call, Route R) {
  for (unsigned I = 0; I != Loop.Copies.size(); ++I)
    if (Loop.Copies[I].HelperCall == Call && Plan.Copies[I].Way == R)
      return true;
  return false;
}

/// `<BM, BN>` of a call, or nothing.
std::string templateArguments(const CallExpr *Call, const SourceText &Source) {
  const auto *D = dyn_cast<DeclRefExpr>(Call->getCallee()->IgnoreImpCasts());
  if (!D || !D->hasExplicitTemplateArgs())
    return {};
  auto Begin = Source.offset(D->getLAngleLoc());
  auto End = Source.offset(D->getRAngleLoc());
  if (!Begin || !End || *End < *Begin)
    return {};
  return Source.at({*Begin, *End + 1}).str();
}

/// `ns::` in front of a called name.
std::string qualifier(const CallExpr *Call, const SourceText &Source) {
  const auto *D = dyn_cast<DeclRefExpr>(Call->getCallee()->IgnoreImpCasts());
  if (!D || !D->hasQualifier())
    return {};
  auto Begin = Source.offset(D->getBeginLoc());
  auto End = Source.offset(D->getLocation());
  return Begin && End ? Source.at({*Begin, *End}).str() : std::string();
}

std::string templateHead(const FunctionDecl *F, const SourceText &Source) {
  const FunctionTemplateDecl *T = written(F)->getDescribedFunctionTemplate();
  if (!T)
    return {};
  auto Begin = Source.offset(T->getTemplateParameters()->getTemplateLoc());
  auto End = Source.offset(T->getTemplateParameters()->getRAngleLoc());
  return Begin && End ? Source.at({*Begin, *End + 1}).str() : std::string();
}

/// `<BM, BN>` made of the names of the template's own parameters.
std::string ownArguments(const FunctionDecl *F) {
  const FunctionTemplateDecl *T = written(F)->getDescribedFunctionTemplate();
  if (!T)
    return {};
  std::string Args;
  for (const NamedDecl *P : *T->getTemplateParameters())
    Args += (Args.empty() ? "" : ", ") + P->getNameAsString();
  return "<" + Args + ">";
}

} // namespace

llvm::Expected<HelperUses> planHelpers(const TileLoop &Loop,
                                       const PipelinePlan &Plan,
                                       const SourceText &Source,
                                       const Staging &Registers,
                                       Names &Fresh) {
  HelperUses Out;
  llvm::StringMap<std::string> Chosen;
  auto Name = [&](const FunctionDecl *F, llvm::StringRef Suffix) {
    std::string Wish = (F->getName() + Suffix).str();
    auto [It, New] = Chosen.try_emplace(Wish);
    // The name is one of the file's from then on, and must not join others of
    // it: an overload, or what a header declares.
    ASTContext &Context = F->getASTContext();
    do
      It->second = New ? Fresh.fresh(Wish) : It->second;
    while (New && !F->getDeclContext()
                       ->getRedeclContext()
                       ->lookup(&Context.Idents.get(It->second))
                       .empty());
    return It->second;
  };
  for (const TileCopy &C : Loop.Copies) {
    if (!C.Helper || llvm::any_of(Out.Uses, [&](const HelperUse &U) {
          return U.Call == C.HelperCall;
        }))
      continue;
    const FunctionDecl *W = written(C.Helper);
    const std::string Called = C.Helper->getNameAsString();
    if (!Source.offset(W->getLocation()))
      return cannotMove(msg::helper_in_other_file, Called);
    if (Source.expansionOffset(W->getEndLoc()) >
        Source.expansionOffset(Loop.Function->getBeginLoc()))
      return cannotMove(msg::helper_after_kernel, Called);
    bool Staged = hasRoute(Loop, Plan, C.HelperCall, Route::Registers);
    HelperUse U;
    U.Call = C.HelperCall;
    U.AheadName = Name(C.Helper, Staged ? "_fetch" : "_async");
    if (Staged) {
      U.StoreName = Name(C.Helper, "_store");
      U.TileVar = Out.Tiles.empty() ? Registers.TileParameter
                                    : Fresh.fresh("tile");
      U.TileType = Name(C.Helper, "_tile");
      std::string Args = templateArguments(C.HelperCall, Source);
      if (W->getDescribedFunctionTemplate() && Args.empty())
        return cannotMove(msg::helper_template_arguments, Called);
      Out.Tiles.push_back(qualifier(C.HelperCall, Source) + U.TileType + Args + " " +
                          U.TileVar + Registers.Tiles + ";");
      U.TileVar += Registers.Slot;
    }
    Out.Uses.push_back(std::move(U));
  }
  return Out;
}

llvm::Expected<HelperClones> cloneHelpers(const TileLoop &Loop,
                                          const SourceText &Source,
                                          const Staging &Registers,
                                          const HelperUses &Helpers,
                                          Regions &Writer) {
  HelperClones Out;
  for (const HelperUse &U : Helpers.Uses) {
    const FunctionDecl *F = nullptr;
    std::string Members;
    for (unsigned I = 0; I != Loop.Copies.size(); ++I) {
      if (Loop.Copies[I].HelperCall != U.Call)
        continue;
      F = Loop.Copies[I].Helper;
      if (!Registers.Members[I].empty())
        Members += "  " + Registers.Members[I] + "\n";
    }
    const FunctionDecl *W = written(F);
    Range Whole = wholeText(F, Source);
    unsigned NameAt = *Source.offset(W->getLocation());
    unsigned BodyAt = Source.statement(W->getBody()).Begin;
    std::string Text;
    const std::string &Type = U.TileType;
    if (!Type.empty()) {
      std::string Head = templateHead(F, Source);
      Text += "\n\n// " + Message(msg::comment_tile_struct).str() + "\n";
      Text += (Head.empty() ? "" : Head + "\n") + "struct " + Type + " {\n" +
              Members + "};";
    }
    for (Half Which : {Half::Ahead, Half::Store}) {
      const std::string &Name = Which == Half::Ahead ? U.AheadName : U.StoreName;
      if (Name.empty())
        continue;
      auto Body = Writer.helperBody(F, U.Call, Which);
      if (!Body)
        return Body.takeError();
      std::vector<Edit> Head;
      Head.push_back({NameAt, Source.tokenEnd(NameAt) - NameAt, Name});
      if (!Type.empty()) {
        FunctionTypeLoc L = W->getFunctionTypeLoc();
        auto Close = Source.offset(L.getRParenLoc());
        if (!Close)
          return cannotMove(msg::helper_parameters_in_macro);
        Head.push_back({*Close, 0,
                        std::string(W->getNumParams() ? ", " : "") +
                            (Which == Half::Store ? "const " : "") + Type +
                            ownArguments(F) + " &" + Registers.TileParameter});
      }
      Text += "\n\n" + Source.edited({Whole.Begin, BodyAt}, Head) + *Body;
    }
    EmittedClone &Called = Out.Called.emplace_back();
    Called.Names.push_back(U.AheadName);
    if (!U.StoreName.empty())
      Called.Names.insert(Called.Names.end(), {U.StoreName, U.TileType});
    Called.Text = Text;
    Edit E{Whole.End, 0, std::move(Text)};
    bool Known = false;
    for (const Edit &Other : Out.Edits) {
      if (Other.Offset != E.Offset)
        continue;
      if (Other.Text != E.Text)
        return cannotMove(msg::helper_clones_differ);
      Known = true;
    }
    if (!Known)
      Out.Edits.push_back(std::move(E));
  }
  return Out;
}

} // namespace kpipe
