-- The same without pgvector: nothing of vectors is in any file.
CREATE TABLE documents (id integer PRIMARY KEY, body text NOT NULL, embedding real[] NOT NULL, draft real[]);
CREATE TABLE plain (id integer PRIMARY KEY);
