import type { TableDescriptor } from '../../runtime/src/descriptor/descriptor.js';
import { createRegistry, type Registry, type Table } from '../../runtime/src/descriptor/registry.js';
import { arrayOf, bool, enumOf, int4, int8, jsonb, numeric, text, timestamptz, tsvector } from './types.js';

/**
 * A small board as the generator describes `boardSql`, written by hand. One table for each kind of
 * relation: projects 1–n issues, issues n–1 users (nullable), issues n–m labels through
 * issue_labels, issues 1–1 briefs, and a view and a table without a key.
 */
export const boardSql = `
CREATE SCHEMA kanban;
CREATE TYPE kanban.issue_status AS ENUM ('todo', 'in progress', 'done');
CREATE TABLE kanban.users (id int PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE kanban.projects (id int PRIMARY KEY, name text NOT NULL, owner_id int REFERENCES kanban.users (id));
CREATE TABLE kanban.issues (
  id int PRIMARY KEY,
  project_id int NOT NULL REFERENCES kanban.projects (id),
  assignee_id int REFERENCES kanban.users (id),
  title text NOT NULL,
  status kanban.issue_status NOT NULL DEFAULT 'todo',
  points int,
  estimate numeric(10, 2),
  views bigint NOT NULL DEFAULT 0,
  labels text[] NOT NULL DEFAULT '{}',
  metadata jsonb NOT NULL DEFAULT '{}',
  urgent boolean,
  created_at timestamptz NOT NULL,
  search tsvector GENERATED ALWAYS AS (to_tsvector('english', title)) STORED
);
CREATE TABLE kanban.labels (id int PRIMARY KEY, name text NOT NULL);
CREATE TABLE kanban.issue_labels (
  issue_id int REFERENCES kanban.issues (id),
  label_id int REFERENCES kanban.labels (id),
  PRIMARY KEY (issue_id, label_id)
);
CREATE TABLE kanban.briefs (issue_id int PRIMARY KEY REFERENCES kanban.issues (id), body text NOT NULL);
CREATE TABLE kanban.log (at timestamptz NOT NULL, line text NOT NULL);
CREATE FUNCTION kanban.issues_shout(issue kanban.issues) RETURNS text LANGUAGE sql STABLE AS $$ SELECT upper(issue.title) $$;

INSERT INTO kanban.users VALUES (1, 'Ada'), (2, 'Grace'), (3, 'Linus');
INSERT INTO kanban.projects VALUES (1, 'Web', 1), (2, 'App', 2), (3, 'Empty', NULL);
INSERT INTO kanban.issues (id, project_id, assignee_id, title, status, points, estimate, views, labels, metadata, urgent, created_at) VALUES
  (1, 1, 1, 'Login fails with 100% CPU', 'todo', 3, 1.50, 9007199254740993, '{bug,auth}', '{"browser": "firefox", "tags": ["a", "b"]}', true, '2024-01-01 10:00:00.123456+00'),
  (2, 1, 2, 'Dark mode', 'in progress', 5, NULL, 7, '{ui}', '{"browser": "chrome", "n": 5}', false, '2024-01-02 10:00:00+00'),
  (3, 1, NULL, 'Broken search results', 'done', NULL, 2.25, 0, '{}', '{}', NULL, '2024-01-03 10:00:00+00'),
  (4, 2, 1, 'Search is slow', 'todo', 8, 10.00, 12, '{bug,perf}', '{"browser": null}', true, '2024-01-04 10:00:00+00'),
  (5, 2, 3, 'login_page broken', 'done', 5, 0.10, 3, '{auth}', '{"deep": {"er": [1, 2, 3]}}', false, '2024-01-04 10:00:00+00');
INSERT INTO kanban.labels VALUES (1, 'urgent'), (2, 'later');
INSERT INTO kanban.issue_labels VALUES (1, 1), (2, 2), (4, 1), (4, 2);
INSERT INTO kanban.briefs VALUES (1, 'Fix the login'), (4, 'Make it fast');
INSERT INTO kanban.log SELECT '2024-01-01'::timestamptz + i * interval '1 hour', 'line ' || i FROM generate_series(1, 7) AS i;
ANALYZE;
`;

const status = enumOf('KanbanIssueStatus', 'kanban', 'issue_status');

const users: TableDescriptor = {
  field: 'kanbanUsers',
  type: 'KanbanUsers',
  schema: 'kanban',
  name: 'users',
  kind: 'table',
  columns: [
    { name: 'id', type: int4 },
    { name: 'name', type: text },
  ],
  primaryKey: { name: 'users_pkey', columns: ['id'] },
  uniques: [{ name: 'users_name_key', columns: ['name'] }],
  relations: [
    many('kanbanIssues', 'kanbanIssues', 'issues_assignee_id_fkey', 'id', 'assignee_id'),
    many('kanbanProjects', 'kanbanProjects', 'projects_owner_id_fkey', 'id', 'owner_id'),
  ],
};

