# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# valid.py PAGE...: each page is HTML without a single parse error, holds no
# script, asks for nothing from elsewhere, and its links and labels lead to
# something on it.
import re
import sys

import html5lib

FETCHES = {"src", "srcset", "poster", "data", "action", "formaction", "ping",
           "background", "xlink:href"}


def name(element):
    return element.tag.split("}")[-1] if isinstance(element.tag, str) else ""


def check(path):
    raw = open(path, "rb").read()
    raw.decode("utf-8")  # strict
    # The strict parser raises at the first error of the specification's list.
    tree = html5lib.HTMLParser(strict=True).parse(raw, transport_encoding="utf-8")
    elements = [e for e in tree.iter() if name(e)]
    ids = [e.get("id") for e in elements if e.get("id")]
    assert len(ids) == len(set(ids)), "an id is there twice"
    for e in elements:
        assert name(e) not in {"script", "iframe", "object", "embed", "img",
                               "base", "form"}, name(e)
        for key, value in e.attrib.items():
            key = key if isinstance(key, str) else key[-1]
            assert not key.lower().startswith("on"), key
            assert key not in FETCHES, f"{key}={value}"
            if key == "href":
                assert value == "data:," or value.startswith("#"), value
                assert value == "data:," or value[1:] in ids, value
            if key in {"aria-labelledby", "aria-describedby"}:
                assert all(v in ids for v in value.split()), value
    style = "".join(e.text or "" for e in elements if name(e) == "style")
    assert not re.search(r"url\(|@import|expression", style)
    policy = [e.get("content") for e in elements
              if e.get("http-equiv") == "Content-Security-Policy"]
    assert policy == ["default-src 'none'; style-src 'unsafe-inline'; "
                      "img-src data:"], policy
    for svg in (e for e in elements if name(e) == "svg"):
        inside = [name(e) for e in svg]
        assert "title" in inside and "desc" in inside
    headings = [int(name(e)[1]) for e in elements
                if re.fullmatch("h[1-6]", name(e))]
    assert headings[0] == 1 and headings.count(1) == 1
    assert all(b <= a + 1 for a, b in zip(headings, headings[1:])), headings


for page in sys.argv[1:]:
    try:
        check(page)
    except Exception as wrong:
        sys.exit(f"{page}: {type(wrong).__name__}: {wrong}")
    print(f"{page}: valid")
