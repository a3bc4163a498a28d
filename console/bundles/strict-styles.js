/**
 * Lets Monaco and React write styles under a policy without `unsafe-inline` (decision 053). Style
 * elements get the nonce of the page. Markup with style attributes, which is how Monaco draws lines,
 * is inserted without them, and each is then set as the property that the policy allows.
 */
/* global document, Element */

const nonce = document.querySelector('link[nonce]')?.nonce ?? '';

const createElement = document.createElement.bind(document);
document.createElement = (name, options) => {
  const made = createElement(name, options);
  if (made.localName === 'style') made.nonce = nonce;
  return made;
};

/** Only tags: in texts, `<` is escaped. */
const renamed = (markup) =>
  String(markup).replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(/\sstyle=/gi, ' data-strict-style='));

function restyle(place) {
  for (const element of place?.querySelectorAll('[data-strict-style]') ?? []) {
    element.style.cssText = element.dataset.strictStyle;
    delete element.dataset.strictStyle;
  }
}

const { insertAdjacentHTML } = Element.prototype;
const innerHTML = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML');
Object.defineProperty(Element.prototype, 'innerHTML', {
  ...innerHTML,
  set(markup) {
    innerHTML.set.call(this, renamed(markup));
    restyle(this);
  },
});
Element.prototype.insertAdjacentHTML = function (position, markup) {
  insertAdjacentHTML.call(this, position, renamed(markup));
  restyle(this.parentNode ?? this);
};
