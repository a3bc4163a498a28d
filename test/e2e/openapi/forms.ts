import type { Asked } from './requests.js';

/**
 * Forms of answers that a request selects with headers; OpenAPI cannot express the connection.
 * Prism treats every `…+json` as application/json, and reports an answer without a body as
 * incomplete, so each form is checked against a document without the other forms.
 */
export const forms = ['json', 'object', 'nothing'] as const;

export type Form = (typeof forms)[number];

export function formOf({ headers }: Asked): Form {
  if (headers['prefer']?.includes('headers-only') === true) return 'nothing';
  return headers['accept'] === objectType ? 'object' : 'json';
}

const objectType = 'application/vnd.pgrst.object+json';

/** The document without the other forms. */
export function describedFor(form: Form, text: string): string {
  const document = JSON.parse(text) as Described;
  const { responses } = document.components;
  const all = [
    ...Object.values(responses),
    ...Object.values(document.paths).flatMap((item) =>
      Object.values(item).flatMap((operation) => Object.values(operation.responses)),
    ),
  ];
  for (const response of all) {
    const { content } = response;
    if (content?.[objectType] === undefined) continue;
    const other = form === 'object' ? 'application/json' : objectType;
    if (form === 'nothing') delete response.content;
    else response.content = Object.fromEntries(Object.entries(content).filter(([type]) => type !== other));
  }
  return JSON.stringify(document);
}

interface Described {
  readonly components: { readonly responses: Readonly<Record<string, DescribedResponse>> };
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, DescribedResponse>> }>>>
  >;
}

interface DescribedResponse {
  content?: Record<string, unknown>;
}
