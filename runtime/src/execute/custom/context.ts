import type { RootAnswers } from '../../schema/common-types.js';
import type { AnyDatabase } from '../hooks/table-hooks.js';
import type { Caller } from './caller.js';

/**
 * The context of every resolver: TypeGraphQL's `@Ctx()`. With the generated type `Database`, its
 * handles know the tables.
 */
export interface Context<Database = AnyDatabase> extends Caller<Database>, RootAnswers {}
