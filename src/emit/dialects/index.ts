import type { Dialect } from '@tablewright/runtime/model';
import type { EmitDialect } from './dialect.js';
import { mysql } from './mysql.js';
import { postgres } from './postgres.js';

export const emitDialects: Readonly<Record<Dialect, EmitDialect>> = { postgres, mysql };
