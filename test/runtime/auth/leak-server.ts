import 'reflect-metadata';
import { Ctx, Field as FieldOf, Info, Int, ObjectType, Query, Resolver } from 'type-graphql';
import type { TableDescriptor } from '../../../runtime/src/descriptor/descriptor.js';
import type { Context, FieldInfo } from '../../../runtime/src/schema/common-types.js';
import type { GeneratedServer } from '../../../runtime/src/descriptor/generated.js';
import * as t from '../../../runtime/src/dialect/postgres/types.js';

/**
 * Descriptors, as the generator writes them, of a table under a policy and of its view, which
 * always fails.
 */
const describeTable = (name: string, field: string, type: string): TableDescriptor => ({
  field,
  type,
  schema: 'leak',
  name,
  kind: 'table',
  columns: [
    { name: 'id', type: t.int4, nullable: true },
    { name: 'owner', type: t.text, nullable: true },
  ],
});

const tables = [describeTable('notes', 'leakNotes', 'LeakNotes'), describeTable('broken', 'leakBroken', 'LeakBroken')];

@ObjectType()
class LeakNotes {
  @FieldOf(() => Int, { nullable: true })
  readonly id!: number | null;

  @FieldOf(() => String, { nullable: true })
  readonly owner!: string | null;
}

@ObjectType()
class LeakBroken extends LeakNotes {}

@Resolver()
class LeakResolver {
  @Query(() => [LeakNotes])
  leakNotes(@Ctx() context: Context, @Info() info: FieldInfo): Promise<LeakNotes[]> {
    return context.read(info);
  }

  @Query(() => [LeakBroken])
  leakBroken(@Ctx() context: Context, @Info() info: FieldInfo): Promise<LeakBroken[]> {
    return context.read(info);
  }
}

export const leakServer: GeneratedServer = {
  descriptors: { tables },
  resolvers: [LeakResolver],
  routes: tables.map((table) => ({ table, list: (exchange) => exchange.list(table) })),
  settings: {},
  openapi: new URL('file:///unused'),
  format: 1,
  fingerprint: '',
};
