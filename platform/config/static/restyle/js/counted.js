// A sentence with a count. Its forms come from the catalog of the page's language, as JSON by the kinds of numbers that the
// language has ({% counted %}, config/templating/counts.py): Arabic has six.
const language = document.documentElement.lang || undefined;
const kinds = new Intl.PluralRules(language);
const whole = new Intl.NumberFormat(language, { numberingSystem: "latn", useGrouping: "always" }); // as the server writes them

export const ofKind = (forms, n) => forms[kinds.select(n)] ?? forms.other;

// A sentence with numbers in its {places}, whose form does not go by them.
export const inFull = (words, values) => words.replace(/\{(\w+)\}/g, (_, name) => whole.format(values[name]));

// The number `n` chooses the form; `values` are numbers for the other places.
export const counted = (forms, n, values = {}) => Object.entries({ ...values, n })
  .reduce((text, [name, value]) => text.replace(`%(${name})s`, whole.format(value)), ofKind(JSON.parse(forms), n));
