// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See AsyncMeaning.h. Sources: CUDA C++ Programming Guide, "Asynchronous Data
// Copies"; PTX ISA, "cp.async"; libcu++'s cuda/barrier and cuda/pipeline.
#include "AsyncMeaning.h"
#include "BarrierTrees.h"
#include "Code/KnownFunctions.h"
#include "CopyInstructions.h"
#include "LibraryTypes.h"
#include "MbarrierMeaning.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

class Reader {
public:
  AsyncStatement Read;

  bool statement(const Tree &T, const Frame &F, bool Nested) {
    if (T.is("CompoundStmt"))
      return llvm::all_of(
          T.Kids, [&](const auto &Kid) { return statement(*Kid, F, true); });
    if (T.is("NullStmt"))
      return true;
    if (T.is("IfStmt") && T.Label == "constexpr" && F.Caller)
      return chosen(T, F);
    if (asksBarrier(T))
      return asked(T, F);
    if (T.is("DoStmt") && T.Kids.size() == 2)
      return constantOf(T.kid(1), F) == 0 && statement(T.kid(0), F, true);
    if (T.is("ReturnStmt"))
      return F.Caller && (T.Kids.empty() || T.kid(0).is("-"));
    if (T.is("DeclStmt"))
      return declaration(T, F, Nested);
    if (T.is("GCCAsmStmt"))
      return assembly(T, F);
    const Tree &Call = withoutCasts(T);
    if (Call.is("CStyleCastExpr") && Call.Label == "ToVoid")
      return statement(Call.kid(0), F, Nested);
    return call(Call, F);
  }

private:
  /// Functions that were read, whose trees the events' texts came from.
  std::vector<std::unique_ptr<Tree>> Bodies;
  unsigned Depth = 0;

  AsyncEvent &event(AsyncEvent::Kind What) {
    Read.Events.emplace_back();
    Read.Events.back().What = What;
    return Read.Events.back();
  }

  /// `if constexpr` in a function of the author's: one branch is the code.
  bool chosen(const Tree &T, const Frame &F) {
    const auto *If = cast<IfStmt>(T.Origin);
    std::optional<int64_t> Is = If->getInit() || T.Kids.size() < 2
                                    ? std::nullopt
                                    : constantOf(T.kid(0), F);
    if (!Is)
      return false;
    if (*Is)
      return statement(T.kid(1), F, false);
    return T.Kids.size() == 2 || statement(T.kid(2), F, false);
  }

  /// `auto token = bar.arrive();`, or a variable of a macro or a function.
  bool declaration(const Tree &T, const Frame &F, bool Nested) {
    if (Nested || F.Caller) {
      Read.Effects += F.Caller ? 0 : effectsIn(T);
      return !effectsIn(T);
    }
    return !T.Kids.empty() && llvm::all_of(T.Kids, [&](const auto &Kid) {
      return arrival(*Kid, F);
    });
  }

  bool arrival(const Tree &Var, const Frame &F) {
    size_t Before = Read.Events.size();
    if (!Var.is("Var") || Var.Kids.size() != 1 ||
        !call(withoutCasts(Var.kid(0)), F) ||
        Read.Events.size() != Before + 1 ||
        Read.Events.back().What != AsyncEvent::Arrive)
      return false;
    Read.Events.back().Token = Var.Local;
    return true;
  }

  bool call(const Tree &T, const Frame &F) {
    const FunctionDecl *Callee = calleeOf(T);
    if (!Callee)
      return false;
    for (const Tree *A : argumentsOf(T))
      Read.Effects += F.Caller ? 0 : effectsIn(*A);
    if (!isToolkits(Callee))
      return authors(T, Callee, F);
    if (T.is("CXXMemberCallExpr"))
      return method(T, F, Callee->getNameAsString());
    return function(T, F, Callee);
  }

