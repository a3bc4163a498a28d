import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type Catalog,
  type Model,
  type ModelOptions,
  type Settings,
  buildModel,
  serializeCatalog,
} from '@tablewright/runtime/model';
import { z } from 'zod';
import { emitFiles, inOrder, type EmitInputs, type EmittedFile } from './emit/index.js';
import { stopWhenAborted } from './interrupt.js';
import type { Count } from './reporter.js';

/** The inputs of the generated files beside the catalogue, as manifest.json keeps them. */
export interface Inputs {
  readonly schemas?: readonly string[] | undefined;
  readonly model: ModelOptions;
  readonly settings: Partial<Settings>;
}

export const inputsOf = ({
  schemas,
  model = {},
  settings = {},
}: {
  readonly schemas?: readonly string[] | undefined;
  readonly model?: ModelOptions | undefined;
  readonly settings?: Partial<Settings> | undefined;
}): Inputs => ({ schemas, model, settings });

export const emitInputs = (catalog: Catalog, { schemas, settings }: Inputs): EmitInputs => ({
  catalog: serializeCatalog(catalog),
  schemas,
  settings,
});

/**
 * The files that the folder's catalogue gives with these inputs. Undefined where the catalogue or
 * the inputs cannot be read: a merge may have left conflict markers, a person an edit.
 */
export async function emitAgain(
  catalog: Catalog | undefined,
  recorded: unknown,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, string> | undefined> {
  try {
    if (catalog === undefined) return undefined;
    const inputs = inputsSchema.parse(recorded);
    const model = buildModel(catalog, inputs.model);
    return await emitAll(emitFiles(model, emitInputs(catalog, inputs)), model, () => undefined, signal);
  } catch {
    stopWhenAborted(signal);
    return undefined;
  }
}

/** What a run has written. Names and settings were checked when the run read its configuration. */
const inputsSchema = z.object({
  schemas: z.array(z.string()).optional(),
  model: z.custom<ModelOptions>((value) => typeof value === 'object' && value !== null),
  settings: z.custom<Partial<Settings>>((value) => typeof value === 'object' && value !== null),
});

/** Longer without a pause, and Ctrl-C is not heard. */
const turnMilliseconds = 50;

export async function emitAll(
  files: Iterable<EmittedFile>,
  { tables }: Model,
  count: Count,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, string>> {
  const emitted: EmittedFile[] = [];
  let done = 0;
  let paused = performance.now();
  for (const file of files) {
    emitted.push(file);
    if (file[0].endsWith('.table.ts')) count((done += 1), tables.length);
    if (performance.now() - paused < turnMilliseconds) continue;
    await nextTurn();
    stopWhenAborted(signal);
    paused = performance.now();
  }
  return inOrder(emitted);
}
