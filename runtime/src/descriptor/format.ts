import { createRequire } from 'node:module';
import { misconfigured } from '../errors.js';
import { generatedFormat, ruledFormat } from './generated.js';

/**
 * Throws ServerError (TW018) for code that was generated in another form than this runtime serves:
 * it would fail somewhere else, later, and with an unclear error. `format` is unknown
 * here because code of another form need not fit the types of this one.
 */
export function assertFormat({ format }: { readonly format?: unknown }): void {
  if (format === generatedFormat || format === ruledFormat) return;
  const theirs =
    typeof format === 'number' ? `has format ${String(format)}` : 'has no format, like code older than format 1';
  throw misconfigured(
    `The code in src/generated ${theirs}; ${runtimeName()} serves the formats ${String(generatedFormat)} and ${String(ruledFormat)}.`,
    'Generate it again with the tablewright of the same version (`npx tablewright generate`), or install the version of ' +
      '@tablewright/runtime that src/generated/manifest.json names.',
  );
}

/** From `dist/descriptor` and from `src/descriptor` alike. */
function runtimeName(): string {
  const { name, version } = createRequire(import.meta.url)('../../package.json') as Readonly<Record<string, string>>;
  return `${name ?? ''} ${version ?? ''}`;
}

/**
 * Decorators of format 1, without an effect: code of that format calls them while it is loaded, and
 * only a server refuses it with a sentence.
 */
const decorator = (): (() => void) => nothing;

function nothing(): void {
  // The server refuses the code.
}

export {
  decorator as AggregateOf,
  decorator as ComputedArguments,
  decorator as FunctionArguments,
  decorator as RootArguments,
  decorator as Rows,
};
