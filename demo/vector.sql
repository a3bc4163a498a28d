-- Adds vector search to the demo. It needs pgvector; the rest of the demo works without this file.
CREATE EXTENSION IF NOT EXISTS vector;

ALTER TABLE kanban.issues ADD COLUMN embedding vector(8);
COMMENT ON COLUMN kanban.issues.embedding IS 'What the title is about, for nearest-neighbour search. Filled by a trigger.';

-- A toy embedding that needs no model. Each of the eight numbers is the share of one topic in the
-- text, and every stemmed word adds a small vector in a direction of its own (its MD5), so that no
-- two texts are the same. The result has length 1. Real embeddings come from a language model and
-- have hundreds of dimensions; they are stored and searched in the same way.
CREATE FUNCTION kanban.embed(content text) RETURNS vector
LANGUAGE sql IMMUTABLE STRICT
AS $$
  WITH topic (dimension, words) AS (
    VALUES
      (0, to_tsvector('english', 'slow times hour month connections load latency speed quick')),
      (1, to_tsvector('english', 'fails error empty silently stalls retry update crash lost broken')),
      (2, to_tsvector('english', 'login credentials cookie fraud certificate password token rotate')),
      (3, to_tsvector('english', 'payment refund invoice currency checkout price order card gateway')),
      (4, to_tsvector('english', 'backup deployment pipeline log archive alert region restart disk network job worker')),
      (5, to_tsvector('english', 'test tests measure check experiment training model tracker')),
      (6, to_tsvector('english', 'translate document reference guide release notes search French Arabic playground')),
      (7, to_tsvector('english', 'keyboard screen page form gallery photo image settings banner tour choice mode'))
  ), word AS (
    SELECT lexeme, md5(lexeme) AS digest FROM unnest(tsvector_to_array(to_tsvector('english', content))) AS lexeme
  ), direction AS (
    SELECT t.dimension, coalesce(sum(
      (w.lexeme = ANY (tsvector_to_array(t.words)))::integer
      + 0.15 * (('x' || substr(w.digest, t.dimension * 4 + 1, 4))::bit(16)::integer / 32768.0 - 1)
    ), 0)::float8 AS size
    FROM topic t LEFT JOIN word w ON true
    GROUP BY t.dimension
  )
  SELECT array_agg(coalesce(round((d.size / NULLIF(sqrt(length.squared), 0))::numeric, 4), 0) ORDER BY d.dimension)::vector
  FROM direction d, (SELECT sum(size * size) AS squared FROM direction) AS length
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

-- For L2, the default distance. The vectors have length 1, so cosine and inner product give the
-- same order.
CREATE INDEX issues_embedding ON kanban.issues USING hnsw (embedding vector_l2_ops);
