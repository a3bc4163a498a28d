import type { Catalog, Column, Table } from '@tablewright/runtime/model';
import { createIndex } from '../create-index.js';
import { afterReview, type Remedy, type Rule } from '../finding.js';
import { pathOf, quoted, quotedPath } from '../quote.js';
import { unindexedColumns } from './unindexed-columns.js';

const methods = new Set(['hnsw', 'ivfflat', 'diskann', 'vchordrq']);

/**
 * Most dimensions of an HNSW or IVFFlat index. Source: pgvector's README, "HNSW", "Half-Precision
 * Vectors".
 */
const maxDimensions: Readonly<Record<string, number>> = { vector: 2000, halfvec: 4000 };

export const vectorWithoutIndex: Rule = {
  code: 'vector-without-index',
  severities: ['warning'],
  title: 'Vector columns without an index',
  why: 'A nearest-neighbour search without an HNSW or IVFFlat index computes the distance to every row of the table.',
  find: ({ catalog }) =>
    unindexedColumns(catalog, methods, (type) => isVector(catalog, type)).map(({ table, column }) => ({
      severity: 'warning',
      kind: 'column',
      object: pathOf(table, column.name),
      message: `${pathOf(table, column.name)} is a ${column.type.formatted.replace(/^.*\./, '')} without an HNSW or IVFFlat index.`,
      remedy: remedy(catalog, table, column),
    })),
};

const isVector = ({ extensions }: Catalog, type: Column['type']): boolean =>
  (type.name === 'vector' || type.name === 'halfvec') &&
  extensions.some(({ name, schema }) => name === 'vector' && schema === type.schema);

function remedy({ extensions }: Catalog, table: Table, { name, type }: Column): Remedy {
  const column = `${quotedPath(table)} alter column ${quoted(name)}`;
  if (type.modifier === null) {
    return afterReview(
      [`alter table ${column} type ${quoted(type.schema)}.${quoted(type.name)}(3);`],
      'Only vectors of one length can have an index: write the length that yours have instead of 3, and run doctor again.',
    );
  }
  if (type.modifier > (maxDimensions[type.name] ?? 0)) {
    return afterReview(
      type.name === 'vector' ? [`alter table ${column} type ${quoted(type.schema)}."halfvec"(${type.modifier});`] : [],
      `An index takes at most ${maxDimensions['vector'] ?? 0} dimensions of vector and ${maxDimensions['halfvec'] ?? 0} of halfvec, which has half the precision.`,
    );
  }
  const operators = `${quoted(type.schema)}.${quoted(`${type.name}_l2_ops`)}`;
  const version = extensions.find((extension) => extension.name === 'vector')?.version ?? '';
  const method = /^0\.[0-4](\.|$)/.test(version) ? 'ivfflat' : 'hnsw';
  return createIndex(
    table,
    `using ${method} (${quoted(name)} ${operators})`,
    'For the L2 distance, the default. For another one use its operators: vector_cosine_ops, vector_ip_ops.',
  );
}
