import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** Node.js refuses such imports, too: the package's entries are all that it promises to keep. */
const innerRuntime = {
  group: ['@tablewright/runtime/*/**'],
  message: 'Import from an entry of the package, such as @tablewright/runtime.',
};

/** typescript-eslint's strictest presets. The generated code passes them, too: nothing has to be left out. */
export default defineConfig(
  { ignores: ['**/dist/'] },
  {
    files: ['src/**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: { 'no-restricted-imports': ['error', { patterns: [innerRuntime] }] },
  },
);
