import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Identity } from '../dialect/driver.js';

/** What a request asks for. */
export interface Use {
  /**
   * How often it asks for each operation: GraphQL's root fields, and the name of the document's
   * operation.
   */
  readonly operations: ReadonlyMap<string, number>;
  /** The rows that it may ask for, were every list full. */
  readonly cost: number;
}

/** Counts what requests ask for, and refuses those that ask for too much. */
export interface Admission {
  /**
   * Counts a request by its address, before its sender is known: wrong credentials count. Rejects
   * with ServerError 429.
   * @param response gets the headers; a WebSocket has none
   */
  readonly enter: (request: IncomingMessage, response?: ServerResponse) => Promise<void>;
  /** Counts a request by everything else, before it runs. Rejects with ServerError 429. */
  readonly charge: (request: IncomingMessage, response: ServerResponse, identity: Identity, use: Use) => Promise<void>;
  /** Counts an operation of a WebSocket: by both. Rejects with ServerError 429. */
  readonly chargeMessage: (address: string, identity: Identity, use: Use) => Promise<void>;
  readonly addressOf: (request: IncomingMessage) => string;
}
