/** The protocol's binary form has numbers only for counts; everything else is requested as text. */
export function rawText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Buffer.isBuffer(value)) return value.toString('utf8');
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : (value as string);
}
