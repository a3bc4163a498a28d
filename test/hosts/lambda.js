// An environment of AWS Lambda: node lambda.js MODULE loads the function, and answers the events
// that its parent sends. An answer says what is pending afterwards.
import { pathToFileURL } from 'node:url';

const { handler } = await import(pathToFileURL(process.argv[2]));

process.on('message', async (event) => {
  const result = await handler(event, {});
  process.send({ result, pending: process.getActiveResourcesInfo() });
});
process.send('loaded');
