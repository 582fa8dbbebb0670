import { defaultRunSettings, type StepState } from '@gatehouse/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildServer, type TestServer } from '../../../../../test/servers/build-server.ts'
import { inTransactionOn, type InTransaction } from '../../../../stores.ts'
import { claimDocument } from './document-ledger.ts'
import { releaseDocuments, settleDocument } from './document-settlement.ts'

let server: TestServer
let inTransaction: InTransaction
const runs: number[] = []
beforeAll(async () => {
  server = await buildServer()
  inTransaction = inTransactionOn(server.db, { now: () => server.time.now })
  for (let count = 0; count < 3; count++) {
    const { id } = await server.db
      .insertInto('run')
      .values({
        kind: 'tax',
        state: 'running',
        is_test: 0,
        user_id: server.admin.id,
        user_name: 'admin',
        request_id: 'r',
        created_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    runs.push(id)
  }
})
afterAll(() => server.close())

const now = '2026-06-01T08:00:00.000Z'

interface Action {
  run: number
  position: number
  act: 'claim' | 'release' | StepState
}

const action: fc.Arbitrary<Action> = fc.record({
  run: fc.nat(2),
  position: fc.integer({ min: 1, max: 2 }),
  act: fc.constantFrom<Action['act']>(
    'claim',
    'claim',
    'claim',
    'release',
    'succeeded',
    'rejected',
    'unknown',
    'waiting',
  ),
})

/** What one step of one run says of the one document, as far as it has claimed it. */
type Model = Map<string, { run: number; state: string }>

/** Whether the ledger may give a run the document: no other run may have sent it. */
function isFree(model: Model, run: number): boolean {
  const others = [...model.values()].filter((link) => link.run !== run)
  return others.every(({ state }) => !['claimed', 'succeeded', 'unknown'].includes(state))
}

const own = { kind: 'tax', isTest: false, register: 'default' } as const

async function perform(model: Model, reference: string, each: Action) {
  const { position, act } = each
  const runId = runs[each.run] ?? 0
  const link = `${each.run}/${position}`
  if (act === 'claim') {
    const claim = { runId, position, ...own, reference, now } as const
    const isTaken = await inTransaction((stores) =>
      claimDocument(stores, { ...claim, originalReference: null }),
    ).then(
      () => true,
      () => false,
    )
    expect(isTaken).toBe(isFree(model, each.run))
    const isGrave = ['succeeded', 'unknown'].includes(model.get(link)?.state ?? '')
    if (isTaken && !isGrave) model.set(link, { run: each.run, state: 'claimed' })
  } else if (act === 'release') {
    await inTransaction((stores) => releaseDocuments(stores, runId, now))
    for (const held of model.values())
      if (held.run === each.run && held.state === 'claimed') held.state = 'waiting'
  } else if (['claimed', 'unknown', 'succeeded'].includes(model.get(link)?.state ?? '')) {
    const settlement = { runId, position, state: act, outcome: null, now }
    await inTransaction((stores) =>
      settleDocument(stores, { ...settlement, settings: defaultRunSettings }),
    )
    if (model.get(link)?.state !== 'succeeded') model.set(link, { run: each.run, state: act })
  }
}

it('after any actions a document has one holder, and is never released once it may be accepted', async () => {
  let count = 0
  const holds = fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 14 }), async (actions) => {
      const reference = `INV-${count++}`
      const model: Model = new Map()
      for (const each of actions) await perform(model, reference, each)
      await server.db.deleteFrom('document_step').execute()
    }),
    { numRuns: 60 },
  )
  await expect(holds).resolves.toBeUndefined()
})
