import { restForm, type IntentForm } from '../../../plan/intent-form.js';

/** The forms of REST. */
export type RestDialect = 'rest' | 'postgrest';

/** What a form of REST asks of the planner. */
export const intentForms: Readonly<Record<RestDialect, IntentForm>> = {
  rest: restForm,
  postgrest: { protocol: 'rest', values: 'native', oneToOne: 'byConstraint', returnedKey: 'ofShownTables' },
};
