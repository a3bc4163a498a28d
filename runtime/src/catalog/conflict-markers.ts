/** Whether git has left the lines of two sides in a text: `<<<<<<<`, `=======`, `>>>>>>>`. */
export function hasConflictMarkers(text: string): boolean {
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => line.startsWith('<<<<<<< '));
  const middle = lines.indexOf('=======', start);
  return start >= 0 && middle > start && lines.slice(middle).some((line) => line.startsWith('>>>>>>> '));
}
