import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import { createListener, listenOn } from './listener.js';
import { send } from '../response/answer.js';
import { errorAnswer } from '../response/rest-error.js';
import { toServerError } from '../response/server-error.js';
import { assemble, corsOf, type Assembly, type ServerOptions } from './assemble.js';
import { reportStartFailure } from './start-failure.js';
import { closeGracefully } from './shutdown.js';
import { growYoungGenerationAtOnce } from './young-generation.js';

export type { ServerOptions } from './assemble.js';

export interface ListenOptions {
  /**
   * Whether SIGTERM and SIGINT shut the server down and end the process, a failing start ends it too, and V8 may be told how to collect a
   * large heap. Default: true.
   */
  readonly ownsProcess?: boolean;
}

export interface TablewrightServer {
  /** Connects, checks what has to be checked before anything is served, and listens. Rejects with ServerError. */
  listen(options?: ListenOptions): Promise<TablewrightServer>;
  /** Stops listening; requests that are being answered have `app.server.shutdown-grace-ms` to finish. */
  close(): Promise<void>;
  /**
   * The server as a request listener. Given a `next`, as Express gives it, it takes `/graphql` and `/api/v1` and passes everything else
   * on: `app.use(server.handler)`.
   */
  readonly handler: (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;
  /** Where it listens, e.g. `http://127.0.0.1:4000`; undefined until it does. */
  readonly address: string | undefined;
}

/** A server of generated code and the user's: `await createServer({ generated, custom }).listen()`. */
export function createServer(options: ServerOptions): TablewrightServer {
  return new Server(options);
}

/** While draining, answers tell clients to come back on another connection: a closed one would fail their next request. */
const DRAINING_MILLISECONDS = 300;

class Server implements TablewrightServer {
  private started: Promise<Assembly> | undefined;
  private running: Assembly | undefined;
  private http: HttpServer | undefined;
  private stopping: Promise<boolean> | undefined;
  address: string | undefined;

  constructor(private readonly options: ServerOptions) {}

  readonly handler = (request: IncomingMessage, response: ServerResponse, next?: () => void): void => {
    if (this.running !== undefined) {
      this.running.handle(request, response, next);
      return;
    }
    this.start().then(
      (assembly) => {
        assembly.handle(request, response, next);
      },
      (error: unknown) => {
        this.options.observe?.({ kind: 'failure', error });
        if (corsOf(this.options)?.(request, response) === true) return;
        send(response, errorAnswer(toServerError(error)), request.method === 'HEAD');
      },
    );
  };

  async listen({ ownsProcess = true }: ListenOptions = {}): Promise<TablewrightServer> {
    try {
      const { settings, observe } = await this.start();
      this.http = createListener(settings, this.handler);
      this.address = await listenOn(this.http, settings['app.server.port'], settings['app.server.host']);
      if (ownsProcess) {
        this.watchSignals();
        growYoungGenerationAtOnce();
      }
      observe({ kind: 'listening', address: this.address });
      return this;
    } catch (error) {
      await this.close();
      if (ownsProcess) reportStartFailure(error);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.stop(0);
  }

  private start(): Promise<Assembly> {
    this.started ??= assemble(this.options).then(
      (assembly) => (this.running = assembly),
      (error: unknown) => {
        // The database may be there when the next request comes.
        this.started = undefined;
        throw error;
      },
    );
    return this.started;
  }

  /** Stops once, however often it is called; answers whether every request finished. */
  private stop(drainingMilliseconds: number): Promise<boolean> {
    this.stopping ??= this.drainAndClose(drainingMilliseconds);
    return this.stopping;
  }

  private async drainAndClose(drainingMilliseconds: number): Promise<boolean> {
    const assembly = await this.started?.catch(() => undefined);
    if (assembly === undefined) return true;
    assembly.drain();
    if (this.http !== undefined && drainingMilliseconds > 0) await sleep(drainingMilliseconds);
    const finished =
      this.http === undefined || (await closeGracefully(this.http, assembly.settings['app.server.shutdown-grace-ms']));
    await assembly.close();
    assembly.observe({ kind: 'shutdown', phase: finished ? 'closed' : 'forced' });
    return finished;
  }

  private watchSignals(): void {
    const onSignal = (): void => {
      if (this.stopping !== undefined) process.exit(1);
      void this.stop(DRAINING_MILLISECONDS).then(
        (finished) => process.exit(finished ? 0 : 1),
        () => process.exit(1),
      );
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  }
}

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
