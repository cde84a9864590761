import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesBelow, includesOf, importsOf, isCpp, isScript, read } from './files.js';
import { cppComplaints, domComplaints, scriptComplaints } from './rules.js';

const none = (complaints) => assert.equal(complaints.join('\n'), '');

const cpp = ['src', 'wasm-bindings', 'tests/native']
  .flatMap((folder) => filesBelow(folder))
  .filter(isCpp);
const scripts = filesBelow('web').filter(isScript);
const exists = (file) => cpp.includes(file);

test('C++ files include only what their layer may', () => {
  assert.ok(cpp.length > 0, 'no C++ file found');
  none(cpp.flatMap((file) => cppComplaints(file, read(file), exists)));
});

test('each shader opens with what it computes and its ladder, and is one whole kernel', () => {
  const shaders = filesBelow('src/kernels/webgpu');
  assert.ok(shaders.length > 0, 'no shader found');
  for (const file of shaders) {
    assert.match(file, /\.wgsl$/);
    const text = read(file);
    const opening = text.slice(0, text.search(/^[^/\n]/m));
    assert.match(opening, /^\/\/ \S[^]*\n\/\/ The ladder[^]*\(this file\)/, file);
    assert.equal(text.match(/@compute/g)?.length, 1, file);
  }
});

test('scripts import only what their layer may', () => {
  assert.ok(scripts.length > 0, 'no script found');
  none(scripts.flatMap((file) => scriptComplaints(file, read(file))));
});

test('models know no DOM', () => {
  const models = scripts.filter((file) => file.endsWith('.model.js'));
  assert.ok(models.length > 0, 'no model found');
  none(models.flatMap((file) => domComplaints(file, read(file))));
});

test('each C++ rule catches a file that breaks it', () => {
  const known = new Set([
    'src/core/error.hpp',
    'src/attention/mask.hpp',
    'src/kernels/scalar/dot.hpp',
    'wasm-bindings/convert.hpp',
  ]);
  const caught = (file, text) => cppComplaints(file, text, (name) => known.has(name)).length;
  assert.equal(caught('src/attention/x.cpp', '#include <emscripten/bind.h>\n'), 1);
  assert.equal(caught('src/attention/x.cpp', '#include <emscripten.h>\n'), 1);
  assert.equal(caught('tests/native/x.cpp', '#include <emscripten/val.h>\n'), 1);
  assert.equal(caught('src/attention/x.cpp', '#include <iostream>\n'), 1);
  assert.equal(caught('src/attention/x.cpp', '#include <cstdio>\n'), 1);
  assert.equal(caught('src/attention/x.cpp', '#include "convert.hpp"\n'), 1);
  assert.equal(caught('src/attention/x.cpp', '#include "nowhere.hpp"\n'), 1);
  assert.equal(caught('src/attention/x.cpp', '#include <boost/any.hpp>\n'), 1);
  assert.equal(caught('src/attention/x.cpp', 'void f() { std::cout << 1; }\n'), 1);
  assert.equal(caught('src/attention/x.cpp', '#ifdef __EMSCRIPTEN__\n#endif\n'), 1);
  assert.equal(caught('src/kernels/scalar/x.cpp', '#include <xtensor/xarray.hpp>\n'), 1);
  assert.equal(caught('src/kernels/scalar/x.cpp', '#include <xsimd/xsimd.hpp>\n'), 1);
  assert.equal(caught('src/kernels/simd/x.cpp', '#include <xsimd/xsimd.hpp>\n'), 0);
  assert.equal(caught('src/kernels/scalar/x.cpp', '#include "core/error.hpp"\n'), 1);
  assert.equal(caught('src/kernels/scalar/x.cpp', '#include "kernels/scalar/dot.hpp"\n'), 0);
  assert.equal(caught('src/attention/x.cpp', '#include "mask.hpp"\n#include <vector>\n'), 0);
  assert.equal(caught('src/attention/x.cpp', '// #include <iostream>\n/* printf("x") */\n'), 0);
  assert.equal(caught('wasm-bindings/x.cpp', '#include <emscripten/bind.h>\n'), 0);
});

test('each import rule catches a file that breaks it', () => {
  const caught = (file, text) => scriptComplaints(file, text).length;
  const simulator = 'web/simulators/query/query.view.js';
  assert.equal(caught(simulator, "import '../by-hand/by-hand.model.js'"), 1);
  assert.equal(caught(simulator, "import '../../deck/deck.js'"), 1);
  assert.equal(caught(simulator, "import '../../runtime/loader.js'"), 1);
  assert.equal(
    caught(simulator, "const m = await import('../../runtime/modules/core.simd.mjs')"),
    1,
  );
  assert.equal(
    caught(simulator, "new URL('../../runtime/modules/core.simd.wasm', import.meta.url)"),
    1,
  );
  assert.equal(caught(simulator, 'await import(name)'), 1);
  assert.equal(caught(simulator, "export * from 'reveal.js'"), 1);
  assert.equal(
    caught(simulator, "import 'lit/directives/live.js'; import '../../shared/bar.js'"),
    0,
  );
  assert.equal(caught('web/simulators/query/query.model.js', "import { html } from 'lit'"), 1);
  assert.equal(caught('web/simulators/query/query.model.js', "import './query.layout.js'"), 1);
  assert.equal(caught('web/shared/bar.js', "import '../simulators/query/index.js'"), 1);
  assert.equal(caught('web/shared/bar.js', "import '../runtime/index.js'"), 0);
  assert.equal(caught('web/runtime/index.js', "import '../shared/number.js'"), 1);
  assert.equal(caught('web/runtime/index.js', "import('./modules/core.simd.mjs')"), 0);
  assert.equal(caught('web/embed/watch.js', "import '../shared/language.js'"), 1);
  assert.equal(caught('web/embed/watch.js', "import './bring.js'"), 0);
  assert.equal(caught('web/deck/deck.js', "import '../../src/x.js'"), 1);
});

test('a model that touches the page is caught, one that only names such a field is not', () => {
  assert.equal(domComplaints('x.model.js', 'export const f = () => document.title').length, 1);
  assert.equal(domComplaints('x.model.js', 'globalThis.open()').length, 1);
  assert.equal(domComplaints('x.model.js', 'export const g = (state) => state.document').length, 0);
  assert.equal(domComplaints('x.model.js', 'export const g = { window: 4 }').length, 0);
});

test('the readers of includes and imports see through comments and text', () => {
  assert.deepEqual(
    includesOf('#include <a>\n  # include "b/c.hpp" // x\n//#include <d>\n/*\n#include <e>\n*/\n'),
    [
      { name: 'a', system: true },
      { name: 'b/c.hpp', system: false },
    ],
  );
  assert.deepEqual(
    importsOf("import a from 'a'; export { b } from 'b'; // import 'c'\nimport('d')"),
    ['a', 'b', 'd'],
  );
});
