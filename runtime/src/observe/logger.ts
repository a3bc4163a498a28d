import { types } from 'node:util';
import { pino, type DestinationStream, type Logger } from 'pino';
import type { Settings } from '../settings/settings.js';
import { codes } from '../errors.js';
import { failureLine } from './failure-line.js';
import { clientClosedRequest, type Observation, type Observer } from './observation.js';
import { Repeats } from './repeats.js';

/**
 * An observer that writes observations as JSON lines, by default to standard output. A client's
 * mistake has level `info`. A failure that needs an operator has level `error`; while it repeats,
 * the log has one line per second, with a count. Answered requests have level `debug`.
 * @param base fields of every line
 */
export function createLogger(
  settings: Pick<Settings, 'app.log.level'>,
  destination?: DestinationStream,
  base: Readonly<Record<string, number>> | null = null,
): Observer {
  const options = { level: settings['app.log.level'], base, serializers: { err: serializeError } };
  const logger = destination === undefined ? pino(options) : pino(options, destination);
  const repeats = new Repeats();
  return (observation) => {
    write(logger, repeats, observation);
  };
}

/**
 * pino gives everything with a message a stack, be it an empty one. It writes all properties: Node
 * keeps the text that is no address in `input`, with its password.
 * Source: Node.js manual, Errors, ERR_INVALID_URL.
 */
function serializeError(error: unknown): unknown {
  if (!types.isNativeError(error)) return error;
  const shown: Record<string, unknown> = { ...pino.stdSerializers.err(error) };
  if (shown['code'] === 'ERR_INVALID_URL') delete shown['input'];
  return shown;
}

function write(logger: Logger, repeats: Repeats, observation: Observation): void {
  switch (observation.kind) {
    case 'listening':
      logger.info({ address: observation.address, of: observation.of, workers: observation.workers }, 'listening');
      break;
    case 'warning':
      logger.warn({ tenant: observation.tenant, hint: observation.hint }, observation.message);
      if (observation.sql !== undefined) logger.debug({ sql: observation.sql }, 'SQL that fixes it');
      break;
    case 'database':
      writeDatabase(logger, observation);
      break;
    case 'server': {
      const { server, state, lagMilliseconds, error } = observation;
      const lag = state === 'behind' ? Math.round(lagMilliseconds) : undefined;
      const cause = state === 'away' ? causeOf(error) : undefined;
      const isNews = state === 'primary' || state === 'in';
      logger[isNews ? 'info' : 'warn']({ server, state, lagMilliseconds: lag, cause }, serverMessages[state]);
      break;
    }
    case 'request':
      writeRequest(logger, observation);
      break;
    case 'refusal': {
      const { requestId, method, path, field, status, code, reason } = observation;
      // One line a second says so for each rate; a flood would have a line for each request.
      const level = code === codes.tooManyRequests ? 'debug' : 'info';
      logger[level]({ requestId, method, path, field, status, code, reason }, 'refused');
      break;
    }
    case 'rate-exceeded': {
      const { rate } = observation;
      repeats.write(`rate ${rate}`, (count) => {
        logger.info({ rate, count: count === 1 ? undefined : count }, 'rate exceeded');
      });
      break;
    }
    case 'slow-reader':
      logger.info({ bytes: observation.bytes }, 'client did not read its answer and was disconnected');
      break;
    case 'slow-statement': {
      const { statement, milliseconds, rows, plan } = observation;
      logger.warn({ statement, milliseconds: Math.round(milliseconds), rows, plan }, 'slow statement');
      break;
    }
    case 'waited':
    case 'shared':
      // Thousands a second, each the same: for metrics.
      break;
    case 'stalled':
      logger.debug({ milliseconds: observation.milliseconds }, 'a read held up others on its connection');
      break;
    case 'failure': {
      const { requestId, path, status, tenant, error } = observation;
      const { key, err } = failureLine(error);
      repeats.write(key, (count) => {
        logger.error({ requestId, path, status, tenant, count: count === 1 ? undefined : count, err }, 'failure');
      });
      break;
    }
    case 'schema':
      writeSchema(logger, observation);
      break;
    case 'feed':
      writeFeed(logger, observation);
      break;
    case 'changes':
    case 'event':
      // As many as there are changes: for metrics.
      break;
    case 'resync': {
      const { tenant, reason, subscribers } = observation;
      logger.info({ tenant, reason, subscribers }, 'subscribers read again');
      break;
    }
    case 'tenant': {
      const { tenant } = observation;
      if (observation.state === 'available') logger.info({ tenant }, 'the database of a tenant is available');
      else logger.warn({ tenant, reason: observation.reason }, 'the database of a tenant is not available');
      break;
    }
    case 'socket-closed':
      logger.debug({ code: observation.code, reason: observation.reason }, 'socket closed');
      break;
    case 'worker': {
      const { state, worker, pid, reason } = observation;
      const isNews = state === 'ready' || state === 'reloaded';
      logger[isNews ? 'info' : 'warn']({ worker, pid, reason }, workerMessages[state]);
      break;
    }
    case 'shutdown':
      if (observation.phase !== 'draining') repeats.flush();
      writeShutdown(logger, observation);
      break;
  }
}

