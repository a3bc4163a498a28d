import type { GraphQLResolveInfo } from 'graphql';
import { Field as FieldOf, ObjectType, registerEnumType } from 'type-graphql';
import type { Identity } from './session/driver.js';

/** What a resolver is told about the field it answers: TypeGraphQL's `@Info()`. */
export type Field = GraphQLResolveInfo;

/** What every resolver of a request is given: TypeGraphQL's `@Ctx()`. */
export interface Context {
  /** Who asks: the verified claims. Empty for an anonymous request. */
  readonly identity: Identity;
  /**
   * The answer of a generated root field, read by the one statement that the whole document was compiled to.
   * @throws ServerError when the field is not a generated one.
   */
  read<T>(info: Field): Promise<T>;
  /**
   * The answer of a generated mutation: what it wrote, read back as the document selects it.
   * @throws ServerError when the field is not a generated one.
   */
  write<T>(info: Field): Promise<T>;
  /**
   * Runs another document of generated fields as the same identity, in a statement of its own, and gives its `data`,
   * parsed. In a mutation with generated fields it reads and writes inside that mutation's transaction.
   * @throws ServerError for a document that does not validate, and what the database reports.
   */
  query(document: string, variables?: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
}

/** Where nulls go unless a direction says so is PostgreSQL's: last when ascending, first when descending. */
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
  @FieldOf(() => Boolean, { description: 'Whether there are rows after this page.' })
  readonly hasNextPage!: boolean;

  @FieldOf(() => Boolean, { description: 'Whether there are rows before this page.' })
  readonly hasPreviousPage!: boolean;

  @FieldOf(() => String, { nullable: true, description: 'Cursor of the first row of the page.' })
  readonly startCursor!: string | null;

  @FieldOf(() => String, { nullable: true, description: 'Cursor of the last row of the page.' })
  readonly endCursor!: string | null;
}
