// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts of a kernel, see Kernel.h.

#include "KernelShape.h"
#include "Code/AstUtils.h"
#include "LaunchBounds.h"
#include "RegisterUse.h"
#include "SeenLaunches.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace kpipe {

namespace {

/// Shared variables that a kernel and its callees mention.
class Contents : public ConstDynamicRecursiveASTVisitor {
public:
  llvm::SetVector<const VarDecl *> Shared;
  bool UsesDynamic = false;

  void run(const FunctionDecl *Kernel) {
    Visited.insert(Kernel);
    TraverseStmt(Kernel->getBody());
  }
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    if (!V || !V->hasAttr<CUDASharedAttr>())
      return true;
    if (V->getType()->isIncompleteType())
      UsesDynamic = true;
    else if (hasSize(V->getType())) // `extern` as well: nvcc defines it
      Shared.insert(V->getCanonicalDecl());
    return true;
  }
  bool VisitCallExpr(const CallExpr *C) override {
    const FunctionDecl *Definition = nullptr;
    if (const FunctionDecl *F = C->getDirectCallee();
        F && F->hasBody(Definition) && Visited.insert(Definition).second)
      TraverseStmt(Definition->getBody());
    return true;
  }

private:
  llvm::SmallPtrSet<const FunctionDecl *, 8> Visited;
};

class KernelReader {
public:
  KernelReader(const FunctionDecl *Kernel, const TransformOptions &Options,
               const LaunchIndex &Launches, ASTContext &Context,
               const SharedGrowth &Growth)
      : Kernel(Kernel), Options(Options), Launches(Launches), Context(Context),
        SM(Context.getSourceManager()), Growth(Growth) {}

  KernelShape run() {
    llvm::raw_string_ostream Name(Shape.Name);
    Kernel->getNameForDiagnostic(Name, Context.getPrintingPolicy(), true);
    Contents Found;
    Found.run(Kernel);
    const RegisterUse Use = registerUse(Kernel, Context);
    Shape.LiveRegisters = Use.Live;
    Shape.ArrayRegisters = Use.Arrays;
    Shape.LikelyRegisters = Use.Likely;
    readShared(Found);
    readBounds();
    readByBlock();
    readBlock();
    boundBlocks();
    return std::move(Shape);
  }

private:
  const FunctionDecl *Kernel;
  const TransformOptions &Options;
  const LaunchIndex &Launches;
  ASTContext &Context;
  const SourceManager &SM;
  const SharedGrowth &Growth;
  KernelShape Shape;

  void readShared(const Contents &Found) {
    llvm::SmallVector<const VarDecl *, 8> Variables(Found.Shared.begin(),
                                                    Found.Shared.end());
    // nvcc emits them in the order in which the unit declares them.
    llvm::stable_sort(Variables, [&](const VarDecl *A, const VarDecl *B) {
      return SM.isBeforeInTranslationUnit(A->getLocation(), B->getLocation());
    });
    for (const VarDecl *V : Variables)
      if (!Growth.Moved.contains(V))
        Shape.Shared.push_back(
            {V,
             static_cast<uint64_t>(
                 Context.getTypeSizeInChars(V->getType()).getQuantity()),
             std::max<uint64_t>(Context.getDeclAlign(V).getQuantity(), 1),
             Growth.Arrays.lookup(V)});
    Shape.DynamicGrown = Growth.Dynamic.lookup(Kernel->getCanonicalDecl());
    // ptxas aligns dynamic shared memory to 16 bytes at least, in every kernel
    // of a unit that uses some.
    if (Launches.DynamicAlignment)
      Shape.SharedRounding = std::max<uint64_t>(16, Launches.DynamicAlignment);
    std::optional<uint64_t> Most;
    bool AllKnown = true;
    for (const Launch &L : Launches.launches(Kernel)) {
      AllKnown &= L.DynamicShared.has_value();
      if (L.DynamicShared)
        Most = std::max(Most.value_or(0), *L.DynamicShared);
    }
    if (!Found.UsesDynamic)
      Shape.DynamicShared = Most.value_or(0);
    else if (AllKnown)
      Shape.DynamicShared = Most;
    else
      Shape.DynamicShared.reset();
  }

