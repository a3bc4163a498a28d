import { runLimit } from './limit/limit.js';
import { runScale } from './scale/scale.js';
import { runSteady } from './steady/steady.js';
import { runToken } from './token/token.js';

const usage = `Usage: npm run bench -- <scale|limit|steady|token> [--json] [--write] [options]

  scale   1,000 tables of 12 columns: introspection, generation, compilation, the server's start and memory
          --tables N   another number of tables
  limit   the generated server against a server written by hand for exactly these requests
          --seconds N  length of one measurement (3)      --rounds N  measurements of each, interleaved (3)
          --only W1,W7 some of the workloads

  steady  the server's memory over 200,000 requests

  token   what verifying a token costs, the first time and after that

  --json  print the figures as JSON only
  --write put them into docs/performance.md

The database is the server at TEST_DATABASE_URL or 127.0.0.1:5432, else an embedded one; what is created there is dropped.
`;

const benchmarks = new Map([
  ['scale', runScale],
  ['limit', runLimit],
  ['steady', runSteady],
  ['token', runToken],
]);

const benchmark = benchmarks.get(process.argv[2] ?? '');
if (benchmark === undefined) {
  process.stderr.write(usage);
  process.exitCode = 1;
} else {
  await benchmark(process.argv.slice(3));
}
