# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Objects of the author's: accessors, fetchers and iterators with state, numbers
# with conversions, functors, sums; and closures, references and temporaries that
# are second names of what both regions use. Those in ILLEGAL must be refused,
# the other twins be refused or right.
from . import side
from .axis import OFTEN_PLAIN, Axis

OBJECT = Axis("object", plain=OFTEN_PLAIN)
OBJECT.names("no")
ILLEGAL = {}  # writers of those that must be refused, by name


def made(name, struct, load, then=(), before=(), after=(), kind="float",
         value="{}", weight=1, illegal=False):
    """In the lines, @ is the tile, # the source at the tile's start, T_ begins
    the names of types, BY is by how much a tile moves."""
    def write(d):
        feed = side.feed(d)

        def fill(line):
            return line.replace("#", f"{feed}[{d.K} + ").replace(
                "KK", d.K).replace("T_", f"{d.name}_o").replace(
                    "BY", d.depth).replace("EVERY", str(d.threads))
        if struct:
            d.helpers[f"{d.name}_objects"] = fill(struct)
        tile = side.tile(d, [fill(line) for line in load], 32, value,
                         fill(kind))
        d.before += [fill(line).replace("@", tile) for line in before]
        d.slots["compute"] += [fill(line).replace("@", tile) for line in then]
        d.after += [fill(line).replace("@", tile) for line in after]
    if illegal:
        ILLEGAL[name] = write
    OBJECT.option(name, weight=weight)(write)


def _store(value, *before):
    return [*before, "if (tid < 32)", f"  @[tid] = {value};"]


_ROW = ("struct T_row {\n  const float *at;\n  __device__ float operator[](int "
        "j) const { return at[j]; }\n};\nstruct T_grid {\n  const float *at;\n"
        "  int pitch;\n  __device__ T_row operator[](int i) const {\n    return "
        "T_row{at + i * pitch};\n  }\n};")
made("rows", _ROW, _store("grid_of[KK / 8][tid]"),
     before=["const T_grid grid_of{feed, 8};"], weight=2)
made("row-of-body", _ROW, _store("row_of[tid]", "const T_row row_of{feed + KK};"))
made("temporary", _ROW, _store("T_row{feed + KK}[tid]"))
_FETCH = ("class T_fetch {\n  const float *p;\n  int by;\n\npublic:\n  __device__ "
          "T_fetch(const float *from, int by) : p(from), by(by) { p += 1; }\n"
          "  __device__ float get(int i) const { return p[i]; }\n"
          "  __device__ void next() { p += by; }\n"
          "  __device__ void put(float *to, int i) { to[i] = get(i); }\n};")
_FROM = ["T_fetch fetch(feed, BY);"]
made("fetcher", _FETCH, [*_store("fetch.get(tid)"), "fetch.next();"],
     before=_FROM, weight=2)
made("fetcher-puts", _FETCH, ["if (tid < 32)", "  fetch.put(@, tid);",
                              "fetch.next();"], before=_FROM)
made("fetcher-stepped-behind", _FETCH, _store("fetch.get(tid)"),
     ["fetch.next();"], before=_FROM)
made("fetcher-of-body", _FETCH, _store("fetch.get(tid)",
                                       "const T_fetch fetch(feed + KK, BY);"))
made("fetcher-copied", _FETCH, [*_store("fetch.get(tid)"), "fetch.next();"],
     ["const T_fetch copy_of = other_of;", "sum += copy_of.get(2);"],
     before=[*_FROM, "T_fetch other_of = fetch;"])
_STEPS = ("struct T_steps {\n  const float *p;\n  int by;\n  __device__ T_steps("
          "const float *from, int by) {\n    p = from;\n    this->by = by;\n  }\n"
          "  __device__ T_steps &operator++() {\n    p += by;\n    return *this;"
          "\n  }\n  __device__ const float &operator*() const { return *p; }\n"
          "  __device__ T_steps operator+(int n) const { return T_steps(p + n, "
          "by); }\n};")
made("iterator", _STEPS, [*_store("*(iter + tid)"), "++iter;"],
     before=["T_steps iter(feed, BY);"])
_NUMBER = ("struct T_number {\n  float v;\n  T_number() = default;\n  __device__ "
           "T_number(float v) : v(v) {}\n  __device__ operator float() const { "
           "return v; }\n  __device__ T_number &operator=(float w) {\n    v = w;"
           "\n    return *this;\n  }\n};")
