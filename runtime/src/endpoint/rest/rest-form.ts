import { ownWrites, type WriteForm } from '../../request/rest/write/write-form.js';
import { ownAnswers, type RestAnswers } from '../../response/rest-answers.js';

/** A form of REST: what its requests say, and how it answers. A mount chooses one at its start. */
export interface RestForm extends WriteForm, RestAnswers {
  /** Begins the names of the mount's caches in the metrics. */
  readonly name: string;
}

/** The form of `/api/v1`. Source: decision 006. */
export const ownForm: RestForm = { name: 'rest', ...ownWrites, ...ownAnswers };
