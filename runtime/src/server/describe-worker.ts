import { parentPort, workerData } from 'node:worker_threads';
import { describeCatalog, type DescribingTask } from './describe.js';
import { dialectNamed } from './dialects.js';

// A thread of its own, for one openapi.json: see describe.ts.

const task = workerData as DescribingTask;
const { model } = await dialectNamed(task.dialect);
parentPort?.postMessage(await describeCatalog(task, model));
