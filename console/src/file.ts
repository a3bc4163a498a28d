import { compress, type Answer, type Coding } from '@tablewright/runtime/console';

/** A file of the console. `caching` is its `Cache-Control`. */
export const file = (body: string | Buffer, type: string, caching: string): Answer => ({
  status: 200,
  headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': caching },
  body,
  tagged: true,
});

/** A file that is sent many times: it is compressed once in each coding that clients ask for. */
export function keptFile(text: string, type: string): Answer {
  const body = Buffer.from(text);
  const codings = new Map<Coding, Promise<Buffer>>();
  const compressed = (coding: Coding): Promise<Buffer> => {
    const known = codings.get(coding);
    if (known !== undefined) return known;
    const made = compress(body, coding);
    codings.set(coding, made);
    return made;
  };
  return { ...file(body, type, 'no-cache'), compressed };
}
