import { gatewayClientId, type ApiDraft, type SubmittedApi } from '@gatehouse/contract'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { buildServer, httpApi, type TestServer } from '../../../../test/servers/build-server.ts'
import { buildSnapshot } from '../../../publishing/build-snapshot.ts'

let server: TestServer
let token: string
let named: number
let api: number
let count = 0
beforeAll(async () => {
  server = await buildServer()
  token = server.admin.token
  named = await personalToken()
})
afterAll(() => server.close())
beforeEach(async () => {
  const made = await send('POST', '/api/apis', definition())
  if (made.status !== 201) throw new Error(made.text)
  api = (made.body as { id: number }).id
})

const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown, as = token) =>
  server.send(method, url, { token: as, body })

async function personalToken() {
  const made = await send('POST', '/admin/token/store', { user: gatewayClientId })
  return (made.body as { access_token: { id: number } }).access_token.id
}

let name = ''
const definition = (more: Record<string, unknown> = {}) =>
  httpApi({ name: (name = `Drafted ${++count}`), api_url: 'https://live.example.com', ...more })
const again = (more: Record<string, unknown> = {}) =>
  httpApi({ name, api_url: 'https://next.example.com', ...more })

const save = (more: Record<string, unknown> = {}, draft_version = 0, draft_tokens = [named]) =>
  send('PUT', `/api/apis/${api}/draft`, { ...again(more), draft_tokens, draft_version })
const draftIn = ({ body }: { body: unknown }) => (body as { draft: ApiDraft | null }).draft
const found = async () => draftIn(await send('GET', `/api/apis/${api}/draft`))
const version = async () => (await found())?.draft_version ?? 0
const urlOf = (shown: { submitted_data: string } | null | undefined) =>
  (JSON.parse(shown?.submitted_data ?? '{}') as SubmittedApi).api_url
const liveUrl = async () => {
  const { body } = await send('GET', `/api/apis/${api}/edit`)
  return urlOf((body as [{ submitted_data: string }])[0])
}
const publish = (draft_version: number) =>
  send('POST', `/api/apis/${api}/draft/publish`, { draft_version })

/** The API and its draft as the gateway gets them. */
async function served() {
  const { snapshot } = await buildSnapshot(server.db, server.secrets, {
    now: () => server.time.now,
  })
  return snapshot.apis.find(({ id }) => id === api)!
}
const events = async () => {
  const rows = await server.db
    .selectFrom('audit_event')
    .selectAll()
    .where('thing', '=', 'api')
    .where('thing_id', '=', api)
    .orderBy('id')
    .execute()
  return rows.map(({ action }) => action)
}

it('a draft is served beside the API, which stays as it is', async () => {
  expect(await found()).toBeNull()
  const saved = await save()
  expect(saved.status, saved.text).toBe(200)
  expect(draftIn(saved)).toMatchObject({
    draft_tokens: [named],
    draft_version: expect.any(Number),
    is_outdated: false,
    saved_by: expect.any(String),
  })
  expect(urlOf(await found())).toBe('https://next.example.com')
  expect(await liveUrl()).toBe('https://live.example.com')
  expect(await served()).toMatchObject({
    base_url: 'https://live.example.com',
    draft: { token_ids: [named], api: { id: api, base_url: 'https://next.example.com' } },
  })
})

it('published, it is in force for all, can be taken back in the history, and is no draft any more', async () => {
  await save()
  expect((await publish(await version())).status).toBe(200)
  expect(await liveUrl()).toBe('https://next.example.com')
  expect(await found()).toBeNull()
  expect(await served()).toMatchObject({ base_url: 'https://next.example.com', draft: null })
  expect(await events()).toEqual(['api.create', 'draft.save', 'draft.publish', 'api.update'])
  expect(await publish(1)).toMatchObject({ status: 404, body: { code: 'api.no_draft' } })
})

