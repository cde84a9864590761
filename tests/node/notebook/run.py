"""Runs a notebook's code cells in one process, as Jupyter would, and tells as JSON what came of each exercise.

    run.py NOTEBOOK gap|solution

With `solution`, the solution of each exercise stands in the place of its gap.
"""

import contextlib
import io
import json
import re
import sys


def code_of(cell, role):
    text = ''.join(cell['source'])
    if role != 'solution':
        return text
    return re.search(r'```python\n(.*?)\n```', text, re.DOTALL).group(1)


def main(file, filling):
    with open(file, encoding='utf-8') as source:
        cells = json.load(source)['cells']
    labelled = [(cell, cell['metadata']['lab']) for cell in cells if 'lab' in cell['metadata']]
    by_role = {(lab.get('exercise'), lab['role']): code_of(cell, lab['role']) for cell, lab in labelled}
    space = {'__name__': '__main__'}
    exec(by_role[None, 'setup'], space)
    results = {}
    for exercise in [name for name, role in by_role if role == 'check']:
        said = io.StringIO()
        try:
            with contextlib.redirect_stdout(said):
                exec(compile(by_role[exercise, filling], exercise, 'exec'), space)
                exec(compile(by_role[exercise, 'check'], f'{exercise}, check', 'exec'), space)
            results[exercise] = {'error': None, 'said': said.getvalue()}
        except Exception as error:
            results[exercise] = {'error': type(error).__name__, 'message': str(error)}
    print(json.dumps(results))


main(*sys.argv[1:])
