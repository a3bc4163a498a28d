import type { ColumnDescriptor, TableDescriptor } from '../../../../runtime/src/descriptor/descriptor.js';
import type { Descriptors } from '../../../../runtime/src/descriptor/registry.js';
import {
  arrayOf,
  bool,
  date,
  enumOf,
  float8,
  int4,
  int8,
  json,
  jsonb,
  numeric,
  rangeOf,
  text,
  timestamptz,
  tsvector,
  uuid,
  vector,
} from '../../../../runtime/src/dialect/postgres/types.js';

/** The descriptors that `generate` writes for schema.sql. */
const issueStatus = enumOf('BoardIssueStatus', 'board', 'issue_status');

const key = { name: 'id', type: int4 } as const;

const issueColumns: readonly ColumnDescriptor[] = [
  { name: 'id', type: int4, hasDefault: true },
  { name: 'project_id', type: int4 },
  { name: 'assignee_id', type: int4, nullable: true },
  { name: 'reporter_id', type: int4 },
  { name: 'title', type: text },
  { name: 'body', type: text, nullable: true },
  { name: 'status', type: issueStatus, hasDefault: true },
  { name: 'points', type: int4, nullable: true },
  { name: 'estimate', type: float8, nullable: true },
  { name: 'cost', type: numeric, nullable: true },
  { name: 'views', type: int8, hasDefault: true },
  { name: 'done', type: bool, nullable: true },
  { name: 'labels', type: arrayOf(text), hasDefault: true },
  { name: 'scores', type: arrayOf(int4), nullable: true },
  { name: 'metadata', type: jsonb, nullable: true },
  { name: 'raw', type: json, nullable: true },
  { name: 'slot', type: rangeOf(int4, 'int4range'), nullable: true },
  { name: 'uid', type: uuid, nullable: true },
  { name: 'due', type: date, nullable: true },
  { name: 'created_at', type: timestamptz },
  { name: 'search', type: tsvector, nullable: true, readOnly: true },
];

const writable = { insertable: true, updatable: true, deletable: true } as const;

const forward = (name: string, table: string, constraint: string, column: string) =>
  ({
    name,
    cardinality: 'one',
    direction: 'forward',
    table,
    constraint,
    columns: [column],
    references: ['id'],
  }) as const;

const reverse = (name: string, table: string, constraint: string, column: string) =>
  ({
    name,
    cardinality: 'many',
    direction: 'reverse',
    table,
    constraint,
    columns: ['id'],
    references: [column],
  }) as const;

/** Only in the database of vector searches. */
export const points: TableDescriptor = {
  field: 'boardPoints',
  type: 'BoardPoints',
  schema: 'board',
  name: 'points',
  kind: 'table',
  columns: [key, { name: 'embedding', type: vector('public', 2) }],
  primaryKey: { name: 'points_pkey', columns: ['id'] },
};

const issues: TableDescriptor = {
  field: 'boardIssues',
  type: 'BoardIssues',
  schema: 'board',
  name: 'issues',
  kind: 'table',
  columns: issueColumns,
  primaryKey: { name: 'issues_pkey', columns: ['id'] },
  relations: [
    forward('boardProjectId', 'boardProjects', 'issues_project_id_fkey', 'project_id'),
    forward('boardAssigneeId', 'boardUsers', 'issues_assignee_id_fkey', 'assignee_id'),
    forward('boardReporterId', 'boardUsers', 'issues_reporter_id_fkey', 'reporter_id'),
    reverse('boardComments', 'boardComments', 'comments_issue_id_fkey', 'issue_id'),
    reverse('boardIssueLabels', 'boardIssueLabels', 'issue_labels_issue_id_fkey', 'issue_id'),
    {
      name: 'boardLabelsViaIssueLabels',
      cardinality: 'many',
      direction: 'through',
      table: 'boardLabels',
      constraint: 'issue_labels_label_id_fkey',
      columns: ['id'],
      references: ['id'],
      through: { table: 'boardIssueLabels', columns: ['issue_id'], references: ['label_id'] },
    },
  ],
  computed: [{ name: 'headline', function: { schema: 'board', name: 'headline' }, type: text }],
  ...writable,
};