  /// A function of the author's around some of these.
  bool authors(const Tree &T, const FunctionDecl *Callee, const Frame &F) {
    const FunctionDecl *Body = nullptr;
    std::vector<const Tree *> Arguments = argumentsOf(T);
    if (!T.is("CallExpr") || Depth == 4 || !Callee->hasBody(Body) ||
        Body->getNumParams() != Arguments.size())
      return false;
    Bodies.push_back(treeOf(Body, const_cast<ASTContext &>(F.Context)));
    const Tree &Inside = *Bodies.back();
    std::map<unsigned, const Tree *> Given;
    for (size_t I = 0; I != Arguments.size(); ++I)
      Given[Inside.kid(I).Local] = Arguments[I];
    Frame Own(Inside, F, std::move(Given));
    ++Depth;
    bool Fits = statement(*Inside.Kids.back(), Own, false);
    --Depth;
    return Fits;
  }

  /// A wait for an arrival, in a loop.
  bool asked(const Tree &T, const Frame &F) {
    std::vector<const Tree *> Given = argumentsOf(*askedByLoop(T));
    const Tree &Token = withoutCasts(*Given[1]);
    std::string Key;
    if (F.Caller || !barrierIn(*Given[0], F, Key) || !Token.is("DeclRefExpr") ||
        !Token.Local)
      return false;
    for (const Tree *A : Given)
      Read.Effects += effectsIn(*A);
    AsyncEvent &E = event(AsyncEvent::Barrier);
    E.Object = Key;
    E.All = true;
    E.Token = Token.Local;
    return true;
  }

  bool method(const Tree &T, const Frame &F, llvm::StringRef Name) {
    const Tree &Of = T.kid(0);
    if (!Of.is("MemberExpr") || Of.Kids.size() != 1)
      return false;
    const Tree &Object = Of.kid(0);
    std::string Key;
    if (!counterOf(Object, F, Key))
      return false;
    size_t Given = argumentsOf(T).size();
    if (isClass(Object, "pipeline") && !Given) {
      bool Release = Name == "consumer_release";
      bool Waits = Name == "consumer_wait";
      if (Name == "quit") {
        event(AsyncEvent::Quit).Object = Key;
        return true;
      }
      if (!Release && !Waits && Name != "producer_commit" &&
          Name != "producer_acquire")
        return false;
      bool OfBlock = !Key.empty();
      AsyncEvent &E = event((Release || Waits) && OfBlock ? AsyncEvent::Barrier
                            : Waits                       ? AsyncEvent::Wait
                            : Name == "producer_commit"   ? AsyncEvent::Commit
                                                          : AsyncEvent::Other);
      E.Object = Key;
      return true;
    }
    if (!isClass(Object, "barrier"))
      return false;
    if (Name == "arrive_and_wait" && !Given) {
      AsyncEvent &E = event(AsyncEvent::Barrier);
      E.Object = Key;
      E.All = true;
      return true;
    }
    // A count that is not 1 stands for other threads.
    if (Name == "arrive" && llvm::all_of(argumentsOf(T), [&](const Tree *A) {
          return A->is("CXXDefaultArgExpr") || constantOf(*A, F) == 1;
        })) {
      event(AsyncEvent::Arrive).Object = Key;
      return true;
    }
    if (Name != "wait" || Given != 1)
      return false;
    AsyncEvent E;
    E.What = AsyncEvent::Barrier;
    E.Object = Key;
    E.All = true;
    const Tree *Token = tokenOf(*argumentsOf(T)[0]);
    if (!Token)
      return false;
    if (Token->is("DeclRefExpr")) {
      E.Token = Token->Local;
    } else if (!call(*Token, F) ||
               Read.Events.back().What != AsyncEvent::Arrive ||
               Read.Events.back().Object != Key) {
      return false;
    } else if (!F.Caller) {
      Read.Effects -= effectsIn(*argumentsOf(T)[0]); // it was read just now
    }
    Read.Events.push_back(std::move(E));
    return true;
  }

