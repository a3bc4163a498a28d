import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { ModelOptions } from '../descriptor/options.js';
import type { Model } from '../model/model.js';
import type { RoleLimits } from '../model/role/descriptors-for-role.js';
import type { ModelDialect } from '../model/types.js';
import { readCatalogFile } from './catalog-file.js';

/** The inputs of openapi.json. Plain data: it is sent to another thread. */
export interface DescribingTask {
  /** The address of openapi.json, beside catalog.json. */
  readonly openapi: string;
  readonly options: ModelOptions;
  /** Default: the model of that catalogue. */
  readonly model?: Model | undefined;
  /** Of a role: what limits it. */
  readonly limits?: RoleLimits | undefined;
  /** The name of the dialect. */
  readonly dialect: string;
}

/** Missing where the server is one bundled file. */
const program = new URL('./describe-worker.js', import.meta.url);

/**
 * The bytes of openapi.json for a project that leaves the file out (`apiDocuments`): they follow
 * from catalog.json. In a thread of its own, because those of a thousand tables take seconds.
 * Undefined where there is no catalog.json either.
 */
export async function describeApart(task: DescribingTask, dialect: ModelDialect): Promise<Buffer | undefined> {
  if (!existsSync(fileURLToPath(program))) return describeCatalog(task, dialect);
  return new Promise((resolve, reject) => {
    const worker = new Worker(program, { workerData: task });
    worker.once('message', (bytes: Uint8Array | undefined) => {
      resolve(bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    });
    worker.once('error', reject);
    worker.once('exit', () => {
      reject(new Error('The thread that makes openapi.json has ended early.'));
    });
  });
}

/** Few servers need it, so what makes a model and openapi.json is loaded here. */
export async function describeCatalog(
  { openapi, options, model: given, limits }: DescribingTask,
  dialect: ModelDialect,
): Promise<Buffer | undefined> {
  const catalog = given === undefined ? await readCatalogFile(new URL(openapi)) : undefined;
  if (given === undefined && catalog === undefined) return undefined;
  const [{ modelBuilder }, { emitOpenapi }, { modelForRole }] = await Promise.all([
    import('../model/build.js'),
    import('../openapi/openapi.js'),
    import('../model/role/model-for-role.js'),
  ]);
  const model = given ?? (catalog && modelBuilder(dialect)(catalog, options));
  return model && Buffer.from(emitOpenapi(limits === undefined ? model : modelForRole(model, limits)));
}
