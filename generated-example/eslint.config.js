import tseslint from 'typescript-eslint';

/** The strictest rules there are: what is generated passes them as any code of a careful team would. */
export default tseslint.config(
  { ignores: ['dist/', 'test/', '*.js', 'tablewright.config.ts'] },
  {
    files: ['src/**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // Kysely's JSON type has to be an alias: an interface would not take the objects of others.
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
    },
  },
);