it('discarded, nothing is left of it', async () => {
  await save()
  expect((await send('DELETE', `/api/apis/${api}/draft`)).status).toBe(204)
  expect(await served()).toMatchObject({ base_url: 'https://live.example.com', draft: null })
  expect(await events()).toEqual(['api.create', 'draft.save', 'draft.discard'])
  expect((await send('DELETE', `/api/apis/${api}/draft`)).status).toBe(404)
})

it('the trail shows what the draft changes', async () => {
  await save({ answer_timeout_ms: 1_234 })
  const { before, after } = await server.db
    .selectFrom('audit_event')
    .select(['before', 'after'])
    .where('action', '=', 'draft.save')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(JSON.parse(before ?? '{}')).toMatchObject({ api_url: 'https://live.example.com' })
  expect(JSON.parse(after ?? '{}')).toMatchObject({
    api_url: 'https://next.example.com',
    answer_timeout_ms: 1_234,
    draft_tokens: [named],
  })
})

it('two who save the same draft do not overwrite each other', async () => {
  expect((await save()).status).toBe(200)
  expect(await save()).toMatchObject({ status: 409, body: { code: 'record.changed' } })
  const first = await version()
  expect(draftIn(await save({}, first))).toMatchObject({ draft_version: first + 1 })
  expect((await publish(first)).status).toBe(409)
  expect((await publish(first + 1)).status).toBe(200)
})

it.each(['discarded', 'published'])(
  'who has seen a draft that was %s does not change the next one',
  async (end) => {
    await save()
    const seen = await version()
    if (end === 'published') await publish(seen)
    else await send('DELETE', `/api/apis/${api}/draft`)
    expect((await save({ api_url: 'https://other.example.com' })).status).toBe(200)
    expect((await save({}, seen)).status).toBe(409)
    expect((await publish(seen)).status).toBe(409)
    expect(urlOf(await found())).toBe('https://other.example.com')
  },
)

it('is not published over a change of the API that it does not know', async () => {
  await save()
  await send('PUT', `/api/apis/${api}`, httpApi({ name, api_url: 'https://other.example.com' }))
  expect(await found()).toMatchObject({ is_outdated: true })
  const refused = await publish(await version())
  expect(refused).toMatchObject({ status: 409, body: { code: 'record.changed' } })
  expect(refused.text).toContain('save the draft again')
  expect(await liveUrl()).toBe('https://other.example.com')
  await save({}, await version())
  expect((await publish(await version())).status).toBe(200)
})

it('a stored secret goes along only to the address that it was entered for', async () => {
  await send('DELETE', `/api/apis/${api}`)
  const secret = { kind: 'api_key', place: 'header', name: 'X-Key', value: 'live-secret-1' }
  const made = await send('POST', '/api/apis', definition({ upstream_token: 'live-secret-1' }))
  expect(made.status, made.text).toBe(201)
  api = (made.body as { id: number }).id
  const moved = await save()
  expect(moved.status, JSON.stringify(secret)).toBe(422)
  expect(moved.text).toContain('enter the upstream token again')
  expect((await save({ api_url: 'https://live.example.com' })).status).toBe(200)
  expect((await served()).draft?.api.credential).toMatchObject({ token: 'live-secret-1' })
  // What is stored in the draft was entered for the address of the draft.
  expect((await save({ upstream_token: 'draft-secret-1' }, await version())).status).toBe(200)
  expect((await served()).draft?.api.credential).toMatchObject({ token: 'draft-secret-1' })
  expect((await served()).credential).toMatchObject({ token: 'live-secret-1' })
  expect((await save({ api_url: 'https://third.example.com' }, await version())).status).toBe(422)
  expect(JSON.stringify(await found())).not.toContain('secret-1')
  expect((await publish(await version())).status).toBe(200)
  expect((await served()).credential).toMatchObject({ token: 'draft-secret-1' })
})

