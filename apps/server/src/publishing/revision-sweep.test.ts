import { gatewayClientId, routes } from '@gatehouse/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildServer,
  endpointOf,
  httpApi,
  type TestServer,
} from '../../test/servers/build-server.ts'

// Every call that changes something either bumps the revision of the configuration or says why the
// gateway need not know. A new route without a row here fails the test.
let server: TestServer
let token: string
const ids = { api: 0, endpoint: 0, role: 0, user: 0, token: 0, issuer: 0 }

let restores = 0

type Change = () => Promise<{ status: number }>
const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown) =>
  server.send(method, url, { token, body })
const user = (more = {}) => ({
  name: 'Somebody',
  email: 'somebody@example.com',
  username: 'somebody',
  roles: [],
  ...more,
})

/** A draft that names a new token. */
async function saveDraft() {
  const made = await send('POST', '/admin/token/store', { user: gatewayClientId })
  const { id } = (made.body as { access_token: { id: number } }).access_token
  const draft = { ...httpApi({ name: 'Other' }), draft_tokens: [id], draft_version: 0 }
  return send('PUT', `/api/apis/${ids.api}/draft`, draft)
}

const tills = { name: 'Tills', permissions: [] }
const issuer = (more = {}) => ({
  name: 'Login',
  issuer: 'https://login.example.com',
  audience: 'us',
  jwks: `-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PUBLIC KEY-----`,
  algorithms: ['EdDSA'],
  roles: [],
  ...more,
})

// In this order: each works with what the ones before it left.
const changes: Record<string, Change> = {
  'POST /api/apis': () => keep('api', send('POST', '/api/apis', httpApi())),
  'PUT /api/apis/:id': () => send('PUT', `/api/apis/${ids.api}`, httpApi({ name: 'Other' })),
  'PUT /api/apis/:id/draft': () => saveDraft(),
  'POST /api/apis/:id/draft/publish': async () => {
    const { body } = await send('GET', `/api/apis/${ids.api}/draft`)
    const { draft_version } = (body as { draft: { draft_version: number } }).draft
    return send('POST', `/api/apis/${ids.api}/draft/publish`, { draft_version })
  },
  'DELETE /api/apis/:id/draft': async () => {
    await saveDraft()
    return send('DELETE', `/api/apis/${ids.api}/draft`)
  },
  'POST /api/apis/:id/purge-cache': () =>
    send('POST', `/api/apis/${ids.api}/purge-cache`, { kind: 'api' }),
  'PUT /api/context/:id': () => send('PUT', `/api/context/${ids.api}`, { context: 'moved' }),
  'POST /api/endpoint': () => keep('endpoint', send('POST', '/api/endpoint', endpointOf(ids.api))),
  'PUT /api/endpoint/:id': () =>
    send('PUT', `/api/endpoint/${ids.endpoint}`, endpointOf(ids.api, { path: '/other' })),
  'POST /api/apis/bulk': () =>
    send('POST', '/api/apis/bulk', { action: 'disable', ids: [ids.api] }),
  'POST /api/endpoint/bulk': () =>
    send('POST', '/api/endpoint/bulk', { action: 'tag', ids: [ids.endpoint], add_tags: ['x'] }),
  'POST /api/deletions/undo': async () => {
    const name = `Undone ${Math.random()}`
    const made = await send('POST', '/api/role', { name, permissions: [] })
    const { id } = made.body as { id: number }
    await send('DELETE', `/api/role/${id}`)
    return send('POST', '/api/deletions/undo', { thing: 'role', ids: [id] })
  },
  'POST /api/api-permission/bulk': () =>
    send('POST', '/api/api-permission/bulk', { role_id: ids.role, endpoints: [ids.endpoint] }),
  'PUT /api/api-permission/:id/update': () =>
    send('PUT', `/api/api-permission/${ids.role}/update`, { endpoints: [ids.endpoint] }),
  'PUT /api/user/:id': () => send('PUT', `/api/user/${ids.user}`, user({ roles: [ids.role] })),
  'POST /admin/token/store': () =>
    keep('token', send('POST', '/admin/token/store', { user: gatewayClientId })),
  'PUT /api/token/:id/limits': () =>
    send('PUT', `/api/token/${ids.token}/limits`, { limits: { methods: ['GET'] } }),
  'POST /api/token/:id/signing-secret': () =>
    send('POST', `/api/token/${ids.token}/signing-secret`),
  'DELETE /api/token/:id/signing-secret': () =>
    send('DELETE', `/api/token/${ids.token}/signing-secret`),
  'DELETE /api/token/:id': () => send('DELETE', `/api/token/${ids.token}`),
  'DELETE /api/api-permission/:role/:user': () =>
    send('DELETE', `/api/api-permission/${ids.role}/${ids.user}`),
  'DELETE /api/user/:id': () => send('DELETE', `/api/user/${ids.user}`),
  'PUT /api/role/:id': () =>
    send('PUT', `/api/role/${ids.role}`, { ...tills, allowed_addresses: ['10.0.0.0/8'] }),
  'DELETE /api/role/:id': () => send('DELETE', `/api/role/${ids.role}`),
  'DELETE /api/endpoint/:id': () => send('DELETE', `/api/endpoint/${ids.endpoint}`),
  'POST /api/token-issuers': () => keep('issuer', send('POST', '/api/token-issuers', issuer())),
  'PUT /api/token-issuers/:id': () =>
    send('PUT', `/api/token-issuers/${ids.issuer}`, issuer({ audience: 'other' })),
  'DELETE /api/token-issuers/:id': () => send('DELETE', `/api/token-issuers/${ids.issuer}`),
  'POST /api/import': () =>
    send('POST', '/api/import', {
      document:
        '{"openapi":"3.1.0","servers":[{"url":"http://127.0.0.1:10"}],"paths":{"/":{"get":{}}}}',
      apis: [
        {
          key: 'http://127.0.0.1:10',
          name: 'Imported',
          api_url: '',
          operations: ['GET /'],
        },
      ],
    }),
  'POST /api/configuration/apply': () =>
    send('POST', '/api/configuration/apply', {
      document: `gatehouse: 1\napis: {Applied: ${JSON.stringify(httpApi())}}`.replace(
        '"name":"Posts",',
        '',
      ),
    }),
  'DELETE /api/apis/:id': () => send('DELETE', `/api/apis/${ids.api}`),
  'POST /api/audit/:id/restore': async () => {
    const name = `Again ${++restores}`
    const api = await keep('api', send('POST', '/api/apis', httpApi({ name })))
    // What is in force is not restored.
    await send('PUT', `/api/apis/${ids.api}`, httpApi({ name, gateway_status: 'disabled' }))
    const event = await server.db
      .selectFrom('audit_event')
      .select('id')
      .where('action', '=', 'api.create')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    const before = await revision()
    const answer = await send('POST', `/api/audit/${event.id}/restore`)
    if (answer.status >= 300) return answer
    expect(await revision()).toBeGreaterThan(before)
    return api
  },
}

