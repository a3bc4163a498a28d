import { GraphQLJSON } from 'graphql-scalars';
import { Arg, Ctx, Field, FieldResolver, Int, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { many, one, type Context } from './context.js';
import { Order } from './order.js';

@ObjectType()
export class Customer {
  @Field(() => Int) declare id: number;
  @Field(() => String) declare name: string;
  @Field(() => String) declare email: string;
  @Field(() => String) declare city: string;
  @Field(() => String) declare country: string;
  @Field(() => String) declare tier: string;
  @Field(() => Boolean) declare active: boolean;
  @Field(() => String) declare credit: string;
  @Field(() => [String]) declare tags: string[];
  @Field(() => GraphQLJSON, { nullable: true }) declare profile: unknown;
  @Field(() => Date) declare created_at: Date;
}

@Resolver(() => Customer)
export class CustomerResolver {
  @Query(() => Customer, { nullable: true })
  customer(@Arg('id', () => Int) id: number, @Ctx() context: Context): Promise<Customer | undefined> {
    return one(context, 'select * from bench.customers where id = $1', [id]);
  }

  @Query(() => [Customer])
  customers(
    @Ctx() context: Context,
    @Arg('limit', () => Int) limit: number,
    @Arg('country', () => String, { nullable: true }) country?: string,
  ): Promise<Customer[]> {
    return country === undefined
      ? many(context, 'select * from bench.customers order by id limit $1', [limit])
      : many(context, 'select * from bench.customers where country = $1 order by id limit $2', [country, limit]);
  }

  @FieldResolver(() => [Order])
  orders(@Root() { id }: Customer, @Arg('limit', () => Int) limit: number, @Ctx() context: Context): Promise<Order[]> {
    return many(context, 'select * from bench.orders where customer_id = $1 order by id limit $2', [id, limit]);
  }
}
