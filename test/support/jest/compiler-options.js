/** Options of swc: the TypeScript of this repository and of generated projects, with decorators. */
export const compilerOptions = {
  swcrc: false,
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: false, useDefineForClassFields: false },
  },
  module: { type: 'es6' },
};