const tables: readonly TableDescriptor[] = [
  {
    field: 'boardOddName1',
    type: 'BoardOddName1',
    schema: 'board',
    name: 'Odd name/1',
    kind: 'table',
    columns: [
      key,
      ...['a.b', 'select', 'order', 'x,y', 'quo"te', 'p->q', '(r)', 'constructor', 'العنوان'].map((name, at) => ({
        name,
        field: `odd_${at}`,
        type: text,
        nullable: true as const,
      })),
    ],
    primaryKey: { name: 'Odd name/1_pkey', columns: ['id'] },
    ...writable,
  },
  {
    field: 'boardComments',
    type: 'BoardComments',
    schema: 'board',
    name: 'comments',
    kind: 'table',
    columns: [key, { name: 'issue_id', type: int4 }, { name: 'author_id', type: int4 }, { name: 'body', type: text }],
    primaryKey: { name: 'comments_pkey', columns: ['id'] },
    relations: [
      forward('boardIssueId', 'boardIssues', 'comments_issue_id_fkey', 'issue_id'),
      forward('boardAuthorId', 'boardUsers', 'comments_author_id_fkey', 'author_id'),
    ],
    ...writable,
  },
  {
    field: 'boardIssueLabels',
    type: 'BoardIssueLabels',
    schema: 'board',
    name: 'issue_labels',
    kind: 'table',
    columns: [
      { name: 'issue_id', type: int4 },
      { name: 'label_id', type: int4 },
    ],
    primaryKey: { name: 'issue_labels_pkey', columns: ['issue_id', 'label_id'] },
    relations: [
      forward('boardIssueId', 'boardIssues', 'issue_labels_issue_id_fkey', 'issue_id'),
      forward('boardLabelId', 'boardLabels', 'issue_labels_label_id_fkey', 'label_id'),
    ],
    ...writable,
  },
  issues,
  {
    field: 'boardLabels',
    type: 'BoardLabels',
    schema: 'board',
    name: 'labels',
    kind: 'table',
    columns: [key, { name: 'name', type: text }],
    primaryKey: { name: 'labels_pkey', columns: ['id'] },
    uniques: [{ name: 'labels_name_key', columns: ['name'] }],
    ...writable,
  },
  {
    field: 'boardOpenIssues',
    type: 'BoardOpenIssues',
    schema: 'board',
    name: 'open_issues',
    kind: 'view',
    columns: [
      { name: 'id', type: int4, nullable: true },
      { name: 'title', type: text, nullable: true },
      { name: 'status', type: issueStatus, nullable: true },
    ],
  },
  {
    field: 'boardProjects',
    type: 'BoardProjects',
    schema: 'board',
    name: 'projects',
    kind: 'table',
    columns: [key, { name: 'name', type: text }, { name: 'code', type: text }],
    primaryKey: { name: 'projects_pkey', columns: ['id'] },
    uniques: [{ name: 'projects_code_key', columns: ['code'] }],
    relations: [
      reverse('boardIssues', 'boardIssues', 'issues_project_id_fkey', 'project_id'),
      reverse('crmProjects', 'crmProjects', 'projects_board_project_id_fkey', 'board_project_id'),
    ],
    ...writable,
  },
  {
    field: 'boardSecrets',
    type: 'BoardSecrets',
    schema: 'board',
    name: 'secrets',
    kind: 'table',
    columns: [key],
    primaryKey: { name: 'secrets_pkey', columns: ['id'] },
  },
  {
    field: 'boardUsers',
    type: 'BoardUsers',
    schema: 'board',
    name: 'users',
    kind: 'table',
    columns: [key, { name: 'name', type: text }, { name: 'email', type: text, nullable: true }],
    primaryKey: { name: 'users_pkey', columns: ['id'] },
    relations: [
      reverse('boardCommentsAuthorId', 'boardComments', 'comments_author_id_fkey', 'author_id'),
      reverse('boardIssuesAssigneeId', 'boardIssues', 'issues_assignee_id_fkey', 'assignee_id'),
      reverse('boardIssuesReporterId', 'boardIssues', 'issues_reporter_id_fkey', 'reporter_id'),
    ],
    ...writable,
  },
  {
    field: 'crmProjects',
    type: 'CrmProjects',
    schema: 'crm',
    name: 'projects',
    kind: 'table',
    columns: [
      { name: 'id', type: uuid },
      { name: 'title', type: text },
      { name: 'board_project_id', type: int4, nullable: true },
    ],
    primaryKey: { name: 'projects_pkey', columns: ['id'] },
    relations: [forward('crmBoardProjectId', 'boardProjects', 'projects_board_project_id_fkey', 'board_project_id')],
    ...writable,
  },
];

export const descriptors: Descriptors = {
  tables,
  enums: [
    {
      type: 'BoardIssueStatus',
      schema: 'board',
      name: 'issue_status',
      values: [{ label: 'open' }, { label: 'in progress', name: 'in_progress' }, { label: 'done' }],
    },
  ],
};
