// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoweredCopies.h"
#include "RestagedLoops.h"
#include "kpipe/LoweredMeaning.h"
#include "kpipe/Lowering.h"
#include "support/Failure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

namespace kpipe {

static bool sameLines(llvm::ArrayRef<Place> A, llvm::ArrayRef<Place> B) {
  return llvm::equal(A, B, sameLine);
}

llvm::Expected<std::string> authorsText(const UnitResult &Unit,
                                        llvm::StringRef File) {
  if (File == Unit.author().mainFile())
    return Unit.author().mainText().str();
  auto Buffer = llvm::MemoryBuffer::getFile(File);
  if (!Buffer)
    return optionError("'" + File +
                       "': cannot be read: " + Buffer.getError().message());
  return (*Buffer)->getBuffer().str();
}

llvm::Expected<std::string> loweredText(const UnitResult &Unit,
                                        llvm::StringRef File) {
  if (std::optional<llvm::StringRef> Known = Unit.Unit->knownText(File))
    return Known->str();
  return authorsText(Unit, File);
}

/// The text that is lowered: the author's, with one stage in some loops.
static llvm::Expected<std::string>
textOf(const UnitResult &Unit, const LoweredUnit &Form, llvm::StringRef File) {
  if (Form.OneStage)
    if (std::optional<llvm::StringRef> Known = Form.OneStage->knownText(File))
      return Known->str();
  return authorsText(Unit, File);
}

static llvm::Expected<llvm::StringMap<std::string>>
textsOf(const UnitResult &Unit, const LoweredUnit &Form,
        const Lowering &Plain) {
  llvm::StringMap<std::string> Texts;
  for (const clang::tooling::AtomicChange &Change : Plain.Changes) {
    llvm::Expected<std::string> Old = textOf(Unit, Form, Change.getFilePath());
    if (!Old)
      return Old.takeError();
    clang::tooling::ApplyChangesSpec Spec;
    Spec.Cleanup = false;
    llvm::Expected<std::string> New = clang::tooling::applyAtomicChanges(
        Change.getFilePath(), *Old, {Change}, Spec);
    if (!New)
      return New.takeError();
    Texts[Change.getFilePath()] = std::move(*New);
  }
  return std::move(Texts);
}

/// An error that the author's text does not have, or null.
static const ParseError *newError(const ParsedUnit &New,
                                  const ParsedUnit &Old) {
  for (const ParseError &E : New.errors())
    if (llvm::none_of(Old.errors(), [&](const ParseError &Known) {
          return Known.Message == E.Message && sameLine(Known.Where, E.Where);
        }))
      return &E;
  return nullptr;
}

/// What speaks against a lowered text, and where.
struct Fault {
  Place Where;
  Message Why;
  std::optional<std::pair<unsigned, unsigned>> Kernel;
};

/// The loop that a fault most likely comes of: the last one above it, as lines
/// stay where they are; else the first. Of a kernel's own loops, if it has any.
static Place blamed(llvm::ArrayRef<Place> Loops, const Fault &Of) {
  std::vector<Place> Own;
  if (Of.Kernel)
    llvm::copy_if(Loops, std::back_inserter(Own), [&](const Place &L) {
      return L.File == Of.Where.File && Of.Kernel->first <= L.Line &&
             L.Line <= Of.Kernel->second;
    });
  if (!Own.empty())
    Loops = Own;
  Place Found = Loops.front();
  for (const Place &L : Loops)
    if (L.File == Of.Where.File && L.Line <= Of.Where.Line)
      Found = L;
  return Found;
}

/// None if the text may be used.
static std::vector<Fault>
faultsOf(ParsedUnit &Lowered, ParsedUnit &Author,
         const llvm::StringMap<std::string> &Texts) {
  if (const ParseError *Error = newError(Lowered, Author))
    return {{Error->Where, {msg::result_does_not_compile, Error->Message}, {}}};
  std::vector<std::string> Files;
  for (const auto &File : Texts)
    Files.push_back(File.getKey().str());
  llvm::sort(Files);
  std::vector<Fault> Found;
  for (ChangedByLowering &Changed :
       findChangedByLowering(Author.context(), Lowered.context(), Files)) {
    const std::string Line = std::to_string(Changed.Where.Line);
    Found.push_back({std::move(Changed.Where),
                     {msg::async_not_proved, Line},
                     Changed.Kernel});
  }
  return Found;
}

/// Does the next text differ only in the kernels of these faults? Then it has
/// all others of the faults, and need not be parsed to find them.
static bool differOnlyIn(llvm::ArrayRef<Fault> Known,
                         const llvm::StringMap<std::string> &Old,
                         const llvm::StringMap<std::string> &New) {
  auto InKernel = [&](llvm::StringRef File, unsigned Line) {
    return llvm::any_of(Known, [&](const Fault &F) {
      return F.Kernel && F.Where.File == File && F.Kernel->first <= Line &&
             Line <= F.Kernel->second;
    });
  };
  for (const auto &File : Old) {
    auto Other = New.find(File.getKey());
    if (Other == New.end())
      return false;
    llvm::SmallVector<llvm::StringRef, 0> Lines, Others;
    llvm::StringRef(File.getValue()).split(Lines, '\n');
    llvm::StringRef(Other->getValue()).split(Others, '\n');
    if (Lines.size() != Others.size())
      return false;
    for (unsigned I = 0; I != Lines.size(); ++I)
      if (Lines[I] != Others[I] && !InKernel(File.getKey(), I + 1))
        return false;
  }
  return Old.size() == New.size();
}

/// The unit with plain copies in all loops but those. One whose text does not
/// parse then stays as it is.
static llvm::Expected<std::unique_ptr<LoweredUnit>>
lowered(UnitResult &Unit, const TransformOptions &Options,
        std::vector<Place> LeaveAlone) {
  auto Form = std::make_unique<LoweredUnit>();
  Form->LeftAlone = LeaveAlone;
  std::vector<AsyncLoop> Failed;
  auto OneStage = withOneStage(Unit, Options, LeaveAlone, Form->Restaged);
  if (!OneStage)
    return OneStage.takeError();
  Form->OneStage = std::move(*OneStage);
  ParsedUnit &Base = Form->OneStage ? *Form->OneStage : Unit.author();
  if (!Unit.Lowerer && !Form->OneStage)
    Unit.Lowerer = std::make_unique<AsyncLowering>(Unit.author().context());
  std::unique_ptr<AsyncLowering> Own;
  if (Form->OneStage)
    Own = std::make_unique<AsyncLowering>(Base.context());
  AsyncLowering &Lowerer = Own ? *Own : *Unit.Lowerer;
  for (;;) {
    Lowering Plain = Lowerer.run(Options, LeaveAlone);
    Form->Others = std::move(Plain.Others);
    llvm::append_range(Form->Others, Failed);
    if (Plain.Loops.empty())
      return std::move(Form);
    auto Texts = textsOf(Unit, *Form, Plain);
    if (!Texts)
      return Texts.takeError();
    auto Parsed = Base.withTexts(*Texts);
    if (!Parsed)
      return Parsed.takeError();
    const std::vector<Fault> Found = faultsOf(**Parsed, Base, *Texts);
    if (Found.empty()) {
      Form->Unit = std::move(*Parsed);
      Form->Lowered = std::move(Plain.Loops);
      return std::move(Form);
    }
    for (const Fault &One : Found) {
      if (&One != &Found.front()) {
        Plain = Lowerer.run(Options, LeaveAlone);
        auto Next = textsOf(Unit, *Form, Plain);
        if (!Next)
          return Next.takeError();
        if (Plain.Loops.empty() ||
            !differOnlyIn({Found.data(), size_t(&One - Found.data())}, *Texts,
                          *Next))
          break;
      }
      Place Loop = blamed(Plain.Loops, One);
      // Why the others are refused is found where their text is the author's.
      if (llvm::none_of(Plain.Opened,
                        [&](const Place &P) { return sameLine(P, Loop); }))
        Failed.push_back({Loop, false, One.Why, One.Where, false, {}, 0});
      LeaveAlone.push_back(std::move(Loop));
    }
  }
}

llvm::Error lowerUnit(UnitResult &Unit, const TransformOptions &Options,
                      llvm::ArrayRef<Place> LeaveAlone) {
  auto Use = [&](const LoweredUnit &Form) {
    Unit.Unit = Unit.Base = Form.Unit       ? Form.Unit.get()
                            : Form.OneStage ? Form.OneStage.get()
                                            : &Unit.author();
    Unit.Lowered = Form.Lowered;
    Unit.Restaged = Form.Restaged;
    for (const KeptStages &K : Form.KeptStaged)
      keepStaged(Unit, K);
    // One that copies as its author does has not come to its end.
    for (const Place &P : Form.Restaged)
      if (llvm::none_of(Form.Lowered,
                        [&](const Place &L) { return sameLine(L, P); }))
        Unit.Lowered.push_back(P);
    Unit.Asynchronous = Form.Others;
    return llvm::Error::success();
  };
  std::vector<Place> ToRestage;
  for (const RestagedLoop &R : Unit.ToRestage)
    ToRestage.push_back(R.Where);
  for (const auto &Form : llvm::drop_begin(Unit.Forms))
    if (sameLines(Form->LeftAlone, LeaveAlone) &&
        sameLines(Form->ToRestage, ToRestage))
      return Use(*Form);
  auto Form = lowered(Unit, Options, LeaveAlone.vec());
  if (!Form)
    return Form.takeError();
  (*Form)->ToRestage = std::move(ToRestage);
  (*Form)->KeptStaged = Unit.KeptStaged;
  Unit.Forms.push_back(std::move(*Form));
  return Use(*Unit.Forms.back());
}

std::vector<Place> loweredInVain(const UnitResult &Unit) {
  std::vector<Place> Vain;
  for (const Place &P : Unit.Lowered) {
    bool Pipelined = false, Seen = false;
    for (const LoopOutcome &Loop : Unit.Outcome.Loops)
      if (sameLine(Loop.Where, P)) {
        Pipelined =
            Loop.Verdict == LoopVerdict::Pipelined && (Pipelined || !Seen);
        Seen = true;
      }
    if (!Pipelined)
      Vain.push_back(P);
  }
  return Vain;
}

} // namespace kpipe
