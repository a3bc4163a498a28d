/// <reference lib="dom" />
import { addressOf } from '../client/base-path.js';
import { session } from '../client/session.js';
import { asBytes } from '../client/requests.js';
import type { Description } from './document.js';
import { swaggerScript } from './paths.js';

/** A request as Swagger UI is about to send it. */
interface SwaggerRequest {
  readonly url: string;
  headers: Record<string, string>;
}

type Component = (props: object) => unknown;

/** What is used of https://swagger.io/docs/open-source-tools/swagger-ui/usage/configuration/ */
interface SwaggerOptions {
  readonly spec: Description;
  readonly domNode: HTMLElement;
  readonly docExpansion: 'list' | 'none';
  readonly defaultModelsExpandDepth: number;
  readonly validatorUrl: null;
  readonly tryItOutEnabled: boolean;
  readonly displayRequestDuration: boolean;
  readonly requestInterceptor: (request: SwaggerRequest) => SwaggerRequest;
  readonly plugins: readonly { readonly wrapComponents: Readonly<Record<string, () => Component>> }[];
  readonly syntaxHighlight: { readonly theme: 'obsidian' };
}

declare const SwaggerUIBundle: (options: SwaggerOptions) => unknown;

let loaded: Promise<void> | undefined;

/** Loads Swagger UI, a script and no module, once. Rejects where it does not load. */
export function loadSwagger(): Promise<void> {
  loaded ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.addEventListener('load', () => {
      resolve();
    });
    script.addEventListener('error', () => {
      reject(new Error(`${swaggerScript} does not load.`));
    });
    script.src = addressOf(swaggerScript);
    document.head.append(script);
  });
  return loaded;
}

const nothing = (): Component => () => null;

/** The page has a heading and a choice of the caller of its own; there is one server. */
const withoutHead = {
  wrapComponents: { InfoContainer: nothing, SchemesContainer: nothing, ServersContainer: nothing },
};

/** Shows operations to try in a place, sent as whoever is chosen at the top of the page. */
export function showOperations(place: HTMLElement, spec: Description, expanded: boolean): void {
  const domNode = document.createElement('div');
  place.replaceChildren(domNode);
  SwaggerUIBundle({
    spec,
    domNode,
    docExpansion: expanded ? 'list' : 'none',
    defaultModelsExpandDepth: -1,
    validatorUrl: null,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    requestInterceptor: (request) => {
      const { token } = session();
      request.headers = {
        ...Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, asBytes(value)])),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      };
      return request;
    },
    plugins: [withoutHead],
    syntaxHighlight: { theme: 'obsidian' },
  });
}
