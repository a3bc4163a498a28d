import { createConnection } from 'mysql2/promise';
import { canonical } from '../harness/canonical.js';
import type { Reference } from '../harness/check.js';
import type { Data } from '../harness/target.js';
import type { Payment, WorkloadId } from '../workloads/inputs.js';
import { mysqlStatements, written } from './statements.js';

/** The workloads of MariaDB: each is a single statement there. */
export const mysqlWorkloads = ['W1', 'W2', 'W3', 'W4', 'W5', 'W6'] as const satisfies readonly WorkloadId[];

/** Takes the expected answers from MariaDB itself. */
export async function withMysqlReference<T>(data: Data, work: (reference: Reference) => Promise<T>): Promise<T> {
  const connection = await createConnection({
    uri: data.adminUrl,
    rowsAsArray: true,
    jsonStrings: true,
    timezone: 'Z',
  });
  await connection.query("set time_zone = '+00:00', group_concat_max_len = 1073741824");
  const value = async (sql: string, values: readonly unknown[]): Promise<string> => {
    const [rows] = await connection.execute(sql, values.map(String));
    return (rows as unknown as readonly (readonly (string | null)[])[])[0]?.[0] ?? 'null';
  };
  const counted = "select json_object('count', count(*), 'sum', sum(total)) from bench.orders where warehouse = ?";
  const sqlOf = (id: string): string =>
    ({
      W1: mysqlStatements.byKey,
      W2: mysqlStatements.filtered,
      W3: mysqlStatements.threeLevels,
      W4: written,
      W5: counted,
      W6: mysqlStatements.wide,
    })[id]?.replaceAll('$1', '?') ?? '';
  try {
    return await work({
      expected: async ({ id, inputs }, at) => {
        const input = inputs(data.sizes)[at] ?? {};
        const { payment, ...others } = input as { readonly payment?: Payment };
        const { order_id, method, amount, reference, paid_at } = payment ?? {};
        const values = payment === undefined ? Object.values(others) : [order_id, method, amount, reference, paid_at];
        return canonical(JSON.parse(await value(sqlOf(id), values)));
      },
      payments: async () => Number(await value('select count(*) from bench.payments', [])),
      reset: async () => {
        await connection.query('delete from bench.payments');
      },
    });
  } finally {
    await connection.end();
  }
}
