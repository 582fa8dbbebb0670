import { searchKinds, type Permission, type SearchKind } from '@gatehouse/contract'
import { can, type Caller } from '../../kernel/caller.ts'
import {
  findCandidates,
  idOf,
  partsMax,
  type Question,
  type SearchStores,
} from './find-candidates.ts'
import { presentHits } from './present-hits.ts'
import { textHits } from './text-hits.ts'
import { readQuestion } from './word-query.ts'

interface SearchRequest {
  q: string
  kinds: readonly SearchKind[]
  state?: string | undefined
  register?: string | undefined
  from?: string | undefined
  to?: string | undefined
  page: number
  limit: number
}

/** What a list of the kind asks of its reader. */
const permissionOf: Record<SearchKind, Permission> = {
  run: 'run.view',
  document: 'run.view',
  batch: 'workflow.view',
  workflow: 'workflow.view',
}

/** Finds runs, documents, batches and workflows by what they are called and by the texts of requests. */
export class SearchService {
  readonly #stores: SearchStores

  /** `stores` reads on a connection for long queries. */
  constructor(stores: SearchStores) {
    this.#stores = stores
  }

  /** Kinds whose lists the caller may not see are left out. */
  async search(request: SearchRequest, caller: Caller) {
    const question = questionOf(this.#stores, request)
    const isTooShort = question.query.words.length === 0 && idOf(question.text) === undefined
    const kinds = searchKinds.filter(
      (kind) =>
        (request.kinds.length === 0 || request.kinds.includes(kind)) &&
        can(caller, permissionOf[kind]),
    )
    const found = await Promise.all(
      kinds.map((kind) => this.#group(kind, question, request, isTooShort)),
    )
    const groups = found.map(({ group }) => group)
    const stoppedAt = Math.max(0, ...found.map((each) => each.stoppedAt ?? 0))
    return {
      groups,
      is_too_short: isTooShort,
      searched_since: stoppedAt === 0 ? null : await this.#stores.searchHits.createdAt(stoppedAt),
      indexed_share: await this.#indexedShare(),
    }
  }

  async #group(
    kind: SearchKind,
    question: Question,
    { page, limit }: SearchRequest,
    isTooShort: boolean,
  ) {
    const empty = { ids: [], hasMore: false, exact: new Set<number>(), stoppedAt: undefined }
    const found = isTooShort ? empty : await findCandidates(kind, this.#stores, question)
    const ids = found.ids.slice((page - 1) * limit, page * limit)
    const hits = await presentHits(kind, this.#stores, question, { ids, exact: found.exact })
    const { hasMore: has_more, stoppedAt } = found
    return { group: { kind, total: found.ids.length, has_more, hits }, stoppedAt }
  }

  async #indexedShare(): Promise<number | null> {
    const { below, first_below } = await this.#stores.search.progress()
    if (below <= 1) return null
    return Math.round((1 - below / first_below) * 1000) / 1000
  }
}

function questionOf(
  stores: SearchStores,
  { q, state, register, from, to }: SearchRequest,
): Question {
  const period = {
    from: from ? momentOf(from, '00:00:00.000') : undefined,
    to: to ? momentOf(to, '23:59:59.999') : undefined,
  }
  const query = readQuestion(q)
  const inTexts = textHits(stores, query, period)
  let parts: Promise<number[]> | undefined
  // Runs and documents ask for the same.
  const inReferences = () =>
    (parts ??= stores.searchHits.findDocumentParts(q.normalize('NFKC'), partsMax))
  const only = { state: state || undefined, register: register || undefined }
  return { text: q, query, ...only, period, inTexts, inReferences }
}

const momentOf = (text: string, time: string) =>
  text.length === 10 ? `${text}T${time}Z` : new Date(text).toISOString()
