// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches and other mentions of a kernel, see SeenLaunches.h.
#include "SeenLaunches.h"
#include "MacroLaunches.h"
#include "Support/RuleSwitch.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace kpipe {

/// Is the text there in a file that others include?
static bool isInHeader(SourceLocation At, const SourceManager &SM) {
  At = SM.getExpansionLoc(At);
  llvm::StringRef Extension = llvm::sys::path::extension(SM.getFilename(At));
  return !SM.isInMainFile(At) || Extension == ".cuh" || Extension == ".h" ||
         Extension == ".hpp";
}

Message launchedFromAfar(const FunctionDecl *Kernel) {
  const FunctionDecl *Written = writtenKernel(Kernel);
  if (isInHeader(Written->getLocation(),
                 Kernel->getASTContext().getSourceManager()))
    return msg::kernel_is_in_header;
  if (Written->getPreviousDecl() || Written->getMostRecentDecl() != Written)
    return msg::kernel_is_declared_apart;
  TemplateSpecializationKind Kind = Kernel->getTemplateSpecializationKind();
  if (Kind != TSK_Undeclared && Kind != TSK_ImplicitInstantiation)
    return msg::kernel_is_instantiated;
  return {};
}

Message namedUnread(const FunctionDecl *Written, const LaunchIndex &Index,
                    const SourceManager &SM) {
  auto It = Index.Unread.find(Written->getCanonicalDecl());
  if (It == Index.Unread.end() || ruleIsSwitchedOff("launches"))
    return {};
  return {msg::kernel_named_unread, SM.getExpansionLineNumber(It->second)};
}

Message namedOtherwise(const FunctionDecl *Written, const LaunchPlaces &Known,
                       const LaunchIndex &Index, const SourceManager &SM) {
  auto It = Index.Mentions.find(Written->getCanonicalDecl());
  if (It != Index.Mentions.end() && !ruleIsSwitchedOff("launches"))
    for (SourceLocation L : It->second)
      if (!Known.contains(L))
        return {msg::kernel_named_otherwise, SM.getExpansionLineNumber(L)};
  return {};
}

bool areOneSeenKernel(const Runners &Of, const LaunchIndex &Index,
                      const SourceManager &SM) {
  return Of.areOneKernel() &&
         llvm::none_of(Of.Functions, [&](const FunctionDecl *F) {
           const FunctionDecl *Written = writtenKernel(F);
           return launchedFromAfar(F) ||
                  Index.NamedInSkipped.count(Written->getCanonicalDecl()) ||
                  namedUnread(Written, Index, SM);
         });
}

llvm::SmallVector<const Launch *, 4> launchesOf(const FunctionDecl *Written,
                                                const LaunchIndex &Index,
                                                const SourceManager &SM) {
  llvm::SmallVector<const Launch *, 4> Found;
  for (const auto &[Launched, All] : Index.Of)
    if (writtenKernel(Launched) == Written)
      for (const Launch &L : All)
        Found.push_back(&L);
  llvm::stable_sort(Found, [&](const Launch *A, const Launch *B) {
    return SM.isBeforeInTranslationUnit(A->Where, B->Where);
  });
  return Found;
}

/// Why this launch cannot be given other text.
static Message launchStays(const Launch &L, const FunctionDecl *Written,
                           const LaunchIndex &Index, const SourceManager &SM) {
  auto at = [&](msg::Id Why) {
    return Message(Why, SM.getExpansionLineNumber(L.Where));
  };
  if (!L.Call || !L.Kernel || isa<VarDecl>(L.Kernel->getDecl()))
    return at(msg::launch_is_no_triple_chevron);
  if (L.Cooperative)
    return at(msg::launch_is_cooperative);
  if (isMadeByMacro(L, SM) || launchesAnother(L, Written, Index, SM))
    return at(msg::launch_is_in_macro);
  if (SM.getFileID(SM.getFileLoc(L.Where)) !=
      SM.getFileID(SM.getExpansionLoc(Written->getLocation())))
    return at(msg::launch_is_in_other_file);
  return {};
}

