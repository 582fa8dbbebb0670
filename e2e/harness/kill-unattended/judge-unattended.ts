import { createHash } from 'node:crypto'
import type { Arrival } from './outside-world.ts'
import type { Moment } from './schedule-table.ts'
import type { SetUp } from './set-up-unattended.ts'
import type { UnattendedFacts } from './unattended-facts.ts'

interface Evidence {
  setUp: SetUp
  facts: UnattendedFacts
  /** Moments that were due. */
  moments: readonly Moment[]
  /** References of the list, in its order. */
  listed: readonly string[]
  arrivals: readonly Arrival[]
  forged: readonly string[]
}

interface Message {
  type: string
  data: { run: { id: number; reference: string | null; key: string | null } }
}

/** What may not be: each is said in a sentence. */
export function judgeUnattended(evidence: Evidence): string[] {
  return [
    ...judgeMoments(evidence),
    ...judgeStarts(evidence),
    ...judgeMessages(evidence),
    ...judgeOrder(evidence),
    ...evidence.forged.map((id) => `the signature of ${id} does not fit`),
  ]
}

/** Each moment has one firing, which was carried out or skipped, and no firing is without its moment. */
function* judgeMoments({ facts, moments }: Evidence): Generator<string> {
  const due = Map.groupBy(moments, ({ scheduleId }) => scheduleId)
  for (const [id, firings] of facts.firings) {
    const expected = new Set(due.get(id)?.map(({ plannedFor }) => plannedFor))
    for (const { planned_for, state } of firings) {
      if (!expected.delete(planned_for))
        yield `schedule ${id} fired for ${planned_for}, which was not due, or twice`
      if (state !== 'done' && state !== 'skipped')
        yield `schedule ${id}, ${planned_for}: its firing is ${state}`
    }
    for (const moment of expected) yield `schedule ${id} did not fire at ${moment}`
  }
}

/** A firing of a fixed input has started one run; an element of a list is one run, in its order. */
function* judgeStarts({ setUp, facts, listed, arrivals }: Evidence): Generator<string> {
  const runs = Map.groupBy(facts.runs, ({ reference }) => reference)
  for (const [reference, id] of setUp.fixed) {
    const done = facts.firings.get(id)?.filter(({ state }) => state === 'done') ?? []
    const started = runs.get(reference)?.length ?? 0
    if (started !== done.length)
      yield `${reference}: ${done.length} firings have started ${started} runs`
    for (const firing of done)
      if (firing.started !== 1) yield `firing ${firing.id} says that it started ${firing.started}`
  }
  const byKey = Map.groupBy(arrivals.map(runOf), ({ key }) => key)
  let before = 0
  for (const reference of listed) {
    const [run] = byKey.get(keyOf(setUp.list, reference)) ?? []
    if (!run) yield `${reference} of the list was never started`
    else if (run.id < before) yield `${reference} was started before the one above it`
    before = run?.id ?? before
  }
  const ofList = facts.runs.filter(({ reference }) => !setUp.fixed.has(reference ?? ''))
  if (ofList.length !== listed.length)
    yield `${listed.length} elements of the list are ${ofList.length} runs`
  if (facts.watermark !== String(listed.length))
    yield `the watermark is ${facts.watermark} after ${listed.length} elements`
}

const runOf = ({ body }: Pick<Arrival, 'body'>) => (JSON.parse(body) as Message).data.run

/** The idempotency key of a run that a schedule starts for an element. */
const keyOf = (scheduleId: number, reference: string) =>
  `schedule-${scheduleId}-${createHash('sha256').update(`reference ${reference}`).digest('hex')}`

/** Each run that has ended was reported: one id, always the same bytes, taken at least once. */
function* judgeMessages({ facts, arrivals }: Evidence): Generator<string> {
  const byId = Map.groupBy(arrivals, ({ id }) => id)
  const reported = new Map<string, string>()
  for (const [id, tries] of byId) {
    const [{ body } = { body: '' }] = tries
    if (tries.some((each) => each.body !== body)) yield `${id} came with different bytes`
    if (!tries.some(({ isTaken }) => isTaken)) yield `${id} was never taken`
    const { type, data } = JSON.parse(body) as Message
    const what = `run ${data.run.id} ${type}`
    if (reported.has(what)) yield `${what} was reported as ${reported.get(what)} and as ${id}`
    reported.set(what, id)
  }
  for (const { id, state } of facts.runs)
    if (!reported.has(`run ${id} run.${state}`))
      yield `run ${id} is ${state}, which was not reported`
  for (const { id, state } of facts.deliveries)
    if (state !== 'delivered') yield `delivery ${id} is ${state}`
  if (facts.deliveries.length !== byId.size)
    yield `${byId.size} messages came of ${facts.deliveries.length}`
}

/** Messages of one document come in the order in which they were left, and none after a later one. */
function* judgeOrder({ facts, arrivals }: Evidence): Generator<string> {
  const left = new Map(facts.deliveries.map((each) => [`${each.run_id} ${each.subject}`, each.id]))
  const last = new Map<string, number>()
  for (const { id: name, body } of arrivals) {
    const { type, data } = JSON.parse(body) as Message
    const of = data.run.reference ?? `run ${data.run.id}`
    const id = left.get(`${data.run.id} ${type}`) ?? 0
    const before = last.get(of) ?? id
    if (id < before) yield `${of}: ${name}, delivery ${id}, came after delivery ${before}`
    last.set(of, id)
  }
}
