import { text } from 'node:stream/consumers';
import autocannon from 'autocannon';

const { base, requests, connections, seconds } = JSON.parse(await text(process.stdin));

/**
 * All connections share one list of requests, so that two connections rarely write the same row at
 * the same time.
 */
let at = -1;
const setupRequest = (request) => {
  at = (at + 1) % requests.length;
  return { ...request, ...requests[at] };
};

const result = await autocannon({
  url: base,
  connections,
  duration: seconds,
  timeout: 30,
  requests: [{ setupRequest }],
});
const { latency, duration, non2xx, errors, timeouts } = result;
process.stdout.write(
  JSON.stringify({
    requests: result.requests.total,
    seconds: duration,
    errors: non2xx + errors + timeouts,
    p50: latency.p50,
    p99: latency.p99,
  }),
);
