const words: Record<string, string> = {
  auto: 'The value as it is; custom input as text',
  string: 'Text; numbers and true/false become text',
  number: 'A number, every digit kept',
  integer: 'A whole number in plain digits',
  boolean: 'true or false',
  array: 'A list',
  object: 'An object',
  json: 'Text that holds JSON, unpacked',
}

/** A few words on a type of spec: mapping-types; with `?` a missing value is no error. */
export function explainType(type: string): string {
  const isOptional = type.endsWith('?')
  const word = words[isOptional ? type.slice(0, -1) : type] ?? 'Not a type'
  return isOptional ? `${word}; left out when there is none` : word
}