const workerMessages = {
  ready: 'a worker is ready',
  ended: 'a worker ended and is replaced',
  hung: 'a worker does not answer and is ended',
  reloaded: 'all workers are replaced',
  'not reloaded': 'the workers are not replaced',
} as const;

const serverMessages = {
  primary: 'a database server takes the writes',
  in: 'a replica answers reads',
  behind: 'a replica is too far behind and gets no reads',
  diverged: 'a database server does not follow the primary and gets no reads',
  fenced: 'a database server takes writes but is not the primary, and gets no requests',
  away: 'a database server does not answer',
} as const;

function causeOf(error: unknown): string | undefined {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error && cause.message !== '' ? cause.message : undefined;
}

/** The driver's message says which address was tried; a stack would say nothing more. */
function writeDatabase(logger: Logger, database: Extract<Observation, { kind: 'database' }>): void {
  const { attempts } = database;
  if (database.state === 'available') {
    logger.info({ attempts, milliseconds: Math.round(database.milliseconds) }, 'the database is available');
  } else {
    logger.warn({ reason: database.reason, attempts, cause: causeOf(database.error) }, 'waiting for the database');
  }
}

/** So many changes of the API are logged one by one; those that break clients first. */
const MAX_CHANGES = 50;

function writeSchema(logger: Logger, schema: Extract<Observation, { kind: 'schema' }>): void {
  if (schema.state === 'current') logger.info('the API matches the database again');
  else if (schema.state === 'stale')
    logger.error({ reason: schema.reason, hint: schema.hint }, 'the API remains unchanged');
  else {
    const { trigger, milliseconds, changes } = schema;
    const sorted = [...changes].sort((a, b) => Number(b.breaking) - Number(a.breaking));
    const shown = sorted.slice(0, MAX_CHANGES).map((each) => (each.breaking ? '(breaking) ' : '') + each.description);
    const fields = { trigger, milliseconds: Math.round(milliseconds), count: changes.length, changes: shown };
    if (changes.some(({ breaking }) => breaking)) logger.warn(fields, 'the API follows the database');
    else logger.info(fields, 'the API follows the database');
  }
}

const switchOn = 'Set app.changes.source and run the SQL that `npx tablewright changes --sql` prints.';

function writeFeed(logger: Logger, feed: Extract<Observation, { kind: 'feed' }>): void {
  const { tenant } = feed;
  if (feed.state === 'interrupted') logger.warn({ tenant, reason: feed.reason, hint: feed.hint }, 'no change feed');
  else if (feed.state === 'live') logger.info({ tenant }, 'the change feed is live');
  else if (feed.state === 'off') logger.info({ hint: switchOn }, 'no subscriptions');
}

/** So many aborted requests are logged one by one. */
const MAX_TOLD = 20;

function writeShutdown(logger: Logger, shutdown: Extract<Observation, { kind: 'shutdown' }>): void {
  const { phase } = shutdown;
  if (phase !== 'forced') logger.info({ phase }, 'shutdown');
  else {
    const { unanswered } = shutdown;
    logger.warn({ phase, count: unanswered.length, unanswered: unanswered.slice(0, MAX_TOLD) }, 'shutdown');
  }
}

/** A client that has left gets a log line, independent of the cause; it is no failure. */
function writeRequest(logger: Logger, request: Extract<Observation, { kind: 'request' }>): void {
  const { id, method, route, status, milliseconds } = request;
  if (status === clientClosedRequest) {
    logger.info({ requestId: id, method, route, status, milliseconds }, 'client closed request');
  } else if (logger.isLevelEnabled('debug')) {
    logger.debug({ requestId: id, method, route, status, milliseconds }, 'request');
  }
}
