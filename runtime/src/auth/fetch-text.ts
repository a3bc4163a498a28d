/** Bytes of an answer. A key takes half a kilobyte, with a certificate some more. */
const MAX_BYTES = 1024 * 1024;

/**
 * Fetches a text from an identity provider: its key set, or its statement about a token. Rejects
 * when the text is too large, or has not arrived whole in time. Redirects are not followed: the
 * operator named the place that is trusted. A user name and a password in the address are sent as
 * Basic credentials: fetch refuses them, in a message that shows the password.
 *
 * The timer is our own. On Node.js 20 a signal of `AbortSignal.timeout` that only `AbortSignal.any`
 * refers to may be collected before it fires.
 * @param controller aborted by the caller to give up
 */
export async function fetchText(
  url: URL,
  timeoutMs: number,
  controller: AbortController,
  request: Omit<RequestInit, 'headers'> & { readonly headers: Readonly<Record<string, string>> },
): Promise<string> {
  const { signal } = controller;
  const tooLate = new Error(`It was not complete after ${String(timeoutMs)} ms.`);
  const timer = setTimeout(() => {
    controller.abort(tooLate);
  }, timeoutMs);
  try {
    const response = await fetch(withoutCredentials(url), {
      ...request,
      headers: { ...credentialsOf(url), ...request.headers },
      redirect: 'error',
      signal,
    });
    if (response.status !== 200) {
      controller.abort();
      throw new Error(`It was answered with status ${String(response.status)}.`);
    }
    return await bodyOf(response, controller);
  } finally {
    clearTimeout(timer);
  }
}

function withoutCredentials(url: URL): URL {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  return bare;
}

/** RFC 7617. */
function credentialsOf({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}

async function bodyOf({ body }: Response, controller: AbortController): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > MAX_BYTES) {
      const tooLarge = new Error(`It is larger than ${String(MAX_BYTES)} bytes.`);
      controller.abort(tooLarge);
      throw tooLarge;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