const sign = 'people, sessions and passwords are no business of the gateway'
const run = 'runs change nothing that is configured'
const workflow = 'the gateway carries no runs of workflows'
const alarm = 'the gateway raises no alarms'
const archive = 'the archive takes what ended runs have sent'
const tried = 'something is tried and not kept'
const mapping = 'a stored mapping takes effect in the request that it is loaded into'
const docs = 'the docs say what is served, and change nothing of it'
const procedure = 'what is known of a procedure’s shape is not in the snapshot'
const unchanged: Record<string, string> = {
  'POST /api/first-steps/sample':
    'it creates through the services of POST /api/apis and POST /api/endpoint, and needs a gateway in the process',
  'POST /api/token-issuers/:id/keys': 'keys that are the same change nothing; others bump it',
  'POST /api/mappings': mapping,
  'PUT /api/mappings/:id': mapping,
  'DELETE /api/mappings/:id': mapping,
  'POST /api/consumer-docs/roles/:id/link': docs,
  'DELETE /api/consumer-docs/roles/:id/link': docs,
  'POST /api/consumer-docs/shared': docs,
  'POST /api/consumer-docs/shared/openapi': docs,
  'POST /api/login': sign,
  'POST /api/logout': sign,
  'PUT /api/language': 'the dashboard alone has a language',
  'PUT /api/password': sign,
  'POST /api/second-factor': sign,
  'POST /api/second-factor/confirm': sign,
  'POST /api/second-factor/recovery-codes': sign,
  'POST /api/second-factor/remove': sign,
  'DELETE /api/user/:id/second-factor': sign,
  'POST /api/passkeys/begin': sign,
  'POST /api/passkeys': sign,
  'PUT /api/passkeys/:id': sign,
  'POST /api/passkeys/:id/remove': sign,
  'DELETE /api/user/:id/passkeys': sign,
  'POST /api/login/passkey/begin': sign,
  'POST /api/login/passkey': sign,
  'POST /api/password-reset': sign,
  'POST /api/password-link': sign,
  'POST /api/password-link/password': sign,
  'POST /api/user/:id/invitation': sign,
  'DELETE /api/user/:id/invitation': sign,
  'POST /api/sign-on/begin': sign,
  'POST /api/sign-on/finish': 'it bumps where the roles of a user change (sign-on.test.ts)',
  'PUT /api/sign-on': 'the gateway takes no sessions of administrators',
  'POST /api/admin-tokens': 'the gateway takes no tokens of the admin API',
  'DELETE /api/user/:id/admin-tokens': 'the gateway takes no tokens of the admin API',
  'DELETE /api/admin-tokens/:id': 'the gateway takes no tokens of the admin API',
  'DELETE /api/sessions': sign,
  'DELETE /api/sessions/:id': sign,
  'POST /api/user': 'a new account has no token yet, and the snapshot names users by their tokens',
  'POST /api/role': 'a new role has access to nothing',
  'POST /api/api-permission/:id/preview': 'it only shows what would change',
  'POST /api/prepare-data': run,
  'POST /api/post/image': 'a picture is drawn and not kept',
  'POST /api/tax': run,
  'POST /api/tax/preview': run,
  'POST /api/credit/tax': run,
  'POST /api/credit/tax/preview': run,
  'POST /api/installation/check-gap': run,
  'POST /api/runs/bulk/status-query': run,
  'POST /api/runs/bulk/resume': run,
  'POST /api/runs/bulk/resolve': run,
  'POST /api/runs/bulk/close': run,
  'POST /api/runs/:id/close': run,
  'POST /api/runs/:id/resolve': run,
  'POST /api/runs/:id/resume': run,
  'POST /api/runs/:id/retry': run,
  'POST /api/runs/:id/status-query': run,
  'POST /api/runs/:id/cancel': run,
  'POST /api/runs/:id/release': run,
  'POST /api/runs/:id/refuse': run,
  'POST /api/workflows/:slug/runs': run,
  'POST /api/workflows/:slug/batches': run,
  'POST /api/workflows/:slug/batches/check': tried,
  'POST /api/workflows/:slug/batches/:id/pause': run,
  'POST /api/workflows/:slug/batches/:id/resume': run,
  'POST /api/workflows/:slug/batches/:id/cancel': run,
  'POST /api/workflows/:slug/batches/:id/retry': run,
  'POST /api/deliveries/:id/send': workflow,
  'POST /api/deliveries/:id/cancel': workflow,
  'POST /api/deliveries/send-dead': workflow,
  'PUT /api/workflows/:id/callback': workflow,
  'POST /api/workflows/:id/callback/test': tried,
  'POST /api/workflows/:id/hooks': workflow,
  'PUT /api/hooks/:id': workflow,
  'DELETE /api/hooks/:id': workflow,
  'POST /hooks/:name': run,
  'POST /api/workflows': workflow,
  'PUT /api/workflows/:id': workflow,
  'DELETE /api/workflows/:id': workflow,
  'POST /api/workflows/preview': tried,
  'POST /api/workflows/run-step': run,
  'POST /api/workflows/:id/preview': tried,
  'POST /api/workflows/:id/versions/:version/restore': workflow,
  'POST /api/installation/release': workflow,
  'POST /api/lanes/:id/pause': workflow,
  'POST /api/lanes/:id/resume': workflow,
  'POST /api/lanes/:id/drain': workflow,
  'POST /api/alarms/acknowledge': alarm,
  'POST /api/alarms/:id/mute': alarm,
  'POST /api/alarms/:id/unmute': alarm,
  'POST /api/alarm-rules': alarm,
  'PUT /api/alarm-rules/:id': alarm,
  'DELETE /api/alarm-rules/:id': alarm,
  'POST /api/reconciliations': workflow,
  'POST /api/reconciliations/try': tried,
  'PUT /api/reconciliations/:id': workflow,
  'DELETE /api/reconciliations/:id': workflow,
  'POST /api/reconciliations/:id/run': run,
  'POST /api/schedules': workflow,
  'POST /api/schedules/times': tried,
  'POST /api/schedules/try': tried,
  'PUT /api/schedules/:id': workflow,
  'DELETE /api/schedules/:id': workflow,
  'POST /api/schedules/:id/pause': workflow,
  'POST /api/schedules/:id/resume': workflow,
  'POST /api/schedules/:id/run': run,
  'POST /api/alarm-channels': alarm,
  'PUT /api/alarm-channels/:id': alarm,
  'DELETE /api/alarm-channels/:id': alarm,
  'POST /api/alarm-channels/:id/test': alarm,
  'POST /api/alarm-channels/test': alarm,
  'PUT /api/archive/settings': archive,
  'POST /api/archive/round': archive,
  'POST /api/archive/files/:id/check': archive,
  'POST /api/configuration/diff': tried,
  'POST /api/import/preview': tried,
  'POST /api/apis/:id/tools/seen': tried,
  'POST /api/token/check-agent': tried,
  'POST /api/endpoint/:id/try': tried,
  'POST /api/endpoint/try': tried,
  'POST /api/endpoint/:id/try-changes': tried,
  'POST /api/apis/try': tried,
  'POST /api/apis/:id/try-changes': tried,
  'POST /api/endpoint/judge': tried,
  'POST /api/apis/check-address': tried,
  'POST /api/apis/:id/check-address': tried,
  'POST /api/apis/run-sample': tried,
  'POST /api/apis/test-connection': tried,
  'POST /api/apis/:id/run-sample': tried,
  'POST /api/apis/:id/test-connection': tried,
  'POST /api/apis/:id/sign-in': tried,
  'POST /api/apis/:id/procedure/check': procedure,
  'POST /api/apis/:id/procedure/accept': procedure,
}

