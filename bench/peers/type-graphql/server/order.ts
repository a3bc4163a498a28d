import { Arg, Ctx, Field, FieldResolver, Int, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { many, one, type Context } from './context.js';
import { Item } from './item.js';

@ObjectType()
export class Order {
  @Field(() => Int) declare id: number;
  @Field(() => Int) declare customer_id: number;
  @Field(() => String) declare status: string;
  @Field(() => Int) declare warehouse: number;
  @Field(() => String) declare total: string;
  @Field(() => Date) declare placed_at: Date;
}

@ObjectType()
export class OrderTotals {
  @Field(() => Int) declare count: number;
  @Field(() => String, { nullable: true }) declare sum: string | null;
}

@Resolver(() => Order)
export class OrderResolver {
  @Query(() => OrderTotals)
  orderTotals(
    @Arg('warehouse', () => Int) warehouse: number,
    @Ctx() context: Context,
  ): Promise<OrderTotals | undefined> {
    return one(context, 'select count(*)::integer as count, sum(total) as sum from bench.orders where warehouse = $1', [
      warehouse,
    ]);
  }

  @FieldResolver(() => [Item])
  items(@Root() { id }: Order, @Arg('limit', () => Int) limit: number, @Ctx() context: Context): Promise<Item[]> {
    return many(context, 'select * from bench.items where order_id = $1 order by id limit $2', [id, limit]);
  }
}
