const jsonTypes = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'])

/** Types that other formats have. */
const otherTypes: Record<string, object> = {
  file: { type: 'string', format: 'binary' },
  text: { type: 'string' },
  float: { type: 'number', format: 'float' },
}

/**
 * The JSON Schema of a type in words: `string (date)`, `array of integer`, `string or null`. Words that are
 * no type give a schema that allows everything.
 */
export function schemaOf(words: string): Record<string, unknown> {
  const items = /^array of (.+)$/.exec(words)?.[1]
  if (items !== undefined) return { type: 'array', items: schemaOf(items) }
  const [, names = '', format] = /^([^()]*?) ?(?:\(([^()]+)\))?$/.exec(words) ?? []
  const types = names === '' ? [] : names.split(' or ')
  const known = types.every((type) => jsonTypes.has(type))
    ? { ...(types.length > 0 && { type: types.length === 1 ? types[0] : types }) }
    : otherTypes[names]
  return { ...known, ...(format !== undefined && { format }) }
}
