import type { TokenDetail } from '@gatehouse/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildServer } from '../../../test/servers/build-server.ts'
import { buildSnapshot } from '../../publishing/build-snapshot.ts'
import { createSecretBox } from '../../kernel/secret-box.ts'

let server: Awaited<ReturnType<typeof buildServer>>
let admin: string
beforeAll(async () => {
  server = await buildServer()
  admin = server.admin.token
})
afterAll(() => server.close())

async function makeToken(user: number): Promise<number> {
  const body = { user }
  const answer = await server.send('POST', '/admin/token/store', { token: admin, body })
  return (answer.body as { access_token: { id: number } }).access_token.id
}
const path = (id: number) => `/api/token/${id}/signing-secret`
const make = (id: number, as = admin) => server.send('POST', path(id), { token: as })
const secretOf = (answer: { body: unknown }) =>
  (answer.body as { signing_secret: string }).signing_secret
const show = async (id: number) =>
  ((await server.send('GET', `/api/token/${id}`, { token: admin })).body as TokenDetail).token
const published = async (id: number, secrets = server.secrets) => {
  const { tokens } = (await buildSnapshot(server.db, secrets, { now: () => server.time.now }))
    .snapshot
  return tokens.find((token) => token.id === id)
}

describe('the signing secret of a token', () => {
  it('is shown once, stored sealed, and replaced and removed for the gateway at once', async () => {
    const id = await makeToken(4)
    expect(await show(id)).toMatchObject({ signing_since: null })
    expect(await published(id)).toMatchObject({ signing_secret: null })
    const made = await make(id)
    expect(made.status, made.text).toBe(201)
    const first = secretOf(made)
    expect(first).toMatch(/^ghk_[\w-]{49}$/)
    expect(await show(id)).toMatchObject({ signing_since: server.time.now.toISOString() })
    expect(JSON.stringify(await show(id))).not.toContain(first)
    const stored = await server.db.selectFrom('personal_token').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(first)
    expect(await published(id)).toMatchObject({ signing_secret: first })
    const second = secretOf(await make(id))
    expect(second).not.toBe(first)
    expect(await published(id)).toMatchObject({ signing_secret: second })
    expect((await server.send('DELETE', path(id), { token: admin })).status).toBe(204)
    expect(await published(id)).toMatchObject({ signing_secret: null })
    expect(await show(id)).toMatchObject({ signing_since: null })
    const events = await server.db
      .selectFrom('audit_event')
      .selectAll()
      .where('thing_id', '=', id)
      .orderBy('id')
      .execute()
    expect(events.map(({ action }) => action)).toEqual([
      'token.create',
      'token.sign',
      'token.sign',
      'token.unsign',
    ])
    for (const secret of [first, second]) expect(JSON.stringify(events)).not.toContain(secret)
  })

  it('does not move to another token, and one that can’t be opened leaves the token as it was', async () => {
    const [one, other] = [await makeToken(4), await makeToken(4)]
    await make(one)
    const { signing_secret } = await server.db
      .selectFrom('personal_token')
      .select('signing_secret')
      .where('id', '=', one)
      .executeTakeFirstOrThrow()
    await server.db
      .updateTable('personal_token')
      .set({ signing_secret })
      .where('id', '=', other)
      .execute()
    expect(await published(other)).toMatchObject({ id: other, signing_secret: null })
    const lost = createSecretBox(Buffer.alloc(32, 7))
    expect(await published(one, lost)).toMatchObject({ id: one, signing_secret: null })
  })

  it('is made by those who could make the token, and for what they may see', async () => {
    const clerk = (await server.buildUser({ permissions: ['token.view', 'token.create'] })).token
    const own = await makeToken(server.admin.id)
    expect((await make(own, clerk)).status).toBe(404)
    expect((await server.send('DELETE', path(own), { token: clerk })).status).toBe(404)
    expect((await make(await makeToken(4), clerk)).status).toBe(201)
    const reader = (await server.buildUser({ permissions: ['token.view'] })).token
    expect((await make(await makeToken(4), reader)).status).toBe(403)
    expect((await make(99_999)).status).toBe(404)
    expect((await server.send('DELETE', path(99_999), { token: admin })).status).toBe(404)
  })
})
