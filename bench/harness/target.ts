import type { Sizes } from '../data/schema.js';
import type { Inputs, WorkloadId } from '../workloads/inputs.js';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Largest number of database connections for each target, however many clients there are. */
export const POOL_SIZE = 16;

/** The addresses of the data, and the identity of the user who reads it. */
export interface Data {
  /** As a role that is subject to policies. */
  readonly url: string;
  /** As the superuser: for targets that have their own access control, and for checks. */
  readonly adminUrl: string;
  readonly sizes: Sizes;
  /** A long-lived ES256 token with `claims`. */
  readonly token: string;
  /** The key that verifies the token: PEM, SPKI. */
  readonly publicKey: string;
  readonly claims: { readonly sub: string; readonly projectId: string; readonly exp: number };
}

/**
 * The requests of a target for one workload. `rows` reduces the JSON of an answer to the shape that
 * the workload's SQL returns; see `Inputs` for each shape. It only has to remove the envelope and
 * rename nested lists: the harness converts names in camel case, numbers as text, other notations
 * of instants and enum labels in upper case. No column may be missing or additional.
 */
export interface Exchange<Id extends WorkloadId> {
  request(input: Inputs[Id]): HttpRequest;
  rows(body: unknown): unknown;
}

/** A target cannot do the workloads that it leaves out; its README says why. */
export type Exchanges = { readonly [Id in WorkloadId]?: Exchange<Id> };

export interface Target {
  /** The name in the table. */
  readonly name: string;
  readonly protocol: 'REST' | 'GraphQL' | 'RPC';
  readonly start: Start;
  requests(data: Data): Exchanges;
}

/**
 * How to start the target's server: a Node process that listens on PORT of HOST and ends on
 * SIGTERM, with NODE_ENV=production.
 */
export interface Start {
  /** The arguments of Node: options, if any, and a file. */
  readonly args: readonly string[];
  /** The working folder, an absolute path. */
  readonly cwd: string;
  /** Added to the process's environment. */
  env(data: Data): Readonly<Record<string, string>>;
  /** The path that answers 200 once the server is ready. */
  readonly readyPath: string;
  /** Generates and compiles, once before the first start. */
  prepare?(data: Data): Promise<void>;
}

/** A target that runs third-party software: `bench/peers/<name>/peer.ts` exports it as `peer`. */
export type Peer = Target;