  bool function(const Tree &T, const Frame &F, const FunctionDecl *Callee) {
    llvm::StringRef Name = Callee->getIdentifier() ? Callee->getName() : "";
    std::vector<const Tree *> Given = argumentsOf(T);
    while (!Given.empty() && Given.back()->is("CXXDefaultArgExpr"))
      Given.pop_back();
    if (Name == "__pipeline_commit" && Given.empty())
      return event(AsyncEvent::Commit).Object.empty();
    if (Name == "__pipeline_wait_prior" && Given.size() == 1) {
      event(AsyncEvent::Wait).Keep = constantOf(*Given[0], F);
      Read.Events.back().All = Read.Events.back().Keep == 0;
      return true;
    }
    if (Name == "pipeline_consumer_wait_prior" && Given.size() == 1) {
      AsyncEvent &E = event(AsyncEvent::Wait);
      E.All = templateNumber(Callee, 0) == 0;
      return counterOf(*Given[0], F, E.Object) && E.Object.empty();
    }
    if (Name == "__pipeline_memcpy_async" &&
        (Given.size() == 3 || Given.size() == 4)) {
      AsyncEvent &E = event(AsyncEvent::Copy);
      E.To = addressIn(*Given[0], F);
      E.From = addressIn(*Given[1], F);
      std::optional<int64_t> Bytes = constantOf(*Given[2], F);
      if (!Bytes || *Bytes <= 0)
        return false;
      E.Bytes = {{"", *Bytes}};
      E.Alignment = *Bytes;
      return Given.size() == 3 || kept(E, *Given[3], F, *Bytes, true);
    }
    if (Name == "memcpy_async")
      return libraryCopy(Given, F);
    if ((Name == "__mbarrier_arrive" || Name == "__pipeline_arrive_on") &&
        Given.size() == 1) {
      AsyncEvent &E = event(Name == "__mbarrier_arrive" ? AsyncEvent::Arrive
                                                        : AsyncEvent::ArriveOn);
      return barrierIn(*Given[0], F, E.Object);
    }
    if ((Name == "wait" || Name == "wait_prior") && Given.size() == 1 &&
        (Name == "wait" || templateNumber(Callee, 0) == 0)) {
      AsyncEvent &E = event(isOneThread(*Given[0]) ? AsyncEvent::Wait
                                                   : AsyncEvent::GroupBarrier);
      E.Group = groupOf(*Given[0], F);
      E.All = E.Uncommitted = true;
      return true;
    }
    return false;
  }

  /// All bytes or none, or a number of them that is told here.
  static bool kept(AsyncEvent &E, const Tree &Bytes, const Frame &F,
                   int64_t All, bool OfZeros) {
    if (keptBy(E.Kept, Bytes, F, All, OfZeros))
      return true;
    E.PartIsZeros = OfZeros;
    E.PartIn = &F;
    E.Part = givenNumber(Bytes, E.PartIn);
    return E.Part;
  }

  /// `memcpy_async([group,] to, from, size[, object])`.
  bool libraryCopy(std::vector<const Tree *> Given, const Frame &F) {
    AsyncEvent E;
    E.What = AsyncEvent::Copy;
    bool Counted = !Given.empty() && (isClass(*Given.back(), "pipeline") ||
                                      isClass(*Given.back(), "barrier"));
    if (Counted) {
      if (!counterOf(*Given.back(), F, E.Object))
        return false;
      Given.pop_back();
    }
    if (!Counted && Given.size() == 5)
      return layouts(std::move(E), Given, F);
    if (Given.size() == 4) {
      if (!isOneThread(*Given[0]))
        E.Group = groupOf(*Given[0], F);
      Given.erase(Given.begin());
    } else if (!Counted) {
      return false;
    }
    if (Given.size() != 3)
      return false;
    E.To = addressIn(*Given[0], F);
    E.From = addressIn(*Given[1], F);
    E.Alignment =
        std::min(alignmentOf(*Given[0], F), alignmentOf(*Given[1], F));
    const Tree *Size = sizeIn(*Given[2], F, E.Alignment);
    if (!Size)
      return false;
    E.Bytes = numberOf(*Size, F, 1);
    Read.Events.push_back(std::move(E));
    return true;
  }

