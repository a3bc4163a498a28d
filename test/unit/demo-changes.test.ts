import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { notifySql } from '../../runtime/src/dialect/postgres/changes/sql.js';
import { repository } from '../support/transpile.js';

/** Its triggers name the tables and their keys; none of these names has a quote. */
const trigger =
  /create trigger tablewright_changes_insert after insert on "(.+)"\."(.+)" [^]*?tablewright_changed\('(.+)'\)/g;

test('demo/changes.sql is what the command prints for its tables', () => {
  const kept = readFileSync(join(repository, 'demo/changes.sql'), 'utf8');
  const tables = [...kept.matchAll(trigger)].map(([, schema = '', name = '', key = '']) => ({
    schema,
    name,
    key: key.split("', '"),
  }));
  expect(tables.length).toBeGreaterThan(3);
  const sqlOf = (text: string): string => text.slice(text.indexOf('create or replace')).trim();
  expect(sqlOf(kept)).toBe(sqlOf(notifySql(tables)));
});
