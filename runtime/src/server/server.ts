import { guardedObserver } from '../observe/guarded-observer.js';
import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Connections } from '../http/connections.js';
import { createListener, listenOn, severalHosts } from '../http/listener.js';
import { rawAnswer } from '../http/raw-answer.js';
import { send } from '../response/answer.js';
import { errorAnswer } from '../response/rest-error.js';
import { toServerError } from '../response/server-error.js';
import { anyDialect } from './dialects.js';
import { assemble, type Assembly } from './assemble.js';
import { assertFormat } from '../descriptor/format.js';
import type { AnyDatabase } from '../execute/hooks/table-hooks.js';
import type { ActingIdentity } from '../execute/custom/acting-identity.js';
import type { Caller } from '../execute/custom/caller.js';
import { disconnectOf } from '../http/route-callers.js';
import type { ProcessHandle } from './follow.js';
import { endWithParent, notifyParent } from './notify-parent.js';
import { reportStartFailure } from './start-failure.js';
import { closeGracefully, DRAINING_MS } from '../http/shutdown.js';
import type { Extensions, LoadExtensions, WorkerGroup, WorkerProcess } from './extension.js';
import { corsOf } from './foundation.js';
import { settingsOf, type ServerOptions } from './server-options.js';

export interface ListenOptions {
  /**
   * Whether SIGTERM and SIGINT shut the server down and end the process, and a failing start ends
   * it too. Only then do `app.server.workers` processes serve the address. Default: true.
   */
  readonly ownsProcess?: boolean;
}

export interface TablewrightServer {
  /**
   * Listens. A database that does not answer yet is waited for: requests are 503 meanwhile. Rejects
   * with ServerError for a problem that waiting does not solve: a setting, a password, a role that
   * bypasses policies.
   */
  listen(options?: ListenOptions): Promise<this>;
  /**
   * Stops listening; requests that are being answered have `app.server.shutdown-grace-ms` to
   * finish.
   */
  close(): Promise<void>;
  /**
   * The server as a request listener. Given a `next`, as Express gives it, it takes `/graphql` and
   * `/api/v1` and passes everything else on: `app.use(server.handler)`.
   */
  readonly handler: (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;
  /**
   * Takes WebSockets on `/graphql`, where the server does not listen itself:
   * `httpServer.on('upgrade', server.upgrade)`.
   */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /**
   * The database as an identity, for code outside of requests: a job, a test. The claims are
   * trusted, not verified; policies hold as they do for a token with these claims. The server need
   * not listen, but has to be closed.
   */
  as<Database = AnyDatabase>(identity: ActingIdentity): Promise<Caller<Database>>;
  /**
   * The database as the sender of a request to an Express application of yours: verifies its token.
   * With the response, statements are cancelled when the client goes away. Rejects with ServerError
   * 401 for a token that is not valid. In routes of `src/custom`: the function of this name.
   */
  contextOf<Database = AnyDatabase>(request: IncomingMessage, response?: ServerResponse): Promise<Caller<Database>>;
  /** Where it listens, e.g. `http://127.0.0.1:4000`; undefined until it does, and in a worker. */
  readonly address: string | undefined;
  /**
   * The number of this process, from 1, if it is one of several that `app.server.workers` starts.
   * Undefined in their parent and in a single process, where code that runs once belongs.
   */
  readonly worker: number | undefined;
}

/** Milliseconds that `listen` waits for the database; after that the server listens without it. */
const TIMEOUT_MS = 1_000;

/**
 * Milliseconds for closing everything except connections of clients (pool, feed, metrics), even if
 * the grace period is already over.
 */
const CLOSING_MS = 1_000;

export class Server implements TablewrightServer {
  private started: Promise<Assembly> | undefined;
  private running: Assembly | undefined;
  private http: HttpServer | undefined;
  private readonly connections = new Connections((bytes) => this.running?.observe({ kind: 'slow-reader', bytes }));
  /** Answers that are made for the connections of a host. */
  private readonly hosted = new Set<ServerResponse>();
  private stopping: Promise<boolean> | undefined;
  private ownsProcess = false;
  private group: WorkerGroup | undefined;
  private led: WorkerProcess | undefined;
  private load: LoadExtensions;
  address: string | undefined;
  readonly worker: number | undefined;

