import { answerTree } from '@gatehouse/contract/answer-tree'
import { defaultRunSettings, type Outcome, type StepState } from '@gatehouse/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildServer, httpApi, type TestServer } from '../../../../../test/servers/build-server.ts'
import { claimDocument, type DocumentClaim } from './document-ledger.ts'
import { releaseDocuments, settleDocument, type DocumentSettlement } from './document-settlement.ts'
import { inTransactionOn, type InTransaction } from '../../../../stores.ts'
import { keyOf } from '../../../../../test/rows/carry-document.ts'

let server: TestServer
let inTransaction: InTransaction
beforeAll(async () => {
  server = await buildServer()
  inTransaction = inTransactionOn(server.db, { now: () => server.time.now })
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.db.deleteFrom('document_step').execute()
  await server.db.deleteFrom('document').execute()
})

const now = '2026-06-01T08:00:00.000Z'

async function newRun(): Promise<number> {
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
  return id
}

let apis = 0
async function newApi(): Promise<number> {
  const created = await server.send('POST', '/api/apis', {
    token: server.admin.token,
    body: httpApi({ name: `API ${++apis}`, document_register: 'default' }),
  })
  return (created.body as { id: number }).id
}

const claim = (runId: number, overrides: Partial<DocumentClaim> = {}) =>
  inTransaction((stores) =>
    claimDocument(stores, {
      runId,
      position: 1,
      kind: 'tax',
      isTest: false,
      register: 'default',
      reference: 'INV-1',
      originalReference: null,
      now,
      ...overrides,
    }),
  )

const settle = (
  runId: number,
  state: StepState,
  outcome: Outcome | null = null,
  overrides: Partial<DocumentSettlement> = {},
) =>
  inTransaction((stores) =>
    settleDocument(stores, {
      runId,
      position: 1,
      state,
      outcome,
      settings: defaultRunSettings,
      now,
      ...overrides,
    }),
  )

it.each<[StepState, Outcome]>([
  ['rejected', 'rejected'],
  ['blocked', 'auth'],
  ['waiting', 'throttled'],
  ['waiting', 'not_sent'],
])('an unknown document stays unknown when a later attempt is %s (%s)', async (state, outcome) => {
  const [first, second] = [await newRun(), await newRun()]
  await claim(first)
  await settle(first, 'unknown', 'timeout')
  await claim(first)
  await settle(first, state, outcome)
  await expect(claim(second)).rejects.toMatchObject({ code: 'document.may_be_accepted' })
  // A person, or a status query, has no attempt.
  await settle(first, 'waiting')
  await claim(second)
})

const document = async (kind: 'tax' | 'credit' = 'tax', reference = 'INV-1') =>
  server.stores.documents.getByReference({ ...keyOf(reference), kind })

const refusedCode = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: { code: string }) => error.code,
  )

describe('a second run for a reference', () => {
  it.each<[StepState, Outcome | null, string | undefined]>([
    ['sending', null, 'document.may_be_accepted'],
    ['succeeded', 'ok', 'document.may_be_accepted'],
    ['succeeded', 'ok_duplicate', 'document.may_be_accepted'],
    ['unknown', 'timeout', 'document.may_be_accepted'],
    ['unknown', 'crash', 'document.may_be_accepted'],
    ['blocked', 'duplicate', 'document.may_be_accepted'],
    ['blocked', 'auth', undefined],
    ['blocked', null, undefined],
    ['waiting', 'not_sent', undefined],
    ['would_send', null, undefined],
    ['rejected', 'rejected', undefined],
  ])('after %s (%s) is refused with %s', async (state, outcome, code) => {
    const first = await newRun()
    await claim(first)
    await settle(first, state, outcome)
    expect(await refusedCode(claim(await newRun()))).toBe(code)
  })

  it('is counted for the API that it is sent to, by the run that holds the document', async () => {
    const apiOf = async () =>
      (await server.db.selectFrom('document').select('api_id').executeTakeFirstOrThrow()).api_id
    const first = await newRun()
    const [one, two, three] = [await newApi(), await newApi(), await newApi()]
    await claim(first, { apiId: one })
    await claim(first, { apiId: two, position: 2 })
    expect(await apiOf()).toBe(one)
    await settle(first, 'rejected')
    await settle(first, 'rejected', null, { position: 2 })
    await claim(await newRun(), { apiId: three })
    expect(await apiOf()).toBe(three)
  })

  it('learns which run holds the document', async () => {
    const first = await newRun()
    await claim(first)
    await settle(first, 'unknown', 'timeout')
    await expect(claim(await newRun())).rejects.toMatchObject({
      code: 'document.may_be_accepted',
      details: { extra: { run_id: first } },
    })
  })

  it('leaves no trace when it is refused', async () => {
    const first = await newRun()
    await claim(first)
    const second = await newRun()
    await refusedCode(claim(second))
    expect(await server.stores.documents.listOfStep(second, 1)).toEqual([])
    expect(await document()).toMatchObject({ run_id: first, state: 'sending' })
  })

  it('two at once: one wins', async () => {
    const runs = [await newRun(), await newRun(), await newRun(), await newRun()]
    const codes = await Promise.all(runs.map((run) => refusedCode(claim(run))))
    expect(codes.filter((code) => code === undefined)).toHaveLength(1)
    expect(codes.filter((code) => code === 'document.may_be_accepted')).toHaveLength(3)
  })

  it('is free for another kind, another reference and a test', async () => {
    await claim(await newRun())
    for (const other of [{ kind: 'credit' }, { reference: 'INV-2' }, { isTest: true }] as const) {
      expect(await refusedCode(claim(await newRun(), other))).toBeUndefined()
    }
  })

  it('a test run never blocks a real one', async () => {
    const test = await newRun()
    await claim(test, { isTest: true })
    await settle(test, 'succeeded', 'ok')
    expect(await refusedCode(claim(await newRun()))).toBeUndefined()
  })
})

