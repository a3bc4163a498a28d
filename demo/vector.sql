-- Adds vector search to the demo. Needs pgvector; everything else of the demo works without this file.
CREATE EXTENSION IF NOT EXISTS vector;

ALTER TABLE kanban.issues ADD COLUMN embedding vector(8);
COMMENT ON COLUMN kanban.issues.embedding IS 'What the title is about, for nearest-neighbour search. Filled by a trigger.';

-- A toy embedding that needs no model: each stemmed word points in a direction of its own (its MD5, read as eight
-- numbers), a text in the sum of them, scaled to length 1. Texts that share words are near each other. Real ones come
-- from a language model and have hundreds of dimensions; they are stored and searched in the same way.
CREATE FUNCTION kanban.embed(content text) RETURNS vector
LANGUAGE sql IMMUTABLE STRICT
AS $$
  WITH word AS (
    SELECT md5(lexeme) AS digest FROM unnest(tsvector_to_array(to_tsvector('english', content))) AS lexeme
  ), direction AS (
    SELECT dimension, coalesce(sum(('x' || substr(digest, dimension * 4 + 1, 4))::bit(16)::integer - 32768), 0)::float8 AS size
    FROM generate_series(0, 7) AS dimension LEFT JOIN word ON true
    GROUP BY dimension
  )
  SELECT array_agg(coalesce(round((size / NULLIF(sqrt(length.squared), 0))::numeric, 4), 0) ORDER BY dimension)::vector
  FROM direction, (SELECT sum(size * size) AS squared FROM direction) AS length
$$;

CREATE FUNCTION kanban.embed_issue() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF NEW.title = OLD.title THEN
      RETURN NEW;
    END IF;
    NEW.embedding := kanban.embed(NEW.title);
  ELSIF NEW.embedding IS NULL THEN
    NEW.embedding := kanban.embed(NEW.title);
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER embed BEFORE INSERT OR UPDATE ON kanban.issues FOR EACH ROW EXECUTE FUNCTION kanban.embed_issue();

-- For L2, the default distance. The vectors have length 1, so cosine and inner product give the same order.
CREATE INDEX issues_embedding ON kanban.issues USING hnsw (embedding vector_l2_ops);
