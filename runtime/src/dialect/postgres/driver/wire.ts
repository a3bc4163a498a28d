import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * The part of node-postgres 8.23 that is between its public and its private side, in one place:
 * what a query object may send and receive. @types/pg does not describe it;
 * test/runtime/session/wire.test.ts pins it.
 * Source: pg/lib/connection.js, pg/lib/client.js;
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY
 */
export interface WireConnection {
  readonly stream: Pick<Socket, 'cork' | 'uncork' | 'destroy' | 'prependListener' | 'bytesRead'>;
  /** Every message is sent by it. */
  _send(bytes: Buffer): boolean;
  /** Reads the messages that come from `stream` as `data`, once it is connected. */
  attachListeners(stream: EventEmitter): void;
  parse(message: { readonly name: string; readonly text: string }): void;
  bind(message: { readonly statement: string; readonly values: readonly (string | Buffer | null)[] }): void;
  describe(message: { readonly type: 'P'; readonly name: string }): void;
  execute(message: { readonly portal: string }): void;
  close(message: { readonly type: 'S'; readonly name: string }): void;
  sync(): void;
  sendCopyFail(message: string): void;
  once(event: 'readyForQuery' | 'end', listener: () => void): unknown;
  off(event: 'readyForQuery' | 'end', listener: () => void): unknown;
}

/** What node-postgres makes a connection with. */
export interface PgConnectionConfig extends Pick<ConnectionAddress, 'ssl' | 'sslNegotiation'> {
  readonly keepAlive?: boolean | undefined;
  readonly keepAliveInitialDelayMillis?: number | undefined;
}

/** A column of an answer. */
export interface FieldDescription {
  readonly name: string;
  readonly dataTypeID: number;
}

/**
 * The methods that the client calls on its current query. Rows and ends of statements are read by
 * the connection itself.
 */
export interface WireQuery<Connection extends WireConnection> {
  submit(connection: Connection): void;
  handleRowDescription(message: { readonly fields: readonly FieldDescription[] }): void;
  handleEmptyQuery(): void;
  handlePortalSuspended(): void;
  handleCopyInResponse(connection: Connection): void;
  handleCopyData(): void;
  handleReadyForQuery(): void;
  handleError(error: Error): void;
}

/** A connection for a cancel request: instead of a greeting it sends whom to cancel. */
export interface CancelConnection {
  readonly stream: Pick<Duplex, 'destroy'>;
  connect(port: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number): void;
  on(event: 'connect' | 'sslconnect' | 'error' | 'end', listener: () => void): unknown;
}

/** The address of a client's server, and its TLS settings. */
export interface ConnectionAddress {
  readonly host: string;
  readonly port: number;
  /** False, or the options of TLS. */
  readonly ssl: unknown;
  readonly sslNegotiation: string;
}

/** Members of node-postgres's client that its types leave out. */
export interface WireClient extends ConnectionAddress {
  connection: WireConnection;
  readonly processID: number;
  readonly secretKey: number;
}
