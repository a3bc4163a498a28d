/** Waits until the output of a program has the text, which may come after the program's answer. */
export const logged = (program: { log(): string }, text: string): Promise<void> =>
  until(() => Promise.resolve(program.log().includes(text)));

/** Waits until a condition holds. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}
