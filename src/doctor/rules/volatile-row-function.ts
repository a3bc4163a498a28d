import { afterReview, type Rule } from '../finding.js';
import { pathOf, quotedPath } from '../quote.js';

export const volatileRowFunction: Rule = {
  code: 'volatile-row-function',
  severities: ['info'],
  title: 'Functions of a row that could be fields, but are VOLATILE',
  why: 'A function of one row of a table is a field of that table when it is STABLE or IMMUTABLE. VOLATILE, the default, means that the function may write, but reading a field must not write.',
  find: ({ catalog, tableOf }) =>
    catalog.routines.flatMap((routine) => {
      const [argument, ...others] = routine.arguments;
      if (routine.kind !== 'function' || routine.volatility !== 'volatile' || routine.returnsSet) return [];
      if (argument?.mode !== 'in' || argument.type.array || others.length > 0) return [];
      const table = tableOf(argument.type);
      if (table === undefined || routine.returns?.name === 'void' || routine.returns?.name === 'trigger') return [];
      return [
        {
          severity: 'info',
          kind: 'function',
          object: pathOf(routine),
          message: `${pathOf(routine)}(${routine.signature}) is VOLATILE, so it is no field of ${pathOf(table)}.`,
          remedy: afterReview(
            [`alter function ${quotedPath(routine)}(${routine.signature}) stable;`],
            'Only if it writes nothing.',
          ),
        },
      ];
    }),
};
