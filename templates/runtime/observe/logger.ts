import { pino, type DestinationStream, type Logger } from 'pino';
import type { Settings } from '../settings.js';
import { clientClosedRequest, type Observation, type Observer } from './observation.js';

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

/** A client that has left is worth a line, whoever is to blame for its wait; it is no failure. */
function writeRequest(logger: Logger, request: Extract<Observation, { kind: 'request' }>): void {
  const { id, method, route, status, milliseconds } = request;
  if (status === clientClosedRequest) {
    logger.info({ requestId: id, method, route, status, milliseconds }, 'client closed request');
  } else if (logger.isLevelEnabled('debug')) {
    logger.debug({ requestId: id, method, route, status, milliseconds }, 'request');
  }
}

/** What a client may not see is what the log is for. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error;
}
