/** The page of an element: controls that set the attributes of a live one, and the HTML that would give the same. */
import './element.css';
import '../deck/theme.js';
import { ready } from '../shared/language.js';
import { attributeFields, attributeOf, stateOfCase } from '../shared/opening.js';
import { encodeState } from '../shared/permalink.js';
import { wake } from '../deck/simulators.js';

const code = document.querySelector('[data-code]');
const script = new URL(code.dataset.script, location.href).href;
const scriptTag = `<script type="module" src="${script}"></script>`;
const element = document.querySelector('[data-simulator]');

const quoted = (value) => String(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
const written = (tag, attributes) =>
  `${scriptTag}\n<${tag}${attributes.map(([name, value]) => ` ${name}="${quoted(value)}"`).join('')}></${tag}>`;

await ready;
document.documentElement.classList.add('live');
if (element) {
  wake(document);
  await customElements.whenDefined(element.localName);
  tryOut(element);
} else {
  code.textContent = written('attn-query', [['case', 'river']]);
}

/** @param {import('../shared/simulator.js').Simulator} host */
function tryOut(host) {
  const { model } = host.constructor;
  const fields = new Map(attributeFields(model.schema).map((key) => [attributeOf(key), key]));
  const controls = [...document.querySelectorAll('[data-attribute]')];
  const says = document.querySelector('.element-says');
  const note = document.querySelector('.element-note');
  const copy = document.querySelector('.element-copy');

  /** The state that the case alone would open with. */
  const opening = () => (host.case && stateOfCase(model, host.case)) || model.defaults;

  /** Whether something was changed that no attribute of its own carries. */
  function hasMore() {
    const [state, start] = [host.getState(), opening()];
    const others = Object.keys(model.schema).filter((key) => !fields.has(attributeOf(key)));
    return others.some((key) => JSON.stringify(state[key]) !== JSON.stringify(start[key]));
  }

  /** The case and the fields that a tag needs so that it opens as the live one stands. */
  function fieldAttributes() {
    const [state, start] = [host.getState(), opening()];
    const changed = [...fields].filter(([, key]) => state[key] !== start[key]);
    return [
      ...(host.case ? [['case', host.case]] : []),
      ...changed.map(([name, key]) => [name, state[key]]),
    ];
  }

  const attributes = () => [
    ...(hasMore() ? [['state', encodeState(host.getState())]] : fieldAttributes()),
    ...['hide', 'lock']
      .filter((name) => host.getAttribute(name))
      .map((name) => [name, host.getAttribute(name)]),
  ];

  function show() {
    code.textContent = written(host.localName, attributes());
    note.hidden = !hasMore();
    const state = host.getState();
    for (const control of controls) {
      const name = control.dataset.attribute;
      if (name === 'case') control.value = host.case ?? '';
      else if (fields.has(name) && control !== document.activeElement)
        control.value = state[fields.get(name)];
    }
  }

  function take({ target: control }) {
    const name = control.dataset.attribute;
    if (name === undefined) return;
    says.textContent = '';
    // A case brings all fields with it.
    if (name === 'case') for (const field of fields.keys()) host.removeAttribute(field);
    const { value } = control;
    if (value !== '') host.setAttribute(name, value);
    else if (fields.has(name)) host[fields.get(name)] = opening()[fields.get(name)];
    else host.removeAttribute(name);
    show();
  }

  for (const control of controls) control.disabled = false;
  copy.disabled = false;
  document.querySelector('.element-try').addEventListener('change', take);
  host.addEventListener('statechange', show);
  host.addEventListener('ready', show);
  host.addEventListener('error', ({ detail }) => {
    says.textContent = detail.message;
  });
  copy.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      says.textContent = copy.dataset.copied;
    } catch {
      says.textContent = copy.dataset.closed;
    }
  });
  show();
}