  /// `memcpy_async(group, to, elements, from, elements)`: the fewer.
  bool layouts(AsyncEvent E, llvm::ArrayRef<const Tree *> Given,
               const Frame &F) {
    if (!isOneThread(*Given[0]))
      E.Group = groupOf(*Given[0], F);
    E.To = addressIn(*Given[1], F);
    E.From = addressIn(*Given[3], F);
    E.Alignment =
        std::min(alignmentOf(*Given[1], F), alignmentOf(*Given[3], F));
    unsigned Ignored = 1;
    const Tree *To = sizeIn(*Given[2], F, E.Alignment),
               *From = sizeIn(*Given[4], F, Ignored);
    const unsigned Unit = pointeeSize(*Given[1], F);
    if (!To || !From || !Unit)
      return false;
    auto One = constantOf(*To, F), Two = constantOf(*From, F);
    E.Bytes = numberOf(One && Two && *Two < *One ? *From : *To, F, Unit);
    if ((!One || !Two) && E.Bytes != numberOf(*From, F, Unit))
      return false;
    Read.Events.push_back(std::move(E));
    return true;
  }

  bool assembly(const Tree &T, const Frame &F) {
    const auto *A = cast<GCCAsmStmt>(T.Origin);
    if (A->getNumOutputs() || A->isAsmGoto())
      return false;
    auto All = readCopyInstructions(A->getAsmString());
    if (!All || All->empty())
      return false;
    for (const auto &Kid : T.Kids)
      Read.Effects += F.Caller ? 0 : effectsIn(*Kid);
    return llvm::all_of(
        *All, [&](const CopyInstruction &I) { return instruction(I, T, F); });
  }

  bool instruction(const CopyInstruction &I, const Tree &T, const Frame &F) {
    auto Is = [&](const CopyInstruction::Operand &O, int64_t &Value) {
      if (!O.Number) {
        Value = O.Value;
        return true;
      }
      auto Known = *O.Number < T.Kids.size() ? constantOf(T.kid(*O.Number), F)
                                             : std::nullopt;
      Value = Known.value_or(0);
      return Known.has_value();
    };
    int64_t Value = 0;
    switch (I.What) {
    case CopyInstruction::Commit:
      event(AsyncEvent::Commit);
      return true;
    case CopyInstruction::WaitAll: {
      AsyncEvent &E = event(AsyncEvent::Wait);
      E.All = E.Uncommitted = true;
      return true;
    }
    case CopyInstruction::WaitGroup:
      if (!Is(I.Bytes, Value))
        return false;
      event(AsyncEvent::Wait).All = Value == 0;
      Read.Events.back().Keep = Value;
      return true;
    case CopyInstruction::Copy:
      break;
    }
    if (!Is(I.Bytes, Value) || Value <= 0 || I.To >= T.Kids.size() ||
        I.From >= T.Kids.size())
      return false;
    AsyncEvent &E = event(AsyncEvent::Copy);
    E.To = addressIn(T.kid(I.To), F);
    E.From = addressIn(T.kid(I.From), F);
    E.Bytes = {{"", Value}};
    E.Alignment = Value;
    if (I.Only) {
      if (*I.Only >= T.Kids.size())
        return false;
      E.Only = askedBy(T.kid(*I.Only), F);
    }
    if (!I.Kept)
      return true;
    if (!I.Kept->Number)
      return I.Kept->Value == Value;
    return *I.Kept->Number < T.Kids.size() &&
           kept(E, T.kid(*I.Kept->Number), F, Value, false);
  }
};

} // namespace

std::optional<AsyncStatement> asyncStatement(const Tree &S, const Frame &F) {
  if (auto AtBarrier = F.Caller ? std::nullopt : mbarrierStatement(S, F))
    return AsyncStatement{std::move(*AtBarrier), 0};
  Reader R;
  if (!R.statement(S, F, false))
    return std::nullopt;
  return std::move(R.Read);
}

} // namespace kpipe
