/// <reference lib="dom" />

/**
 * Adds to Swagger UI what keyboards and screen readers need and it lacks: its scrolling texts can
 * take the focus, and choices of parameters have names. It draws anew at each click, so that this
 * is done whenever something is added.
 */
export function keepAccessible(place: HTMLElement): void {
  const mend = (): void => {
    for (const text of place.querySelectorAll<HTMLElement>('pre:not([tabindex])')) text.tabIndex = 0;
    for (const choice of place.querySelectorAll('.parameters select:not([aria-label])')) {
      const name = choice.closest('[data-param-name]')?.getAttribute('data-param-name');
      choice.setAttribute('aria-label', name ?? 'Value');
    }
    // The page has a heading and a main part of its own.
    for (const heading of place.querySelectorAll(':is(h3, h4, h5):not([aria-level])'))
      heading.setAttribute('aria-level', String(Number(heading.localName[1]) - 1));
    place.querySelector('main')?.setAttribute('role', 'group');
    for (const table of place.querySelectorAll('table[role=region]')) table.removeAttribute('role');
    for (const field of place.querySelectorAll('textarea:not([aria-label])'))
      field.setAttribute('aria-label', 'Request body');
  };
  new MutationObserver(mend).observe(place, { childList: true, subtree: true });
}
