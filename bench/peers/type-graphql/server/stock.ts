import { Arg, Ctx, Field, InputType, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import { one, type Context } from './context.js';

@ObjectType()
export class Stock {
  @Field(() => Int) declare id: number;
  @Field(() => String) declare sku: string;
  @Field(() => Int) declare quantity: number;
  @Field(() => String) declare price: string;
  @Field(() => Date) declare updated_at: Date;
}

@InputType()
export class StockInput {
  @Field(() => String) declare sku: string;
  @Field(() => Int) declare quantity: number;
  @Field(() => String) declare price: string;
  @Field(() => Date) declare updated_at: Date;
}

@Resolver(() => Stock)
export class StockResolver {
  @Mutation(() => Stock, { nullable: true })
  updateStock(
    @Arg('id', () => Int) id: number,
    @Arg('quantity', () => Int) quantity: number,
    @Ctx() context: Context,
  ): Promise<Stock | undefined> {
    return one(context, 'update bench.stock set quantity = $2 where id = $1 returning *', [id, quantity]);
  }

  @Mutation(() => Stock)
  putStock(
    @Arg('stock', () => StockInput) { sku, quantity, price, updated_at }: StockInput,
    @Ctx() context: Context,
  ): Promise<Stock | undefined> {
    return one(
      context,
      `insert into bench.stock (sku, quantity, price, updated_at) values ($1, $2, $3, $4)
        on conflict (sku) do update
          set quantity = excluded.quantity, price = excluded.price, updated_at = excluded.updated_at
        returning *`,
      [sku, quantity, price, updated_at],
    );
  }
}
