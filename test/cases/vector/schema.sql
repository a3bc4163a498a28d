-- Loaded into PGlite, which brings pgvector.
CREATE EXTENSION vector;
CREATE TABLE documents (id integer PRIMARY KEY, body text NOT NULL, embedding vector(8) NOT NULL, draft vector);
CREATE TABLE plain (id integer PRIMARY KEY);
