import { spawn } from 'node:child_process';

/**
 * Opens an address in the browser that `BROWSER` names, else in the system's own. Where there is
 * none, nothing happens.
 */
export function openInBrowser(address: string): void {
  const [program, ...args] = browser();
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  // The address has been printed: a machine without a browser is no failure.
  child.on('error', () => undefined);
  child.unref();
}

function browser(): readonly [string, ...string[]] {
  const chosen = process.env['BROWSER'];
  if (chosen !== undefined && chosen !== '') return [chosen];
  if (process.platform === 'darwin') return ['open'];
  return process.platform === 'win32' ? ['explorer'] : ['xdg-open'];
}
