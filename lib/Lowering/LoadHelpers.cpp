// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoadHelpers.h"
#include "Code/InFlight.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

LoadHelpers::LoadHelpers(llvm::ArrayRef<DeviceFunction> Functions,
                         AsyncCode &Code, UnitCalls &Calls, FileTexts &Files)
    : Functions(Functions), Code(Code), Calls(Calls), Files(Files) {
  for (const DeviceFunction &F : Functions)
    for (const FunctionDecl *Body : F.Bodies)
      Written[Body] = &F;
}

bool LoadHelpers::refuse(const DeviceFunction &Helper) {
  Refused.insert(Helper.Bodies.begin(), Helper.Bodies.end());
  return true;
}

bool LoadHelpers::refuse(llvm::ArrayRef<User> Users) {
  Needed.clear();
  Edits.clear();
  auto Need = [&](const LoweredBody &By, const FunctionDecl *From) {
    for (const FunctionDecl *Helper : By.Helpers) {
      const DeviceFunction *F = Written.lookup(Helper);
      // Other units may have the file of another one.
      if (!F || Files.fileOf(Helper) != Files.fileOf(From)) {
        Refused.insert(Helper);
        return false;
      }
      Needed.insert(F);
    }
    return true;
  };
  for (const User &U : Users)
    if (!Need(*U.Lowered, U.Body))
      return true;
  for (unsigned I = 0; I != Needed.size(); ++I) {
    const DeviceFunction &Helper = *Needed[I];
    if (!makePlain(Helper))
      return refuse(Helper);
    for (const FunctionDecl *Body : Helper.Bodies)
      for (const AsyncOp &Op : Code.of(Body)->All)
        if (Op.Kind == AsyncKind::InHelper &&
            (!mayBePlain(Op.Helper) || !Written.count(Op.Helper)))
          return refuse(Helper);
        else if (Op.Kind == AsyncKind::InHelper)
          Needed.insert(Written.lookup(Op.Helper));
  }
  for (const DeviceFunction *Helper : Needed)
    if (!isOnlyCalledBy(*Helper, Users) || isNamedUnseen(*Helper))
      return refuse(*Helper);
  return false;
}

/// One text for all instances.
bool LoadHelpers::makePlain(const DeviceFunction &Helper) {
  const FileID In = Files.fileOf(Helper.Written);
  std::optional<LoweredBody> All;
  for (const FunctionDecl *Body : Helper.Bodies) {
    std::optional<LoweredBody> One = lowerHelper(Body, Code, Files.of(In));
    if (!One || (All && All->Edits != One->Edits))
      return false;
    All = std::move(One);
  }
  if (!All)
    return false;
  Edits[In].insert(All->Edits.begin(), All->Edits.end());
  return true;
}

/// A call in front of loops that all become plain, or behind them: a tile that
/// is loaded once. What else is in flight there the function may have waited for
/// or committed.
static bool isBesideLoops(const CallExpr *C, const LoadHelpers::User &U,
                          const AsyncOps &Ops, AsyncCode &Code) {
  if (U.Lowered->Loops.empty() || !U.Lowered->Others.empty())
    return false;
  for (const Stmt *S = C; S; S = Ops.parent(S))
    if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt, LambdaExpr>(S))
      return false;
  return InFlight(U.Body, Ops, Code).isCleanBefore(C);
}

bool LoadHelpers::isOnlyCalledBy(const DeviceFunction &Helper,
                                 llvm::ArrayRef<User> Users) const {
  const CallIndex &Index = Calls.get();
  auto Becomes = [&](const CallExpr *C) {
    const FunctionDecl *From = Index.CallerOf.lookup(C), *Body = nullptr;
    if (!From || !From->hasBody(Body))
      return false;
    if (const DeviceFunction *F = Written.lookup(Body); F && Needed.contains(F))
      return true;
    const AsyncOps *Ops = Code.of(Body);
    return Ops && llvm::any_of(Users, [&](const User &U) {
             return U.Body == Body &&
                    (llvm::any_of(U.Lowered->Loops,
                                  [&](const Stmt *Loop) {
                                    return !llvm::is_contained(
                                               U.Lowered->Opened, Loop) &&
                                           Ops->within(C, Loop);
                                  }) ||
                     isBesideLoops(C, U, *Ops, Code));
           });
  };
  return llvm::all_of(Helper.Bodies, [&](const FunctionDecl *Body) {
    auto Found = Index.Calls.find(Body->getCanonicalDecl());
    return Index.hasAll(Body) &&
           (Found == Index.Calls.end() || llvm::all_of(Found->second, Becomes));
  });
}

/// A template that nothing instantiates here may be a loop that is staged.
bool LoadHelpers::isNamedUnseen(const DeviceFunction &Helper) const {
  const FileID In = Files.fileOf(Helper.Written);
  if (!Helper.Written->getIdentifier())
    return false;
  return llvm::any_of(Functions, [&](const DeviceFunction &F) {
    if (!F.Bodies.empty() || !F.Written->getBody() ||
        Files.fileOf(F.Written) != In || &F == &Helper)
      return false;
    const SourceText &Source = Files.of(In).Source;
    return identifiersOf(Source.at(Source.statement(F.Written->getBody())),
                         Code.Context.getLangOpts())
        .contains(Helper.Written->getName());
  });
}

} // namespace kpipe
