import { transpile, type Transpiled } from './transpile.js';

/** The committed example, made runnable: `node dist/main.js` in its folder starts it. */
export const buildExample = (): Promise<Transpiled> => transpile({ 'generated-example/src': 'dist' });
