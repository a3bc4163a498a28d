-- One table for each kind of relation: projects 1-n issues, issues n-1 users (nullable), issues n-m labels
-- through issue_labels, issues 1-1 briefs, and a table without a key.
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
