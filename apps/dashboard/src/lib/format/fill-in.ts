/**
 * One text, or one for each plural form of the language (CLDR). `by` is the value that is counted; the
 * first without it.
 */
export type Translation = string | ({ by?: number; other: string } & PluralForms)
type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>>

const splits = new Map<string, string[]>()
const rules = new Map<string, Intl.PluralRules>()

/** The pieces of a text in their order, with the values where it has `{0}`, `{1}` … */
export function fillIn<Value>(
  translation: Translation,
  language: string,
  values: readonly Value[],
  show: (value: Value) => Value | string,
): (Value | string)[] {
  const text = typeof translation === 'string' ? translation : formOf(translation, language, values)
  let pieces = splits.get(text)
  if (!pieces) splits.set(text, (pieces = text.split(/\{(\d)\}/)))
  return pieces.map((piece, at) => (at % 2 === 0 ? piece : show(values[Number(piece)] as Value)))
}

function formOf(
  { by = 0, ...forms }: Exclude<Translation, string>,
  language: string,
  values: readonly unknown[],
): string {
  let rule = rules.get(language)
  if (!rule) rules.set(language, (rule = new Intl.PluralRules(language)))
  // A count may come as it is shown: `1,234`.
  const count = Number(String(values[by]).replaceAll(',', ''))
  return forms[rule.select(count)] ?? forms.other
}
