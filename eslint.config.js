const prettier = require('eslint-config-prettier');
const tseslint = require('typescript-eslint');

const typescript = {
  files: ['**/*.ts'],
  extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
  languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: __dirname } },
  rules: {
    '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowNullish: true }],
    '@typescript-eslint/switch-exhaustiveness-check': 'error',
    '@typescript-eslint/no-floating-promises': ['error', { allowForKnownSafeCalls: ['it', 'describe', 'test'] }],
    '@typescript-eslint/consistent-type-imports': 'error',
    '@typescript-eslint/consistent-indexed-object-style': 'off', // a record cannot refer to itself
    eqeqeq: 'error',
    'max-lines-per-function': ['error', { max: 60, skipComments: true }],
  },
};

/** Imports point one way: a layer may not know the ones above it, and steps know the contract alone. */
function layer(folder, forbidden, paths = []) {
  const group = forbidden.map((name) => `**/${name}/**`);
  return {
    files: [`${folder}/**/*.ts`],
    rules: { 'no-restricted-imports': ['error', { paths, patterns: [{ group, message: 'imports point one way' }] }] },
  };
}

/** The later of two that match a file counts, so the special ones come after the general ones. */
const above = ['steps', 'reports', 'cli', 'ci'];
const devices = ['native', 'soft-roce', 'hca'];
/** What a check compares has to reach the reports as data: drivers/contract/check.ts. */
const assertions = ['node:assert', 'node:assert/strict', 'node:util'].map((name) => ({
  name,
  message: 'use check() or checkEqual() of the contract',
}));
const layers = [
  layer('drivers', above),
  layer('drivers/sim', [...above, ...devices]),
  layer('drivers/native', [...above, 'sim', 'soft-roce', 'hca']),
  layer('drivers/contract', [...above, ...devices, 'sim', 'deviations']),
  layer('steps', ['reports', 'cli', 'ci', ...devices, 'sim', 'deviations'], assertions),
  layer('reports', ['steps', 'cli', 'ci', ...devices, 'sim']),
];

module.exports = tseslint.config(
  { ignores: ['node_modules/', 'build/', 'reports/out/', 'native/build/'] },
  typescript,
  ...layers,
  { files: ['**/*.test.ts'], rules: { 'max-lines-per-function': 'off' } },
  { files: ['**/*.js'], languageOptions: { sourceType: 'commonjs', globals: { require: 'readonly' } } },
  prettier,
);
