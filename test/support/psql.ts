import pg from 'pg';
import { parseSql, isSymbol } from '../../src/doctor/sql/tree.js';

/**
 * Runs a script as psql does: one statement after the other, each in its own transaction unless the
 * script begins one.
 */
export async function runScript(url: string, script: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statementsOf(script)) await client.query(statement);
  } finally {
    await client.end();
  }
}

function statementsOf(script: string): readonly string[] {
  const ends = parseSql(script)
    .filter((node) => isSymbol(node, ';'))
    .map(({ end }) => end);
  return ends.map((end, at) => script.slice(ends[at - 1] ?? 0, end));
}
