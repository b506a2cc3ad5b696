const prettier = require('eslint-config-prettier');
const tseslint = require('typescript-eslint');

const typescript = {
  files: ['**/*.ts'],
  extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
  languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: __dirname } },
  rules: {
    '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowNullish: true }],
    '@typescript-eslint/switch-exhaustiveness-check': 'error',
    '@typescript-eslint/no-floating-promises': ['error', { allowForKnownSafeCalls: ['it', 'describe', 'test'] }],
    '@typescript-eslint/consistent-type-imports': 'error',
    '@typescript-eslint/consistent-indexed-object-style': 'off', // a record cannot refer to itself
    // A type that follows from a description gets a name, which editors and errors then show.
    '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
    eqeqeq: 'error',
    'max-lines-per-function': ['error', { max: 60, skipComments: true }],
  },
};

/** Contract, descriptions, simulator and steps run in a browser too, which has nothing of Node.js. */
const browserClean = {
  files: ['drivers/{contract,verbs,sim}/**/*.ts', 'steps/**/*.ts', 'ci/browser/page/*.ts'],
  ignores: ['**/*.test.ts', '**/fixtures/**', 'drivers/sim/faults/prover.ts'],
  rules: { 'no-restricted-globals': ['error', 'Buffer', 'process', 'setImmediate', 'require', '__dirname'] },
};

module.exports = tseslint.config(
  { ignores: ['node_modules/', 'build/', 'reports/out/', 'native/build/'] },
  typescript,
  browserClean,
  { files: ['**/*.test.ts'], rules: { 'max-lines-per-function': 'off' } },
  { files: ['**/*.js'], languageOptions: { sourceType: 'commonjs', globals: { require: 'readonly' } } },
  prettier,
);
