import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { codes, ServerError } from '../errors.js';
import type { ConsoleGuide } from './console-model.js';

const shape = z.object({
  users: z.array(z.object({ name: z.string(), token: z.string() })).default([]),
  tasks: z
    .array(
      z.object({
        title: z.string(),
        text: z.string(),
        graphql: z.string().optional(),
        rest: z.object({ path: z.string().startsWith('/api/v1/'), schema: z.string().optional() }).optional(),
        users: z.array(z.string().nullable()).optional(),
      }),
    )
    .default([]),
});

/**
 * Reads what the console offers to try. It is read for each page: whoever writes it sees at once
 * what it does.
 * @throws ServerError `misconfigured` when the file is not there, or is no guide
 */
export async function readGuide(path: string | undefined): Promise<ConsoleGuide> {
  if (path === undefined) return { users: [], tasks: [] };
  try {
    return shape.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    throw new ServerError(500, codes.misconfigured, 'The file of app.console-guide is no guide.', {
      hint: 'It is JSON: {"users": [{"name", "token"}], "tasks": [{"title", "text", "graphql" or "rest"}]}.',
      cause,
    });
  }
}
