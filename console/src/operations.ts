import type { Answer } from '@tablewright/runtime/console';
import type { ConsoleModel } from './console-model.js';
import { describedFor, type Description, type Subject } from './explorer/document.js';
import { operationsPath } from './explorer/paths.js';
import { file } from './file.js';

/** The tables and functions that the explorer shows. */
export type Subjects = Pick<ConsoleModel, 'tables' | 'functions'>;

const subjectPath = /^(?:\/(table|function)\/([^/]+))?\.json$/;

/**
 * openapi.json for the explorer. At 1,000 tables it has 20 MB, which a browser would parse for each
 * page: a page gets the operations of one table or function. The server parses the document in
 * about 300 ms, and keeps the result only until the memory is needed.
 * @returns the answer to a path below `operationsPath`; undefined where nothing is at that path
 */
export function createOperations(
  openapi: () => Promise<Buffer>,
): (path: string, subjects: Subjects, base: string) => Promise<Answer | undefined> {
  let parsed: WeakRef<Description> | undefined;
  const document = async (): Promise<Description> => {
    const known = parsed?.deref();
    if (known !== undefined) return known;
    const made = JSON.parse((await openapi()).toString('utf8')) as Description;
    parsed = new WeakRef(made);
    return made;
  };
  return async (path, subjects, base) => {
    const asked = subjectPath.exec(path.slice(operationsPath.length));
    if (asked === null) return undefined;
    const [, kind, name = ''] = asked;
    if (kind === undefined) return described(await document(), undefined, base);
    const subject = subjectOf(kind === 'table' ? 'table' : 'function', name, subjects);
    return subject === undefined ? undefined : described(await document(), subject, base);
  };
}

function subjectOf(kind: Subject['kind'], name: string, { tables, functions }: Subjects): Subject | undefined {
  const among = kind === 'table' ? tables : functions;
  const found = among.find(({ field }) => encodeURIComponent(field) === name);
  return found === undefined ? undefined : { kind, schema: found.schema, name: found.name };
}

const described = ({ servers = [], ...whole }: Description, subject: Subject | undefined, base: string): Answer => {
  const below = servers.map(({ url }) => ({ url: base + url }));
  return file(JSON.stringify(describedFor({ ...whole, servers: below }, subject)), 'application/json', 'no-cache');
};
