import { ownFunctions } from '../../../../runtime/src/endpoint/rest/functions.js';
import type { RestMount } from '../../../../runtime/src/endpoint/rest/handler.js';
import { ownForm, type RestForm } from '../../../../runtime/src/endpoint/rest/rest-form.js';
import { joined } from '../../../../runtime/src/joined.js';
import type { Answer } from '../../../../runtime/src/response/answer.js';

const answer = (status: number, body: string | Buffer): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body,
});

/** A third form of REST: an envelope, errors and one difference of the grammar. */
const itemsForm: RestForm = {
  ...ownForm,
  name: 'items',
  grammar: { ...ownForm.grammar, unreadable: 'ignored' },
  insertedOne: 'list',
  list: ([row]) => answer(200, joined('{"items":', row?.[0] ?? '[]', '}')),
  written: ({ status, written: { text } }) => answer(status, `{"items":${text ?? '[]'}}`),
  error: ({ status, message }) => answer(status, JSON.stringify({ problem: message })),
};

/** Served at `/items`. */
export const itemsMount: RestMount = { form: itemsForm, segments: 1, functions: ownFunctions };
