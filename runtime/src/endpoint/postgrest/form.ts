import { postgrestWrites } from '../../request/rest/write/postgrest-writes.js';
import { postgrestAnswers } from '../../response/postgrest/answers.js';
import type { RestForm } from '../rest/rest-form.js';

/** The parameters are those of its answers. */
export const createPostgrestForm = (...given: Parameters<typeof postgrestAnswers>): RestForm => ({
  name: 'postgrest',
  ...postgrestWrites,
  ...postgrestAnswers(...given),
});
