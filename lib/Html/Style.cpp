// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The style sheet, see Style.h. Colours are variables, given once for light
// and once for dark; paper is always light. Contrast of text is at least 4.5:1
// (WCAG 2.1, AA), which test/Html/browser.test measures.
#include "Style.h"

namespace kpipe::html {

llvm::StringRef styleSheet() {
  return R"css(
:root {
  color-scheme: light dark;
  --page: #f4f5f7; --card: #ffffff; --sunk: #f6f7f9; --line: #dcdfe5;
  --text: #1b2129; --dim: #59626f; --link: #0b5cad; --focus: #0b5cad;
  --good: #12633a; --good-back: #dcf3e5; --bad: #a11a2b; --bad-back: #fce4e6;
  --idle: #4b5563; --idle-back: #e8ebef; --warn: #8a4b00; --warn-back: #fff1da;
  --old: #fdecee; --old-mark: #fbd0d5; --new: #e6f6ec; --new-mark: #c2ebd0;
  --comment: #616b78; --keyword: #8a2a9c; --cuda: #08518f; --literal: #7c4300;
  --directive: #7a4a12;
  --flight: #d3e3fb; --flight-line: #3d7ad6; --flight-text: #0d3a78;
  --registers: #fbe5c4; --registers-line: #c27a12; --registers-text: #6b3f00;
  --stored: #e9defb; --stored-line: #7d52cc; --stored-text: #472089;
  --ready: #eceff3; --ready-line: #b4bcc8;
  --read: #d8f0ea; --read-line: #57aa95; --read-text: #0e5243;
  --compute: #217560; --compute-line: #1d6e5b; --compute-text: #ffffff;
  --barrier: #c2410c; --area: #e3edfb; --curve: #2f6fcf; --room: #12633a;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas,
          "DejaVu Sans Mono", "Liberation Mono", monospace;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans",
          "DejaVu Sans", "Liberation Sans", sans-serif;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #12151a; --card: #1a1e25; --sunk: #15191f; --line: #333a45;
    --text: #e4e8ee; --dim: #a0a9b6; --link: #7db7ff; --focus: #7db7ff;
    --good: #7fdca4; --good-back: #143523; --bad: #ff9aa5; --bad-back: #43191f;
    --idle: #bac2cd; --idle-back: #2b313b; --warn: #ffc676; --warn-back: #3b2a10;
    --old: #3a1c22; --old-mark: #5f2631; --new: #163024; --new-mark: #1d4d36;
    --comment: #97a1ae; --keyword: #dea0ee; --cuda: #86bfff; --literal: #f0b878;
    --directive: #dcb27c;
    --flight: #1f3c68; --flight-line: #5f9bee; --flight-text: #d5e6ff;
    --registers: #4c3711; --registers-line: #d99a3c; --registers-text: #ffe3b5;
    --stored: #3b2c60; --stored-line: #a381e8; --stored-text: #e8dcff;
    --ready: #272d36; --ready-line: #5a6473;
    --read: #173a33; --read-line: #4fa590; --read-text: #c4efe4;
    --compute: #49b59b; --compute-line: #7fd8c2; --compute-text: #06231c;
    --barrier: #ff8f57; --area: #1d2c45; --curve: #7db0ff; --room: #7fdca4;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--text);
       font: 15px/1.55 var(--sans); }
main, header.top, footer { max-width: 1240px; margin: 0 auto; padding: 0 24px; }
header.top { padding-top: 36px; }
h1, h2, h3 { line-height: 1.25; margin: 0; font-weight: 650; }
h1 { font-size: 28px; letter-spacing: -0.01em; overflow-wrap: anywhere; }
h2 { font-size: 20px; overflow-wrap: anywhere; }
h2.part { margin: 44px 0 14px; }
h3 { font-size: 15px; }
p { margin: 0 0 10px; }
a { color: var(--link); text-underline-offset: 2px; }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible {
  outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
code, pre { font-family: var(--mono); font-size: 0.89em; }
code, li { overflow-wrap: anywhere; }
.skip { position: absolute; left: -9999px; }
.skip:focus { left: 16px; top: 12px; background: var(--card); padding: 6px 12px; }
.brand { color: var(--dim); font-size: 13px; margin: 0 0 6px; }
.brand b { color: var(--text); }
.command { background: var(--sunk); border: 1px solid var(--line);
  border-radius: 8px; padding: 9px 14px; margin: 16px 0 24px; font-size: 13px;
  white-space: pre-wrap; overflow-wrap: anywhere; }
.command::before { content: "$ "; color: var(--dim); }
.card { background: var(--card); border: 1px solid var(--line);
  border-radius: 12px; padding: 22px 24px; margin: 0 0 20px; }
.facts { color: var(--dim); margin: 4px 0 0; }
.plan { border-top: 1px solid var(--line); margin-top: 18px; padding-top: 18px; }
.plan h3 { display: flex; flex-wrap: wrap; gap: 6px 8px; align-items: center;
  margin-bottom: 12px; font-weight: 500; }
.arch { font: 600 13px/1 var(--mono); border: 1px solid var(--line);
  border-radius: 6px; padding: 5px 8px; background: var(--sunk); }
.how { color: var(--dim); }
.badge { display: inline-block; font-size: 12.5px; font-weight: 650;
  line-height: 1; padding: 6px 9px; border-radius: 999px; white-space: nowrap; }
.badge.good { color: var(--good); background: var(--good-back); }
.badge.bad { color: var(--bad); background: var(--bad-back); }
.badge.idle { color: var(--idle); background: var(--idle-back); }
.id { color: var(--dim); white-space: normal; }

table { border-collapse: collapse; }
caption { text-align: left; font-weight: 600; padding: 0 0 6px; }
th { text-align: left; font-weight: 600; color: var(--dim); font-size: 13px; }
td, th { vertical-align: top; }
.scroll { overflow-x: auto; }
.summary, .copies, .resources { width: 100%; }
.summary td, .summary th, .copies td, .copies th, .resources td, .resources th,
.numbers td, .numbers th { padding: 7px 14px 7px 0; border-bottom: 1px solid var(--line); }
.summary tr:last-child > *, .copies tr:last-child > *, .resources tr:last-child > *,
.numbers tr:last-child > * { border-bottom: 0; }
.summary thead > tr > *, .copies thead > tr > *, .resources thead > tr > *,
.numbers thead > tr > * { border-bottom: 1px solid var(--line); }
.summary small { display: block; color: var(--dim); font-size: 13px; margin-top: 4px; }
.summary tbody th { font-size: 15px; font-weight: 500; color: var(--text); }
.resources td, .numbers td, .copies td { font-variant-numeric: tabular-nums; }
.copies, .resources { margin: 8px 0 4px; font-size: 14px; }
.parts { list-style: none; display: flex; flex-wrap: wrap; gap: 6px 22px; margin: 14px 0 0; padding: 0;
  font-size: 14px; }
.parts .arch { font-size: 12px; padding: 3px 6px; }
.reasons { margin: 0 0 12px; padding-left: 20px; }
.reasons li { margin: 2px 0; }

.diagnostic { border-left: 4px solid var(--idle); background: var(--sunk);
  border-radius: 0 8px 8px 0; padding: 12px 16px 6px; margin: 0 0 12px; }
.diagnostic.warning { border-color: var(--warn); }
.diagnostic.error { border-color: var(--bad); }
.diagnostic p > b:first-child { font-size: 12.5px; font-weight: 650; padding: 2px 7px;
  border-radius: 5px; background: var(--idle-back); color: var(--idle); margin-right: 4px; }
.diagnostic.warning > p:first-child > b:first-child { background: var(--warn-back); color: var(--warn); }
.diagnostic.error > p:first-child > b:first-child { background: var(--bad-back); color: var(--bad); }
.diagnostic .cure > b:first-child { background: var(--good-back); color: var(--good); }
.excerpt { margin: 0 0 12px; padding: 7px 12px; background: var(--card);
  border: 1px solid var(--line); border-radius: 6px; overflow-x: auto; font-size: 13px; }
.excerpt .n { color: var(--dim); font-weight: 400; margin-right: 16px; user-select: none; }
.excerpt mark { background: var(--warn-back); color: inherit; border-bottom: 2px solid var(--warn); }

.figures { display: grid; gap: 20px 28px; margin-top: 14px;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 31rem), 1fr)); }
figure { margin: 0; min-width: 0; }
figcaption { font-weight: 600; margin-bottom: 2px; }
.reading { color: var(--dim); font-size: 14px; margin-bottom: 8px; }
.reading b { color: var(--text); font-weight: 600; white-space: nowrap; }
svg { display: block; width: 100%; height: auto; min-width: 440px; }
.budget svg { max-width: 640px; }
svg text { font-family: var(--sans); font-size: 12px; fill: var(--text); }
svg .tick, svg .axis { fill: var(--dim); font-size: 11.5px; font-variant-numeric: tabular-nums; }
svg .grid { stroke: var(--line); stroke-width: 1; }
svg .area { fill: var(--area); }
svg .curve { fill: none; stroke: var(--curve); stroke-width: 2.2; stroke-linejoin: round; }
svg .cliff { stroke: var(--barrier); stroke-width: 1; stroke-dasharray: 2 3; }
svg .cliff.next { stroke-width: 1.8; stroke-dasharray: 5 3; }
svg .cliff-label { fill: var(--barrier); font-size: 11.5px; }
svg .cliff-label.next { font-weight: 700; }
svg .limit { stroke: var(--dim); stroke-width: 1; stroke-dasharray: 1 3; }
svg .move { stroke: var(--text); stroke-width: 1.6; }
svg .room { stroke: var(--room); stroke-width: 3.4; stroke-linecap: butt; opacity: 0.75; }
svg .where { stroke: var(--text); stroke-width: 2; }
svg .where.before { stroke-dasharray: 3 3; }
svg .point { stroke: var(--text); stroke-width: 2; fill: var(--card); }
svg .point.after { fill: var(--text); }
svg .point-label { font-weight: 650; paint-order: stroke; stroke: var(--card);
  stroke-width: 4px; stroke-linejoin: round; }