  constructor(
    private readonly options: ServerOptions,
    private readonly extensions: Extensions,
  ) {
    this.worker = extensions.worker;
    this.load = extensions.load;
  }

  readonly handler = (request: IncomingMessage, response: ServerResponse, next?: () => void): void => {
    const refusal = severalHosts(request);
    if (refusal !== undefined) {
      send(response, errorAnswer(refusal), request.method === 'HEAD');
      return;
    }
    if (this.http === undefined) this.holdHosted(response);
    if (this.running !== undefined) {
      this.running.handle(request, response, next);
      return;
    }
    this.start().then(
      (assembly) => {
        assembly.handle(request, response, next);
      },
      (error: unknown) => {
        const { observe } = this.options;
        if (observe !== undefined) guardedObserver(observe, () => undefined)({ kind: 'failure', error });
        if (corsOf(this.options)?.(request, response) === true) return;
        send(response, errorAnswer(toServerError(error, anyDialect)), request.method === 'HEAD');
      },
    );
  };

  /** The listener of a host waits for the connections that stay open after their answer. */
  private holdHosted(response: ServerResponse): void {
    this.hosted.add(response);
    response.once('close', () => this.hosted.delete(response));
  }

  readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    this.connections.release(request.socket);
    const refusal = severalHosts(request);
    if (refusal !== undefined) {
      socket.on('error', () => undefined);
      socket.end(rawAnswer(refusal));
      return;
    }
    this.start().then(
      (assembly) => {
        assembly.upgrade(request, socket, head);
      },
      () => socket.destroy(),
    );
  };

  async listen({ ownsProcess = true }: ListenOptions = {}): Promise<this> {
    try {
      this.ownsProcess = ownsProcess;
      if (ownsProcess && (await this.joinGroup())) return this;
      const { settings, observe, look, drain } = await this.start();
      this.http = createListener(settings, this.connections, this.handler);
      this.http.on('upgrade', this.upgrade);
      if (this.led !== undefined) {
        const { http, connections } = this;
        const drainAll = (): void => {
          drain();
          connections.drain();
        };
        await this.led.serve({ http, connections, look, drain: drainAll, stop: () => this.stop(0) });
        return this;
      }
      this.address = await listenOn(this.http, settings['app.server.port'], settings['app.server.host']);
      if (ownsProcess) this.watchSignals();
      observe({ kind: 'listening', address: this.address });
      if (ownsProcess) {
        endWithParent();
        notifyParent({ listening: true, address: this.address });
      }
      return this;
    } catch (error) {
      await this.close();
      if (ownsProcess) this.failStart(error);
      throw error;
    }
  }

  /** Becomes a worker, or starts the workers: returns whether they serve the address. */
  private async joinGroup(): Promise<boolean> {
    const joined = await this.extensions.join(this.options);
    if (joined === undefined) return false;
    this.load = joined.load;
    if ('serve' in joined) {
      this.led = joined;
      return false;
    }
    this.watchSignals();
    process.on('SIGHUP', () => void this.group?.reload());
    this.group = await joined.start((reason) => {
      this.exit(reason);
    });
    this.address = this.group.address;
    return true;
  }

  /** A worker leaves the report to its parent, which has several of them. */
  private failStart(error: unknown): void {
    if (this.led === undefined) reportStartFailure(error);
    this.led.fail(error);
  }

  async as<Database = AnyDatabase>(identity: ActingIdentity): Promise<Caller<Database>> {
    const { callerOf } = await this.start();
    return (await callerOf(identity)) as unknown as Caller<Database>;
  }

  async contextOf<Database = AnyDatabase>(
    request: IncomingMessage,
    response?: ServerResponse,
  ): Promise<Caller<Database>> {
    const { callerOf } = await this.start();
    const signal = response === undefined ? undefined : disconnectOf(response);
    return (await callerOf(request, signal)) as unknown as Caller<Database>;
  }

