import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  refusalIn,
  runIn,
  startInvoiceMachine,
  type InvoiceMachine,
} from '../../../../test/servers/machine-server.ts'
import { isPostgres } from '../../../db/dialect.ts'
import { json } from '../../../../test/servers/run-server.ts'

let { app, post, invoices, paused, erp } = {} as InvoiceMachine
beforeAll(async () => {
  ;({ app, post, invoices, paused, erp } = await startInvoiceMachine())
})
afterAll(() => app.close())
beforeEach(() => app.answer(json(200, { ok: true })))

const uuid = () => crypto.randomUUID()

describe('refused', () => {
  it('404: a token without access, an unknown slug, a deleted workflow', async () => {
    const outsider = await app.machine()
    const gone = await app.workflow([{ endpointId: post, text: '' }])
    await app.server.db
      .updateTable('workflow')
      .set({ deleted_at: '2026-06-01T08:00:00.000Z' })
      .where('id', '=', gone.id)
      .execute()
    const holder = await app.machine(gone)
    for (const [slug, token] of [
      [invoices.slug, outsider.token],
      ['none', erp.token],
      [gone.slug, holder.token],
      [gone.slug, app.token],
    ] as const)
      expect(refusalIn(await app.start(slug, token))).toMatchObject({ code: 'workflow.not_found' })
  })

  it('403: a person without workflow.run, whatever their role has', async () => {
    const person = await app.server.buildUser({ permissions: ['workflow.view'] })
    const { id: role } = (await app.server.stores.users.rolesOf(person.id))[0]!
    await app.server.stores.workflowAccess.set(role, [paused.id])
    expect((await app.start(paused.slug, person.token)).status).toBe(403)
  })

  it('401 and 404: a token that is revoked, or loses its access, while its body arrives', async () => {
    const { hooks, stores, time } = app.server
    const late = async (loss: (machine: typeof erp) => Promise<unknown>) => {
      const leaver = await app.machine(paused)
      hooks.beforeHandler = async () => void (await loss(leaver))
      const answer = await app.start(paused.slug, leaver.token, { late: true })
      hooks.beforeHandler = undefined
      const runs = app.server.db.selectFrom('run').select('id').where('user_id', '=', leaver.id)
      expect(await runs.execute()).toEqual([])
      return answer.status
    }
    expect(await late(({ tokenId }) => stores.tokens.revoke(tokenId, time.now.toISOString()))).toBe(
      401,
    )
    // Whose roles are gone has no access to anything.
    expect(await late(({ id }) => stores.users.remove(id))).toBe(404)
    expect(await late(({ id }) => stores.users.setRoles(id, []))).toBe(404)
    expect(await late(({ roleId }) => stores.workflowAccess.set(roleId, []))).toBe(404)
  })

  it('422: a token without a key, or with one that is no key', async () => {
    for (const key of [null, '', 'short', 'x'.repeat(201), 'no spaces in it']) {
      const refused = await app.start(paused.slug, erp.token, {}, { key })
      expect(refused.status).toBe(422)
      expect(Object.keys(refusalIn(refused).errors ?? {})).toEqual(['Idempotency-Key'])
    }
  })

  it.each<[string, unknown, string[]]>([
    ['none', {}, ['order_key', 'reference']],
    ['an object and a list', { no: {}, branch: [1] }, ['order_key', 'reference']],
    ['blank', { no: ' ', branch: 'B1' }, ['reference']],
    ['long', { no: 'x'.repeat(201), branch: 'B1' }, ['reference']],
    ['control characters', { no: 'a\u0000b', branch: 'B1' }, ['reference']],
    ['half a character', '{"no":"a","branch":"\\ud800"}', ['order_key']],
  ])('422: reference and order key that are %s', async (_name, body, fields) => {
    const refused = await app.start(invoices.slug, erp.token, body)
    expect(refused.status).toBe(422)
    expect(Object.keys(refusalIn(refused).errors ?? {}).toSorted()).toEqual(fields)
  })

  it.each<[string, string | Buffer, number]>([
    ['nothing', '', 400],
    ['no JSON', '{"a":}', 400],
    ['two documents', '{}{}', 400],
    ['a key twice', '{"a":1,"a":2}', 400],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400],
    ['an overlong encoding', Buffer.from([0x22, 0xc0, 0xaf, 0x22]), 400],
    ['33 levels', '['.repeat(33) + ']'.repeat(33), 400],
    ['a million brackets', '['.repeat(1_000_000), 400],
    ['more than 1 MiB', `"${'x'.repeat(1_048_576)}"`, 413],
  ])('400 and 413: %s', async (_name, body, status) => {
    const answer = await app.start(paused.slug, erp.token, body)
    expect(answer.status, answer.text.slice(0, 300)).toBe(status)
  })

  it('415: another content type, and a packed body', async () => {
    for (const headers of [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-ndjson' },
      { 'content-encoding': 'gzip' },
    ] as Record<string, string>[])
      expect((await app.start(paused.slug, erp.token, '{}', { headers })).status).toBe(415)
  })

  it('409 while the workflow is paused, but what was taken stays taken', async () => {
    const flow = await app.workflow([{ endpointId: post, text: '' }], { lane: { is_paused: 1 } })
    const { token } = await app.machine(flow)
    const key = uuid()
    const { id } = runIn(await app.start(flow.slug, token, { a: 1 }, { key }))
    const set = (status: 'paused' | 'active') =>
      app.server.db.updateTable('workflow').set({ status }).where('id', '=', flow.id).execute()
    await set('paused')
    const refused = await app.start(flow.slug, token)
    expect([refused.status, refusalIn(refused).code]).toEqual([409, 'workflow.paused'])
    expect(runIn(await app.start(flow.slug, token, { a: 1 }, { key })).id).toBe(id)
  })

  it('503 with Retry-After while there is no room, and taken with the same key afterwards', async () => {
    const { db } = app.server
    // PostgreSQL has no such bound that could be set here.
    if (isPostgres(db)) return
    const large = { text: 'x'.repeat(900_000) }
    const key = uuid()
    const { page_count } = (await sql<{ page_count: number }>`pragma page_count`.execute(db))
      .rows[0]!
    await sql`pragma max_page_count = ${sql.lit(page_count)}`.execute(db)
    const refused = await app.start(paused.slug, erp.token, large, { key })
    expect([refused.status, refusalIn(refused).code]).toEqual([503, 'run.not_stored'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    const batch = await app.server.send('POST', `/api/workflows/${paused.slug}/batches`, {
      token: erp.token,
      headers: { 'content-type': 'application/json', 'idempotency-key': uuid() },
      body: JSON.stringify([large]),
    })
    expect([batch.status, refusalIn(batch).code]).toEqual([503, 'run.not_stored'])
    const count = () => db.selectFrom('run').select('id').where('client_key', '=', key).execute()
    expect(await count()).toEqual([])
    await sql`pragma max_page_count = 1000000`.execute(db)
    expect((await app.start(paused.slug, erp.token, large, { key })).status).toBe(202)
    expect(await count()).toHaveLength(1)
  })

  it('503 with Retry-After while the lane drains', async () => {
    const flow = await app.workflow([{ endpointId: post, text: '' }], { lane: { is_draining: 1 } })
    const refused = await app.start(flow.slug, (await app.machine(flow)).token)
    expect([refused.status, refusalIn(refused).code]).toEqual([503, 'lane.draining'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })
})
