import { z } from 'zod';
import { codes, ServerError } from '../../errors.js';
import type { RowFilter } from '../../plan/context.js';
import type { Services } from '../../execute/services.js';
import type { DataHandler } from '../../http/request-context.js';
import { nearest } from '../../nearest.js';
import type { Answered, Asked, Sender } from './ask.js';
import { ask } from './ask.js';

/** Bounds each update and delete of an agent. */
export const mostRows = z.int().min(1).default(100).describe('If more rows match, nothing is written.');

/** What tools answer from: one state of the database. */
export interface ToolSource {
  readonly services: Services;
  /** REST, and GraphQL where it has anything to show, for requests of tools alone. */
  readonly rest: DataHandler;
  readonly graphql: DataHandler | undefined;
  /** Whether agents may write: `app.mcp.writes`. */
  readonly writes: boolean;
}

/** A call of a tool. */
export interface Call {
  readonly source: ToolSource;
  readonly sender: Sender;
  /** The rows and columns that the caller may read; undefined where no rule limits them. */
  readonly rowFilter: RowFilter | undefined;
  readonly rest: (asked: Asked) => Promise<Answered>;
  readonly graphql: (asked: Asked) => Promise<Answered>;
}

export function callOf(source: ToolSource, sender: Sender): Call {
  const { graphql, rest, services } = source;
  return {
    source,
    sender,
    rowFilter: services.rowFilter?.(sender.identity),
    rest: (asked) => ask(rest, sender, asked),
    graphql: (asked) => {
      if (graphql === undefined)
        throw new ServerError(404, codes.notFound, 'This server has nothing that GraphQL serves.');
      return ask(graphql, sender, asked);
    },
  };
}

/** A tool of agents. */
export interface Tool {
  readonly name: string;
  /** What clients see of it. */
  readonly shown: object;
  /** Answers without a request to REST or GraphQL, which would count against rates. */
  readonly isLocal: boolean;
  readonly isRead: boolean;
  /** Throws or rejects with ServerError. */
  readonly run: (given: unknown, call: Call) => Promise<Answered> | Answered;
}

interface ToolParts<Shape extends z.ZodRawShape> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: Shape;
  readonly isLocal?: true;
  /** Absent: it reads. */
  readonly writes?: 'adds' | 'changes';
  readonly run: (given: z.infer<z.ZodObject<Shape>>, call: Call) => Promise<Answered> | Answered;
}

/** A tool whose arguments are checked by the schema that its clients see. */
export function defineTool<const Shape extends z.ZodRawShape>(parts: ToolParts<Shape>): Tool {
  const { name, title, description, isLocal = false, writes, run } = parts;
  const schema = z.strictObject(parts.arguments);
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' });
  return {
    name,
    shown: {
      name,
      title,
      description,
      inputSchema: {
        type: 'object',
        properties: properties as Record<string, object>,
        required,
        additionalProperties: false,
      },
      annotations: {
        readOnlyHint: writes === undefined,
        ...(writes === undefined ? {} : { destructiveHint: writes === 'changes' }),
        openWorldHint: false,
      },
    },
    isLocal,
    isRead: writes === undefined,
    run: (given, call) => {
      const checked = schema.safeParse(given ?? {});
      if (checked.success) return run(checked.data, call);
      throw wrongArguments(name, checked.error, Object.keys(parts.arguments));
    },
  };
}

/** The error for wrong arguments: it names each of them, and the most similar known argument. */
function wrongArguments(tool: string, { issues }: z.ZodError, known: readonly string[]): ServerError {
  const texts = issues.slice(0, 5).map(({ path, message }) => `${path.join('.') || tool}: ${message}`);
  const unknown = issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
  const near = unknown.map((name) => nearest(name, known)).find((name) => name !== undefined);
  return new ServerError(400, codes.malformedParameter, `The arguments do not fit. ${texts.join('; ')}`, {
    hint: near === undefined ? `${tool} takes ${known.join(', ')}.` : `Did you mean \`${near}\`?`,
  });
}

/** The answer of a tool that makes its own text. */
export const answered = (value: unknown): Answered => ({ status: 200, text: JSON.stringify(value) });
