import type { ConnectionPlan, ConnectionSelectionPlan, EdgePlan, PageInfoPlan } from '../../plan/read/plan.js';
import { Page } from './page.js';
import { entries } from './selection.js';
import type { Compiler, Entry, Target } from './words.js';

/** A scalar subselect with a connection's JSON object. */
export function compileConnection<D extends Target>(plan: ConnectionPlan, compiler: Compiler<D>): D['value'] {
  const page = new Page(plan, compiler);
  const members = plan.select.map((each): Entry<D> => ({ as: each.as, value: selection(each, page) }));
  return compiler.words.objectFrom(members, page.from());
}

function selection<D extends Target>(of: ConnectionSelectionPlan, page: Page<D>): D['value'] {
  const { words } = page;
  switch (of.kind) {
    case 'constant':
      return words.name(of.text);
    case 'totalCount':
      return words.json(page.total());
    case 'nodes':
      return page.list(page.ofRow(words.object(entries(of.select, page.scope))));
    case 'edges':
      return page.list(words.object(of.select.map((each) => ({ as: each.as, value: edge(each, page) }))));
    case 'pageInfo':
      return words.object(of.select.map((each) => ({ as: each.as, value: pageInfo(each, page) })));
  }
}

function edge<D extends Target>(of: EdgePlan, page: Page<D>): D['value'] {
  const { words } = page;
  switch (of.kind) {
    case 'constant':
      return words.name(of.text);
    case 'cursor':
      return words.token(page.cursor(), false);
    case 'node':
      return page.ofRow(words.object(entries(of.select, page.scope)));
  }
}

function pageInfo<D extends Target>(of: PageInfoPlan, page: Page<D>): D['value'] {
  const { words } = page;
  switch (of.kind) {
    case 'constant':
      return words.name(of.text);
    case 'hasNextPage':
      return words.truth(page.hasNext());
    case 'hasPreviousPage':
      return words.truth(page.hasPrevious());
    case 'startCursor':
      return words.token(page.cursorAt('start'), true);
    case 'endCursor':
      return words.token(page.cursorAt('end'), true);
  }
}
