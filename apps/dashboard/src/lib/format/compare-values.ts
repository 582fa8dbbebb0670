export type Values = Record<string, unknown>

/** One field that was changed: `path` as forms name it (`tls.ca`). Lists are one value. */
export interface FieldChange {
  path: string
  base: unknown
  mine: unknown
}

/** What `mine` changes of `base`: fields of nested objects one by one, lists as a whole. */
export function changesOf(base: Values, mine: Values, under = ''): FieldChange[] {
  const names = [...new Set([...Object.keys(base), ...Object.keys(mine)])]
  return names.flatMap((name) => {
    const path = under === '' ? name : `${under}.${name}`
    const [before, now] = [base[name], mine[name]]
    if (isPlain(before) && isPlain(now)) return changesOf(before, now, path)
    return isSameValue(before, now) ? [] : [{ path, base: before, mine: now }]
  })
}

export interface Clash extends FieldChange {
  theirs: unknown
}

export interface Comparison {
  /** Changed on both sides, to different values: somebody has to choose. */
  clashes: Clash[]
  /** Changed by the others alone. */
  theirs: Clash[]
  /** Changed by the user alone. */
  mine: Clash[]
}

/**
 * Compares what the user has changed with what the record has become. What both have changed to the same
 * value is in none of the lists.
 */
export function compareChanges(
  changes: readonly FieldChange[],
  loaded: Values,
  newest: Values,
): Comparison {
  const own = changes.map((change) => ({ ...change, theirs: valueAt(newest, change.path) }))
  const open = own.filter(({ mine, theirs }) => !isSameValue(mine, theirs))
  const isOwn = (path: string) => own.some((each) => isWithin(each.path, path))
  return {
    clashes: open.filter(({ base, theirs }) => !isSameValue(base, theirs)),
    mine: open.filter(({ base, theirs }) => isSameValue(base, theirs)),
    theirs: changesOf(loaded, newest)
      .filter(({ path }) => !isOwn(path))
      .map(({ path, base, mine }) => ({ path, base, mine: base, theirs: mine })),
  }
}

const isWithin = (one: string, other: string) =>
  one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`)

/** The values with these fields changed; nothing that is given is altered. */
export function withChanges<V extends Values>(values: V, changes: readonly FieldChange[]): V {
  return changes.reduce(
    (changed, { path, mine }) => put(changed, path.split('.'), mine) as V,
    values,
  )
}

function put(at: unknown, [name = '', ...rest]: string[], value: unknown): Values {
  const object = isPlain(at) ? at : {}
  return { ...object, [name]: rest.length === 0 ? value : put(object[name], rest, value) }
}

export function valueAt(values: Values, path: string): unknown {
  let at: unknown = values
  for (const name of path.split('.')) at = isPlain(at) ? at[name] : undefined
  return at
}

export const isSameValue = (one: unknown, other: unknown): boolean =>
  plainText(one) === plainText(other)

/** A value as JSON text with a line for each part, without what only tells rows of a list apart. */
export function plainText(value: unknown): string {
  return JSON.stringify(plain(value), null, 2) ?? ''
}

function plain(value: unknown, isRow = false): unknown {
  if (Array.isArray(value)) return value.map((each) => plain(each, true))
  if (!isPlain(value)) return value
  const fields = Object.entries(value).filter(([name, each]) => !(isRow && isTag(name, each)))
  return Object.fromEntries(
    fields
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, each]) => [name, plain(each)]),
  )
}

/** Rows of a list carry a text that tells them apart while they move. Each page makes its own. */
const isTag = (name: string, value: unknown) =>
  (name === 'id' || name === 'key') && typeof value === 'string'

function isPlain(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
