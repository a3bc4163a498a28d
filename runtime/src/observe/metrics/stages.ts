/** The two protocols of the data plane. */
export type Protocol = 'graphql' | 'rest';

/** The protocol of a route. Every mount but GraphQL's speaks REST. */
export const protocolOf = (route: string): Protocol => (route === '/graphql' ? 'graphql' : 'rest');

/**
 * The stages of a request: reading the request, planning its statement, the database with
 * the wait for a connection, introspection, and sending the answer.
 */
export type Stage = string;

/**
 * Receives each completed stage of a request.
 * @param start and end as `performance.now()`
 */
export type StageListener = (protocol: Protocol, stage: Stage, start: number, end: number) => void;