svg .phase { fill: none; stroke: var(--line); stroke-width: 1; }
svg .phase.steady { fill: var(--sunk); }
svg .phase-label { font-size: 11.5px; font-weight: 650; fill: var(--dim); }
svg .row { font-size: 12px; fill: var(--text); }
svg .bar { stroke-width: 1.2; }
svg .bar-label { font-size: 11.5px; pointer-events: none; fill: var(--text); }
svg .bar-label.half { font-size: 11px; }
svg .barrier { stroke: var(--barrier); stroke-width: 1.6; stroke-dasharray: 4 3; }
.bar.flight { fill: var(--flight); stroke: var(--flight-line); }
.bar.registers { fill: var(--registers); stroke: var(--registers-line); }
.bar.stored { fill: var(--stored); stroke: var(--stored-line); }
.bar.ready { fill: var(--ready); stroke: var(--ready-line); stroke-dasharray: 3 2; }
.bar.read { fill: var(--read); stroke: var(--read-line); }
.bar.compute { fill: var(--compute); stroke: var(--compute-line); }
svg .bar.compute + .bar-label { fill: var(--compute-text); font-weight: 650; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: 4px 18px; margin: 8px 0 10px;
  padding: 0; font-size: 13px; color: var(--dim); }
.legend li { display: flex; align-items: center; gap: 7px; }
.swatch { width: 16px; height: 12px; border-radius: 3px; border: 1px solid; flex: none; }
.swatch.flight { background: var(--flight); border-color: var(--flight-line); }
.swatch.registers { background: var(--registers); border-color: var(--registers-line); }
.swatch.stored { background: var(--stored); border-color: var(--stored-line); }
.swatch.ready { background: var(--ready); border-color: var(--ready-line); border-style: dashed; }
.swatch.read { background: var(--read); border-color: var(--read-line); }
.swatch.compute { background: var(--compute); border-color: var(--compute-line); }
.swatch.barrier { width: 0; border: 0; border-left: 2px dashed var(--barrier); border-radius: 0; margin: 0 7px; }

