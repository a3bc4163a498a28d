import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { takePlace } from './places/place.js';
import { repository } from './transpile.js';

/** A request to a function, whatever it is behind. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly address?: string;
}

/** What a function answers. Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html */
export interface Result {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>>;
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

/** The parts that all events have. */
const common = ({ method, path, headers = {}, body, address = '192.0.2.1' }: Sent) => ({
  method,
  path,
  address,
  body: body === undefined ? null : JSON.stringify(body),
  headers: { host: 'api.example.com', 'content-type': 'application/json', ...headers },
});

const lists = (record: Readonly<Record<string, string>>): Record<string, readonly string[]> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, [value]]));

/**
 * The event of a request, by what the function is behind. Sources:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html,
 * https://docs.aws.amazon.com/elasticloadbalancing/latest/application/lambda-functions.html
 */
export const events: Readonly<Record<string, (sent: Sent) => object>> = {
  'a function URL or an HTTP API (2.0)'(sent) {
    const { method, path, address, headers, body } = common(sent);
    return {
      version: '2.0',
      routeKey: '$default',
      rawPath: path,
      rawQueryString: new URLSearchParams(sent.query).toString(),
      headers,
      requestContext: { domainName: headers.host, stage: '$default', http: { method, path, sourceIp: address } },
      body: body === null ? undefined : Buffer.from(body).toString('base64'),
      isBase64Encoded: body !== null,
    };
  },

  'a REST API (1.0)'(sent) {
    const { method, path, address, headers, body } = common(sent);
    return {
      resource: '/{proxy+}',
      path,
      httpMethod: method,
      headers,
      multiValueHeaders: lists(headers),
      queryStringParameters: sent.query ?? null,
      multiValueQueryStringParameters: sent.query === undefined ? null : lists(sent.query),
      requestContext: { domainName: headers.host, stage: 'prod', identity: { sourceIp: address } },
      body,
      isBase64Encoded: false,
    };
  },

  /** It passes the query on as it is. */
  'a load balancer'(sent) {
    const { method, path, address, headers, body } = common(sent);
    const query = Object.entries(sent.query ?? {}).map(([name, value]) => [name, encodeURIComponent(value)]);
    return {
      requestContext: { elb: { targetGroupArn: 'arn:aws:elasticloadbalancing:eu-west-1:1:targetgroup/data/1' } },
      path,
      httpMethod: method,
      headers: { ...headers, 'x-forwarded-for': address },
      queryStringParameters: Object.fromEntries(query) as Record<string, string>,
      body: body ?? '',
      isBase64Encoded: false,
    };
  },
};

/** A process that runs a function, for one event at a time. */
export class LambdaEnvironment {
  private constructor(private readonly child: ChildProcess) {}

  static async load(folder: string, env: Readonly<Record<string, string>>): Promise<LambdaEnvironment> {
    await takePlace();
    const program = join(repository, 'test/hosts/lambda.js');
    // Jest's NODE_ENV is not that of a function.
    const child = fork(program, ['dist/lambda.js'], {
      cwd: folder,
      env: { ...process.env, NODE_ENV: undefined, ...env },
    });
    const [loaded] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [unknown];
    if (loaded !== 'loaded') throw new Error('The function does not load: its output says why.');
    return new LambdaEnvironment(child);
  }

  /** The answer to an event, and what the process waits for after it. */
  async invoke(event: object): Promise<{ readonly result: Result; readonly pending: readonly string[] }> {
    this.child.send(event);
    const [answer] = (await once(this.child, 'message')) as [{ result: Result; pending: readonly string[] }];
    return answer;
  }

  /** Lambda freezes the process between two events. */
  freeze(): void {
    this.child.kill('SIGSTOP');
  }

  thaw(): void {
    this.child.kill('SIGCONT');
  }

  async end(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }
}
