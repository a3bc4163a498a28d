import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StrictRequest } from '../../test/support/strict-client.js';
import { repository } from '../harness/child.js';
import { KEY, numberOf, scaleSchema, tableName } from '../scale/schema.js';

/** A database whose server follows it: the tables of `scale`, or the demo. */
export interface Subject {
  readonly name: string;
  readonly sql: readonly string[];
  /** The table that gains and loses a column. */
  readonly changed: string;
  /** Requests of the unchanged part of the API. */
  readonly requests: readonly StrictRequest[];
  /** A read of the whole row of the changed table. */
  readonly affected: StrictRequest;
  /** A read of the added and dropped column. */
  readonly probe: StrictRequest;
}

/** The added and dropped column. */
export const COLUMN = 'swapped';

/** @param name `demo`, or a number of tables */
export const subjectOf = (name: string): Subject => (name === 'demo' ? demo : scale(Number(name)));

const graphql = (query: string): StrictRequest => ({
  method: 'POST',
  path: '/graphql',
  body: JSON.stringify({ query }),
});

function scale(tables: number): Subject {
  const changed = tableName(tables - 1);
  const get = (path: string): StrictRequest => ({ method: 'GET', path: `/api/v1/${path}` });
  return {
    name: `${tables} tables`,
    sql: scaleSchema(tables),
    changed: `scale.${changed}`,
    requests: [get(`${tableName(0)}/${KEY}`), graphql(`{ scaleTable${numberOf(0)}ByPk(id: ${KEY}) { id name } }`)],
    affected: get(`${changed}/${KEY}`),
    probe: get(`${changed}?select=${COLUMN}&limit=1`),
  };
}

const get = (path: string, schema: string): StrictRequest => ({
  method: 'GET',
  path: `/api/v1/${path}`,
  headers: { 'accept-profile': schema },
});

const demo: Subject = {
  name: 'the demo',
  get sql() {
    return ['schema.sql', 'seed.sql'].map((file) => readFileSync(join(repository, 'demo', file), 'utf8'));
  },
  changed: 'shop.products',
  requests: [
    get('issues?select=id,title,status&limit=20', 'kanban'),
    graphql('{ kanbanIssues(limit: 20) { id title } shopProducts(limit: 5) { id name } }'),
  ],
  affected: get('products?limit=5', 'shop'),
  probe: get(`products?select=${COLUMN}&limit=1`, 'shop'),
};
