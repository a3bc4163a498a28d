/** Less than the time limit of a test, whose failure would not say what it waited for. */
const DEADLINE_MS = 600_000;

/** Waits until the output of a program has the text, which may come after the program's answer. */
export const logged = (program: { log(): string }, text: string): Promise<void> =>
  until(
    () => program.log().includes(text),
    () => `"${text}" in:\n${program.log().slice(-3000)}`,
  );

/**
 * Waits until a condition holds.
 * @param what what it waited for, for the error at the end; default: the condition's own text
 */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what = (): string => String(holds),
): Promise<void> {
  const end = performance.now() + DEADLINE_MS;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`It did not come about: ${what()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
