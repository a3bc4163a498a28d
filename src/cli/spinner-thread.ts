import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { clearLine, lockLine, shared, unlockLine } from './spinner.js';

/** Draws the line of the spinner that started this thread. */
const { state, descriptor } = workerData as { readonly state: Int32Array; readonly descriptor: number };

const signs = process.platform === 'win32' ? ['|', '/', '-', '\\'] : ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const milliseconds = 80;

let known = { stage: 0, title: '' };
let turn = 0;

parentPort?.on('message', (message: typeof known) => {
  known = message;
});

setInterval(() => {
  lockLine(state);
  try {
    const stage = Atomics.load(state, shared.stage);
    if (stage === 0 || stage !== known.stage) return;
    turn = (turn + 1) % signs.length;
    writeSync(descriptor, `${clearLine}${signs[turn] ?? ''} ${known.title}${count()}`);
    Atomics.store(state, shared.drawn, 1);
  } catch {
    // The terminal has gone, or takes nothing just now: the next turn will see.
  } finally {
    unlockLine(state);
  }
}, milliseconds);

function count(): string {
  const total = Atomics.load(state, shared.total);
  return total === 0 ? ' …' : ` ${String(Atomics.load(state, shared.done))}/${String(total)}`;
}
