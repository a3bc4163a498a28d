import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType()
export class Item {
  @Field(() => Int) declare id: number;
  @Field(() => Int) declare order_id: number;
  @Field(() => String) declare product: string;
  @Field(() => Int) declare quantity: number;
  @Field(() => String) declare price: string;
}
