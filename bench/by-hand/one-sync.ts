import pg from 'pg';

export interface Prepared {
  readonly name: string;
  readonly text: string;
  readonly values: readonly string[];
}

/**
 * The part of pg's connection that the pipeline needs: Parse, Bind, Execute and Sync of
 * PostgreSQL's protocol.
 */
interface Wire {
  parse(message: { name: string; text: string }): void;
  bind(message: { portal: string; statement: string; values: readonly string[] }): void;
  execute(message: { portal: string; rows: number }): void;
  sync(): void;
  readonly stream: { cork(): void; uncork(): void };
  readonly known: Set<string>;
}

/**
 * Runs prepared statements one after the other under one Sync, which makes them one implicit
 * transaction in one round trip, and returns the rows of the last one. Statements are fixed, and
 * nothing is described or converted: node-postgres cannot do less.
 */
export function oneSync(client: pg.PoolClient, statements: readonly Prepared[]): Promise<string[][]> {
  return new Promise((resolve, reject) => {
    let rows: string[][] = [];
    let failure: Error | undefined;
    const query = {
      submit: (connection: Omit<Wire, 'known'>): null => {
        const known = ((connection as { known?: Set<string> }).known ??= new Set());
        // One write to the socket instead of one for each message.
        connection.stream.cork();
        for (const { name, text, values } of statements) {
          if (!known.has(name)) connection.parse({ name, text });
          known.add(name);
          connection.bind({ portal: '', statement: name, values });
          connection.execute({ portal: '', rows: 0 });
        }
        connection.sync();
        connection.stream.uncork();
        return null;
      },
      handleDataRow: (message: { fields: string[] }) => rows.push(message.fields),
      handleCommandComplete: () => {
        completed += 1;
        if (completed < statements.length) rows = [];
      },
      handleError: (error: Error) => (failure = error),
      handleReadyForQuery: () => {
        if (failure === undefined) resolve(rows);
        else reject(failure);
      },
      handleRowDescription: () => undefined,
      handleEmptyQuery: () => undefined,
      handlePortalSuspended: () => undefined,
    };
    let completed = 0;
    client.query(query as unknown as pg.Submittable);
  });
}
