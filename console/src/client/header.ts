/// <reference lib="dom" />
import type { ConsoleModel } from '../console-model.js';
import { callerChoice } from './caller.js';
import { element, type Child } from './dom.js';
import { diagramLink, explorerPath } from './links.js';

const pages = (model: ConsoleModel): readonly (readonly [href: string, text: string])[] => [
  ['/#/', 'Tables'],
  [`/${diagramLink()}`, 'Diagram'],
  ...(model.graphiql ? [['/graphql', 'GraphiQL'] as const] : []),
  [explorerPath, 'REST explorer'],
  ['/api/v1/openapi.json', 'OpenAPI'],
  ...model.guide.pages.map(({ name, path }) => [path, name] as const),
];

/** The top of every page: where one can go, and as whom requests are sent. */
export const siteHeader = (model: ConsoleModel, current: string, first?: Child): HTMLElement =>
  element(
    'header',
    { class: 'top' },
    first,
    element('a', { class: 'brand', href: '/#/' }, 'Tablewright'),
    element(
      'nav',
      { 'aria-label': 'Tools' },
      pages(model).map(([href, text]) =>
        element('a', { href, 'aria-current': text === current ? 'page' : undefined }, text),
      ),
    ),
    callerChoice(model),
  );
