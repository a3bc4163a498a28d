import module from 'node:module';
import * as loader from './loader.js';

/**
 * Has Node load modules with the hooks of loader.js: with `registerHooks`, in this thread, where Node
 * has it (22.15 and later). Node 20 has only `register`, which is deprecated since Node 26 (DEP0205).
 */
export function registerLoader({ registerHooks, register } = module) {
  if (registerHooks === undefined) register('./loader.js', import.meta.url);
  else registerHooks(loader);
}
