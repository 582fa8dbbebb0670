import { expect, test } from 'vitest'
import { hostileAuthorities } from '../harness/hostile-workflows/authorities.ts'
import type {
  AuthorityRecord,
  Came,
  Did,
  Stored,
} from '../harness/hostile-workflows/authority-record.ts'
import { Claims } from '../harness/hostile-workflows/claims.ts'
import { judgeLimits, judgeRepeats } from '../harness/hostile-workflows/judge-calls.ts'
import { judgeDocuments } from '../harness/hostile-workflows/judge-documents.ts'
import { judgeOrder } from '../harness/hostile-workflows/judge-order.ts'

// What judges the proof of workflows has to see each fault.

const limits = { careless: { per_second: 2, per_minute: 3 }, careful: {}, later: {}, moody: {} }
const authorities = hostileAuthorities(limits)

type Sent = Pick<Came, 'reference' | 'at'> & { call?: Came['call']; outcome?: Did['outcome'] }

const recordOf = (sent: Sent[], { mostOpen = 0, markedAt = Infinity } = {}): AuthorityRecord => ({
  came: sent.map(({ reference, at, call = 'submit' }, id) => {
    const by = reference.split('/')[0] as Came['by']
    return { what: 'came', id, at, by, call, reference }
  }),
  did: new Map(
    sent.map(({ at, outcome = 'accepted' }, id) => [id, { what: 'did', id, at, outcome }]),
  ),
  stored: sent
    .filter(({ call, outcome = 'accepted' }) => call === undefined && storing.has(outcome))
    .map(({ reference, at }, index): Stored => {
      const [by] = reference.split('/') as [Came['by']]
      const decidesAt = by === 'later' ? at + 1_000 : at
      return {
        what: 'stored',
        by,
        reference,
        number: `n${index}`,
        verdict: 'accepted',
        at,
        decidesAt,
      }
    }),
  mostOpen: new Map([['careless', mostOpen]]),
  markedAt,
})
const storing = new Set<Did['outcome']>(['accepted', 'cut after storing'])
const [first, second] = ['careless/c/00001', 'careless/c/00002'] as const
const nobody = new Map<string, number>()

test('a window that holds more calls than its limit is seen, whichever calls they are', () => {
  const at = (...moments: number[]) =>
    recordOf(moments.map((moment) => ({ reference: first, at: moment, call: 'status' })))
  const passed = (record: AuthorityRecord) => judgeLimits(record, authorities).passed
  expect(passed(at(0, 999, 1_000))).toEqual([])
  expect(passed(at(0, 500, 999))).toEqual(['careless: 3 of 2 per second'])
  expect(passed(at(0, 20_000, 40_000, 59_999))).toEqual(['careless: 4 of 3 per minute'])
  expect(passed(recordOf([], { mostOpen: 13 }))).toEqual(['careless: 13 of 12 at once'])
})

test('a repetition is seen unless the authority had said 429 or a person has sent it', () => {
  const twice = (outcome: Did['outcome'], markedAt = Infinity) =>
    recordOf(
      [
        { reference: first, at: 1, outcome },
        { reference: first, at: 2 },
      ],
      { markedAt },
    )
  expect(judgeRepeats(twice('throttled'), nobody)).toEqual([])
  expect(judgeRepeats(twice('unavailable'), nobody)).toHaveLength(1)
  expect(judgeRepeats(twice('unavailable'), new Map([[first, 1]]))).toHaveLength(1)
  expect(judgeRepeats(twice('unavailable', 2), nobody)).toHaveLength(1)
  expect(judgeRepeats(twice('unavailable', 2), new Map([[first, 1]]))).toEqual([])
})

test('a document before its turn is seen, and one before the outcome of the last is known', () => {
  const judged = (...sent: Sent[]) => judgeOrder(recordOf(sent), authorities, nobody)
  expect(judged({ reference: first, at: 1 }, { reference: second, at: 2 })).toEqual([])
  expect(judged({ reference: second, at: 1 }, { reference: first, at: 2 })).toHaveLength(1)
  const lost: Sent = { reference: first, at: 1, outcome: 'cut after storing' }
  const asked: Sent = { reference: first, at: 2, call: 'status' }
  expect(judged(lost, { reference: second, at: 3 })).toHaveLength(1)
  expect(judged(lost, asked, { reference: second, at: 3 })).toEqual([])
  const later = (at: number) =>
    judged({ reference: 'later/c/1', at: 1 }, { reference: 'later/c/2', at })
  expect(later(1_000)).toHaveLength(1)
  expect(later(1_001)).toEqual([])
})

test('what is shown and not true is seen, also where it was shown once', () => {
  const judged = (sent: Sent[], final: Record<string, string>, once?: string) => {
    const claims = new Claims()
    claims.taken(first, 1)
    if (once) claims.shown(first, { id: 1, state: once })
    const shown = Object.entries(final).map(
      ([reference, state], id) => [reference, { id, state }] as const,
    )
    return judgeDocuments(recordOf(sent), claims, new Map(shown))
  }
  const accepted = [{ reference: first, at: 1 }]
  const fine = { acceptedTwice: [], lost: [], wrong: [] }
  expect(judged(accepted, { [first]: 'succeeded' }, 'queued')).toEqual(fine)
  expect(judged([], { [first]: 'rejected' })).toEqual(fine)
  expect(judged([...accepted, ...accepted], { [first]: 'succeeded' }).acceptedTwice).toEqual([
    first,
  ])
  expect(judged(accepted, {}).lost).toHaveLength(1)
  expect(judged(accepted, { [first]: 'unknown' }).lost).toHaveLength(1)
  expect(judged(accepted, { [first]: 'rejected' }).wrong).toHaveLength(1)
  expect(judged([], { [first]: 'succeeded' }).wrong).toHaveLength(1)
  expect(judged([], { [first]: 'rejected' }, 'succeeded').wrong).toHaveLength(1)
})