made("number", _NUMBER, _store("T_number(#tid])"), kind="T_number",
     value="float({})", weight=2)
made("number-assigned", _NUMBER, _store("#tid]"), kind="T_number",
     value="float({})")
made("number-copied", _NUMBER, _store(
    "reinterpret_cast<const T_number *>(feed)[KK + tid]"), kind="T_number",
     value="float({})")
made("number-on-the-way", _NUMBER, _store("number_of",
                                          "const T_number number_of = #tid];"))
_TOTAL = ("class T_total {\n  float sum = 0, most[2];\n\npublic:\n  __device__ "
          "T_total() { most[0] = most[1] = -9; }\n  __device__ void add(float v)"
          " {\n    sum += v;\n    most[1] = most[0];\n    most[0] = v > most[0] ?"
          " v : most[0];\n  }\n  __device__ float get() const { return sum + "
          "most[0] - most[1]; }\n};")
made("total", _TOTAL, _store("#tid]"), ["total_of.add(@[tid & 31]);"],
     before=["T_total total_of;"], after=["sum += total_of.get();"], weight=2)
made("functor", "struct T_scale {\n  float by;\n  __device__ float operator()("
     "float v) const { return v * by; }\n};", _store("scaled(#tid])"),
     ["sum += scaled(@[tid & 31]);"], before=["const T_scale scaled{0.5f};"],
     weight=2)
made("base", "struct T_base {\n  float by;\n  __device__ float times(float v) "
     "const { return v * by; }\n};\nstruct T_more : T_base {\n  const float *at;"
     "\n  __device__ T_more(const float *p) : T_base{2.0f}, at(p) {}\n  "
     "__device__ float get(int i) const { return times(at[i]); }\n};",
     _store("more_of.get(KK + tid)"), ["sum += more_of.times(@[tid & 31]);"],
     before=["const T_more more_of(feed);"])
made("helper-of-both", "__device__ float T_mixed(float v, int i) {\n  return i & "
     "1 ? v : -v;\n}", _store("T_mixed(#tid], tid)"),
     ["sum += T_mixed(sum, tid >> 1);"], weight=2)
made("helper-of-both-reads", "__device__ float T_peek(const float *p, int i) {\n"
     "  return p[i] * 2;\n}", _store("T_peek(feed, KK + tid)"),
     ["sum += T_peek(@, tid & 31);"])
made("helper-of-both-stores", "__device__ void T_put(float *p, int i, float v) {"
     "\n  p[i & 31] = v;\n}",
     ["if (tid < 32)", "  T_put(@, tid, #tid]);"],
     ["float out_of[32];", "T_put(out_of, 3, sum);", "sum += out_of[3];"])
made("kept-temporary", _ROW, _store("row_of[KK + tid]"),
     ["sum += row_of[tid];"], before=["const T_row &row_of = T_row{feed};"])
made("kept-value", "", _store("#tid] * half_of"), ["sum += half_of;"],
     before=["const float &half_of = 0.5f * float(n);"])
made("closure-of-both", "", _store("mixed_of(#tid])"),
     ["sum += mixed_of(@[tid & 31]);"],
     before=["const float part_of = float(tid & 3);",
             "auto mixed_of = [=](float v) { return v * part_of + 1; };"],
     weight=2)
made("closure-by-reference-of-both", "", _store("mixed_of(#tid])"),
     ["sum += mixed_of(@[tid & 31]);"],
     before=["float part_of = float(tid & 3);",
             "auto mixed_of = [&](float v) { return v * part_of + 1; };"])

# --- twins: something is shared by both regions under a second name ------------
_COUNT = ("struct T_count {\n  int i;\n  __device__ int next() { return i++; }\n"
          "  __device__ int get() const { return i; }\n};")
_SHIFTED = "feed[KK + tid + (count.get() & 7)]"
made("counter-of-both", _COUNT, _store(_SHIFTED),
     ["if (@[3] > 0.5f)", "  count.next();"], before=["T_count count{0};"],
     illegal=True)
made("kept-temporary-changed", _COUNT, _store(_SHIFTED),
     ["if (@[3] > 0.5f)", "  count.next();"],
     before=["T_count &&count = T_count{0};"], illegal=True)
