import {
  context,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Span,
  type TextMapGetter,
} from '@opentelemetry/api';
import type { IncomingHttpHeaders } from 'node:http';
import type { Stage } from './metrics/stages.js';

/**
 * Spans of requests, by OpenTelemetry's API alone: an SDK that the user registers takes them.
 * Attributes hold names, never values.
 */
export interface Traces {
  /**
   * Runs a request in a new span, below the span that its `traceparent` names.
   * Source: https://www.w3.org/TR/trace-context/
   * @param route the template of its path
   */
  readonly request: <T>(headers: IncomingHttpHeaders, method: string, route: string, run: (end: EndSpan) => T) => T;
  /** A stage that has ended. @param start and end as `performance.now()` */
  readonly stage: (stage: Stage, start: number, end: number) => void;
  /** A run at the database begins. */
  readonly statement: (kind: string, system: string) => (rows: number | undefined) => void;
}

/** @param status of the answer */
export type EndSpan = (status: number) => void;

/** The stages that are spans: runs at the database have their own. */
const spans: ReadonlySet<Stage> = new Set(['parse', 'plan', 'introspection', 'send']);

export function createTraces(): Traces {
  const tracer = trace.getTracer('tablewright');
  return {
    request: (headers, method, route, run) => {
      const parent = propagation.extract(context.active(), headers, getter);
      const attributes = { 'http.request.method': method, 'http.route': route };
      const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent);
      return context.with(trace.setSpan(parent, span), () =>
        run((status) => {
          endRequest(span, status);
        }),
      );
    },
    stage: (stage, start, end) => {
      if (!spans.has(stage)) return;
      tracer.startSpan(stage, { startTime: performance.timeOrigin + start }).end(performance.timeOrigin + end);
    },
    statement: (kind, system) => {
      const attributes = { 'db.system.name': system, 'db.operation.name': kind };
      const span = tracer.startSpan(kind, { kind: SpanKind.CLIENT, attributes });
      return (rows) => {
        if (rows === undefined) span.setStatus({ code: SpanStatusCode.ERROR });
        else span.setAttribute('db.response.returned_rows', rows);
        span.end();
      };
    },
  };
}

/**
 * As https://opentelemetry.io/docs/specs/semconv/http/http-spans/ has it: only a fault of the
 * server is an error.
 */
function endRequest(span: Span, status: number): void {
  span.setAttribute('http.response.status_code', status);
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

const getter: TextMapGetter<IncomingHttpHeaders> = {
  keys: (headers) => Object.keys(headers),
  get: (headers, name) => headers[name],
};
