import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

/** The suite with more requests: `npm run oracle -- --seed=1 --requests=20000 --database=postgres`. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    requests: { type: 'string', default: '20000' },
    database: { type: 'string' },
  },
});
console.log(`seed ${values.seed}`);
const jest = [
  '--experimental-vm-modules',
  'node_modules/jest/bin/jest.js',
  // The suites are slow ones.
  '--config=jest.all.config.js',
  'test/oracle',
  '--maxWorkers=1',
];
const { status } = spawnSync(process.execPath, jest, {
  stdio: 'inherit',
  env: {
    ...process.env,
    ORACLE_SEED: values.seed,
    ORACLE_REQUESTS: values.requests,
    ...(values.database === undefined ? {} : { ORACLE_DATABASE: values.database }),
    ORACLE_VERBOSE: '1',
  },
});
process.exitCode = status ?? 1;
