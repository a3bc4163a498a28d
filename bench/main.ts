import { runCheck, runCompare } from './compare/compare.js';
import { installed } from './harness/installed.js';
import { runByHand } from './by-hand/by-hand.js';
import { runChanges } from './changes/changes.js';
import { runMysql } from './mysql/mysql.js';
import { runRules } from './rules/rules.js';
import { runScale } from './scale/scale.js';
import { runSoak } from './soak/soak.js';
import { runSteady } from './steady/steady.js';
import { runSwap } from './swap/swap.js';
import { runToken } from './token/token.js';

const usage = `Usage: npm run bench -- [compare|check|by-hand|change|changes|mysql|rules|scale|soak|steady|swap|token] [--json] [--write] [options]

  compare every target and workload: the generated server, a server by hand and the peers; what runs without a name
          --targets by-hand,tablewright  some of the targets     --only W1,W7       some of the workloads
          --connections 1,16,64        numbers of connections    --rounds N         measurements of each, in turn (5)
          --conditions plain,distant   some of: plain, durable (commits wait for the disk), distant (1 ms to the database)
          --seconds N                  length of one (1)         --out FILE         where all rounds go, as JSON
          --small                      on the data of check       --before FOLDER    the server of another checkout as well, by turns
          --with NAME=VALUE,…          the same server with these settings in its environment as well, by turns
  check   the same on little data with one round over 16 connections: fails when an answer is wrong, never for its time

  by-hand the generated server against a server written by hand for exactly these requests
          --only, --connections (16), --rounds (3) and --seconds (2) as above

  --database mysql
          the same against a MariaDB of the run's own, over the same driver, and beside it Prisma: W1 to W6 (the mariadbd of this
          machine is needed)                                   --small      on the data of check

  change  what one request costs as its rows, filters, depth and the users at a time grow, with plots
          --only rows,filters,depth,users  some of them          --rounds (3), --seconds (1) as above

  changes from the commit of a change until each of up to 5,000 subscribers has it

  rules   the server's processor time with rules, with policies and with neither, on both databases
          --requests 2000  --rounds 5

  scale   10 to 3,000 tables of 12 columns: introspection, generation, compilation, the server's start, memory, rates
          --tables 10,100,1000,3000  other numbers; of one, with the limits     --rounds (5) of the rates

  soak    mixed load on three servers behind HAProxy, with a primary, two standbys and NATS, while each part is killed in turn
          --minutes 10  --users 8

  steady  the server's memory over 200,000 requests

  swap    a running server follows its database: time, failed requests, the longest slice of the main thread, heap
          --tables demo,14,1000  --swaps 200

  token   what verifying a token costs, the first time and after that

  --json  print the figures as JSON only
  --write put them into bench/results.md

The data is in a PostgreSQL 18 from npm that runs only meanwhile; its folder is kept for the next run. scale uses the server at
TEST_DATABASE_URL or 127.0.0.1:5432 if there is one, and drops what it creates.
`;

const benchmarks = new Map([
  ['compare', runCompare],
  ['check', runCheck],
  ['by-hand', runByHand],
  // This module needs packages that are only now installed.
  ['change', async (args: readonly string[]) => (await import('./change/change.js')).runChange(args)],
  ['changes', runChanges],
  ['mysql', runMysql],
  ['rules', runRules],
  ['scale', runScale],
  ['soak', runSoak],
  ['steady', runSteady],
  ['swap', runSwap],
  ['token', runToken],
]);

const [, , first = 'compare', ...others] = process.argv;
const [asked, args] = first.startsWith('--') && first !== '--help' ? ['compare', [first, ...others]] : [first, others];
// `--database mysql` selects another benchmark, with fewer workloads and one server to compare
// with.
const name = asked === 'compare' && args[args.indexOf('--database') + 1] === 'mysql' ? 'mysql' : asked;
const benchmark = benchmarks.get(name);
if (benchmark === undefined) {
  process.stderr.write(usage);
  process.exitCode = 1;
} else {
  await installed();
  await benchmark(args);
}
