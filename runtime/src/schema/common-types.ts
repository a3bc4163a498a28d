import type { GraphQLResolveInfo } from 'graphql';
import { Field, Float, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { AnyDatabase } from '../execute/hooks/table-hooks.js';
import type { Caller } from '../execute/custom/caller.js';

/** The field that a resolver resolves: TypeGraphQL's `@Info()`. */
export type FieldInfo = GraphQLResolveInfo;

/**
 * The context of every resolver: TypeGraphQL's `@Ctx()`. With the generated type `Database`, its
 * handles know the tables.
 */
export interface Context<Database = AnyDatabase> extends Caller<Database> {
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

registerEnumType(OrderDirection, {
  name: 'OrderDirection',
  description: 'A direction to sort in. `"asc"` and `AscNullsFirst` spellings are accepted too.',
});

/** Relay's page information: https://relay.dev/graphql/connections.htm#sec-undefined.PageInfo */
@ObjectType({ description: 'Where a page of a connection lies.', simpleResolvers: true })
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether there are rows after this page.' })
  readonly hasNextPage!: boolean;

  @Field(() => Boolean, { description: 'Whether there are rows before this page.' })
  readonly hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: 'Cursor of the first row of the page.' })
  readonly startCursor!: string | null;

  @Field(() => String, { nullable: true, description: 'Cursor of the last row of the page.' })
  readonly endCursor!: string | null;
}

/** Relay's connections: https://relay.dev/graphql/connections.htm */
export interface Connection<Row> {
  readonly edges: readonly { readonly node: Row; readonly cursor: string }[];
  readonly nodes: readonly Row[];
  readonly pageInfo: PageInfo;
  readonly totalCount: number;
}

@InputType({ description: 'Orders by the number of related rows.' })
export class CountOrderByInput {
  @Field(() => OrderDirection, { nullable: true })
  readonly _count?: OrderDirection | null;
}

/** Source: decision 011. The schema contains it only if a table has a vector column. */
@InputType({
  description: 'The nearest rows to an embedding, nearest first. Replaces `orderBy`; combines with `where`.',
})
export class VectorInput {
  @Field(() => String, { description: 'A vector column of the table.' })
  readonly column!: string;

  @Field(() => [Float], { description: 'As many numbers as the column has dimensions.' })
  readonly near!: number[];

  @Field(() => String, {
    nullable: true,
    description: '`L2` (the default, also `EUCLIDEAN`), `COSINE` or `IP` (also `INNER_PRODUCT`).',
  })
  readonly distance?: string | null;

  @Field(() => Int, { nullable: true, description: 'How many rows, at most.' })
  readonly limit?: number | null;
}
