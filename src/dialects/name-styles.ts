import type { Names } from '@tablewright/runtime/model';

/**
 * The rules of names that a new project may begin with; undefined for the defaults. Source:
 * docs/names.md.
 */
export const nameStyles = {
  /** `kanbanIssues { story_points kanbanAssigneeId { name } }` */
  contract: undefined,
  /** `issues { story_points assignee { name } }` */
  plain: { schemaPrefix: 'several', relations: 'simple' },
  /** `issues { storyPoints assignee { name } }` */
  short: { schemaPrefix: 'several', columns: 'camel', relations: 'simple' },
} as const satisfies Readonly<Record<string, Names | undefined>>;

export type NameStyle = keyof typeof nameStyles;
