import { parentPort, workerData } from 'node:worker_threads';
import { partsOf } from '../drift/parts.js';
import { typeNames } from '../schema/declare.js';
import { sourceOfModel } from '../model/schema-source.js';
import type { DerivingTask } from './derive-apart.js';
import { deriveHere } from './derive-here.js';
import { dialectNamed } from './dialects.js';

// A thread of its own, for one catalogue: see derive-apart.ts.

const { text, options, loaded, dialect, parts } = workerData as DerivingTask;
const speaking = await dialectNamed(dialect);
const { live } = speaking;
if (live === undefined) throw new TypeError(`${dialect} has no live catalogue.`);
const { changed, ...rest } = await deriveHere(speaking, live.parse(text), options, loaded);
const named =
  changed === undefined ? undefined : { model: changed.model, names: typeNames(sourceOfModel(changed.model)) };
for (const part of partsOf({ ...rest, changed: named })) parts.postMessage(part);
parentPort?.postMessage({ kind: 'derived' });
const openapi = await changed?.openapi();
if (openapi !== undefined) parentPort?.postMessage({ kind: 'openapi', bytes: openapi });
