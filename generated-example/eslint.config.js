import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** Node.js refuses such imports, too: only the entries of the package are public. */
const innerRuntime = {
  group: ['@tablewright/runtime/*/**'],
  message: 'Import from an entry of the package, such as @tablewright/runtime.',
};

/** typescript-eslint's strictest presets. Generated code passes them, too, so none of it is ignored. */
export default defineConfig(
  { ignores: ['**/dist/'] },
  {
    files: ['src/**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: { 'no-restricted-imports': ['error', { patterns: [innerRuntime] }] },
  },
);
