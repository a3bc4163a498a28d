/** What axe finds in GraphiQL, changed from outside: contrast in the editors, roles and names. */
/* global MutationObserver */

/**
 * Colours that have a contrast of at least 4.5, in the editors and on the grey of the response.
 * The keys are GraphiQL's names of its two themes; a rule that comes later wins.
 */
const legible = {
  'graphiql-LIGHT': {
    rules: { annotation: '666666', comment: '007000', number: '07704a' },
    colors: {
      'editorBracketHighlight.foreground2': '#237523',
      'editorLineNumber.foreground': '#1f6a82',
      'editorLineNumber.dimmedForeground': '#1f6a82',
      'editorSuggestWidget.foreground': '#1b2430',
      'editorSuggestWidget.selectedForeground': '#1b2430',
      'textLink.foreground': '#0a55a5',
    },
  },
  'graphiql-DARK': {
    rules: { annotation: 'e58e8e', comment: '84b56d' },
    colors: {
      'editorBracketHighlight.foreground2': '#e28ade',
      'editorBracketHighlight.foreground3': '#4fb3ff',
      'editorLineNumber.foreground': '#a0a8b6',
      'editorLineNumber.dimmedForeground': '#a0a8b6',
      'editorSuggestWidget.foreground': '#e6ebf2',
      'editorSuggestWidget.selectedForeground': '#ffffff',
      'textLink.foreground': '#6cb6ff',
    },
  },
};

/** GraphiQL defines its themes when it is drawn and exports none of them: so they are changed on the way. */
export function keepLegible(editor) {
  const { defineTheme } = editor;
  editor.defineTheme = (name, theme) => {
    const { rules = {}, colors } = legible[name] ?? {};
    defineTheme(name, {
      ...theme,
      rules: [...theme.rules, ...Object.entries(rules).map(([token, foreground]) => ({ token, foreground }))],
      colors: { ...theme.colors, ...colors },
    });
  };
}

/**
 * A tab may not contain a button, and each of GraphiQL's contains two: one that shows its operation
 * and one that closes it. A list of buttons says the same, keeps both within reach of a keyboard, and
 * `aria-current` marks the operation that is shown. React writes an attribute only when its value
 * changes, and then this is done again.
 */
export function keepAccessible(place) {
  const lists = place.getElementsByClassName('graphiql-tabs');
  const items = place.getElementsByClassName('graphiql-tab');
  const mend = () => {
    // Safari takes a list without bullets for no list, unless its role says so.
    for (const list of lists) set(list, 'role', 'list');
    for (const item of items) {
      set(item, 'role', 'listitem');
      set(item, 'aria-selected', null);
      const button = item.querySelector('.graphiql-tab-button');
      set(button, 'aria-current', item.classList.contains('graphiql-tab-active') ? 'true' : null);
      const close = item.querySelector('.graphiql-tab-close');
      if (close !== null) set(close, 'aria-label', `Close ${button.textContent}`);
    }
    // Otherwise the buttons of the history have one name, which none of them shows.
    for (const button of place.getElementsByClassName('graphiql-history-item-label'))
      set(button, 'aria-label', `Set active: ${button.textContent}`);
    const session = place.querySelector('#graphiql-session');
    if (session !== null) set(session, 'role', 'region');
    mendSuggestions(place);
    mendExplorer(place);
  };
  place.addEventListener('keydown', (event) => {
    if (!['Enter', ' '].includes(event.key) || !event.target.matches(ticks)) return;
    event.preventDefault();
    event.target.click();
  });
  new MutationObserver(mend).observe(place, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['role', 'aria-selected', 'aria-label', 'title', 'aria-activedescendant'],
  });
}

/** Monaco's list refers to its suggestion by another id, and leaves out the type that it shows. */
function mendSuggestions(place) {
  for (const list of place.querySelectorAll('.suggest-widget .monaco-list')) {
    for (const row of list.querySelectorAll('.monaco-list-row')) set(row, 'aria-label', row.textContent);
    set(list, 'aria-activedescendant', list.querySelector('.monaco-list-row.focused')?.id ?? null);
  }
}

/** What the explorer ticks or opens by a click. */
const ticks = '.graphiql-explorer-root span[style*="cursor"]';

/** Makes them checkboxes, or buttons that open a list, and names the explorer's fields. */
function mendExplorer(place) {
  for (const item of place.querySelectorAll(ticks)) {
    const mark = item.querySelector('svg');
    const opens = mark?.getAttribute('viewBox') === '0 0 5 8';
    set(item, 'tabindex', '0');
    set(item, 'role', opens ? 'button' : 'checkbox');
    set(
      item,
      opens ? 'aria-expanded' : 'aria-checked',
      String(opens ? mark.style.transform !== '' : mark?.childElementCount === 2),
    );
  }
  for (const field of place.querySelectorAll('.graphiql-explorer-root :is(input, select)')) {
    const argument = field.closest('[data-arg-name]')?.dataset.argName;
    set(
      field,
      'aria-label',
      argument ?? (field.localName === 'select' ? 'Kind of operation' : 'Name of the operation'),
    );
  }
  for (const add of place.querySelectorAll('.graphiql-explorer-actions button'))
    set(add, 'aria-label', 'Add an operation');
}

/** To write what is there already would call the observer again, for ever. */
function set(element, name, value) {
  if (element.getAttribute(name) === value) return;
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}
