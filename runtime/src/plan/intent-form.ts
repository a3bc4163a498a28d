import type { RelationForm } from '../descriptor/relation-in.js';

/** What the planner does differently for a protocol, or for a form of REST. */
export interface IntentForm extends RelationForm {
  readonly protocol: 'graphql' | 'rest';
  /** Values are shown as the settings say, or as the database writes them. */
  readonly values: 'configured' | 'native';
  /** The key of a written row: its table's, or those of all tables that a view shows. */
  readonly returnedKey: 'ofTable' | 'ofShownTables';
}

export const graphqlForm: IntentForm = {
  protocol: 'graphql',
  values: 'configured',
  oneToOne: 'byIndex',
  returnedKey: 'ofTable',
};

export const restForm: IntentForm = { ...graphqlForm, protocol: 'rest' };
