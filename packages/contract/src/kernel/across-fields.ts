import type { z } from 'zod'

type Path = readonly PropertyKey[]

/** What a check across fields sees: whatever is wrong already is absent, at any depth. */
export type SoFar<T> = T extends readonly (infer E)[]
  ? (SoFar<E> | undefined)[]
  : T extends object
    ? { [K in keyof T]?: SoFar<T[K]> | undefined }
    : T

const params = {
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
}

/**
 * A check across fields for `superRefine(...acrossFields(check))`. It runs although fields are wrong already, so
 * that all problems are reported at once. Wrong fields may hold anything: they are removed from the
 * value that the check receives, and issues about them are dropped, since they have their message.
 */
export function acrossFields<T extends object>(
  check: (value: SoFar<T>, context: Pick<z.RefinementCtx, 'addIssue'>) => void,
): [(value: T, context: z.RefinementCtx) => void, typeof params] {
  const refine = (value: T, context: z.RefinementCtx) => {
    const wrong = context.issues.map(({ path }): Path => path ?? [])
    const addIssue: z.RefinementCtx['addIssue'] = (issue) => {
      const path = typeof issue === 'string' ? [] : (issue.path ?? [])
      if (!wrong.some((each) => isPrefix(each, path))) context.addIssue(issue)
    }
    check(wrong.reduce<unknown>(without, value) as SoFar<T>, { addIssue })
  }
  return [refine, params]
}

const isPrefix = (prefix: Path, path: Path) =>
  prefix.length > 0 && prefix.every((key, at) => path[at] === key)

/** A copy in which the place is undefined; what surrounds it stays. */
function without(value: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined || typeof value !== 'object' || value === null) return value
  const below = (value as Record<PropertyKey, unknown>)[key]
  const replaced = rest.length === 0 ? undefined : without(below, rest)
  if (!Array.isArray(value)) return { ...value, [key]: replaced }
  return value.map((each: unknown, at) => (at === key ? replaced : each))
}
