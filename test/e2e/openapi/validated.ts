import type { Prism, Validated, ValidatingProxy } from '../../support/validating-proxy.js';
import { describedFor, formOf, forms, type Form } from './forms.js';
import { parametersOf, requestsTo, type Asked } from './requests.js';
import type { Document } from './document.js';

/** A violation of the document by an answer. */
export interface Objection {
  readonly request: string;
  readonly status: number;
  readonly objections: readonly string[];
}

export interface Checked {
  readonly requests: number;
  readonly objections: readonly Objection[];
  /** The number of answers with each status. */
  readonly statuses: ReadonlyMap<number, number>;
}

/**
 * Sends the described requests through validating proxies: every table, every operation.
 * @param more requests that follow from no table
 */
export async function checkServer(
  prism: Prism,
  base: string,
  token?: string,
  more: readonly Asked[] = [],
): Promise<Checked> {
  const upstream = `${base}/api/v1`;
  const text = await (await fetch(upstream, token === undefined ? {} : { headers: bearer(token) })).text();
  const document = JSON.parse(text) as Document;
  const proxies = new Map<Form, ValidatingProxy>();
  for (const form of forms) proxies.set(form, await prism.proxy(describedFor(form, text), upstream));
  const send = (form: Form, ...request: Parameters<ValidatingProxy['send']>): Promise<Validated> => {
    const proxy = proxies.get(form);
    if (proxy === undefined) throw new Error(`There is no proxy for ${form}.`);
    return proxy.send(...request);
  };
  const objections: Objection[] = [];
  const statuses = new Map<number, number>();
  let requests = 0;
  const check = async (asked: Asked): Promise<void> => {
    const headers = token === undefined ? asked.headers : { ...bearer(token), ...asked.headers };
    const reply = await send(formOf(asked), asked.method, asked.path, headers, asked.body);
    requests += 1;
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
    const said = [...unnamed(document, asked, reply), ...violationsOf(asked, reply)];
    if (said.length > 0)
      objections.push({
        request: `${asked.method} ${asked.path} ${JSON.stringify(asked.headers)}`,
        status: reply.status,
        objections: said,
      });
  };
  try {
    for (const path of Object.keys(document.paths)) {
      if (path.endsWith('/{id}') || path.startsWith('/rpc/')) continue;
      const rows = await rowsOf(send, document, path, token);
      for (const batch of batches(requestsTo(document, path, rows))) await Promise.all(batch.map(check));
    }
    for (const each of more) await check(each);
  } finally {
    for (const proxy of proxies.values()) await proxy.stop();
  }
  return { requests, objections, statuses };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function rowsOf(
  send: (form: Form, ...request: Parameters<ValidatingProxy['send']>) => Promise<Validated>,
  document: Document,
  path: string,
  token: string | undefined,
) {
  const [profile] = parametersOf(document, document.paths[path]?.['get']).filter(
    ({ name }) => name === 'Accept-Profile',
  );
  const schema = profile?.schema?.enum?.[0];
  const headers = {
    ...(token === undefined ? {} : bearer(token)),
    ...(schema === undefined ? {} : { 'accept-profile': schema }),
  };
  const { status, text } = await send('json', 'GET', `${path}?limit=3`, headers);
  return status === 200
    ? ((JSON.parse(text) as { data?: readonly Readonly<Record<string, unknown>>[] }).data ?? [])
    : [];
}

/** Reports a status that the document does not describe. */
function unnamed(document: Document, { method, path }: Asked, { status }: Validated): readonly string[] {
  const [plain = ''] = path.split('?');
  const item = document.paths[plain] ?? document.paths[`${plain.slice(0, plain.lastIndexOf('/'))}/{id}`];
  const operation = item?.[method === 'HEAD' ? 'get' : method.toLowerCase()];
  return operation?.responses[String(status)] === undefined ? [`${String(status)} is not described.`] : [];
}

/**
 * A failing request may violate the document itself. The answer has to conform in any case, except
 * for rows of a request that selects columns.
 */
function violationsOf({ selects, wrong }: Asked, { status, violations }: Validated): readonly string[] {
  return violations
    .filter(({ location }) => location[0] === 'response' || (wrong !== true && status < 400))
    .filter(({ location }) => selects !== true || location[2] !== 'data')
    .map(({ location, message }) => `${location.join('.')}: ${message}`);
}

function* batches(all: Iterable<Asked>): Generator<readonly Asked[]> {
  let batch: Asked[] = [];
  for (const each of all) {
    batch.push(each);
    if (batch.length < 8) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
