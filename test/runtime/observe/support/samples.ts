/** The samples of `/metrics`, by name and labels in the text format. */
export async function samplesOf(url: string): Promise<ReadonlyMap<string, number>> {
  const answer = await fetch(url);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const lines = (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}