  /// What launches give whose blocks are not constant.
  void readByBlock() {
    if (Shape.DynamicShared)
      return;
    for (const Launch &L : Launches.launches(Kernel)) {
      if (L.DynamicShared && L.threads().value_or(0))
        Shape.DynamicByBlock.push_back({*L.threads(), *L.DynamicShared});
      else if (!L.ByBlock.empty())
        llvm::append_range(Shape.DynamicByBlock, L.ByBlock);
      else
        return Shape.DynamicByBlock.clear();
    }
    llvm::erase_if(Shape.DynamicByBlock, [&](const BlockBytes &B) {
      return Shape.MaxThreads && B.Threads > *Shape.MaxThreads;
    });
    llvm::sort(Shape.DynamicByBlock);
    Shape.DynamicByBlock.erase(llvm::unique(Shape.DynamicByBlock),
                               Shape.DynamicByBlock.end());
  }

  std::optional<unsigned> bound(const Expr *E) const {
    auto Value = constantValue(E, Context);
    if (!Value || *Value <= 0 || *Value > UINT32_MAX)
      return std::nullopt;
    return static_cast<unsigned>(*Value);
  }

  void readBounds() {
    if (const AnnotateAttr *A = registerLimit(Kernel))
      Shape.MaxRegisters = bound(*A->args_begin());
    // The attribute may stand on any declaration.
    for (const FunctionDecl *D : Kernel->redecls())
      if (const auto *A = D->getAttr<CUDALaunchBoundsAttr>()) {
        Shape.MaxThreads = bound(A->getMaxThreads());
        Shape.MinBlocks = bound(A->getMinBlocks());
        return;
      }
  }

  Message line(const Launch &L) const {
    const unsigned Line = SM.getExpansionLineNumber(L.Where);
    if (SM.getFileID(L.Where) ==
        SM.getFileID(SM.getExpansionLoc(Kernel->getLocation())))
      return {msg::line_of_file, Line};
    return {msg::line_of_other_file,
            llvm::sys::path::filename(SM.getFilename(L.Where)), Line};
  }

  /// Is the kernel handed to somebody who may launch it with other blocks?
  bool isNamedOtherwise(const FunctionDecl *Written) const {
    LaunchPlaces Known;
    Known.insert(Launches.Asked.begin(), Launches.Asked.end());
    for (const Launch *L : launchesOf(Written, Launches, SM))
      if (L->Kernel)
        Known.insert(L->Kernel->getLocation());
    auto It = Launches.Settings.find(Written->getCanonicalDecl());
    if (It != Launches.Settings.end())
      for (const KernelSetting &S : It->second)
        Known.insert(S.Kernel->getLocation());
    return !namedOtherwise(Written, Known, Launches, SM).empty();
  }

  /// Does --block say what all the launches say that are seen?
  bool isOfOption(llvm::ArrayRef<Launch> All) const {
    return Options.Block && llvm::all_of(All, [&](const Launch &L) {
             return L.Block && *L.Block == *Options.Block;
           });
  }

