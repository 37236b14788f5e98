// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowered code: steps that stand elsewhere. (LoweredFixture.h)
#include "LoweredFixture.h"

using namespace kpipe;

namespace {

TEST_F(LoweredMeaning, CountersThatCameIntoHeaders) {
  const char *While = "int j = t; while (j < n) { s[j] = x[i + j]; j += 8; }";
  same(While, "for (int j = t; j < n; j += 8) { s[j] = x[i + j]; }");
  same(While, ";for (int j = t; j < n; j += 8) { s[j] = x[i + j]; ; }");
  other(While, "for (int j = t; j <= n; j += 8) { s[j] = x[i + j]; }");
  other(While, "for (int j = r; j < n; j += 8) { s[j] = x[i + j]; }");
  other(While, "for (int j = t; j < n; j += 9) { s[j] = x[i + j]; }");
  other(While, "for (int j = t; j < n; j += 8) { s[j] = x[i]; }");
  other(While, "for (int j = t; j < n;) { s[j] = x[i + j]; }");
  other(While, "for (int j = t; j < n; j += 8) { }");
  other(While, "for (int j = t; j < n; j += 8) { s[j] = x[i + j]; j += 8; }");
  same("int j = t; for (; j < n; j++) s[j] = x[i + j];",
       "for (int j = t; j < n; j++) s[j] = x[i + j];");
  other("int j = t; for (; j < n; j++) s[j] = x[i + j];",
        "for (int j = t; j < n; ++j) s[j] = x[i + j];");
  // The header's is another one of that name.
  other("int j = t; while (j < n) { s[j] = x[i + j]; j += 8; } y[t] = j;",
        "for (int j = t; j < n; j += 8) { s[j] = x[i + j]; } y[t] = n;");
  other("int j = t; while (j < n) { int c = 8; s[j] = x[i + j]; j += c; }",
        "for (int j = t; j < n; j += c) { int c = 8; s[j] = x[i + j]; }");
  // Seen by what is left.
  other("int j = t; while (j < n) { s[j] = x[i]; if (r) continue; j += 8; }",
        "for (int j = t; j < n; j += 8) { s[j] = x[i]; if (r) continue; }");
  other("int j = t; while (j < n) { Ends e{&n}; s[j] = x[i]; j += n; }",
        "for (int j = t; j < n; j += n) { Ends e{&n}; s[j] = x[i]; }");
  other("int j = t; while (j < n) { int &l = j; s[l] = x[i]; j += 8; }",
        "for (int j = t; j < n; j += 8) { int &l = j; s[l] = x[i]; }");
  other("int j = t; while (j < n) { at = &j; s[j] = x[i]; j += 8; }",
        "for (int j = t; j < n; j += 8) { at = &j; s[j] = x[i]; }");
  other("int j = t; while (j < n) { auto f = [&] { ++j; }; f(); j += 8; }",
        "for (int j = t; j < n; j += 8) { auto f = [&] { ++j; }; f(); }");
  other("volatile int j = t; while (j < n) { s[j] = x[i]; j = j + 8; }",
        "for (volatile int j = t; j < n; j = j + 8) { s[j] = x[i]; }");
  other("static int j = t; while (j < n) { s[j] = x[i]; j += 8; }",
        "for (static int j = t; j < n; j += 8) { s[j] = x[i]; }");
}

TEST_F(LoweredMeaning, CountersBesideOthers) {
  const char *Two = "int j = t, l = r; while (j < n) { s[j] = x[l]; j += 8; }";
  same(Two, "int l = r; for (int j = t; j < n; j += 8) { s[j] = x[l]; }");
  other(Two, "int l = t; for (int j = t; j < n; j += 8) { s[j] = x[l]; }");
  other(Two, "int l = r; for (int j = r; j < n; j += 8) { s[j] = x[l]; }");
  other(Two, "for (int j = t; j < n; j += 8) { int l = r; s[j] = x[l]; }");
  const char *Apart = "int j = t; int l = r; for (; j < n;) { s[j] = x[l]; ++j; }";
  same(Apart, "int l = r; for (int j = t; j < n; ++j) { s[j] = x[l]; }");
  other(Apart, "for (int j = t; j < n; ++j) { int l = r; s[j] = x[l]; }");
  // What one value is hangs on the other, or on what is done in between.
  other("int j = t, l = j; while (j < n) { s[j] = x[l]; j += 8; }",
        "int j = r; { int l = j; for (int j = t; j < n; j += 8) { s[j] = x[l]; } }");
  other("int j = n++; int l = n; while (j < n) { s[j] = x[l]; j += 8; }",
        "int l = n; for (int j = n++; j < n; j += 8) { s[j] = x[l]; }");
  other("int j = n; int l = n++; while (j < n) { s[j] = x[l]; j += 8; }",
        "int l = n++; for (int j = n; j < n; j += 8) { s[j] = x[l]; }");
  other("int j = n; n = 3; while (j < n) { s[j] = x[i]; j += 8; }",
        "n = 3; for (int j = n; j < n; j += 8) { s[j] = x[i]; }");
  const char *Header =
      "for (int j = t, l = r; j < n; ++j, l += 8) { s[j] = x[l]; }";
  same(Header, "int l = r; for (int j = t; j < n; ++j) { s[j] = x[l]; l += 8; }");
  other(Header, "int l = t; for (int j = t; j < n; ++j) { s[j] = x[l]; l += 8; }");
  other(Header, "int l = r; for (int j = t; j < n; ++j) { l += 8; s[j] = x[l]; }");
  other(Header, "int l = r; for (int j = t; j < n; ++j) { s[j] = x[l]; }");
  other("for (int j = t, l = n++; j < n; ++j, l += 8) { s[j] = x[l]; }",
        "int l = n++; for (int j = t; j < n; ++j) { s[j] = x[l]; l += 8; }");
  const char *Body = "for (int j = t; j < n;) { s[j] = x[i]; j += 8; }";
  same(Body, "for (int j = t; j < n; j += 8) { s[j] = x[i]; }");
  other(Body, "for (int j = t; j < n; j += 9) { s[j] = x[i]; }");
  other(Body, "for (int j = r; j < n; j += 8) { s[j] = x[i]; }");
  other("for (int j = t; j < n;) { if (r) continue; s[j] = x[i]; j += 8; }",
        "for (int j = t; j < n; j += 8) { if (r) continue; s[j] = x[i]; }");
}

TEST_F(LoweredMeaning, CountersOfAFunction) {
  const char *Set = "int j; for (j = t; j < n; j += 8) s[j] = x[i + j];";
  same(Set, "int j; for (int j = t; j < n; j += 8) s[j] = x[i + j];");
  same(Set, "for (int j = t; j < n; j += 8) s[j] = x[i + j];");
  other(Set, "for (int j = r; j < n; j += 8) s[j] = x[i + j];");
  other(Set, "for (int j = t; j < n; j += 9) s[j] = x[i + j];");
  other(Set, "for (short j = t; j < n; j += 8) s[j] = x[i + j];");
  same("int j; for (j = t; j < n; ++j) s[j] = x[j]; for (j = 0; j < r; ++j) "
       "y[j] = s[j];",
       "int j; for (int j = t; j < n; ++j) s[j] = x[j]; for (j = 0; j < r; "
       "++j) y[j] = s[j];");
  same("int j = 3; for (j = t; j < n; ++j) s[j] = x[i + j];",
       "int j = 3; for (int j = t; j < n; ++j) s[j] = x[i + j];");
  other("int j = n++; for (j = t; j < n; ++j) s[j] = x[i + j];",
        "for (int j = t; j < n; ++j) s[j] = x[i + j];");
  // Another one goes on with what is left.
  other("int j; for (j = t; j < n; ++j) s[j] = x[j]; y[t] = j;",
        "int j; for (int j = t; j < n; ++j) s[j] = x[j]; y[t] = j;");
  other("int j = 0; for (j = t; j < n; ++j) s[j] = x[j]; for (; j < r; ++j) "
        "y[j] = s[t];",
        "int j = 0; for (int j = t; j < n; ++j) s[j] = x[j]; for (; j < r; "
        "++j) y[j] = s[t];");
  other("int j; for (j = 0; j < n; ++j) for (j = t; j < n; ++j) s[j] = x[j];",
        "int j; for (j = 0; j < n; ++j) for (int j = t; j < n; ++j) s[j] = "
        "x[j];");
  other("int j = 1; for (j = j + t; j < n; ++j) s[j] = x[j];",
        "int j = 1; for (int j = j + t; j < n; ++j) s[j] = x[j];");
  other("int j; at = &j; for (j = t; j < n; ++j) s[j] = x[j];",
        "int j; at = &j; for (int j = t; j < n; ++j) s[j] = x[j];");
  other("int j; auto f = [&] { return j; }; for (j = t; j < n; ++j) s[f()] = "
        "x[j];",
        "int j; auto f = [&] { return j; }; for (int j = t; j < n; ++j) s[f()] "
        "= x[j];");
  other("int j; for (j = t; j < n; ++j) s[j] = x[j]; switch (n) { case 0: for "
        "(j = 0; j < r; ++j) { default: y[j] = 0; } }",
        "int j; for (int j = t; j < n; ++j) s[j] = x[j]; switch (n) { case 0: "
        "for (j = 0; j < r; ++j) { default: y[j] = 0; } }");
}

TEST_F(LoweredMeaning, StepsThatLeftHeaders) {
  Before = "int q = n; const float *p = x;";
  const char *Two = "for (int j = 0; j < 8; ++j, q >>= 4) s[j + t] = q & 15;";
  same(Two, "for (int j = 0; j < 8; ++j) { s[j + t] = q & 15; q >>= 4; }");
  other(Two, "for (int j = 0; j < 8; ++j) { q >>= 4; s[j + t] = q & 15; }");
  other(Two, "for (int j = 0; j < 8; ++j) { s[j + t] = q & 15; q >>= 5; }");
  other(Two, "for (int j = 0; j < 8; ++j) { s[j + t] = q & 15; }");
  other(Two, "for (int j = 0; j < 8; q >>= 4) { s[j + t] = q & 15; ++j; }");
  same("for (int j = 0; j < 8; p += 3, j++, q >>= 4) { s[j + t] = *p; }",
       "for (int j = 0; j < 8; j++) { s[j + t] = *p; p += 3; q >>= 4; }");
  other("for (int j = 0; j < 8; p += q, j++, q >>= 4) { s[j + t] = *p; }",
        "for (int j = 0; j < 8; j++) { s[j + t] = *p; q >>= 4; p += q; }");
  // The counter is another one where the step stands now.
  other("for (int j = 0; j < 8; ++j, p += j) { s[j + t] = *p; }",
        "for (int j = 0; j < 8; ++j) { s[j + t] = *p; p += j; }");
  other("for (int j = 0; j < 8; ++j, ++j) { s[j + t] = *p; }",
        "for (int j = 0; j < 8; ++j) { s[j + t] = *p; ++j; }");
  other("for (int j = 0; j < 8; ++j, ++p) { int &l = j; s[l] = *p; }",
        "for (int j = 0; j < 8; ++j) { int &l = j; s[l] = *p; ++p; }");
  same("for (int j = 0; j < 8; ++j, ++p) { s[j] = *p; ++j; }",
       "for (int j = 0; j < 8; ++j) { s[j] = *p; ++j; ++p; }");
  other("for (int j = 0; j < 8; ++j, ++p) { if (t) continue; s[j] = *p; }",
        "for (int j = 0; j < 8; ++j) { if (t) continue; s[j] = *p; ++p; }");
  other("for (int j = 0; j < 8; ++j, q += n) { Ends e{&n}; s[j] = *p; }",
        "for (int j = 0; j < 8; ++j) { Ends e{&n}; s[j] = *p; q += n; }");
}

TEST_F(LoweredMeaning, StepsBehindStores) {
  Before = "float *p = s + t; const float *q = x; int a = 0, b = 0;";
  same("*p++ = *q++;", "*p = *q; ++p; ++q;");
  same("p[a++] = q[b--];", "p[a] = q[b]; ++a; --b;");
  same("*p++ += 2 * (float)q[b + r];", "*p += 2 * (float)q[b + r]; ++p;");
  same("for (int j = 0; j < 4; ++j) *p++ = *q++;",
       "for (int j = 0; j < 4; ++j) { *p = *q; ++p; ++q; }");
  other("*p++ = *q++;", "*p = *q; ++p;");
  other("*p++ = *q++;", "++p; *p = *q; ++q;");
  other("*p++ = *q++;", "*p = *q; ++p; --q;");
  other("*p++ = *q++;", "*p = *q; ++p; ++p;");
  other("*p++ = *q++;", "*q; ++p; ++q;");
  other("*++p = *q;", "*p = *q; ++p;");
  other("p[a++] = q[a];", "p[a] = q[a]; ++a;");
  other("p[a++] = a++;", "p[a] = a; ++a; ++a;");
  other("p[a++] = t ? q[b++] : 0;", "p[a] = t ? q[b] : 0; ++a; ++b;");
  other("p[a++] = t && b++;", "p[a] = t && b; ++a; ++b;");
  other("p[a++] = count(at);", "p[a] = count(at); ++a;");
  // Something else leads to the index.
  Before = "float *p = s + t; int a = 0; int &b = a; int *l = &a;";
  other("p[a++] = b;", "p[a] = b; ++a;");
  other("p[b++] = a;", "p[b] = a; ++b;");
  other("p[a++] = *l;", "p[a] = *l; ++a;");
  Before = "float *p = s + t; int a = 0; auto f = [&] { return a; };";
  other("p[a++] = n;", "p[a] = n; ++a;");
  Before = "float *p = s + t; static int a;";
  other("p[a++] = n;", "p[a] = n; ++a;");
  Before = "float *p = s + t; int a = 0; int &b = ++a;";
  other("p[a++] = b;", "p[a] = b; ++a;");
}

} // namespace