/// Why this launch cannot ask for a warp more.
static Message blockStays(const Launch &L, const FunctionDecl *Written,
                          const LaunchIndex &Index, const SourceManager &SM) {
  if (Message Why = launchStays(L, Written, Index, SM))
    return Why;
  auto at = [&](msg::Id Why) {
    return Message(Why, SM.getExpansionLineNumber(L.Where));
  };
  if (!L.CertainBlock || L.certainThreads().value_or(0) == 0)
    return at(msg::producer_block_unknown);
  if ((*L.CertainBlock)[1] != 1 || (*L.CertainBlock)[2] != 1)
    return at(msg::producer_block_axes);
  return {};
}

/// Why there may be launches that are not seen; empty if there are none.
static Message launchedUnseen(const FunctionDecl *Kernel,
                              const LaunchIndex &Index,
                              const SourceManager &SM) {
  const FunctionDecl *Written = writtenKernel(Kernel);
  if (Message Why = launchedFromAfar(Kernel))
    return Why;
  if (Message Why = namedUnread(Written, Index, SM))
    return Why;
  if (Index.NamedInSkipped.count(Written->getCanonicalDecl()))
    return msg::producer_named_skipped;
  // One text stands for all of them.
  if (const FunctionTemplateDecl *T = Written->getDescribedFunctionTemplate())
    for (const FunctionDecl *F : T->specializations())
      if (Message Why = launchedFromAfar(F))
        return Why;
  return {};
}

KernelCalls callsOf(const FunctionDecl *Kernel, const LaunchIndex &Index,
                    const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const FunctionDecl *Written = writtenKernel(Kernel);
  KernelCalls All;
  LaunchPlaces Known, Texts;
  All.Not = launchedUnseen(Kernel, Index, SM);
  for (const Launch *L : launchesOf(Written, Index, SM)) {
    if (!All.Not)
      All.Not = launchStays(*L, Written, Index, SM);
    if (All.Not)
      return All;
    Known.insert(L->Kernel->getLocation());
    if (Texts.insert(SM.getFileLoc(L->Kernel->getLocation())).second)
      All.Calls.push_back(L->Call);
  }
  auto It = Index.Settings.find(Written->getCanonicalDecl());
  if (It != Index.Settings.end())
    for (const KernelSetting &S : It->second)
      Known.insert(S.Kernel->getLocation());
  if (!All.Not)
    All.Not = All.Calls.empty() ? Message(msg::no_launch_in_file)
                                : namedOtherwise(Written, Known, Index, SM);
  return All;
}

void growBlocks(const FunctionDecl *Kernel, const LaunchIndex &Index,
                const ASTContext &Context, ProducerWarp &Producer) {
  const SourceManager &SM = Context.getSourceManager();
  const FunctionDecl *Written = writtenKernel(Kernel);
  auto no = [&](Message Why) { Producer.Not = std::move(Why); };
  if (Message Why = launchedUnseen(Kernel, Index, SM))
    return no(Why);
  LaunchPlaces Known, Texts;
  for (const Launch *L : launchesOf(Written, Index, SM)) {
    if (Message Why = blockStays(*L, Written, Index, SM))
      return no(Why);
    const unsigned Threads = *L->certainThreads();
    if (Producer.Authors && Producer.Authors != Threads)
      return no({msg::producer_blocks_differ,
                 SM.getExpansionLineNumber(L->Where), Threads,
                 Producer.Authors});
    Producer.Authors = Threads;
    Known.insert(L->Kernel->getLocation());
    const Expr *Size = L->Call->getConfig()->getArg(1);
    if (Texts.insert(SM.getFileLoc(Size->getBeginLoc())).second)
      Producer.Blocks.push_back(Size);
  }
  if (Producer.Blocks.empty())
    return no(msg::no_launch_in_file);
  auto It = Index.Settings.find(Written->getCanonicalDecl());
  if (It != Index.Settings.end())
    for (const KernelSetting &S : It->second)
      Known.insert(S.Kernel->getLocation());
  if (Message Why = namedOtherwise(Written, Known, Index, SM))
    return no(Why);
  if (Producer.Authors % Producer.Threads != 0)
    return no({Producer.isGroup() ? msg::producer_block_no_groups
                                  : msg::producer_block_partial,
               Producer.Authors});
  constexpr unsigned Most = 1024;
  if (Producer.Authors + Producer.Threads > Most)
    no({Producer.isGroup() ? msg::producer_block_full_of_groups
                           : msg::producer_block_full,
        Producer.Authors, Most});
}

} // namespace kpipe
