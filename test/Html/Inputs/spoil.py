# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# spoil.py PAGE: writes spoiled.html with faults that browser.py must see.
import re
import sys

page = open(sys.argv[1], encoding="utf-8").read()
page = re.sub(r'(class="point after"[^>]* cx=")[\d.]+', r"\g<1>300", page)
page = re.sub(r'(class="cliff next" data-bytes=")\d+', r"\g<1>1024", page)
page = re.sub(r'(class="bar compute" data-tile=")0', r"\g<1>9", page)
page = page.replace("img-src data:", "img-src http:", 1)
page = page.replace("<footer>", """<p style="width:5000px">wide</p>
<p class="faint" style="color:#999;background:#aaa">hardly to be read</p>
<img alt="" src="http://example.com/"><script>console.log(1)</script>
<footer>""")
open("spoiled.html", "w", encoding="utf-8").write(page)
