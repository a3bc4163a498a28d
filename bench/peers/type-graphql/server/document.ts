import { Arg, Ctx, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import type { Context } from './context.js';

@ObjectType()
export class Document {
  @Field(() => Int) declare id: number;
  @Field(() => String) declare owner: string;
  @Field(() => String) declare title: string;
  @Field(() => String) declare body: string;
  @Field(() => String) declare status: string;
  @Field(() => Date) declare created_at: Date;
}

@Resolver(() => Document)
export class DocumentResolver {
  /** The database's policy selects the rows, by the user that is set for this transaction. */
  @Query(() => [Document])
  async documents(
    @Arg('status', () => String) status: string,
    @Arg('limit', () => Int) limit: number,
    @Ctx() { pool, user }: Context,
  ): Promise<Document[]> {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query("select set_config('request.user_id', $1, true)", [user ?? '']);
      const { rows } = await client.query<Document>(
        `select id, owner, title, body, status, created_at from bench.documents
          where status = $1 order by id desc limit $2`,
        [status, limit],
      );
      await client.query('commit');
      return rows;
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  }
}
