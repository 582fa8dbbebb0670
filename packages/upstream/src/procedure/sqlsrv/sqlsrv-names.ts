interface ReadName {
  /** Undefined: SQL Server looks in the user's schema, then in `dbo`. */
  schema: string | undefined
  name: string
}

/** sysname: what SQL Server takes as a name. */
const longest = 128

/**
 * What a written procedure name may mean, best first: `name`, `schema.name`, each part in brackets,
 * in double quotes or bare. A name that holds dots itself is tried whole, and split at each of them.
 * Empty where it can't be a name. Only the catalogue decides which of them exists.
 */
export function readings(written: string): ReadName[] {
  const text = written.trim()
  const part = String.raw`(\[(?:[^\]]|\]\])+\]|"(?:[^"]|"")+"|[^[\]".]+)`
  const quoted = new RegExp(`^(?:${part}\\.)?${part}$`).exec(text)
  const parsed: ReadName[] = quoted
    ? [{ schema: quoted[1] && unquote(quoted[1]), name: unquote(quoted[2] ?? '') }]
    : []
  const split = [...text.matchAll(/\./g)].map(({ index }) => ({
    schema: text.slice(0, index),
    name: text.slice(index + 1),
  }))
  const whole = text.includes('.') || !quoted ? [{ schema: undefined, name: text }] : []
  const all = [...parsed, ...whole, ...split]
  return all
    .filter(({ schema, name }) => isName(name) && (schema === undefined || isName(schema)))
    .slice(0, 8)
}

/** Both parts in brackets, closing brackets doubled, so that no character can end the name. */
export function quoteProcedureName({ schema, name }: { schema: string; name: string }): string {
  return [schema, name].map((part) => `[${part.replaceAll(']', ']]')}]`).join('.')
}

const isName = (name: string) => name !== '' && name.length <= longest && !/\p{Cc}/u.test(name)

function unquote(part: string): string {
  if (part.startsWith('[')) return part.slice(1, -1).replaceAll(']]', ']')
  return part.startsWith('"') ? part.slice(1, -1).replaceAll('""', '"') : part.trim()
}
