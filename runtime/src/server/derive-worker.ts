import { parentPort, workerData } from 'node:worker_threads';
import { derive } from '../drift/derive.js';
import { partsOf } from '../drift/parts.js';
import { modelBuilder } from '../model/build.js';
import type { DerivingTask } from './derive-apart.js';
import { dialectNamed } from './dialects.js';

// A thread of its own, for one catalogue: see derive-apart.ts.

const { text, options, dialect, parts } = workerData as DerivingTask;
const derived = derive(text, options, modelBuilder(dialectNamed(dialect).model));
for (const part of partsOf(derived)) parts.postMessage(part);
parentPort?.postMessage({ kind: 'derived' });
const openapi = await derived.changed?.openapi();
if (openapi !== undefined) parentPort?.postMessage({ kind: 'openapi', bytes: openapi });