const projects: TableDescriptor = {
  field: 'kanbanProjects',
  type: 'KanbanProjects',
  schema: 'kanban',
  name: 'projects',
  kind: 'table',
  columns: [
    { name: 'id', type: int4 },
    { name: 'name', type: text },
    { name: 'owner_id', type: int4, nullable: true },
  ],
  primaryKey: { name: 'projects_pkey', columns: ['id'] },
  relations: [
    forward('kanbanOwnerId', 'kanbanUsers', 'projects_owner_id_fkey', 'owner_id', 'id'),
    many('kanbanIssues', 'kanbanIssues', 'issues_project_id_fkey', 'id', 'project_id'),
  ],
};

const issues: TableDescriptor = {
  field: 'kanbanIssues',
  type: 'KanbanIssues',
  schema: 'kanban',
  name: 'issues',
  kind: 'table',
  columns: [
    { name: 'id', type: int4 },
    { name: 'project_id', type: int4 },
    { name: 'assignee_id', type: int4, nullable: true },
    { name: 'title', type: text },
    { name: 'status', type: status, hasDefault: true },
    { name: 'points', type: int4, nullable: true },
    { name: 'estimate', type: numeric, nullable: true },
    { name: 'views', type: int8, hasDefault: true },
    { name: 'labels', type: arrayOf(text), hasDefault: true },
    { name: 'metadata', type: jsonb, hasDefault: true },
    { name: 'urgent', type: bool, nullable: true },
    { name: 'created_at', type: timestamptz },
    { name: 'search', type: tsvector, nullable: true, readOnly: true },
  ],
  primaryKey: { name: 'issues_pkey', columns: ['id'] },
  relations: [
    forward('kanbanProjectId', 'kanbanProjects', 'issues_project_id_fkey', 'project_id', 'id'),
    forward('kanbanAssigneeId', 'kanbanUsers', 'issues_assignee_id_fkey', 'assignee_id', 'id'),
    { ...many('kanbanBriefs', 'kanbanBriefs', 'briefs_issue_id_fkey', 'id', 'issue_id'), cardinality: 'one' },
    {
      name: 'kanbanLabelsViaIssueLabels',
      cardinality: 'many',
      direction: 'through',
      table: 'kanbanLabels',
      constraint: 'issue_labels_label_id_fkey',
      columns: ['id'],
      references: ['id'],
      through: { table: 'kanbanIssueLabels', columns: ['issue_id'], references: ['label_id'] },
    },
  ],
  computed: [{ name: 'shout', function: { schema: 'kanban', name: 'issues_shout' }, type: text }],
  insertable: true,
  updatable: true,
  deletable: true,
};

const labels: TableDescriptor = {
  field: 'kanbanLabels',
  type: 'KanbanLabels',
  schema: 'kanban',
  name: 'labels',
  kind: 'table',
  columns: [
    { name: 'id', type: int4 },
    { name: 'name', type: text },
  ],
  primaryKey: { name: 'labels_pkey', columns: ['id'] },
};

const issueLabels: TableDescriptor = {
  field: 'kanbanIssueLabels',
  type: 'KanbanIssueLabels',
  schema: 'kanban',
  name: 'issue_labels',
  kind: 'table',
  columns: [
    { name: 'issue_id', type: int4 },
    { name: 'label_id', type: int4 },
  ],
  primaryKey: { name: 'issue_labels_pkey', columns: ['issue_id', 'label_id'] },
};

const briefs: TableDescriptor = {
  field: 'kanbanBriefs',
  type: 'KanbanBriefs',
  schema: 'kanban',
  name: 'briefs',
  kind: 'table',
  columns: [
    { name: 'issue_id', type: int4 },
    { name: 'body', type: text },
  ],
  primaryKey: { name: 'briefs_pkey', columns: ['issue_id'] },
  relations: [forward('kanbanIssueId', 'kanbanIssues', 'briefs_issue_id_fkey', 'issue_id', 'id')],
};

/** A table without any key. */
const log: TableDescriptor = {
  field: 'kanbanLog',
  type: 'KanbanLog',
  schema: 'kanban',
  name: 'log',
  kind: 'table',
  columns: [
    { name: 'at', type: timestamptz },
    { name: 'line', type: text },
  ],
};

export const boardRegistry: Registry = createRegistry({
  tables: [briefs, issueLabels, issues, labels, log, projects, users],
  enums: [
    {
      type: 'KanbanIssueStatus',
      schema: 'kanban',
      name: 'issue_status',
      values: [{ label: 'todo' }, { label: 'in progress', name: 'in_progress' }, { label: 'done' }],
    },
  ],
});

/** The table with this key, e.g. `kanbanIssues`. */
export function tableOf(registry: Registry, field: string): Table {
  const table = registry.table.get(field);
  if (table === undefined) throw new Error(`no table ${field} in the registry`);
  return table;
}

function many(name: string, table: string, constraint: string, column: string, reference: string) {
  return {
    name,
    cardinality: 'many',
    direction: 'reverse',
    table,
    constraint,
    columns: [column],
    references: [reference],
  } as const;
}

function forward(name: string, table: string, constraint: string, column: string, reference: string) {
  return {
    name,
    cardinality: 'one',
    direction: 'forward',
    table,
    constraint,
    columns: [column],
    references: [reference],
  } as const;
}
