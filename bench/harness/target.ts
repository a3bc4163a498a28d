import type { Sizes } from '../data/schema.js';
import type { Inputs, WorkloadId } from '../workloads/inputs.js';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Connections to the database that a target may have, however many clients there are. */
export const POOL_SIZE = 16;

/** Where the data is, and who asks for it. */
export interface Data {
  /** As a role that policies apply to. */
  readonly url: string;
  /** As the superuser: for a target that decides itself who sees what, and for checks. */
  readonly adminUrl: string;
  readonly sizes: Sizes;
  /** An ES256 token with `claims`, valid for long. */
  readonly token: string;
  /** Verifies the token: PEM, SPKI. */
  readonly publicKey: string;
  readonly claims: { readonly sub: string; readonly projectId: string; readonly exp: number };
}

/**
 * How a target is asked for one workload. `rows` reduces an answer's JSON to what the workload's SQL answers: see `Inputs` for the shape
 * of each. Only the envelope and the names of nested lists have to go: names in camel case, numbers as text, instants in another
 * notation and enum labels in upper case are evened out by the harness. Columns must be neither missing nor more.
 */
export interface Exchange<Id extends WorkloadId> {
  request(input: Inputs[Id]): HttpRequest;
  rows(body: unknown): unknown;
}

/** A workload that is left out is one that the target cannot do; its README says why. */
export type Exchanges = { readonly [Id in WorkloadId]?: Exchange<Id> };

export interface Target {
  /** As the table shows it. */
  readonly name: string;
  readonly protocol: 'REST' | 'GraphQL' | 'RPC';
  readonly start: Start;
  requests(data: Data): Exchanges;
}

/** How a target's server is started: a Node process that listens on PORT of HOST and ends at SIGTERM, with NODE_ENV=production. */
export interface Start {
  /** What Node is given: a file, after options if need be. */
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** Added to the process's environment. */
  env(data: Data): Readonly<Record<string, string>>;
  /** Answers 200 once the server is ready. */
  readonly readyPath: string;
  /** Generates and compiles, once before the start. */
  prepare?(data: Data): Promise<void>;
}

/** A target of somebody else's software: `bench/peers/<name>/peer.ts` exports one as `peer`. */
export type Peer = Target;