it('a sign-in whose token is obtained stays that of the API, however often either is saved', async () => {
  const oauth = {
    kind: 'oauth2_client_credentials',
    token_url: 'https://login.example.com/token',
    client_id: 'tax',
    client_secret: 'oauth-secret-1',
  }
  const made = await send('POST', '/api/apis', definition({ credential: oauth }))
  api = (made.body as { id: number }).id
  const api_url = 'https://live.example.com'
  // As the form has it: the secret is left blank.
  const kept = { api_url, credential: { ...oauth, client_secret: '' } }
  const first = await save({ ...kept, answer_timeout_ms: 1_234 })
  expect(first.status, first.text).toBe(200)
  const shared = async () => {
    const { credential_seal, draft } = await served()
    return { fault: draft?.api.fault, isSame: draft?.api.credential_seal === credential_seal }
  }
  expect(await shared()).toEqual({ fault: null, isSame: true })
  const again = await send('PUT', `/api/apis/${api}`, httpApi({ name, ...kept }))
  expect(again.status, again.text).toBe(200)
  expect(await shared()).toEqual({ fault: null, isSame: true })
  expect((await save(kept, await version())).status).toBe(200)

  const other = { api_url, credential: { ...oauth, client_secret: 'oauth-secret-2' } }
  expect(await save(other, await version())).toMatchObject({
    status: 422,
    body: { errors: { credential: [expect.any(String)] } },
  })
  await send('PUT', `/api/apis/${api}`, httpApi({ name, ...other }))
  expect(await shared()).toEqual({ fault: 'credential', isSame: false })
  expect((await save(other, await version())).status).toBe(200)
  expect(await shared()).toEqual({ fault: null, isSame: true })
  expect((await publish(await version())).status).toBe(200)
})

it.each([
  ['no token', {}, [], 'draft_tokens'],
  ['a token that there is not', {}, [999_999], 'draft_tokens'],
  ['another name', { name: 'Renamed' }, undefined, 'name'],
  ['an address that is no URL', { api_url: 'nowhere' }, undefined, 'api_url'],
  [
    'an authority that is none',
    {
      traffic_policy: {
        client_certificates: {
          ca: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
        },
      },
    },
    undefined,
    'traffic_policy.client_certificates.ca',
  ],
  ['an address that is denied', { api_url: 'http://169.254.169.254' }, undefined, 'api_url'],
])('with %s it is refused at that field', async (_, more, tokens, field) => {
  const answer = await save(more, 0, tokens ?? [named])
  expect(answer.status, answer.text).toBe(422)
  expect(Object.keys((answer.body as { errors: object }).errors)).toContain(field)
  expect(await found()).toBeNull()
})

it('a revoked token is refused, and one that is revoked later opens nothing', async () => {
  const gone = await personalToken()
  expect((await save({}, 0, [named, gone])).status).toBe(200)
  await send('DELETE', `/api/token/${gone}`)
  const { snapshot } = await buildSnapshot(server.db, server.secrets, {
    now: () => server.time.now,
  })
  expect(snapshot.tokens.map(({ id }) => id)).not.toContain(gone)
  expect((await save({}, await version(), [named, gone])).status).toBe(422)
})

it('needs the permission to edit APIs, and to see it that to see them', async () => {
  await save()
  const viewer = await server.buildUser({ permissions: ['api.view'] })
  const nobody = await server.buildUser({ permissions: [] })
  const url = `/api/apis/${api}/draft`
  expect((await send('GET', url, undefined, viewer.token)).status).toBe(200)
  expect((await send('GET', url, undefined, nobody.token)).status).toBe(403)
  const body = { ...again(), draft_tokens: [named], draft_version: 1 }
  expect((await send('PUT', url, body, viewer.token)).status).toBe(403)
  expect((await send('POST', `${url}/publish`, { draft_version: 1 }, viewer.token)).status).toBe(
    403,
  )
  expect((await send('DELETE', url, undefined, viewer.token)).status).toBe(403)
})

it('goes with its API', async () => {
  await save()
  expect((await send('DELETE', `/api/apis/${api}`)).status).toBe(204)
  expect(await server.stores.apiDrafts.find(api)).toBeUndefined()
  expect((await send('GET', `/api/apis/${api}/draft`)).status).toBe(404)
})
