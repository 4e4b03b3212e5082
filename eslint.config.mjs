// ESLint does two things here that Biome does not do well enough: it finds forgotten promises with the
// compiler's types, and it reminds of size. Everything else (format, style) belongs to Biome.
import tseslint from 'typescript-eslint';

const ignored = ['node_modules/', 'dist/', 'coverage/', 'dashboard/', '.everturn/', '.cache/'];

export default tseslint.config(
  { ignores: ignored },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts'],
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    plugins: { '@typescript-eslint': tseslint.plugin },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
    },
  },
  {
    files: ['**/*.{ts,mjs}'],
    ignores: ['test/**'],
    rules: {
      'max-lines': ['warn', 250],
      'max-lines-per-function': ['warn', 50],
      'max-params': ['error', 4],
    },
  },
  { files: ['test/**/*.ts'], rules: { 'max-lines': ['warn', 400], 'max-params': ['error', 4] } },
  // The turn must fit on one screen: this one is not a reminder.
  { files: ['workflows/turn.ts'], rules: { 'max-lines': ['error', 80] } },
);
