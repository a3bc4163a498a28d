import { Args } from 'type-graphql';

/**
 * Gives a field the arguments of an `@ArgsType()` class. TypeGraphQL's own `@Args()` is for parameters of methods; generated
 * fields have no method, since what they answer is already in the row.
 */
export const Arguments =
  (type: () => new () => object): PropertyDecorator =>
  (prototype, property) => {
    Args(type)(prototype, property, 0);
  };