  /// What holds for the threads of every block.
  void boundBlocks() {
    llvm::ArrayRef<Launch> All = Launches.launches(Kernel);
    auto known = [](const Launch &L) { return L.threads().value_or(0) != 0; };
    // Others may stand in text that is not read here, and what a header has is
    // launched by whoever includes it.
    const FunctionDecl *Written = writtenKernel(Kernel);
    const bool Handed = isNamedOtherwise(Written);
    bool AllSeen =
        !Launches.Unread.count(Written->getCanonicalDecl()) &&
        SM.isInMainFile(SM.getExpansionLoc(Written->getLocation())) && !Handed;
    if (AllSeen && !All.empty() && llvm::all_of(All, known)) {
      Shape.MostThreads = {1, 1, 1};
      for (const Launch &L : All)
        for (unsigned I = 0; I != 3; ++I)
          Shape.MostThreads[I] = std::max(Shape.MostThreads[I], (*L.Block)[I]);
      if (llvm::all_of(All, [&](const Launch &L) {
            return L.Block == All.front().Block;
          }))
        Shape.OnlyBlock = All.front().Block;
    } else if (Shape.Block && (All.empty() || (Handed && isOfOption(All)))) {
      Shape.MostThreads = *Shape.Block; // of --block
      Shape.OnlyBlock = Shape.Block;
    }
    if (Shape.MaxThreads)
      for (unsigned &Axis : Shape.MostThreads)
        Axis = std::min(Axis, *Shape.MaxThreads);
  }

  void readBlock() {
    const Launch *Largest = nullptr;
    const Launch *Other = nullptr;   // a launch of another size
    const Launch *Unknown = nullptr; // a launch of unknown size
    for (const Launch &L : Launches.launches(Kernel)) {
      if (!L.threads() || *L.threads() == 0)
        Unknown = Unknown ? Unknown : &L;
      else if (!Largest || *L.threads() > *Largest->threads())
        Largest = &L;
    }
    for (const Launch &L : Launches.launches(Kernel))
      if (Largest && L.threads() && L.Block != Largest->Block && !Other)
        Other = &L;
    Message &From = Shape.ThreadsFrom;
    if (Largest) {
      Shape.Threads = Largest->threads();
      Shape.Block = Largest->Block;
      if (Other)
        From = {msg::largest_launch_in, line(*Largest), line(*Other),
                *Other->threads()};
      else if (Unknown)
        From = {msg::constant_launch_in, line(*Largest), line(*Unknown)};
      else
        From = {msg::launch_in, line(*Largest)};
      if (Options.Block && *Options.Block != *Largest->Block)
        From = {msg::not_block_option, From};
      return;
    }
    if (Options.Block) {
      const auto &B = *Options.Block;
      unsigned Threads = B[0] * B[1] * B[2];
      if (!Shape.MaxThreads || Threads <= *Shape.MaxThreads) {
        Shape.Threads = Threads;
        Shape.Block = B;
        From = msg::block_option;
        return;
      }
    }
    if (Shape.MaxThreads) {
      Shape.Threads = Shape.MaxThreads;
      From = Options.Block ? msg::launch_bounds_not_block : msg::launch_bounds;
    } else if (Unknown) {
      From = {msg::launch_is_not_constant, line(*Unknown)};
    }
  }
};

} // namespace

KernelShape kernelShape(const FunctionDecl *F, const TransformOptions &Options,
                        const CallIndex &Calls, const LaunchIndex &Launches,
                        ASTContext &Context, const SharedGrowth &Growth) {
  std::optional<KernelShape> Best;
  uint64_t Most = 0;
  for (const FunctionDecl *K : kernelsAround(F, Calls)) {
    const FunctionDecl *Definition = nullptr;
    if (!K->hasBody(Definition))
      continue;
    KernelShape S =
        KernelReader(Definition, Options, Launches, Context, Growth).run();
    uint64_t Bytes = layoutShared(S.Shared, S.SharedRounding);
    if (!Best || Bytes > Most) {
      Most = Bytes;
      Best = std::move(S);
    }
  }
  return Best ? std::move(*Best)
              : KernelReader(F, Options, Launches, Context, Growth).run();
}

bool mentionsBarrier(const FunctionDecl *F, const ASTContext &Context) {
  llvm::StringRef Text = Lexer::getSourceText(
      CharSourceRange::getTokenRange(F->getSourceRange()),
      Context.getSourceManager(), Context.getLangOpts());
  bool Loop = Text.contains("for") || Text.contains("while");
  return Loop && Text.contains("__shared__") &&
         (Text.contains("__syncthreads") || Text.contains(".sync(") ||
          Text.contains("sync("));
}

} // namespace kpipe
