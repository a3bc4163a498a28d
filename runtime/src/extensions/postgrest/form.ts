import { postgrestWrites } from './request/writes.js';
import { postgrestAnswers } from './answer/answers.js';
import type { RestForm } from '../../endpoint/rest/rest-form.js';

/** The parameters are those of its answers. */
export const createPostgrestForm = (...given: Parameters<typeof postgrestAnswers>): RestForm => ({
  name: 'postgrest',
  ...postgrestWrites,
  ...postgrestAnswers(...given),
});
