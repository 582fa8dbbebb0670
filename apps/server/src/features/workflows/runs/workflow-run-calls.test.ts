import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { workflowOf } from '../../../../test/servers/build-server.ts'
import {
  refusalIn,
  runIn,
  startInvoiceMachine,
  type InvoiceMachine,
} from '../../../../test/servers/machine-server.ts'
import { json } from '../../../../test/servers/run-server.ts'

let { app, post, invoices, paused, erp } = {} as InvoiceMachine
beforeAll(async () => {
  ;({ app, post, invoices, paused, erp } = await startInvoiceMachine())
})
afterAll(() => app.close())
beforeEach(() => app.answer(json(200, { ok: true })))

const uuid = () => crypto.randomUUID()
const invoice = (no: string = uuid()) => ({ no, branch: 'B1' })
const wait = (seconds: number) => ({ headers: { prefer: `wait=${seconds}` } })

describe('202', () => {
  it('is given with the run and its address, and the run is carried out', async () => {
    const key = uuid()
    const answer = await app.start(invoices.slug, erp.token, invoice('INV-1'), { key })
    expect(answer.status, answer.text).toBe(202)
    const { id } = runIn(answer)
    expect(answer.headers['location']).toBe(`/api/workflows/${invoices.slug}/runs/${id}`)
    expect(answer.body).toEqual({
      run: {
        id,
        state: 'queued',
        kind: 'tax',
        is_test: false,
        is_dry_run: false,
        workflow: { slug: invoices.slug, version: 1 },
        reference: 'INV-1',
        key,
        batch: null,
        created_at: '2026-06-01T08:00:00.000Z',
        finished_at: null,
        outcome: null,
        message: null,
        queue: { tries: 0, next_try_at: null, deadline_at: '2026-06-01T08:30:00.000Z' },
        authority_reference: null,
        qr: null,
        steps: [],
      },
    })
    await app.settled()
    const shown = await app.server.send('GET', String(answer.headers['location']), {
      token: erp.token,
    })
    expect(runIn(shown)).toMatchObject({ state: 'succeeded', outcome: 'ok', queue: null })
  })

  it('keeps the input byte for byte', async () => {
    const text =
      ' {"no": "INV-2",\t"branch":"é\\u00e9", "total": 0.10, "big":12345678901234567890}\n'
    const { id } = runIn(await app.start(invoices.slug, erp.token, text))
    const { body } = await app.server.db
      .selectFrom('run_input')
      .select('body')
      .where('run_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(body).toBe(text)
  })

  it.each(['[]', '"text"', '7', 'null', '{"__proto__":{"a":1},"constructor":1}'])(
    'takes any JSON: %s',
    async (text) => {
      expect((await app.start(paused.slug, erp.token, text)).status).toBe(202)
    },
  )

  it('is given to a person with workflow.run, who needs no key', async () => {
    const clerk = await app.server.buildUser({ permissions: ['workflow.run'] })
    const answer = await app.start(paused.slug, clerk.token, {}, { key: null })
    expect(answer.status).toBe(202)
    const url = String(answer.headers['location'])
    expect((await app.server.send('GET', url, { token: clerk.token })).status).toBe(200)
  })
})

describe('the same key', () => {
  it('is the same run', async () => {
    const key = uuid()
    const first = await app.start(invoices.slug, erp.token, invoice('INV-3'), { key })
    await app.settled()
    const again = await app.start(invoices.slug, erp.token, '{ "branch":"B1", "no":"INV-3" }', {
      key,
    })
    expect(again.status).toBe(202)
    expect(again.headers['idempotent-replay']).toBe('true')
    expect(first.headers['idempotent-replay']).toBeUndefined()
    expect(runIn(again)).toMatchObject({ id: runIn(first).id, state: 'succeeded' })
    const waited = await app.start(invoices.slug, erp.token, invoice('INV-3'), { key, ...wait(5) })
    expect(waited.status).toBe(200)
  })

  it('with other content, or as a test, is refused', async () => {
    const key = uuid()
    const { id } = runIn(await app.start(paused.slug, erp.token, { a: 1 }, { key }))
    const other = await app.start(paused.slug, erp.token, { a: 1.0, b: 2 }, { key })
    expect(other.status).toBe(422)
    expect(other.body).toMatchObject({ code: 'run.key_reused', run: { id, state: 'queued' } })
  })

  it('of another user, or for another workflow, is another run', async () => {
    const key = uuid()
    const other = await app.machine(invoices, paused)
    const ids = [
      await app.start(paused.slug, erp.token, { k: 1 }, { key }),
      await app.start(paused.slug, other.token, { k: 1 }, { key }),
      await app.start(invoices.slug, erp.token, invoice(), { key }),
    ].map((answer) => runIn(answer).id)
    expect(new Set(ids).size).toBe(3)
  })

  it('is the same run after its workflow was deleted and made again', async () => {
    const key = uuid()
    const flow = await app.workflow([{ endpointId: post, text: '{"n":2}' }])
    const caller = await app.machine(flow)
    const first = await app.start(flow.slug, caller.token, { a: 1 }, { key })
    await app.settled()
    const sentBefore = app.upstream.received.length
    const admin = { token: app.token }
    const removed = await app.server.send('DELETE', `/api/workflows/${flow.id}`, admin)
    expect(removed.status, removed.text).toBe(204)
    const gone = await app.start(flow.slug, caller.token, { a: 1 }, { key })
    expect(gone.status).toBe(404)
    const definition = workflowOf(post, { slug: flow.slug, lane: { name: flow.slug } })
    const made = await app.server.send('POST', '/api/workflows', { ...admin, body: definition })
    expect(made.status, made.text).toBe(201)
    // The access of roles has gone with it.
    expect((await app.start(flow.slug, caller.token, { a: 1 }, { key })).status).toBe(404)
    const { id } = made.body as { id: number }
    await app.server.stores.workflowAccess.set(caller.roleId, [id])
    const again = await app.start(flow.slug, caller.token, { a: 1 }, { key })
    expect(again.headers['idempotent-replay']).toBe('true')
    expect(runIn(again).id).toBe(runIn(first).id)
    const other = await app.start(flow.slug, caller.token, { a: 2 }, { key })
    expect(other.body).toMatchObject({ code: 'run.key_reused' })
    await app.settled()
    expect(app.upstream.received).toHaveLength(sentBefore)
    const seen = await app.server.send('GET', `/api/workflows/${flow.slug}/runs?key=${key}`, caller)
    expect(seen.body).toMatchObject({ runs: [{ id: runIn(first).id }] })
  })

  it('stays with a workflow that was renamed: no other one gets the slug under which it was used', async () => {
    const key = uuid()
    const admin = { token: app.token }
    const named = (slug: string) =>
      workflowOf(post, { slug, name: 'Receipts', lane: { name: slug } })
    const make = (body: unknown) => app.server.send('POST', '/api/workflows', { ...admin, body })
    const made = (await make(named('receipts-of-before'))).body as { id: number }
    const caller = await app.machine({ id: made.id, slug: 'receipts-of-before' })
    const first = await app.start('receipts-of-before', caller.token, { id: 1 }, { key })
    await app.settled()
    const path = `/api/workflows/${made.id}`
    const rename = (slug: string) =>
      app.server.send('PUT', path, { ...admin, body: { ...named(slug), version: undefined } })
    expect((await rename('receipts-of-now')).status).toBe(200)
    const again = await app.start('receipts-of-now', caller.token, { id: 1 }, { key })
    expect(runIn(again).id).toBe(runIn(first).id)
    const taken = await make(named('receipts-of-before'))
    expect(taken.status).toBe(422)
    expect(taken.body).toMatchObject({
      errors: { slug: [expect.stringContaining('the slug of the workflow “Receipts”')] },
    })
    // It may have it back, and a slug that no key has used is free.
    expect((await rename('receipts-of-before')).status).toBe(200)
    expect((await make(named('receipts-of-now'))).status).toBe(422)
    expect((await rename('receipts-in-between')).status).toBe(200)
    expect((await rename('receipts-of-before')).status).toBe(200)
  })

  it('sent a hundred times at once makes one run', async () => {
    const key = uuid()
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => app.start(paused.slug, erp.token, { at: 'once' }, { key })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
    expect(new Set(answers.map((answer) => runIn(answer).id)).size).toBe(1)
    expect(
      answers.filter(({ headers }) => headers['idempotent-replay'] === undefined),
    ).toHaveLength(1)
  })
})

describe('Prefer: wait', () => {
  it('answers 200 when every step has succeeded', async () => {
    const answer = await app.start(invoices.slug, erp.token, invoice(), wait(30))
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers['preference-applied']).toBe('wait=30')
    expect(answer.body).toMatchObject({
      message: 'Request sent successfully!',
      run: { state: 'succeeded', outcome: 'ok', steps: [{ state: 'succeeded', status: 200 }] },
    })
  })

  it('answers 502 for a failure, and 504 where the outcome is unknown', async () => {
    app.answer(json(422, { error: 'VAT number' }))
    const failed = await app.start(invoices.slug, erp.token, invoice(), wait(30))
    expect(failed.status).toBe(502)
    expect(failed.body).toMatchObject({
      code: 'run.failed',
      detail: expect.stringContaining('Step 1: '),
      run: { state: 'rejected', workflow: { slug: invoices.slug } },
    })
    expect(failed.headers['location']).toContain('/runs/')
    app.answer((_request, _response, socket) => void socket.destroy())
    const unknown = await app.start(invoices.slug, erp.token, invoice(), wait(30))
    expect(unknown.status).toBe(504)
    expect(unknown.body).toMatchObject({ code: 'run.unknown', run: { state: 'unknown' } })
  })

  it('answers 202 where the run has not ended in time', async () => {
    const answer = await app.start(paused.slug, erp.token, {}, wait(1))
    expect(answer.status).toBe(202)
    expect(answer.headers['preference-applied']).toBe('wait=1')
    expect(runIn(answer)).toMatchObject({ state: 'queued' })
  })

  it('sees the end of a run that another server carries out', async () => {
    const other = await app.machine(paused)
    const waiting = app.start(paused.slug, other.token, {}, wait(60))
    const runs = app.server.db.selectFrom('run').select('id').where('user_id', '=', other.id)
    await expect.poll(() => runs.execute(), { interval: 5 }).toHaveLength(1)
    // As the other server writes it: nothing in this process reports the change.
    await app.server.db
      .updateTable('run')
      .set({ state: 'succeeded' })
      .where('user_id', '=', other.id)
      .execute()
    expect((await waiting).status).toBe(200)
  })

  it('ends with a 401 where the token is revoked meanwhile', async () => {
    const leaver = await app.machine(paused)
    const waiting = app.start(paused.slug, leaver.token, {}, wait(60))
    const runs = app.server.db.selectFrom('run').select('id').where('user_id', '=', leaver.id)
    await expect.poll(() => runs.execute(), { interval: 5 }).toHaveLength(1)
    await app.server.stores.tokens.revoke(leaver.tokenId, app.server.time.now.toISOString())
    expect((await waiting).status).toBe(401)
  })
})

