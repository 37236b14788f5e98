#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# summary.py RESULTS: adds up the counts that lit and GoogleTest left in a
# folder. Says which tests failed, why tests were unsupported, and which fresh
# seeds programs were generated from; the last line is "N passed, N failed".
# Exit 0 only if something passed and nothing failed.
import collections
import json
import os
import re
import sys

PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
UNSUPPORTED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def lit_tests(report):
    for test in report["tests"]:
        missing = re.search(r"unavailable features: ([^\n]*)",
                            test.get("output") or "")
        yield test["name"], test["code"], missing and missing.group(1).strip()


def unit_tests(report):
    for suite in report["testsuites"]:
        for test in suite["testsuite"]:
            code = "FAIL" if test.get("failures") else (
                "PASS" if test["status"] == "RUN" and
                test.get("result") != "SKIPPED" else "SKIPPED")
            yield f"{suite['name']}.{test['name']}", code, None


def main():
    folder = sys.argv[1]
    passed, failed = 0, []
    unsupported, seeds = collections.Counter(), []
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name)) as file:
            try:
                report = json.load(file)
            except ValueError:
                failed.append(f"{name}: no results, the run was cut off")
                continue
        if "testsuites" in report:
            tests = unit_tests(report)
        else:
            tests = lit_tests(report)
            for test in report["tests"]:
                seeds += re.findall(r"^fresh seed .*",
                                    test.get("output") or "", re.M)
        for test, code, missing in tests:
            if code in PASSED:
                passed += 1
            elif code in UNSUPPORTED:
                unsupported[missing or "not given"] += 1
            else:
                failed.append(test)
    for test in failed:
        print(f"failed: {test}")
    for seed in seeds:
        print(f"generated programs: {seed}")
    if unsupported:
        reasons = ", ".join(f"{count} for want of {what}"
                            for what, count in sorted(unsupported.items()))
        print(f"{sum(unsupported.values())} unsupported: {reasons}")
    print(f"{passed} passed, {len(failed)} failed")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