describe('the run that holds a document', () => {
  it('may claim it again before a resend or a later step', async () => {
    const run = await newRun()
    await claim(run)
    await settle(run, 'unknown', 'timeout')
    await claim(run)
    expect(await document()).toMatchObject({ state: 'sending' })
    await settle(run, 'succeeded', 'ok_duplicate')
    await claim(run, { position: 2 })
    expect(await document()).toMatchObject({ state: 'accepted' })
  })

  it('cannot take back by a later step what an earlier one had accepted', async () => {
    const run = await newRun()
    await claim(run)
    await settle(run, 'succeeded', 'ok')
    await claim(run, { position: 2 })
    await settle(run, 'rejected', 'rejected', { position: 2 })
    expect(await document()).toMatchObject({ state: 'accepted' })
  })

  it('keeps what it knew when a resend is claimed, but never sent', async () => {
    const run = await newRun()
    await claim(run)
    await settle(run, 'unknown', 'timeout')
    await claim(run)
    await inTransaction((stores) => releaseDocuments(stores, run, now))
    await claim(run, { position: 2, reference: 'INV-2' })
    await inTransaction((stores) => releaseDocuments(stores, run, now))
    expect(await refusedCode(claim(await newRun()))).toBe('document.may_be_accepted')
    await settle(run, 'succeeded', 'ok')
    await settle(run, 'rejected', 'rejected')
    expect(await document()).toMatchObject({ state: 'accepted' })
  })

  it('is refused too once another run took over what it had let go', async () => {
    const first = await newRun()
    await claim(first)
    await settle(first, 'waiting', 'not_sent')
    const second = await newRun()
    await claim(second)
    expect(await refusedCode(claim(first))).toBe('document.may_be_accepted')
  })

  it('lets go, when it stops, of what it never sent', async () => {
    const run = await newRun()
    await claim(run)
    await claim(run, { position: 2, reference: 'INV-2' })
    await settle(run, 'unknown', 'timeout')
    await inTransaction((stores) => releaseDocuments(stores, run, now))
    expect(await document()).toMatchObject({ state: 'unknown' })
    expect(await document('tax', 'INV-2')).toMatchObject({ state: 'open' })
  })
})

describe('a credit note', () => {
  const credit = async (originalReference: string | null) =>
    claim(await newRun(), { kind: 'credit', reference: 'CN-1', originalReference })

  it.each<[StepState, Outcome | null, string | undefined]>([
    ['rejected', 'rejected', 'document.not_accepted'],
    ['waiting', 'not_sent', 'document.not_accepted'],
    ['unknown', 'timeout', undefined],
    ['succeeded', 'ok', undefined],
  ])('against a document that is %s (%s) is refused with %s', async (state, outcome, code) => {
    const run = await newRun()
    await claim(run)
    await settle(run, state, outcome)
    expect(await refusedCode(credit('INV-1'))).toBe(code)
  })

  it('against an unknown document is allowed, and the link is kept', async () => {
    await credit('INV-OLD')
    expect(await document('credit', 'CN-1')).toMatchObject({ original_reference: 'INV-OLD' })
  })
})

describe('what is kept of the answer', () => {
  const settings = { authority_reference_path: 'number', qr_path: 'qr' }

  it('authority reference and QR, exactly as they were written', async () => {
    const run = await newRun()
    await claim(run)
    const answer = () => answerTree('{"number":900719925474099312345,"qr":"AQI="}')
    await settle(run, 'succeeded', 'ok', { settings, answer })
    expect(await document()).toMatchObject({
      state: 'accepted',
      authority_reference: '900719925474099312345',
      qr: 'AQI=',
    })
  })

  it('a person’s reference, and nothing of an answer that refused', async () => {
    const run = await newRun()
    await claim(run)
    const answer = () => answerTree('{"number":"N-1"}')
    await settle(run, 'rejected', 'rejected', { settings, answer })
    expect(await document()).toMatchObject({ authority_reference: null })
    await claim(run)
    await settle(run, 'succeeded', null, { settings, authorityReference: 'N-2' })
    expect(await document()).toMatchObject({ authority_reference: 'N-2' })
  })
})
