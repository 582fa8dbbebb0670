type Fields = Readonly<Record<string, unknown>>

/** Stands for everybody whom an issuer vouches for. */
const anyValue = '*'

/**
 * The values of the claim that names roles: of a list each text; of a text itself and its words, as in
 * `scope` (RFC 6749 §3.3). `name` is looked for as it is, then as a way through objects with dots between.
 */
export function claimValues(claims: Fields, name: string): ReadonlySet<string> {
  const found = Object.hasOwn(claims, name) ? claims[name] : alongWay(claims, name.split('.'))
  const values: unknown[] =
    typeof found === 'string' ? [found, ...found.split(' ')] : Array.isArray(found) ? found : []
  return new Set([...values.filter((value) => typeof value === 'string'), anyValue])
}

function alongWay(claims: Fields, names: readonly string[]): unknown {
  let value: unknown = claims
  for (const name of names) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Fields)[name]
  }
  return value
}
