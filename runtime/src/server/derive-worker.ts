import { parentPort, workerData } from 'node:worker_threads';
import { derive } from '../drift/derive.js';
import { partsOf } from '../drift/parts.js';
import { modelBuilder } from '../model/build.js';
import { typeNames } from '../schema/live/declarations.js';
import type { DerivingTask } from './derive-apart.js';
import { dialectNamed } from './dialects.js';

// A thread of its own, for one catalogue: see derive-apart.ts.

const { text, options, dialect, parts } = workerData as DerivingTask;
const { live, model } = dialectNamed(dialect);
if (live === undefined) throw new TypeError(`${dialect} has no live catalogue.`);
const { fingerprint, changed } = derive(live.parse(text), options, modelBuilder(model));
const named = changed === undefined ? undefined : { model: changed.model, names: typeNames(changed.model) };
for (const part of partsOf({ fingerprint, changed: named })) parts.postMessage(part);
parentPort?.postMessage({ kind: 'derived' });
const openapi = await changed?.openapi();
if (openapi !== undefined) parentPort?.postMessage({ kind: 'openapi', bytes: openapi });