made("counter-by-reference", _COUNT, _store(_SHIFTED),
     ["if (@[3] > 0.5f)", "  same_of.next();"],
     before=["T_count count{0};", "T_count &same_of = count;"], illegal=True)
made("counter-by-pointer", _COUNT, _store(_SHIFTED),
     ["if (@[3] > 0.5f)", "  same_of->i = 2;"],
     before=["T_count count{0};", "T_count *same_of = &count;"], illegal=True)
made("counter-by-closure", _COUNT, _store(_SHIFTED),
     ["if (@[3] > 0.5f)", "  step_of();"],
     before=["T_count count{0};", "auto step_of = [&] { count.next(); };"],
     illegal=True)
made("counter-in-table", _COUNT, _store(_SHIFTED),
     ["if (@[3] > 0.5f)", "  all_of[tid & 1]->i = 3;"],
     before=["T_count count{0}, second_of{1};",
             "T_count *all_of[2] = {&count, &second_of};"], illegal=True)
made("counter-in-object", _COUNT + "\nstruct T_link {\n  T_count &of;\n  "
     "__device__ void step() { of.next(); }\n};", _store(_SHIFTED),
     ["if (@[3] > 0.5f)", "  link_of.step();"],
     before=["T_count count{0};", "T_link link_of{count};"], illegal=True)
made("counter-by-conversion", _COUNT + "\nstruct T_turn {\n  T_count *of;\n  "
     "__device__ operator float() const { return float(of->next()); }\n};",
     _store(_SHIFTED), ["if (@[3] > 0.5f)", "  sum += turn_of;"],
     before=["T_count count{0};", "const T_turn turn_of{&count};"],
     illegal=True)
made("counter-by-index", _COUNT + "\nstruct T_turns {\n  T_count *of;\n  "
     "__device__ float operator[](int i) const {\n    of->i = i;\n    return "
     "float(i);\n  }\n};", _store(_SHIFTED),
     ["if (@[3] > 0.5f)", "  sum += turns_of[tid & 3];"],
     before=["T_count count{0};", "const T_turns turns_of{&count};"],
     illegal=True)
made("mutable-closure-of-both", "", _store("#tid + next_of() % 8]"),
     ["sum += float(next_of());"],
     before=["auto next_of = [i = 0]() mutable { return i++; };"], illegal=True)
made("mutable-closure-read", "", _store("#tid + next_of(0) % 8]"),
     ["if (@[3] > 0.5f)", "  next_of(1);"],
     before=["auto next_of = [i = 0](int by) mutable { return i += by; };"],
     illegal=True)
made("counter-stepped-by-both", _COUNT, _store("#tid + count.next() % 8]"),
     ["sum += float(count.next());"], before=["T_count count{0};"],
     illegal=True)
made("fetcher-by-pointer", _FETCH, _store("fetch.get(tid)"),
     ["same_of->next();"], before=[*_FROM, "T_fetch *const same_of = &fetch;"])
made("fetcher-by-reference", _FETCH, _store("fetch.get(tid)"),
     ["sum += same_of.get(1);", "same_of.next();"],
     before=[*_FROM, "T_fetch &same_of = fetch;"])
made("fetcher-in-union", _FETCH.replace("class T_fetch {", "struct T_fetch {"
     ).replace("public:\n", "") + "\nunion T_either {\n  const float *at;\n  "
     "unsigned long bits;\n};", _store("either_of.at[tid]"),
     ["either_of.bits += BY * sizeof(float);"],
     before=["T_either either_of{feed};"])
_HOLD = "struct T_hold {\n  float *p;\n  __device__ float get() const { return *p; }\n};"
made("holds-last-place", _HOLD, ["const float older_of = hold_of.get();",
                                 *_store("#tid]"),
                                 "hold_of.p = &@[(int(KK) / 8 + tid) & 31];"],
     ["sum += older_of * 0.0f + hold_of.get();"],
     before=["T_hold hold_of{&@[tid & 31]};"])
made("holds-place", _HOLD, _store("#tid]"), ["sum += hold_of.get();"],
     before=["const T_hold hold_of{&@[tid & 31]};"])
made("holds-place-by-reference", "struct T_cell {\n  float &of;\n  __device__ "
     "void put(float v) { of = v; }\n};",
     ["if (tid < 32)", "  cell_of.put(#tid]);"], ["sum += cell_of.of;"],
     before=["T_cell cell_of{@[tid & 31]};"])
