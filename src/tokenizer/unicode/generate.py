#!/usr/bin/env python3
"""Writes categories.inc: for every code point the class that the pre-tokenizers ask about.

    pip install --target /tmp/unicode unicodedata2==16.0.0
    PYTHONPATH=/tmp/unicode python3 src/tokenizer/unicode/generate.py

The data is that of the module `unicodedata2`, the Unicode Character Database as a Python package, or of Python's
own `unicodedata` where that is not installed; the version goes into the file. Version 16.0.0 is the one that
OpenAI's tokenizer has, so that ids agree on every letter that it knows.
"""

import pathlib
import sys

try:
    import unicodedata2 as data
except ImportError:
    import unicodedata as data

# The order is that of `enum class CharacterClass` in categories.hpp.
OTHER, UPPER, LOWER, CASELESS, MARK, NUMBER, SPACE = range(7)

# White_Space as PropList.txt lists it: the separators, and these controls. The property never changed since
# Unicode 6.3; U+001C..1F are not in it, although Python's str.isspace takes them for space.
SPACE_CONTROLS = {*range(0x09, 0x0E), 0x85}


def class_of(code_point):
    category = data.category(chr(code_point))
    if category[0] == 'Z' or code_point in SPACE_CONTROLS:
        return SPACE
    if category in ('Lu', 'Lt'):
        return UPPER
    if category == 'Ll':
        return LOWER
    if category[0] == 'L':
        return CASELESS
    return {'M': MARK, 'N': NUMBER}.get(category[0], OTHER)


def ranges():
    last = None
    for code_point in range(0x110000):
        kind = class_of(code_point)
        if kind != last:
            yield code_point, kind
            last = kind


def main():
    entries = [f'0x{start << 3 | kind:x}' for start, kind in ranges()]
    lines = []
    line = ''
    for entry in entries:
        piece = entry + ','
        if len(line) + len(piece) + 1 > 100:
            lines.append(line)
            line = piece
        else:
            line = f'{line} {piece}' if line else piece
    lines.append(line)
    out = pathlib.Path(__file__).with_name('categories.inc')
    out.write_text(
        f'// Unicode {data.unidata_version}. Written by generate.py; do not edit.\n'
        f'// Each number is a first code point << 3 | its class; the class holds up to the next number.\n'
        f'constexpr char generated_from[] = "{data.unidata_version}";\n'
        f'constexpr std::uint32_t range_starts[] = {{\n' + '\n'.join(lines) + '\n};\n'
    )
    print(f'{out.name}: {len(entries)} ranges, Unicode {data.unidata_version}', file=sys.stderr)


if __name__ == '__main__':
    main()
