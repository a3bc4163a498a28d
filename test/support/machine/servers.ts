import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server that answers: its address and version. */
export interface Answer {
  readonly at: string;
  readonly version: string;
}

/** The reason why a server cannot be used. */
export interface Refusal {
  readonly reason: string;
}

/**
 * Asks a server that may still be starting. Where nothing listens the answer is no, at once. While
 * something listens, a question that fails for a passing reason is asked again.
 * @param question resolves with undefined when it has to be asked again
 */
export async function askPatiently(
  address: string,
  question: (host: string, port: number) => Promise<Answer | Refusal | undefined>,
  patience: Patience = defaultPatience,
): Promise<Answer | Refusal> {
  const { hostname, port } = new URL(address);
  const end = Date.now() + patience.limit;
  const saying = setTimeout(() => {
    patience.say(`Something listens at ${hostname}:${port} and does not answer yet. Waiting.`);
  }, patience.quiet);
  try {
    for (;;) {
      if (!(await accepts(hostname, Number(port)))) return { reason: `nothing listens at ${hostname}:${port}` };
      const answer = await Promise.race([
        question(hostname, Number(port)),
        sleep(end - Date.now(), undefined, { ref: false }),
      ]);
      if (answer !== undefined) return answer;
      if (Date.now() >= end) return { reason: `something listens at ${hostname}:${port} and does not answer` };
      await sleep(patience.pause);
    }
  } finally {
    clearTimeout(saying);
  }
}

/** Durations in milliseconds. */
export interface Patience {
  /** The longest wait for a server that listens and does not answer. */
  readonly limit: number;
  /** A wait that is longer is announced. */
  readonly quiet: number;
  /** Between two questions. */
  readonly pause: number;
  readonly say: (text: string) => void;
}

const defaultPatience: Patience = {
  limit: 300_000,
  quiet: 3_000,
  pause: 100,
  say: (text) => process.stderr.write(`${text}\n`),
};

/** Without a limit of its own: the system refuses a connection at once where nothing listens. */
async function accepts(host: string, port: number): Promise<boolean> {
  const socket = connect(port, host);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** The version of a NATS server, which introduces itself. */
export const askNats = (host: string, port: number): Promise<Answer | undefined> =>
  converse(host, port, '', /"version":"([^"]+)"/, 'nats');

/** The version of a Redis server. */
export const askRedis = (host: string, port: number): Promise<Answer | undefined> =>
  converse(host, port, 'INFO server\r\n', /redis_version:(\S+)/, 'redis');

/** Resolves with undefined when the connection ends before the version. */
async function converse(
  host: string,
  port: number,
  text: string,
  pattern: RegExp,
  scheme: string,
): Promise<Answer | undefined> {
  const socket: Socket = connect(port, host);
  try {
    socket.write(text);
    let read = '';
    for await (const chunk of socket.setEncoding('utf8')) {
      read += String(chunk);
      const [, version] = pattern.exec(read) ?? [];
      if (version !== undefined) return { at: `${scheme}://${host}:${String(port)}`, version };
    }
  } catch {
    // The server has closed the connection.
  } finally {
    socket.destroy();
  }
  return undefined;
}
