import { purgesMax, type CachePurge } from '@gatehouse/contract/gateway'
import type { CacheFields } from './cache-control.ts'

/** Which of the purges that a configuration names are still to be done: each is done once. */
export class PurgeList {
  #known: ReadonlySet<string>
  /** Rises with each that is done. */
  seen = 0

  constructor(done: readonly CachePurge[]) {
    this.#known = idsOf(done)
  }

  /** Those that were not there before. `all`: others may have come and gone meanwhile. */
  take(purges: readonly CachePurge[]): readonly CachePurge[] | 'all' {
    const fresh = purges.filter(({ id }) => !this.#known.has(id))
    if (fresh.length === 0) return fresh
    this.#known = idsOf(purges)
    this.seen += fresh.length
    return fresh.length === purgesMax ? 'all' : fresh
  }
}

const idsOf = (purges: readonly CachePurge[]) => new Set(purges.map(({ id }) => id))

/** Whether a kept answer goes. `url`: path and query as the upstream is asked for them. */
type IsPurged = (url: string, fields: CacheFields) => boolean

/** Reads the purge once, for all answers that it is asked about. */
export function purgedBy({ kind, value }: CachePurge): IsPurged {
  if (kind === 'api') return () => true
  if (kind === 'tag') return (_url, fields) => tagsOf(fields).includes(value)
  const isPrefix = value.endsWith('*')
  const wanted = decoded(isPrefix ? value.slice(0, -1) : value)
  return (url) => {
    const path = decoded(url.split('?', 1)[0] ?? '')
    return isPrefix ? path.startsWith(wanted) : path === wanted
  }
}

/** Clients may escape any character of a path, and a purge may name it either way. */
function decoded(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** `Cache-Tag` has commas between its tags, `Surrogate-Key` blanks. */
function tagsOf(fields: CacheFields): readonly string[] {
  const { 'cache-tag': tags = '', 'surrogate-key': keys = '' } = fields
  return tags === '' && keys === '' ? [] : `${tags} ${keys}`.split(/[\s,]+/)
}