details > summary { cursor: pointer; color: var(--link); font-size: 14px; width: fit-content; }
.numbers { font-size: 14px; }
.numbers table { margin: 6px 0; }
.numbers p { color: var(--dim); }

.source { padding: 0; overflow: clip; }
.source > h3 { padding: 16px 20px; display: flex; flex-wrap: wrap; gap: 6px 8px; align-items: center; }
.source > p { padding: 0 20px; color: var(--dim); }
.diff { border-top: 1px solid var(--line); font: 12.5px/1.5 var(--mono); }
.diff .sides { display: grid; grid-template-columns: 1fr 1fr; font: 600 12.5px/1 var(--sans);
  color: var(--dim); background: var(--sunk); border-bottom: 1px solid var(--line); }
.diff .sides span { padding: 8px 12px; }
.diff .sides span + span { border-left: 1px solid var(--line); }
.diff table { width: 100%; table-layout: fixed; }
.diff thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.diff col.n { width: 3.6em; }
.diff td { padding: 0 8px 0 3ch; text-indent: -2ch; white-space: pre-wrap; overflow-wrap: anywhere;
  tab-size: 4; }
.diff td.n { padding: 0 8px 0 4px; text-indent: 0; text-align: right; color: var(--dim);
  user-select: none; overflow-wrap: normal; }
