import { applied, type Examination, type Examined, type SkippedRule } from './examination.js';
import { readFacts } from './read.js';
import { rules } from './rules/index.js';
import { enoughDays } from './rules/unused-index.js';
import { createSubject, type Subject } from './subject.js';

/** What the doctor examines in PostgreSQL. */
export const postgresExamination: Examination = {
  examine: async (connection, catalog, schemas, { serving, exclude }) =>
    examinedPostgres(createSubject(catalog, await readFacts(connection, schemas, serving), serving, exclude)),
};

/** The facts of a PostgreSQL database, with its rules. */
export const examinedPostgres = (subject: Subject): Examined => ({
  dialect: 'postgres',
  rules: applied(rules, subject),
  skipped: youngStatistics(subject),
});

function youngStatistics({ facts: { statisticsDays } }: Subject): readonly SkippedRule[] {
  if (statisticsDays !== null && statisticsDays >= enoughDays) return [];
  const age =
    statisticsDays === null ? 'of unknown age' : statisticsDays === 1 ? '1 day old' : `${statisticsDays} days old`;
  return [
    { rule: 'unused-index', reason: `The statistics of the database are ${age}; ${enoughDays} days are needed.` },
  ];
}
