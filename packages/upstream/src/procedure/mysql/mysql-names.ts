interface QualifiedName {
  schema: string
  name: string
}

/** `` `a``b` `` for the name a`b. Names get into SQL only through here, and only from the catalogue. */
export function quoteName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}

const longest = 64

/**
 * What a written procedure name may mean, best first: `name` in the API's own database, or
 * `schema.name`, each part in backticks or not. A name that holds dots itself is tried whole before
 * it is split. Empty where it can't be a name. Only the catalogue decides which of them exists.
 */
export function readings(written: string, database: string): QualifiedName[] {
  const text = written.trim()
  const whole = isName(text) ? [{ schema: database, name: text }] : []
  const quoted = /^(?:(`(?:[^`]|``)+`|[^`.]+)\.)?(`(?:[^`]|``)+`|[^`.]+)$/.exec(text)
  const split = [...text.matchAll(/\./g)].map(({ index }) => ({
    schema: text.slice(0, index),
    name: text.slice(index + 1),
  }))
  const parsed = quoted
    ? [{ schema: quoted[1] ? unquote(quoted[1]) : database, name: unquote(quoted[2] ?? '') }]
    : []
  const all = [...parsed, ...whole, ...split]
  return all.filter(({ schema, name }) => isName(schema) && isName(name)).slice(0, 8)
}

/** MySQL's own bounds (manual, "schema object names"): 64 characters, no NUL, no space at the end. */
function isName(name: string): boolean {
  return (
    name !== '' && [...name].length <= longest && !/[\x00-\x1f\x7f]/.test(name) && !/\s$/.test(name)
  )
}

function unquote(part: string): string {
  return part.startsWith('`') ? part.slice(1, -1).replaceAll('``', '`') : part.trim()
}
