# Each option of `nvcc --help` (standard input) in both spellings, one a line,
# with a value where it takes one.
import re
import sys

for line in sys.stdin:
    found = re.match(r'(--\S+)( \S.*?)?\s+(?:\((-\S+)\)|(--\S+))\s*$', line)
    if found:
        long, value, short, again = found.groups()
        own = {'--std': 'c++17', '--optimize': '3', '--ftemplate-depth': '99'}
        for name in (long, short or again):
            print(name + ('=' + own.get(long, 'value')
                          if value or 'qpp' in long else ''))
