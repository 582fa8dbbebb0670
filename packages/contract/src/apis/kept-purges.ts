import { z } from 'zod'

/** Which kept answers go: all of the API, those of a path, or those with a tag. */
export const purgeKinds = ['api', 'path', 'tag'] as const

const cachePurge = z.object({
  /** Random, so that each worker carries it out once. */
  id: z.string(),
  kind: z.enum(purgeKinds),
  /** A path behind the context, which may end with `*`, or a tag; blank for all. */
  value: z.string(),
})
export type CachePurge = z.output<typeof cachePurge>

/** The last ones, oldest first. A worker that finds a full list without any that it knows drops everything. */
export const purgesMax = 20
export const cachePurges = z.array(cachePurge).max(purgesMax)

/** Those that a row keeps. Throws where they can't be read. */
export const readPurges = (stored: string | null): CachePurge[] =>
  stored === null ? [] : cachePurges.parse(JSON.parse(stored))

/** The same with one more. */
export const withPurge = (stored: string | null, purge: CachePurge): string =>
  JSON.stringify([...readPurges(stored), purge].slice(-purgesMax))
