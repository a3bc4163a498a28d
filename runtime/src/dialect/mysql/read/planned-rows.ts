import type { RawRow } from '../../../plan/statement.js';

/**
 * The number of rows that EXPLAIN estimates for the first table, times the part that the filter
 * keeps. MariaDB writes `"rows": 42, "filtered": 50`; MySQL writes `"rows_examined_per_scan": 42,
 * "rows_produced_per_join": 21, "filtered": "50.00"`, and in its second format `"estimated_rows":
 * 21.0`.
 */
export function plannedRows([explained]: RawRow): number {
  const text = explained ?? '';
  const found =
    /"rows(?:_examined_per_scan)?": (\d+)(?:,\s*"rows_produced_per_join": \d+)?(?:,\s*"filtered": "?([\d.]+))?/.exec(
      text,
    );
  if (found !== null) return Math.round((Number(found[1]) * Number(found[2] ?? 100)) / 100);
  return Math.round(Number(/"estimated_rows": ([\d.e+]+)/.exec(text)?.[1] ?? 0));
}
