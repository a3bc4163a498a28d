import type { ConnectionPlan, ConnectionSelectionPlan, EdgePlan, PageInfoPlan } from '../../../plan/read/plan.js';
import { objectOf, type Entry } from './object.js';
import { Page } from './page.js';
import { entries } from './read.js';
import type { Compiler } from './scope.js';
import { typeNameText, type Fragment } from '../sql.js';

/** A scalar subselect with a connection's JSON object. */
export function compileConnection(plan: ConnectionPlan, compiler: Compiler): Fragment {
  const page = new Page(plan, compiler);
  const members = plan.select.map((each): Entry => ({ as: each.as, value: selection(each, page) }));
  return objectOf(members, page.from());
}

function selection(of: ConnectionSelectionPlan, page: Page): Fragment {
  switch (of.kind) {
    case 'constant':
      return typeNameText(of.text);
    case 'totalCount':
      return page.total();
    case 'nodes':
      return page.list(page.ofRow(objectOf(entries(of.select, page.scope))));
    case 'edges':
      return page.list(objectOf(of.select.map((each) => edge(each, page))));
    case 'pageInfo':
      return objectOf(of.select.map((each) => pageInfo(each, page)));
  }
}

function edge(of: EdgePlan, page: Page): Entry {
  switch (of.kind) {
    case 'constant':
      return { as: of.as, value: typeNameText(of.text) };
    case 'cursor':
      return { as: of.as, value: page.cursor() };
    case 'node':
      return { as: of.as, value: page.ofRow(objectOf(entries(of.select, page.scope))) };
  }
}

function pageInfo(of: PageInfoPlan, page: Page): Entry {
  switch (of.kind) {
    case 'constant':
      return { as: of.as, value: typeNameText(of.text) };
    case 'hasNextPage':
      return { as: of.as, value: page.hasNext() };
    case 'hasPreviousPage':
      return { as: of.as, value: page.hasPrevious() };
    case 'startCursor':
      return { as: of.as, value: page.cursorAt('start') };
    case 'endCursor':
      return { as: of.as, value: page.cursorAt('end') };
  }
}