describe('a test', () => {
  it('needs tax.test, of a person and of the user of a token', async () => {
    const query = '?test=1'
    const clerk = await app.server.buildUser({ permissions: ['workflow.run'] })
    for (const token of [clerk.token, erp.token]) {
      const refused = await app.start(paused.slug, token, {}, { query })
      expect([refused.status, refusalIn(refused).message]).toEqual([
        403,
        'You do not have permission to do this (tax.test).',
      ])
    }
    const tester = await app.server.buildUser({ permissions: ['workflow.run', 'tax.test'] })
    expect(runIn(await app.start(paused.slug, tester.token, {}, { query })).is_test).toBe(true)
    const { token } = await app.tokenFor(tester.id)
    expect((await app.start(paused.slug, token, {}, { query })).status).toBe(404)
    const { id: role } = (await app.server.stores.users.rolesOf(tester.id))[0]!
    await app.server.stores.workflowAccess.set(role, [paused.id])
    expect(runIn(await app.start(paused.slug, token, {}, { query })).is_test).toBe(true)
  })
})

it('a run of another user is not shown where the content is the same', async () => {
  const other = await app.machine(invoices)
  app.answer((_request, _response, socket) => void socket.destroy())
  const body = invoice()
  const own = await app.start(invoices.slug, erp.token, body, wait(30))
  const refused = await app.start(invoices.slug, other.token, body)
  expect(refused.body).toMatchObject({ code: 'run.unresolved' })
  expect((refused.body as { run: object }).run).toEqual({ id: runIn(own).id })
  // Its own user sees it.
  const seen = await app.start(invoices.slug, erp.token, body)
  expect(seen.body).toMatchObject({ run: { id: runIn(own).id, state: 'unknown' } })
  // Without a key the content is the key, also for a person.
  const clerk = await app.server.buildUser({ permissions: ['workflow.run'] })
  const replayed = await app.start(invoices.slug, clerk.token, body, { key: null })
  expect((replayed.body as { run: object }).run).toEqual({ id: runIn(own).id })
})
