#!/usr/bin/env python3
"""An independent reading of recipes, by Python's own re and unicodedata.

oracle.py chars        one line per assigned character: code point, \\w, white space,
                       general category, lower case, case folding
oracle.py elements     reads lines of JSON [recipe, text], writes for each the
                       JSON list of elements, in order
oracle.py version      the version of Unicode
"""
import json, re, sys, unicodedata

def chars():
    for c in range(0x110000):
        if 0xd800 <= c < 0xe000:
            continue
        s = chr(c)
        if unicodedata.category(s) == 'Cn' and c % 101:
            continue  # some of those without properties are enough
        # Final_Sigma tells what is cased, and what is passed over to find it.
        cased = (s + '\u03a3').lower()[-1] == '\u03c2'
        passed = ('a' + s + '\u03a3').lower()[-1] == '\u03c2'
        print(f'{c:x}', int(bool(re.fullmatch(r'\w', s))), int(s.isspace()), unicodedata.category(s),
              s.lower().encode().hex(), s.casefold().encode().hex(), int(cased), int(passed))

def in_class(c, first):
    return unicodedata.category(c)[0] in first

def normalize(text, norm, options):
    form = {'norm=0': None, 'norm=1': 'NFC'}[norm]
    for o in options:
        if o in ('nfc', 'nfd', 'nfkc', 'nfkd'):
            form = o.upper()
    if form:
        text = unicodedata.normalize(form, text)
    digits = [c.isdecimal() for c in text]
    puncts = [in_class(c, 'PS') for c in text]
    # Case looks at the text as it was before digits and punctuation go.
    out, lower, at = [], text.lower(), 0
    for i, c in enumerate(text):
        here = lower[at:at + len(c.lower())]
        at += len(here)
        if puncts[i] and 'punct=drop' in options or digits[i] and 'digits=drop' in options:
            continue
        if digits[i] and 'digits=zero' in options:
            out.append('0')
        elif puncts[i] and 'punct=space' in options:
            out.append(' ')
        elif 'case' in options:
            out.append(c)
        elif 'fold' in options:
            out.append(c.casefold())
        else:
            out.append(here)
    return ''.join(out)

def elements(recipe, text):
    head, norm, *options = recipe.split('/')
    kind, width = head.split('=')
    width = int(width)
    text = normalize(text, norm, options)
    if kind in ('words', 'tokens'):
        items = re.findall(r'\w+', text) if kind == 'words' else text.split()
        join = ' '.join
    else:
        space = 'one' if norm == 'norm=1' else 'keep'
        for o in options:
            if o.startswith('space='):
                space = o[6:]
        if space == 'one':
            text = ' '.join(text.split())
        elif space == 'none':
            text = ''.join(text.split())
        if kind == 'chars':
            items, join = text, ''.join
        else:
            items, join = text.encode(), lambda b: bytes(b)
    if not items:
        return []
    if len(items) < width:
        return [join(items)]
    return [join(items[i:i + width]) for i in range(len(items) - width + 1)]

def hexed(e):
    return (e if isinstance(e, bytes) else e.encode()).hex()

if __name__ == '__main__':
    if sys.argv[1] == 'version':
        print(unicodedata.unidata_version)
    elif sys.argv[1] == 'chars':
        chars()
    else:
        for line in sys.stdin:
            print(json.dumps([hexed(e) for e in elements(*json.loads(line))]))
