import type { PlanOptions } from '../../../plan/statement.js';
import type { Answer } from '../../../response/answer.js';

/** The form of a plan, and of the planned answer. */
export interface PlanForm extends PlanOptions {
  /** The media type that the planned request would be answered in. */
  readonly form: string;
}

/** Source: PostgREST, "Execution plan". */
export function planAnswer(text: string, { format, form, details }: PlanForm): Answer {
  const options = details.length === 0 ? '' : `; options=${details.join('|')}`;
  const type = `application/vnd.pgrst.plan+${format}; for="${form}"${options}; charset=utf-8`;
  return { status: 200, headers: { 'content-type': type }, body: text };
}
