# branch.py FILE NUMBER: FILE with kpipe's conditions on __CUDA_ARCH__ taken as a
# compiler does for that number; the author's conditions stay.
import re
import sys

arch, taken, stack = int(sys.argv[2]), True, []
for line in open(sys.argv[1]):
    word = re.match(r'#\s*(ifdef|ifndef|if|elif|else|endif)\b(.*)', line)
    if word and word[1].startswith('if'):
        ours = re.match(r'#if \(?__CUDA_ARCH__ >= ', line)
        stack.append([taken, False] if ours else None)
    if not word or not stack[-1]:
        if taken:
            print(line, end='')
        if word and word[1] == 'endif':
            stack.pop()
        continue
    if word[1] == 'endif':
        taken = stack.pop()[0]
        continue
    outer, done = stack[-1]
    holds = word[1] == 'else' or eval(
        word[2].replace('&&', 'and').replace('||', 'or'), {'__CUDA_ARCH__': arch})
    taken = outer and not done and holds
    stack[-1][1] = done or holds
