import { Arg, Ctx, Field, InputType, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import { many, one, type Context } from './context.js';

@ObjectType()
export class Payment {
  @Field(() => Int) declare id: number;
  @Field(() => Int) declare order_id: number;
  @Field(() => String) declare method: string;
  @Field(() => String) declare amount: string;
  @Field(() => String) declare reference: string;
  @Field(() => Date) declare paid_at: Date;
}

@InputType()
export class PaymentInput {
  @Field(() => Int) declare order_id: number;
  @Field(() => String) declare method: string;
  @Field(() => String) declare amount: string;
  @Field(() => String) declare reference: string;
  @Field(() => Date) declare paid_at: Date;
}

const columns = ['order_id', 'method', 'amount', 'reference', 'paid_at'] as const;

/** `insert` with a parameter for each column of each payment. */
function insert(payments: readonly PaymentInput[]): { readonly sql: string; readonly values: unknown[] } {
  const values = payments.flatMap((payment) => columns.map((column) => payment[column]));
  const rows = payments.map(
    (_, row) => `(${columns.map((_column, at) => `$${row * columns.length + at + 1}`).join(', ')})`,
  );
  return { sql: `insert into bench.payments (${columns.join(', ')}) values ${rows.join(', ')} returning *`, values };
}

@Resolver(() => Payment)
export class PaymentResolver {
  @Mutation(() => Payment)
  createPayment(
    @Arg('payment', () => PaymentInput) payment: PaymentInput,
    @Ctx() context: Context,
  ): Promise<Payment | undefined> {
    const { sql, values } = insert([payment]);
    return one(context, sql, values);
  }

  /** Returns the number of inserted payments. */
  @Mutation(() => Int)
  async createPayments(
    @Arg('payments', () => [PaymentInput]) payments: PaymentInput[],
    @Ctx() context: Context,
  ): Promise<number> {
    const { sql, values } = insert(payments);
    return (await many(context, sql, values)).length;
  }
}
