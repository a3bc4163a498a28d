import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { answerFetch, type Listener } from '../../../runtime/src/extensions/fetch/index.js';

/** Bodies wait for their reader, and both sides learn when the other one goes away. */

const ask = (
  listener: Listener,
  init: RequestInit & { readonly duplex?: 'half' } = {},
  path = '/',
): Promise<Response> => answerFetch(listener, new Request(`https://app.example.com${path}`, init));

/** A listener whose request and answer the test uses. */
function held(): { readonly listener: Listener; readonly given: Promise<readonly [IncomingMessage, ServerResponse]> } {
  let give: (given: readonly [IncomingMessage, ServerResponse]) => void;
  const given = new Promise<readonly [IncomingMessage, ServerResponse]>((resolve) => (give = resolve));
  return {
    listener: (request, response) => {
      give([request, response]);
    },
    given,
  };
}

const piece = Buffer.alloc(65_536, 'x');

test('a long answer is written as fast as it is read', async () => {
  const { listener, given } = held();
  const asked = ask(listener);
  const [, response] = await given;
  let written = 0;
  const finished = (async () => {
    for (; written < 100; written += 1) if (!response.write(piece)) await once(response, 'drain');
    response.end();
  })();
  const reader = (await asked).body?.getReader();
  let read = 0;
  for (let at = 0; at < 10; at += 1) read += (await reader?.read())?.value?.length ?? 0;
  for (let at = 0; at < 10; at += 1) await setImmediate();
  expect(written * piece.length).toBeLessThanOrEqual(read + 2 * piece.length);
  for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) read += next.value.length;
  await finished;
  expect(read).toBe(100 * piece.length);
});

test('a long request is read as fast as the listener reads it', async () => {
  let sent = 0;
  const source = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        sent += 1;
        controller.enqueue(piece);
        if (sent === 100) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const { listener, given } = held();
  const asked = ask(listener, { method: 'POST', body: source, duplex: 'half' });
  const [request, response] = await given;
  await once(request, 'readable');
  for (let at = 0; at < 10; at += 1) await setImmediate();
  expect(sent).toBeLessThan(5);
  let read = 0;
  for await (const chunk of request) read += (chunk as Buffer).length;
  response.end(String(read));
  expect(await (await asked).text()).toBe(String(100 * piece.length));
});

test('an abort before the answer rejects with its reason, and closes the answer', async () => {
  const { listener, given } = held();
  const controller = new AbortController();
  const asked = ask(listener, { signal: controller.signal });
  const [request, response] = await given;
  const closed = once(response, 'close');
  const reason = new Error('The user has closed the page.');
  controller.abort(reason);
  await expect(asked).rejects.toBe(reason);
  await closed;
  expect([response.writableFinished, request.destroyed]).toEqual([false, true]);
  await expect(ask(listener, { signal: controller.signal })).rejects.toBe(reason);
});

test.each(['abort', 'cancel'])('%s while a stream is read closes the answer', async (how) => {
  const { listener, given } = held();
  const controller = new AbortController();
  const asked = ask(listener, { signal: controller.signal });
  const [, response] = await given;
  const closed = once(response, 'close');
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('data: 1\n\n');
  const reader = (await asked).body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('data: 1\n\n');
  if (how === 'cancel') await reader?.cancel();
  else {
    controller.abort();
    await expect(reader?.read()).rejects.toThrow('aborted');
  }
  await closed;
  expect(response.writableFinished).toBe(false);
});

test('an answer that the server gives up is an error, before and after it begins', async () => {
  const lost = 'The server has closed the connection before its answer was complete.';
  await expect(ask((_request, response) => void response.destroy())).rejects.toThrow(lost);
  const { listener, given } = held();
  const asked = ask(listener);
  const [, response] = await given;
  response.writeHead(200, { 'content-length': 10 });
  response.write('abc');
  const answer = await asked;
  response.destroy();
  await expect(answer.text()).rejects.toThrow(lost);
});

test('a request that is answered before it is read is cancelled', async () => {
  let cancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      controller.enqueue(piece);
    },
    cancel: () => {
      cancelled = true;
    },
  });
  const { listener, given } = held();
  const asked = ask(listener, { method: 'POST', body: endless, duplex: 'half' });
  const [, response] = await given;
  const closed = once(response, 'close');
  response.writeHead(413).end('too long');
  const answer = await asked;
  expect([answer.status, await answer.text()]).toEqual([413, 'too long']);
  await closed;
  expect([response.writableFinished, cancelled]).toEqual([true, true]);
});

test('a body that breaks off is an error of the request', async () => {
  const { listener, given } = held();
  const broken = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      controller.error(new Error('The network is gone.'));
    },
  });
  const asked = ask(listener, { method: 'POST', body: broken, duplex: 'half' });
  const [request] = await given;
  request.resume();
  await expect(once(request, 'end')).rejects.toThrow('The network is gone.');
  await expect(asked).rejects.toThrow('The network is gone.');
});

test('what a listener sees of a request', async () => {
  const seen = await ask(
    ({ method, url, headers, socket, httpVersion }, response) => {
      response.end(JSON.stringify({ method, url, headers, httpVersion, encrypted: 'encrypted' in socket }));
    },
    { method: 'PATCH', headers: { Cookie: 'a=1' }, body: 'x' },
    '/a%2Fb?c=%20d#e',
  );
  expect(await seen.json()).toEqual({
    method: 'PATCH',
    url: '/a%2Fb?c=%20d',
    headers: { host: 'app.example.com', cookie: 'a=1', 'content-type': 'text/plain;charset=UTF-8' },
    httpVersion: '1.1',
    encrypted: true,
  });
  const options = { remoteAddress: '192.0.2.7' };
  const listener: Listener = ({ socket }, response) => response.end(socket.remoteAddress);
  expect(await (await answerFetch(listener, new Request('http://a.test'), options)).text()).toBe('192.0.2.7');
});

test('heads of all kinds', async () => {
  const cookies = await ask((_request, response) => {
    response.writeEarlyHints({ link: '</a.css>; rel=preload' });
    response.setHeader('set-cookie', ['a=1', 'b=2']);
    response.writeHead(201, 'Made').end('ä');
  });
  expect([cookies.status, cookies.statusText, cookies.headers.getSetCookie()]).toEqual([201, 'Made', ['a=1', 'b=2']]);
  expect([cookies.headers.get('link'), await cookies.text()]).toEqual([null, 'ä']);
  const head = await ask((_request, response) => response.writeHead(200, { 'content-length': 3 }).end('abc'), {
    method: 'HEAD',
  });
  expect([head.headers.get('content-length'), head.body]).toEqual(['3', null]);
  for (const status of [204, 304])
    expect((await ask((_request, response) => response.writeHead(status).end())).body).toBeNull();
  await expect(ask((_request, response) => response.writeHead(799).end())).rejects.toThrow(RangeError);
});
