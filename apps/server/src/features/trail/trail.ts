import type { findTrail, HandlerOutput, TrailEvent, TrailSource } from '@gatehouse/contract'
import type { SendOwn } from '../../kernel/http/own-calls.ts'
import { TrailLists } from './trail-lists.ts'

type Found = HandlerOutput<typeof findTrail>

const eventsMax = 300
/** Of requests that a reference or a run leads to. */
const requestsMax = 5
const requestId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Puts together what the lists of the admin API know about one thing, as their caller may see them. */
export class Trail {
  readonly #lists: TrailLists

  constructor(send: SendOwn) {
    this.#lists = new TrailLists(send)
  }

  async find(asked: string): Promise<Found> {
    if (asked === '') return { subjects: [], events: [], has_more: false, left_out: [] }
    const lists = this.#lists
    const isRequest = requestId.test(asked)
    const [documents, runs, tokens] = await Promise.all([
      isRequest ? [] : lists.documents(asked),
      lists.runs(asked),
      isRequest ? [] : lists.tokens(asked),
    ])
    const requests = new Set([...(isRequest ? [asked] : []), ...runs.requests])
    const events: TrailEvent[] = [...documents, ...runs.events, ...tokens]
    for (const each of [...requests].slice(0, requestsMax)) {
      events.push(...(await lists.gateway({ search: each })))
      events.push(...(await lists.audit({ search: each }, (event) => event.request_id === each)))
      events.push(...(await lists.logs(each)))
    }
    for (const { id } of tokens) {
      events.push(...(await lists.gateway({ token: String(id) })))
      events.push(...(await lists.audit({ thing: 'token', thing_id: String(id) })))
      events.push(...(await lists.logs(`"token_id":${id},`)))
    }
    const sorted = withoutRepeats(events).toSorted((one, other) => (one.at < other.at ? -1 : 1))
    const isKnown = (kind: 'request' | 'reference' | 'token') =>
      ({
        request: isRequest && sorted.length > 0,
        reference: !isRequest && documents.length + runs.events.length > 0,
        token: tokens.length > 0,
      })[kind]
    return {
      subjects: (['request', 'reference', 'token'] as const)
        .filter(isKnown)
        .map((kind) => ({ kind, name: asked })),
      // The newest, in their order.
      events: sorted.slice(-eventsMax),
      has_more: lists.hasMore || requests.size > requestsMax || sorted.length > eventsMax,
      left_out: [...lists.leftOut] satisfies TrailSource[],
    }
  }
}

/** A line of a log may be found by two texts. */
function withoutRepeats(events: readonly TrailEvent[]): TrailEvent[] {
  const keyOf = ({ source, id, line, at, text }: TrailEvent) =>
    JSON.stringify(line ? [source, line] : [source, id, at, text])
  return [...new Map(events.map((event) => [keyOf(event), event])).values()]
}
