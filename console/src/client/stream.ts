/// <reference lib="dom" />
import { addressOf } from './base-path.js';
import { sentHeaders, type ApiRequest } from './requests.js';
import { session } from './session.js';

/**
 * Sends a subscription, and calls back with the text of each message, until the signal is aborted
 * or the server ends it. Server-sent events have headers, and so a token; a browser's WebSocket has
 * none. Rejects where the server refuses the subscription.
 */
export async function listen(
  { path, headers, body = '' }: ApiRequest,
  signal: AbortSignal,
  message: (text: string) => void,
): Promise<void> {
  const response = await fetch(addressOf(path), {
    method: 'POST',
    headers: { ...sentHeaders(headers, session()), accept: 'text/event-stream' },
    body,
    signal,
  });
  if (!response.ok || response.body === null) throw new Error(await response.text());
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const events = (text + part.value).split('\n\n');
    text = events.pop() ?? '';
    for (const event of events)
      if (event.startsWith('event: next')) message(event.slice(event.indexOf('data: ') + 'data: '.length));
  }
}