beforeAll(async () => {
  server = await buildServer()
  token = server.admin.token
  ids.user = (await server.buildUser({ email: 'somebody@example.com' })).id
  await keep('role', send('POST', '/api/role', tills))
  // Its own role goes, so that the role given below is the only one.
  await send('PUT', `/api/user/${ids.user}`, user())
})
afterAll(() => server.close())

async function keep(name: keyof typeof ids, call: ReturnType<typeof send>) {
  const answer = await call
  const body = answer.body as { id?: number } & Record<
    'role' | 'access_token' | 'issuer',
    { id: number } | undefined
  >
  const { role, access_token, issuer } = body
  ids[name] = body.id ?? (role ?? access_token ?? issuer)?.id ?? 0
  return answer
}

const revision = async () => (await server.stores.revisions.get()).revision

it('every call that changes something is in one of the two lists, and in one only', () => {
  const changing = routes.filter(({ method }) => method !== 'GET')
  const keys = changing.map(({ method, path }) => `${method} ${path}`)
  expect([...Object.keys(changes), ...Object.keys(unchanged)].toSorted()).toEqual(keys.toSorted())
})

/** Makes the call as a user who loses their roles after it is let in and before its change begins. */
async function callDemoted(key: string, change: Change | undefined) {
  const person = await server.buildUser({ role: 'Super Admin' })
  const own = token
  token = person.token
  server.hooks.beforeHandler = async ({ method, routeOptions }) => {
    if (`${method} ${routeOptions.url}` === key) await server.stores.users.setRoles(person.id, [])
  }
  try {
    return await change?.()
  } finally {
    token = own
    server.hooks.beforeHandler = undefined
  }
}

