// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparison of buffers, and all that is printed. See Compare.h.
#include "Compare.h"

#include <cstdio>

using namespace kpipe::exec;

static std::string programName(std::size_t Program) {
  if (Program == 0)
    return "original";
  return Program == 1 ? "rewritten" : "rewritten " + std::to_string(Program);
}

// Tells one difference per program and size, and ten in all: the rest follows
// from the same defect as a rule.
void Comparison::difference(std::size_t Program, const Config &C,
                            const std::string &Where, const std::string &Text) {
  ++Differences;
  if (Told.size() >= 10 || !Told.insert(programName(Program) + Where).second)
    return;
  std::printf("%s: difference: %s: %s [%s, %s]\n", programName(Program).c_str(),
              Where.c_str(), Text.c_str(), name(C.Mode), name(C.Threads));
}

void Comparison::compare(const std::vector<Record> &Reference,
                         const std::vector<Record> &Candidate,
                         std::size_t Program, const Config &C) {
  if (Reference.size() != Candidate.size())
    return difference(Program, C, "harness",
                      "leaves " + std::to_string(Candidate.size()) +
                          " buffers, not " + std::to_string(Reference.size()));
  for (std::size_t I = 0; I < Reference.size(); ++I) {
    const Record &Want = Reference[I], &Got = Candidate[I];
    if (!Want.Complete || !Got.Complete)
      continue; // the hazard that ended the launch is reported
    if (Want.Where != Got.Where || Want.Buffer != Got.Buffer ||
        Want.Bytes.size() != Got.Bytes.size()) {
      difference(Program, C, Got.Where,
                 "its buffer " + Got.Buffer + " is not the original's " +
                     Want.Buffer);
      continue;
    }
    std::size_t First = 0, Differing = 0;
    if (Want.Bytes != Got.Bytes)
      for (std::size_t B = Want.Bytes.size(); B-- > 0;)
        if (Want.Bytes[B] != Got.Bytes[B]) {
          First = B;
          ++Differing;
        }
    if (Differing)
      difference(Program, C, Want.Where,
                 Want.Buffer + " differs from the original's in " +
                     std::to_string(Differing) + " of " +
                     std::to_string(Want.Bytes.size()) + " bytes, first at " +
                     std::to_string(First));
    if (Want.BytesRead == Got.BytesRead)
      continue;
    for (std::size_t B = 0; B < Want.BytesRead.size(); ++B)
      if (Got.BytesRead[B] && !Want.BytesRead[B]) {
        difference(Program, C, Want.Where,
                   "reads " + Want.Buffer + "+" + std::to_string(B) +
                       ", which the original does not read");
        break;
      }
  }
}

static std::string configurations(const Finding &F) {
  std::string Text;
  for (Completion M : {Completion::Early, Completion::Late, Completion::Random})
    if (F.Modes >> unsigned(M) & 1)
      Text += std::string(" ") + name(M);
  Text += ";";
  for (Order O : {Order::Forward, Order::Reverse, Order::Shuffled})
    if (F.Orders >> unsigned(O) & 1)
      Text += std::string(" ") + name(O);
  return Text;
}

void Comparison::print(const Report &R, std::size_t Program) {
  RunsWithHazards += unsigned(__builtin_popcount(R.Runs));
  for (const auto &[Key, F] : R.Findings) {
    std::string Text = F.Text;
    for (std::size_t At = 0; (At = Text.find("@{", At)) != std::string::npos;
         At += 2)
      Text.insert(At + 2, std::to_string(Program) + ":");
    std::printf("%s [%s] [%s; %s;%s; %u times]\n", Text.c_str(),
                id(std::get<Hazard>(Key)), programName(Program).c_str(),
                F.Where.c_str(), configurations(F).c_str(), F.Count);
    ++(Program == 0 ? HazardsOfOriginal : HazardsOfRewritten);
  }
}

bool Comparison::conclude(std::size_t Buffers, unsigned Runs) {
  bool Good = !Differences && !HazardsOfOriginal && !HazardsOfRewritten;
  std::printf("%s: %u hazards in the original, %u in the rewritten, %u "
              "differences; %zu buffers, %u runs",
              Good ? "PASS" : "FAIL", HazardsOfOriginal, HazardsOfRewritten,
              Differences, Buffers, Runs);
  if (RunsWithHazards)
    std::printf(", %u with hazards", RunsWithHazards);
  std::puts("");
  return Good;
}
