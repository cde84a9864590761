/** Broken and hostile states in links: named, refused, nothing executed, nothing lost. */
import assert from 'node:assert/strict';
import { encodeState } from '../../../web/shared/permalink.js';
import { Simulator, changedState, expectedNumbers } from '../simulator.js';

const base64 = (text) => Buffer.from(text).toString('base64url');

export function linkSuite(runner, context) {
  for (const entry of context.simulators) {
    const { tag, slide, model } = entry;
    const { defaults } = model;
    // A text may hold anything, markup included; what it then shows is tried with the simulators.
    const [first] = Object.keys(model.schema).filter((key) => model.schema[key].kind !== 'text');
    const hostile = {
      'broken base64': '1.%%%%',
      'text that is no JSON': `1.${base64('{"q": [1,')}`,
      'bytes that are no text': `1.${Buffer.from([0xff, 0xfe, 0x80]).toString('base64url')}`,
      nothing: '',
      'a list': `1.${base64('[1,2]')}`,
      'a version of yesterday': `0.${base64(JSON.stringify(defaults))}`,
      'a version of tomorrow': `99.${base64(JSON.stringify(defaults))}`,
      'script in a field': `1.${base64(JSON.stringify({ ...defaults, [first]: '<img src=x onerror="globalThis.struck=1"><script>globalThis.struck=1</script>' }))}`,
      'script as a field': `1.${base64(JSON.stringify({ ...defaults, '<img src=x onerror=globalThis.struck=1>': 1 }))}`,
      'a prototype': `1.${base64(`{"__proto__": {"struck": 1}, "constructor": {"prototype": {"struck": 1}}}`)}`,
      'a number past its range': `1.${base64(JSON.stringify({ ...defaults, [first]: 1e300 }))}`,
      'a field of the wrong shape': `1.${base64(JSON.stringify({ ...defaults, [first]: [[[1]]] }))}`,
      'an infinite number': `1.${base64(JSON.stringify(defaults).replace(/\d+/, '1e999'))}`,
    };
    // The reader of links is one for all, and tried on one; each simulator tries what depends on its own fields.
    const isReader = entry.name === 'query';
    const own = /in a field|past its range|wrong shape/;
    const tried = Object.entries(hostile).filter(([what]) => isReader || own.test(what));
    assert.ok(tried.length >= 3);
    runner.check(
      `link ${entry.name}: each broken or hostile state is named, the opening state kept`,
      () =>
        context.withPage(async (page) => {
          for (const [what, text] of tried) {
            const address = new URL(context.address(`simulators/${entry.name}.html`));
            address.searchParams.set(tag, text);
            await page.goto(address.href);
            const simulator = await new Simulator(page, { ...entry, slide: undefined }).ready();
            const { state, numbers } = await simulator.snapshot();
            assert.deepEqual(state, await simulator.opening(), what);
            assert.deepEqual(numbers, await expectedNumbers(entry, context.modules, state), what);
            const message = await simulator.host.evaluate((element) => {
              const node = element.shadowRoot.querySelector('[role=alert]');
              if (!node) return null;
              return {
                text: node.textContent.trim(),
                shown: deckTest.isShown(node),
                markup: node.children.length,
              };
            });
            assert.ok(message, `${what}: nothing is said`);
            assert.ok(message.shown, `${what}: the message is not seen`);
            assert.match(message.text, /link/i, `${what}: it does not say where it comes from`);
            assert.ok(
              message.text.length > 30 && message.text.length < 400,
              `${what}: ${message.text.length} characters`,
            );
            assert.equal(message.markup, 0, what);
            const struck = await page.evaluate(() => globalThis.struck ?? {}.struck ?? 0);
            assert.equal(struck, 0, `${what} was executed`);
          }
        }),
    );

    runner.check(`link ${entry.name}: a good state opens, and other parameters stay`, () =>
      context.withPage(async (page) => {
        const { state } = changedState(model);
        await page.goto(context.slideAddress(slide, { [tag]: encodeState(state), course: 'x' }));
        const simulator = await new Simulator(page, entry).ready();
        assert.deepEqual(await simulator.state(), state);
        assert.equal(
          await page.evaluate(() => new URL(location.href).searchParams.get('course')),
          'x',
        );
      }),
    );

    if (!isReader) continue;
    runner.check(`link ${entry.name}: a megabyte of state is refused`, () =>
      context.withPage(async (page) => {
        // Set by the page's own history: servers refuse such an address before the page could.
        await page.goto(context.slideAddress(slide));
        const text = `1.${'A'.repeat(1 << 20)}`;
        await page.addInitScript(
          ({ name, value }) => {
            const { searchParams } = new URL(location.href);
            if (searchParams.has('big')) {
              searchParams.delete('big');
              searchParams.set(name, value);
              history.replaceState(null, '', `?${searchParams}${location.hash}`);
            }
          },
          { name: tag, value: text },
        );
        await page.goto(context.slideAddress(slide, { big: '1' }));
        assert.ok((await page.evaluate(() => location.href.length)) > 1 << 20);
        const simulator = await new Simulator(page, entry).ready();
        assert.match(await simulator.text('[role=alert]'), /link.*long/i);
        assert.deepEqual(
          await simulator.numbers(),
          await expectedNumbers(entry, context.modules, await simulator.state()),
        );
      }),
    );
  }
}
