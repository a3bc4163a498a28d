/**
 * Tells the last of several questions from those before it, whose slower answers nobody wants any
 * more. Each call of the result begins a question, and returns whether it is still the last one.
 */
export function latest(): () => () => boolean {
  let asked = 0;
  return () => {
    const mine = (asked += 1);
    return () => mine === asked;
  };
}
