/** A place in the log of changes of a database. */
export interface Position {
  /** Positions of different histories cannot be compared: the system and timeline of PostgreSQL. */
  readonly history: string;
  /** The last change of each stream. PostgreSQL has one stream. */
  readonly marks: ReadonlyMap<string, bigint>;
}

/** Whether everything up to `wanted` is part of `position`. */
export function covers(position: Position | undefined, wanted: Position): boolean {
  if (position?.history !== wanted.history) return false;
  for (const [stream, mark] of wanted.marks) if ((position.marks.get(stream) ?? -1n) < mark) return false;
  return true;
}
