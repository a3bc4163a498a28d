import { createRequire } from 'node:module';
import { chromium, type Browser, type Page, type Request } from 'playwright-core';
import { describeWhere } from './describe-where.js';
import { found } from './machine/machine.js';
import { takePlace } from './places/place.js';

/** The installed Chromium. */
const chromiumPath = found('chromium')?.at ?? '';

/** Starts Chromium. */
export async function launchBrowser(): Promise<Browser> {
  await takePlace();
  return chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-gpu'] });
}

/** A suite whose tests share one running browser. */
export function describeInBrowser(name: string, suite: (browser: () => Browser) => void): void {
  describeWhere('chromium')(name, () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchBrowser();
    });
    afterAll(() => browser.close());
    suite(() => browser);
  });
}

/** A page that records problems: errors, and requests to other hosts than the server. */
export interface WatchedPage {
  readonly page: Page;
  readonly problems: string[];
}

export async function openPage(
  browser: Browser,
  base: string,
  options: Parameters<Browser['newPage']>[0] = {},
  problems: string[] = [],
): Promise<WatchedPage> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 850 }, ...options });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  // Chromium does not log every violation of a policy.
  await page.addInitScript(
    "document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample, sourceFile, lineNumber }) => console.error(`Policy: ${violatedDirective} ${blockedURI} ${sample} ${sourceFile}:${lineNumber}`))",
  );
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== new URL(base).origin) problems.push(`asks ${request.url()}`);
  });
  return { page, problems };
}

/**
 * Holds the first request to an address. The result lets it go, and resolves when the page has its
 * answer.
 */
export async function holdFirst(page: Page, address: RegExp): Promise<() => Promise<void>> {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  let first: Request | undefined;
  await page.route(address, async (route) => {
    const isFirst = first === undefined;
    first ??= route.request();
    if (isFirst) await held;
    await route.continue();
  });
  return async () => {
    const answered = page.waitForResponse((response) => response.request() === first);
    release();
    await (await answered).finished();
  };
}

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Findings of axe that are moderate or worse, one line each. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  // The page's content security policy blocks scripts, but not those of the browser's inspector.
  if (!(await page.evaluate('"axe" in window'))) {
    const { readFile } = await import('node:fs/promises');
    await page.evaluate(await readFile(axePath, 'utf8'));
  }
  const { violations } = await page.evaluate<{
    readonly violations: readonly {
      readonly id: string;
      readonly impact: string;
      readonly nodes: readonly { readonly html: string }[];
    }[];
  }>('axe.run()');
  return violations
    .filter(({ impact }) => impact !== 'minor')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .map(({ html }) => html.slice(0, 120))
          .join(' | ')
          .slice(0, 600)}`,
    );
}