describe('bumps the revision, and nothing for a caller who lost the permission just before', () => {
  it.each(Object.keys(changes))('%s', async (key) => {
    const ownIds = { ...ids }
    expect(await callDemoted(key, changes[key])).toMatchObject({ status: 403 })
    Object.assign(ids, ownIds)
    const before = await revision()
    const answer = await changes[key]?.()
    expect(answer?.status, JSON.stringify(answer)).toBeLessThan(300)
    expect(await revision()).toBeGreaterThan(before)
  })
})

const password = 'correct horse battery'
const others: Record<string, Change> = {
  'POST /api/user': () =>
    send('POST', '/api/user', {
      ...user({ email: 'other@example.com', username: 'other', roles: ['Auditor'] }),
      password,
      password_confirmation: password,
    }),
  'POST /api/role': () => send('POST', '/api/role', { name: 'Others', permissions: [] }),
}

it.each(Object.keys(others))(
  '%s changes nothing for a caller who lost the permission just before',
  async (key) => {
    const events = async () =>
      (await server.db.selectFrom('audit_event').select('action').execute())
        .map(({ action }) => action)
        .filter((action) => /^(user|role)\.(create|update)$/.test(action)).length
    const before = await events()
    expect(await callDemoted(key, others[key])).toMatchObject({ status: 403 })
    expect(await events()).toBe(before)
    expect((await others[key]?.())?.status).toBeLessThan(300)
  },
)

it('a change that is refused bumps nothing', async () => {
  const before = await revision()
  expect((await send('POST', '/api/apis', httpApi({ name: 'Again 1' }))).status).toBe(422)
  expect(await revision()).toBe(before)
})
