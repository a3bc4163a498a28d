import { sql } from 'kysely';
import type { ConnectionPlan, ConnectionSelectionPlan, EdgePlan, PageInfoPlan } from '../../../plan/read/plan.js';
import { Page } from './page.js';
import { entries } from './read.js';
import type { Compiler } from './scope.js';
import { jsonText, objectText, whole, type Entry, type Text } from './text.js';
import type { Fragment } from '../sql.js';

/** A scalar subselect with a connection's JSON object. */
export function compileConnection(plan: ConnectionPlan, compiler: Compiler): Fragment {
  const page = new Page(plan, compiler);
  const object = objectText(plan.select.map((each): Entry => ({ as: each.as, value: selection(each, page) })));
  return whole(page.around(object));
}

const name = (text: string): Text => jsonText(sql.raw(`'"${text}"'`));

function selection(of: ConnectionSelectionPlan, page: Page): Text {
  switch (of.kind) {
    case 'constant':
      return name(of.text);
    case 'totalCount':
      return jsonText(page.total());
    case 'nodes':
      return jsonText(page.list(page.ofRow(objectText(entries(of.select, page.scope)))));
    case 'edges':
      return jsonText(page.list(objectText(of.select.map((each) => edge(each, page)))));
    case 'pageInfo':
      return jsonText(objectText(of.select.map((each) => pageInfo(each, page))));
  }
}

function edge(of: EdgePlan, page: Page): Entry {
  switch (of.kind) {
    case 'constant':
      return { as: of.as, value: name(of.text) };
    case 'cursor':
      return { as: of.as, value: { text: page.cursor(), form: 'plain', nullable: false } };
    case 'node':
      return { as: of.as, value: jsonText(page.ofRow(objectText(entries(of.select, page.scope)))) };
  }
}

const truth = (test: Fragment): Text => jsonText(sql`if(${test}, 'true', 'false')`);

function pageInfo(of: PageInfoPlan, page: Page): Entry {
  switch (of.kind) {
    case 'constant':
      return { as: of.as, value: name(of.text) };
    case 'hasNextPage':
      return { as: of.as, value: truth(page.hasNext()) };
    case 'hasPreviousPage':
      return { as: of.as, value: truth(page.hasPrevious()) };
    case 'startCursor':
      return { as: of.as, value: { text: page.cursorAt('start'), form: 'plain', nullable: true } };
    case 'endCursor':
      return { as: of.as, value: { text: page.cursorAt('end'), form: 'plain', nullable: true } };
  }
}
