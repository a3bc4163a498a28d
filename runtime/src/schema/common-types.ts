import type { GraphQLResolveInfo } from 'graphql';
import { useEnum } from './stand-ins.js';

/** The field that a resolver resolves: TypeGraphQL's `@Info()`. */
export type FieldInfo = GraphQLResolveInfo;

/** What resolvers of generated root fields need of the context. */
export interface RootAnswers {
  /**
   * Returns the answer of a generated root field. One statement reads the whole document.
   * @throws ServerError if the field is not a generated one
   */
  read<T>(info: FieldInfo): Promise<T>;
  /**
   * Runs a generated mutation; returns the written rows with the fields that the document selects.
   * @throws ServerError if the field is not a generated one
   */
  write<T>(info: FieldInfo): Promise<T>;
}

/** ASC and DESC place nulls as PostgreSQL does: last when ascending, first when descending. */
export enum OrderDirection {
  ASC = 'ASC',
  DESC = 'DESC',
  ASC_NULLS_FIRST = 'ASC_NULLS_FIRST',
  ASC_NULLS_LAST = 'ASC_NULLS_LAST',
  DESC_NULLS_FIRST = 'DESC_NULLS_FIRST',
  DESC_NULLS_LAST = 'DESC_NULLS_LAST',
}

useEnum('OrderDirection', OrderDirection);

/** Relay's page information: https://relay.dev/graphql/connections.htm#sec-undefined.PageInfo */
export class PageInfo {
  readonly hasNextPage!: boolean;
  readonly hasPreviousPage!: boolean;
  readonly startCursor!: string | null;
  readonly endCursor!: string | null;
}

/** Relay's connections: https://relay.dev/graphql/connections.htm */
export interface Connection<Row> {
  readonly edges: readonly { readonly node: Row; readonly cursor: string }[];
  readonly nodes: readonly Row[];
  readonly pageInfo: PageInfo;
  readonly totalCount: number;
}

/** Orders by the number of related rows. */
export class CountOrderByInput {
  readonly _count?: OrderDirection | null;
}

/** Source: decision 011. The schema contains it only if a table has a vector column. */
export class VectorInput {
  readonly column!: string;
  readonly near!: number[];
  readonly distance?: string | null;
  readonly limit?: number | null;
}
