import { pino, type DestinationStream, type Logger } from 'pino';
import type { Settings } from '../settings.js';
import type { Observation, Observer } from './observation.js';

/**
 * An observer that writes observations as JSON lines, by default on standard output. Answered requests are told at level `debug`: a
 * server that is well has little to say.
 */
export function createLogger(settings: Pick<Settings, 'app.log.level'>, destination?: DestinationStream): Observer {
  const options = { level: settings['app.log.level'], base: null };
  const logger = destination === undefined ? pino(options) : pino(options, destination);
  return (observation) => {
    write(logger, observation);
  };
}

function write(logger: Logger, observation: Observation): void {
  switch (observation.kind) {
    case 'listening':
      logger.info({ address: observation.address }, 'listening');
      break;
    case 'warning':
      logger.warn({ hint: observation.hint }, observation.message);
      break;
    case 'request':
      writeRequest(logger, observation);
      break;
    case 'failure':
      logger.error({ requestId: observation.requestId, err: causeOf(observation.error) }, 'failure');
      break;
    case 'shutdown':
      logger.info({ phase: observation.phase }, 'shutdown');
      break;
  }
}

function writeRequest(logger: Logger, request: Extract<Observation, { kind: 'request' }>): void {
  if (!logger.isLevelEnabled('debug')) return;
  const { id, method, route, status, milliseconds } = request;
  logger.debug({ requestId: id, method, route, status, milliseconds }, 'request');
}

/** What a client may not see is what the log is for. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error;
}
