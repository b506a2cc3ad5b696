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
function layer(folder, forbidden) {
  return {
    files: [`${folder}/**/*.ts`],
    rules: {
      'no-restricted-imports': ['error', { patterns: [{ group: forbidden, message: 'imports point one way' }] }],
    },
  };
}

module.exports = tseslint.config(
  { ignores: ['node_modules/', 'build/', 'reports/out/', 'native/build/'] },
  typescript,
  layer('steps', ['**/drivers/*', '!**/drivers/contract', '**/reports/**', '**/cli/**']),
  layer('drivers/contract', ['../*', '**/steps/**', '**/reports/**', '**/cli/**']),
  layer('drivers/sim', ['**/native/**', '**/soft-roce/**', '**/hca/**', '**/steps/**', '**/reports/**', '**/cli/**']),
  layer('drivers', ['**/steps/**', '**/reports/**', '**/cli/**']),
  layer('reports', ['**/steps/**', '**/cli/**', '**/drivers/*', '!**/drivers/contract']),
  { files: ['**/*.test.ts'], rules: { 'max-lines-per-function': 'off' } },
  { files: ['**/*.js'], languageOptions: { sourceType: 'commonjs', globals: { require: 'readonly' } } },
  prettier,
);
