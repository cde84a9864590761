/**
 * The editor of an exercise: CodeMirror with little around it. It stands in a shadow tree, where its styles are adopted
 * sheets, because the content policy refuses a <style> element.
 */
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import {
  HighlightStyle,
  LRLanguage,
  bracketMatching,
  continuedIndent,
  delimitedIndent,
  indentNodeProp,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language';
import { EditorState, Prec, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  EditorView,
  drawSelection,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { parser } from '@lezer/javascript';

const language = LRLanguage.define({
  parser: parser.configure({
    props: [
      indentNodeProp.add({
        'Block ObjectExpression ClassBody': delimitedIndent({ closing: '}' }),
        ArrayExpression: delimitedIndent({ closing: ']' }),
        'ArgList ParamList ParenthesizedExpression': delimitedIndent({ closing: ')' }),
        'ExpressionStatement VariableDeclaration ReturnStatement IfStatement ForStatement':
          continuedIndent({ except: /^(\{|else\b)/ }),
      }),
    ],
  }),
});

// By weight and slant: in this lecture a colour is a query, a key, a value, a score or a weight.
const highlight = HighlightStyle.define([
  { tag: tags.keyword, fontWeight: '700' },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], class: 'lab-comment' },
  { tag: [tags.function(tags.definition(tags.variableName))], fontWeight: '700' },
]);

const theme = EditorView.theme({
  '&': {
    color: 'var(--attn-ink)',
    backgroundColor: 'var(--attn-surface)',
    border: '1px solid var(--attn-control)',
    borderRadius: '8px',
    fontSize: 'var(--lab-code-size, 16px)',
  },
  '&.cm-focused': { outline: '3px solid var(--attn-focus)', outlineOffset: '2px' },
  '.cm-scroller': { fontFamily: 'var(--attn-font-mono)', lineHeight: '1.5' },
  '.cm-content': { padding: '0.5em 0', caretColor: 'var(--attn-ink)' },
  '.cm-gutters': {
    color: 'var(--attn-ink-soft)',
    backgroundColor: 'var(--attn-sunken)',
    border: '0',
    borderRadius: '8px 0 0 8px',
  },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 0.5em', minWidth: '2em' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': {
    backgroundColor: 'color-mix(in oklab, var(--attn-sunken) 60%, transparent)',
  },
  '.cm-cursor': { borderLeftColor: 'var(--attn-ink)', borderLeftWidth: '2px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    { backgroundColor: 'color-mix(in oklab, var(--attn-ink) 22%, transparent)' },
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'transparent',
    boxShadow: 'inset 0 -2px var(--attn-ink)',
  },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'transparent' },
  '.lab-comment': { color: 'var(--attn-ink-soft)', fontStyle: 'italic' },
  '.lab-wrong-line': {
    backgroundColor: 'var(--attn-error-tint)',
    boxShadow: 'inset 4px 0 var(--attn-error)',
  },
});

const setWrongLine = StateEffect.define();
const wrongLine = StateField.define({
  create: () => Decoration.none,
  update(marks, { changes, effects, state }) {
    for (const effect of effects) {
      if (!effect.is(setWrongLine)) continue;
      const line = effect.value;
      if (!line || line > state.doc.lines) return Decoration.none;
      const mark = Decoration.line({ class: 'lab-wrong-line' });
      return Decoration.set([mark.range(state.doc.line(line).from)]);
    }
    return marks.map(changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/**
 * Text over a selection. Left to itself, Chromium would keep the look of what was there in a style attribute, which the
 * content policy refuses with an error.
 */
const replaceSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const over = view.state.selection.ranges.some(({ empty }) => !empty);
    if (event.inputType !== 'insertText' || !event.data || !over || view.composing) return false;
    event.preventDefault();
    view.dispatch(view.state.replaceSelection(event.data), {
      userEvent: 'input.type',
      scrollIntoView: true,
    });
    return true;
  },
});

/**
 * @param {HTMLElement} host
 * @param {object} options
 * @param {string} options.code
 * @param {string} options.label  What it is called.
 * @param {string} options.help  How to run, and how to leave it by the keyboard.
 * @param {() => void} options.run
 * @param {(code: string) => void} options.changed
 */
export function createEditor(host, { code, label, help, run, changed }) {
  const root = host.attachShadow({ mode: 'open', delegatesFocus: true });
  const runNow = () => {
    run();
    return true;
  };
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: code,
      extensions: [
        Prec.highest(keymap.of([{ key: 'Mod-Enter', run: runNow }])),
        lineNumbers(),
        history(),
        drawSelection(),
        indentUnit.of('  '),
        indentOnInput(),
        bracketMatching(),
        highlightActiveLine(),
        language,
        syntaxHighlighting(highlight),
        // Escape, then Tab, leaves: CodeMirror lets the next Tab through.
        keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          'aria-label': label,
          'aria-description': help,
          autocapitalize: 'off',
          autocorrect: 'off',
          spellcheck: 'false',
        }),
        wrongLine,
        replaceSelection,
        theme,
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    get code() {
      return view.state.doc.toString();
    },
    /** Another text; what stood there comes back with undo. */
    replace(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    /** Marks the line of an error; none takes the mark away. @param {number} [line] */
    mark(line) {
      view.dispatch({ effects: setWrongLine.of(line ?? 0) });
    },
    focus: () => view.focus(),
    measure: () => view.requestMeasure(),
  };
}
