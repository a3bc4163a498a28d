import { bareVariablesIn, phrasesIn, problemsOf } from './rules.js';

/** Prose has a space between two words in small letters; keys, selectors and most SQL have not. */
const isProse = (text) => /\p{L}{2} \p{Ll}{2}/u.test(text);

/** Texts of several lines are programs, style sheets and SQL more often than one sentence. */
const problemsIn = (text) => (text.includes('\n') ? phrasesIn(text) : problemsOf(text));

const messages = {
  create(context) {
    const check = (node, written) => {
      for (const { words, advice } of bareVariablesIn(written))
        context.report({ node, message: `"${words}": ${advice}` });
      const text = written.replace(/`[^`]*`/g, '0');
      if (!isProse(text)) return;
      for (const { words, advice } of problemsIn(text)) context.report({ node, message: `"${words}": ${advice}` });
    };
    return {
      Literal(node) {
        if (typeof node.value === 'string') check(node, node.value);
      },
      TemplateLiteral(node) {
        if (node.parent.type === 'TaggedTemplateExpression') return;
        check(node, node.quasis.map(({ value }) => value.cooked).join('0'));
      },
    };
  },
};

export default { rules: { messages } };
