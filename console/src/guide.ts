import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { codes, ServerError } from '@tablewright/runtime/console';
import type { ConsoleGuide } from './console-model.js';

/** A path of this server, and of no other. */
const ownPath = z.string().regex(/^\/(?![/\\])/);

const shape = z.object({
  pages: z.array(z.object({ name: z.string(), path: ownPath })).default([]),
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
 * Reads the guide: users and tasks that the console offers. The console reads it for each page, so
 * that its author sees every change at once.
 * @throws ServerError `misconfigured` if the file does not exist or is not a guide
 */
export async function readGuide(path: string | undefined): Promise<ConsoleGuide> {
  if (path === undefined) return { pages: [], users: [], tasks: [] };
  try {
    return shape.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    throw new ServerError(500, codes.misconfigured, 'The file of app.console-guide is not a guide.', {
      hint: 'It is JSON: {"users": [{"name", "token"}], "tasks": [{"title", "text", "graphql" or "rest"}]}.',
      cause,
    });
  }
}
