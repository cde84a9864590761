import js from '@eslint/js';
import globals from 'globals';

// Text from users or links is never inserted as HTML, anywhere in the product.
const markup = ['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'setHTMLUnsafe'].map(
  (property) => ({
    property,
    message: 'Text is never inserted as HTML: use a Lit template or textContent.',
  }),
);

const unsafeTemplates = ['unsafe-html', 'unsafe-svg', 'unsafe-mathml'].map((name) => ({
  name: `lit/directives/${name}.js`,
  message: 'Text is never inserted as HTML: use a Lit template.',
}));

const formatting = ['toFixed', 'toPrecision', 'toExponential', 'toLocaleString'].map(
  (property) => ({
    property,
    message: 'A number that is shown goes through web/shared/number.js.',
  }),
);

const ARITHMETIC = 'A simulator never computes a number: ask the module, or draw in *.layout.js.';
// A slash would end the selector's pattern, so it is written by its code.
const operators = (list) =>
  `/^(${list.map((op) => op.replace(/[*+%^|]/g, '\\$&').replaceAll('/', '\\x2f')).join('|')})$/`;

export default [
  {
    ignores: [
      'node_modules/',
      'build/',
      'dist/',
      'web/runtime/modules/',
      'web/texts/generated/',
      'tests/browser/hosts/*/output/',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.js', '**/*.mjs'],
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    languageOptions: { ecmaVersion: 2025, sourceType: 'module' },
    rules: {
      eqeqeq: 'error',
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      'no-unused-vars': [
        'error',
        {
          caughtErrors: 'none',
          ignoreRestSiblings: true,
          argsIgnorePattern: '^_',
          varsIgnorePattern: '^_',
        },
      ],
    },
  },
  {
    files: ['web/**/*.js'],
    ignores: ['web/build/**'],
    languageOptions: { globals: globals.browser },
    rules: {
      'no-restricted-properties': ['error', ...markup],
      'no-restricted-imports': ['error', { paths: unsafeTemplates }],
    },
  },
  {
    files: ['web/runtime/**/*.js'],
    languageOptions: { globals: { ...globals.browser, process: 'readonly' } },
  },
  {
    files: ['web/build/**/*.{js,mjs}', 'tests/**/*.{js,mjs}', '*.js'],
    languageOptions: { globals: globals.node },
  },
  {
    // The browser suite hands functions to the page.
    files: ['tests/browser/**', 'tests/bench/**'],
    languageOptions: { globals: { ...globals.node, ...globals.browser, deckTest: 'readonly' } },
  },
  {
    files: ['web/simulators/**/*.js'],
    ignores: ['web/simulators/**/*.layout.js'],
    rules: {
      'no-restricted-globals': [
        'error',
        { name: 'Math', message: ARITHMETIC },
        {
          name: 'parseFloat',
          message: 'A number that is typed goes through web/shared/number.js.',
        },
        { name: 'parseInt', message: 'A number that is typed goes through web/shared/number.js.' },
        { name: 'Intl', message: 'A number that is shown goes through web/shared/number.js.' },
      ],
      'no-restricted-properties': [
        'error',
        ...markup,
        ...formatting,
        { object: 'globalThis', property: 'Math', message: ARITHMETIC },
        { object: 'window', property: 'Math', message: ARITHMETIC },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: `BinaryExpression[operator=${operators(['+', '-', '*', '/', '%', '**', '<<', '>>', '>>>', '&', '|', '^'])}]`,
          message: ARITHMETIC,
        },
        {
          selector: `AssignmentExpression[operator=${operators(['+=', '-=', '*=', '/=', '%=', '**=', '<<=', '>>=', '>>>=', '&=', '|=', '^='])}]`,
          message: ARITHMETIC,
        },
        { selector: 'UpdateExpression', message: ARITHMETIC },
        {
          selector: 'UnaryExpression[operator=/^[-+~]$/]:not([argument.type="Literal"])',
          message: ARITHMETIC,
        },
      ],
    },
  },
];