.diff td.n:nth-child(3) { border-left: 1px solid var(--line); }
.diff.one .sides span + span, .diff.one td:nth-child(n+3), .diff.one th:nth-child(n+3),
.diff.one col:nth-child(n+3) { display: none; }
.diff.one .sides { grid-template-columns: 1fr; }
.diff td.none { background: var(--sunk); }
.diff td.del, .diff td.n:has(+ .del) { background: var(--old); }
.diff td.ins, .diff td.n:has(+ .ins) { background: var(--new); }
.diff ins, .diff del { text-decoration: none; }
.diff mark { color: inherit; border-radius: 2px; }
.diff .del mark { background: var(--old-mark); }
.diff .ins mark { background: var(--new-mark); }
.diff .noted td.n:first-child { box-shadow: inset 3px 0 var(--warn); color: var(--text); font-weight: 700; }
.diff td.n:target { background: var(--warn-back); color: var(--text); }
.diff td.n:target + td { outline: 2px solid var(--warn); outline-offset: -2px; }
.diff details { border-block: 1px solid var(--line); background: var(--sunk); }
.diff summary { width: auto; padding: 5px 12px; font-family: var(--sans); font-size: 13px; }
.diff details table { background: var(--card); }
i { font-style: normal; }
i.c { color: var(--comment); } i.k { color: var(--keyword); } i.u { color: var(--cuda); }
i.l { color: var(--literal); } i.p { color: var(--directive); }

.checks { list-style: none; margin: 12px 0; padding: 0; }
.checks li { display: grid; grid-template-columns: 7.2em 1fr; gap: 10px; padding: 7px 0;
  border-top: 1px solid var(--line); align-items: baseline; }
.checks .badge { justify-self: start; }
.sass { width: 100%; font: 12.5px/1.5 var(--mono); margin-top: 8px; border: 1px solid var(--line); }
.sass th { font-family: var(--sans); padding: 6px 10px; }
.sass td { padding: 1px 10px; white-space: pre; color: var(--dim); }
.sass td:first-child { font: 12px/1.6 var(--sans); width: 8em; }
.sass td:last-child { font-family: var(--sans); white-space: normal; }
.sass tr[class] td { color: var(--text); }
.sass tr.heading th { background: var(--sunk); border-block: 1px solid var(--line); color: var(--text); }
.sass .flight td { background: var(--flight); color: var(--flight-text); }
.sass .registers td { background: var(--registers); color: var(--registers-text); }
.sass .stored td { background: var(--stored); color: var(--stored-text); }
.sass .read td { background: var(--read); color: var(--read-text); }
.sass .compute td:first-child { background: var(--compute); color: var(--compute-text); }
.sass .barrier td { background: var(--warn-back); color: var(--warn); }
.sass .spill td { background: var(--bad-back); color: var(--bad); }
footer { color: var(--dim); font-size: 13px; padding-bottom: 40px; padding-top: 12px; }

@media (max-width: 760px) {
  main, header.top, footer { padding-inline: 14px; }
  header.top { padding-top: 22px; }
  h1 { font-size: 23px; }
  .card { padding: 16px 14px; border-radius: 10px; }
  .source { padding: 0; }
  .diff { font-size: 11px; }
  .diff col.n { width: 2.9em; }
  .diff td { padding-right: 4px; }
  .checks li { grid-template-columns: 1fr; gap: 4px; }
}
@media print {
  body { background: none; font-size: 10pt; }
  main, header.top, footer { max-width: none; padding: 0; }
  .card { border-color: #999; border-radius: 0; padding: 10pt; }
  .source { padding: 0; }
  .skip, .legend + details, .numbers { display: none; }
  figure, .diagnostic, tr { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  .scroll { overflow: visible; }
  svg { min-width: 0 !important; }
  .diff { font-size: 7.5pt; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
)css";
}

} // namespace kpipe::html
