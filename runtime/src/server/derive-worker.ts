import { parentPort, workerData } from 'node:worker_threads';
import { derive } from '../drift/derive.js';
import { partsOf } from '../drift/parts.js';
import { modelBuilder } from '../model/build.js';
import { typeNames } from '../schema/declare.js';
import { sourceOfModel } from '../model/schema-source.js';
import type { DerivingTask } from './derive-apart.js';
import { dialectNamed } from './dialects.js';
import { generatedFacts } from './catalog-file.js';

// A thread of its own, for one catalogue: see derive-apart.ts.

const { text, options, loaded, dialect, parts } = workerData as DerivingTask;
const { live, model } = await dialectNamed(dialect);
if (live === undefined) throw new TypeError(`${dialect} has no live catalogue.`);
const { served, generated } = await generatedFacts(loaded, options);
const { changed, ...rest } = derive(live.parse(text), { ...options, served }, modelBuilder(model), generated);
const named =
  changed === undefined ? undefined : { model: changed.model, names: typeNames(sourceOfModel(changed.model)) };
for (const part of partsOf({ ...rest, changed: named })) parts.postMessage(part);
parentPort?.postMessage({ kind: 'derived' });
const openapi = await changed?.openapi();
if (openapi !== undefined) parentPort?.postMessage({ kind: 'openapi', bytes: openapi });
