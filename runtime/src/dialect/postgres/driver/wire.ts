import type { Duplex } from 'node:stream';

/**
 * The part of node-postgres 8.23 that is between its public and its private side, in one place: what a query object may
 * send, and what it is told. @types/pg does not describe it; test/runtime/session/wire.test.ts pins it.
 * Source: pg/lib/connection.js, pg/lib/client.js;
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY
 */
export interface WireConnection {
  readonly stream: Pick<Duplex, 'cork' | 'uncork' | 'destroy' | 'prependListener'>;
  parse(message: { readonly name: string; readonly text: string }): void;
  bind(message: { readonly statement: string; readonly values: readonly (string | null)[] }): void;
  execute(message: { readonly portal: string }): void;
  close(message: { readonly type: 'S'; readonly name: string }): void;
  sync(): void;
  sendCopyFail(message: string): void;
  on(event: 'parseComplete' | 'bindComplete' | 'closeComplete', listener: () => void): unknown;
  once(event: 'readyForQuery' | 'end', listener: () => void): unknown;
  off(event: 'readyForQuery' | 'end', listener: () => void): unknown;
}

/** What the client calls on the query it is busy with. */
export interface WireQuery {
  submit(connection: WireConnection): void;
  handleRowDescription(): void;
  handleDataRow(message: { readonly fields: readonly (string | null)[] }): void;
  handleCommandComplete(): void;
  handleEmptyQuery(): void;
  handlePortalSuspended(): void;
  handleCopyInResponse(connection: WireConnection): void;
  handleCopyData(): void;
  handleReadyForQuery(): void;
  handleError(error: Error): void;
}

/** A connection for a cancel request: it says who is to be cancelled in the place of a greeting. */
export interface CancelConnection {
  readonly stream: Pick<Duplex, 'destroy'>;
  connect(port: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number): void;
  on(event: 'connect' | 'sslconnect' | 'error' | 'end', listener: () => void): unknown;
}

/** Where a client's server is, and how it is spoken to. */
export interface ConnectionAddress {
  readonly host: string;
  readonly port: number;
  /** False, or how to set up TLS. */
  readonly ssl: unknown;
  readonly sslNegotiation: string;
}

/** What node-postgres's client has besides what its types say. */
export interface WireClient extends ConnectionAddress {
  readonly connection: WireConnection;
  readonly processID: number;
  readonly secretKey: number;
}