  async close(): Promise<void> {
    await this.stop(0);
  }

  private start(): Promise<Assembly> {
    this.started ??= this.assemble().catch((error: unknown) => {
      // The cause may be gone by the next request.
      this.started = undefined;
      throw error;
    });
    return this.started;
  }

  private async assemble(): Promise<Assembly> {
    assertFormat(this.options.generated);
    const process: ProcessHandle = {
      exit: () => {
        if (this.led === undefined) this.exit();
        else this.led.exit();
      },
      settled: (fingerprint, isGenerated) => {
        notifyParent({ fingerprint, isGenerated });
      },
    };
    const asked = {
      settings: settingsOf(this.options),
      custom: this.options.custom ?? {},
      hasDriver: this.options.driver !== undefined,
    };
    const assembly = await assemble(this.options, process, await this.load(asked));
    try {
      await (isInProcess(assembly) ? assembly.contact.made : assembly.contact.within(TIMEOUT_MS));
    } catch (error) {
      await assembly.close();
      throw error;
    }
    this.running = assembly;
    assembly.contact.made.catch((error: unknown) => this.failLate(assembly, error));
    return assembly;
  }

  /**
   * The database has answered after the server began to listen, and the server cannot use it. A
   * server that does not own the process stays up and refuses requests.
   */
  private async failLate(assembly: Assembly, error: unknown): Promise<void> {
    if (this.stopping !== undefined) return;
    if (this.ownsProcess) this.failStart(error);
    assembly.observe({ kind: 'failure', error });
    if (this.http !== undefined) return;
    this.started = this.running = undefined;
    await assembly.close();
  }

  /**
   * The database has changed, and `app.drift.on-change` is `exit`: the supervisor of the process
   * starts the right version.
   */
  private exit(reason?: string): void {
    const stopped = this.stop(DRAINING_MS);
    if (!this.ownsProcess) return;
    if (reason !== undefined) process.stderr.write(`The server ends: ${reason}\n`);
    void stopped.then(
      () => process.exit(1),
      () => process.exit(1),
    );
  }

  /**
   * Stops the server once, however often it is called. Resolves with whether every request was
   * answered.
   */
  private stop(drainingMilliseconds: number): Promise<boolean> {
    this.stopping ??= this.drainAndClose(drainingMilliseconds);
    return this.stopping;
  }

  private async drainAndClose(drainingMilliseconds: number): Promise<boolean> {
    const isAnswered = (await this.group?.stop()) ?? true;
    const assembly = await this.started?.catch(() => undefined);
    if (assembly === undefined) return isAnswered;
    assembly.drain();
    this.connections.drain();
    for (const response of this.hosted) if (!response.headersSent) response.shouldKeepAlive = false;
    if (this.http !== undefined && drainingMilliseconds > 0) await sleep(drainingMilliseconds);
    await assembly.closeStreams();
    const grace = assembly.settings['app.server.shutdown-grace-ms'];
    const until = performance.now() + grace;
    const unanswered = this.http === undefined ? [] : await closeGracefully(this.http, this.connections, grace);
    const finished = unanswered.length === 0;
    if (!finished) assembly.observe({ kind: 'shutdown', phase: 'forced', unanswered });
    await assembly.close(Math.max(CLOSING_MS, until - performance.now()));
    if (finished) assembly.observe({ kind: 'shutdown', phase: 'closed' });
    return finished && isAnswered;
  }

  private watchSignals(): void {
    const onSignal = (): void => {
      if (this.stopping !== undefined) process.exit(1);
      void this.stop(DRAINING_MS).then(
        (finished) => process.exit(finished ? 0 : 1),
        () => process.exit(1),
      );
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  }
}

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** PGlite takes seconds to load, and only this process can make it available. */
const isInProcess = ({ settings }: Assembly): boolean => settings['app.datasource.url']?.startsWith('pglite:') === true;
