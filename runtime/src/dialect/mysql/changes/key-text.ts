/**
 * The text form of a key's value, by which statements look for the row. `value` comes from the
 * reader of the binary log. Undefined if statements cannot look for such a value.
 *
 *     keyText(Buffer.from('a'), 'binary(2)')    // '\x6100'
 *
 * @param type of the column, as MariaDB writes it
 */
export function keyText(value: unknown, type: string): string | undefined {
  if (Buffer.isBuffer(value)) return bytesText(value, type);
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
      return String(value);
    default:
      return undefined;
  }
}

/** The log leaves out zeros at the end of a value of fixed length. */
function bytesText(value: Buffer, type: string): string | undefined {
  const [, name, length] = /^(\w+)(?:\((\d+)\))?/.exec(type) ?? [];
  if (name === 'bit') return [...value].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const missing = name === 'uuid' ? 16 : name === 'binary' ? Number(length ?? 1) : 0;
  const hex = value.toString('hex').padEnd(2 * missing, '0');
  if (name === 'uuid') return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return /binary|blob/.test(name ?? '') ? `\\x${hex}` : undefined;
}
