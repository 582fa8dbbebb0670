// Databases: SQLite.

import { permissions, routes, seedRoles, type Permission } from '@gatehouse/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildServer, type TestServer } from '../../test/servers/build-server.ts'

// Who may make which call, written out by hand: a new route without a row here fails the test.
const everybody = ['Super Admin', 'Admin', 'Operator', 'Auditor', 'API Consumer']
const admins = ['Super Admin', 'Admin']
const viewers = [...admins, 'Operator', 'Auditor']
const auditors = [...admins, 'Auditor']
const operators = [...admins, 'Operator']

const table: Record<string, readonly string[] | 'public'> = {
  'POST /api/login': 'public',
  'GET /api/auth': everybody,
  'POST /api/logout': everybody,
  'PUT /api/language': everybody,
  'PUT /api/password': everybody,
  'GET /api/second-factor': everybody,
  'POST /api/second-factor': everybody,
  'POST /api/second-factor/confirm': everybody,
  'POST /api/second-factor/recovery-codes': everybody,
  'POST /api/second-factor/remove': everybody,
  'DELETE /api/user/:id/second-factor': admins,
  'GET /api/passkeys': everybody,
  'POST /api/passkeys/begin': everybody,
  'POST /api/passkeys': everybody,
  'PUT /api/passkeys/:id': everybody,
  'POST /api/passkeys/:id/remove': everybody,
  'DELETE /api/user/:id/passkeys': admins,
  'POST /api/login/passkey/begin': 'public',
  'POST /api/login/passkey': 'public',
  'POST /api/user/:id/invitation': admins,
  'DELETE /api/user/:id/invitation': admins,
  'DELETE /api/user/:id/admin-tokens': admins,
  'GET /api/sign-on/offer': 'public',
  'POST /api/sign-on/begin': 'public',
  'POST /api/sign-on/finish': 'public',
  'POST /api/password-reset': 'public',
  'POST /api/password-link': 'public',
  'POST /api/password-link/password': 'public',
  'GET /api/sign-on': auditors,
  'PUT /api/sign-on': admins,
  'GET /api/admin-tokens': everybody,
  'POST /api/admin-tokens': everybody,
  'DELETE /api/admin-tokens/:id': everybody,
  'GET /api/sessions': everybody,
  'DELETE /api/sessions': everybody,
  'DELETE /api/sessions/:id': everybody,
  'GET /api/home': viewers,
  'GET /api/access/refusal': everybody,
  'GET /api/first-steps': admins,
  'POST /api/first-steps/sample': admins,
  'GET /api/apis': viewers,
  'GET /api/apis/tags': viewers,
  'POST /api/apis/bulk': viewers,
  'POST /api/deletions/undo': everybody,
  'POST /api/apis': admins,
  'GET /api/apis/:id/edit': viewers,
  'GET /api/apis/:id/tools': viewers,
  'POST /api/apis/:id/tools/seen': operators,
  'PUT /api/apis/:id': admins,
  'DELETE /api/apis/:id': admins,
  'GET /api/apis/:id/draft': viewers,
  'PUT /api/apis/:id/draft': admins,
  'POST /api/apis/:id/draft/publish': admins,
  'DELETE /api/apis/:id/draft': admins,
  'POST /api/apis/check-address': admins,
  'POST /api/apis/:id/check-address': admins,
  'POST /api/apis/test-connection': admins,
  'POST /api/apis/:id/test-connection': admins,
  'POST /api/apis/run-sample': admins,
  'POST /api/apis/:id/run-sample': admins,
  'GET /api/apis/:id/procedure': viewers,
  'POST /api/apis/:id/procedure/check': admins,
  'POST /api/apis/:id/procedure/accept': admins,
  'GET /api/apis/:id/sign-in': viewers,
  'POST /api/apis/:id/sign-in': admins,
  'POST /api/apis/:id/purge-cache': admins,
  'GET /api/sign-ins': viewers,
  'GET /api/endpoint': viewers,
  'GET /api/endpoint/tags': viewers,
  'POST /api/endpoint/bulk': viewers,
  'POST /api/api-permission/bulk': admins,
  'POST /api/endpoint/judge': viewers,
  'GET /api/endpoint/:id/last-answer': viewers,
  'GET /api/endpoint/create': admins,
  'POST /api/endpoint': admins,
  'GET /api/endpoint/:id/edit': viewers,
  'PUT /api/endpoint/:id': admins,
  'DELETE /api/endpoint/:id': admins,
  'GET /api/configuration': viewers,
  'POST /api/configuration/diff': viewers,
  'POST /api/configuration/apply': admins,
  'POST /api/import/preview': admins,
  'POST /api/import': admins,
  'GET /api/consumer-docs': everybody,
  'GET /api/consumer-docs/openapi': everybody,
  'GET /api/consumer-docs/roles': everybody,
  'POST /api/consumer-docs/roles/:id/link': admins,
  'DELETE /api/consumer-docs/roles/:id/link': admins,
  'POST /api/consumer-docs/shared': 'public',
  'POST /api/consumer-docs/shared/openapi': 'public',
  'GET /api/context': viewers,
  'PUT /api/context/:id': admins,
  'GET /api/buildRequest': viewers,
  'GET /api/tax': viewers,
  'GET /api/credit/tax': viewers,
  'GET /admin/get-data': operators,
  'POST /api/prepare-data': operators,
  'GET /api/mappings': viewers,
  'GET /api/mappings/:id': viewers,
  'POST /api/mappings': operators,
  'PUT /api/mappings/:id': operators,
  'DELETE /api/mappings/:id': operators,
  'POST /api/endpoint/:id/try': operators,
  'POST /api/apis/try': admins,
  'POST /api/apis/:id/try-changes': admins,
  'POST /api/endpoint/try': admins,
  'POST /api/endpoint/:id/try-changes': admins,
  'POST /api/tax': operators,
  'POST /api/tax/preview': operators,
  'POST /api/credit/tax': operators,
  'POST /api/credit/tax/preview': operators,
  'PUT /api/workflows/:id/callback': admins,
  'POST /api/workflows/:id/callback/test': admins,
  'GET /api/workflows/:id/hooks': viewers,
  'POST /api/workflows/:id/hooks': admins,
  'PUT /api/hooks/:id': admins,
  'DELETE /api/hooks/:id': admins,
  'POST /hooks/:name': 'public',
  'GET /api/deliveries': viewers,
  'GET /api/deliveries/:id': viewers,
  'POST /api/deliveries/:id/send': operators,
  'POST /api/deliveries/:id/cancel': operators,
  'POST /api/deliveries/send-dead': operators,
  'GET /api/runs': viewers,
  'GET /api/runs/unknown': viewers,
  'GET /api/runs/unclear': viewers,
  'POST /api/runs/bulk/status-query': operators,
  'POST /api/runs/bulk/resume': operators,
  'POST /api/runs/bulk/resolve': operators,
  'POST /api/runs/bulk/close': operators,
  'GET /api/runs/by-key/:key': everybody,
  'GET /api/search': everybody,
  'GET /api/search/trail': everybody,
  'GET /api/document-registers': everybody,
  'GET /api/runs/:id': viewers,
  'GET /api/runs/:id/steps/:n/answer': viewers,
  'GET /api/runs/:id/events': everybody,
  'POST /api/runs/:id/resume': operators,
  'POST /api/runs/:id/cancel': operators,
  'GET /api/runs/:id/release': viewers,
  'POST /api/runs/:id/release': operators,
  'POST /api/runs/:id/refuse': operators,
  'POST /api/runs/:id/close': operators,
  'POST /api/runs/:id/resolve': operators,
  'POST /api/runs/:id/status-query': operators,
  'POST /api/runs/:id/retry': operators,
  'GET /api/installation/hold': everybody,
  'GET /api/installation/held': viewers,
  'POST /api/installation/release': operators,
  'POST /api/installation/check-gap': operators,
  'GET /api/lanes': viewers,
  'POST /api/lanes/:id/pause': operators,
  'POST /api/lanes/:id/resume': operators,
  'POST /api/lanes/:id/drain': operators,
  'GET /api/alarms': viewers,
  'GET /api/alarms/bell': viewers,
  'POST /api/alarms/acknowledge': operators,
  'POST /api/alarms/:id/mute': operators,
  'POST /api/alarms/:id/unmute': operators,
  'GET /api/alarm-rules': viewers,
  'GET /api/alarm-rules/create': viewers,
  'POST /api/alarm-rules': admins,
  'GET /api/alarm-rules/:id/edit': viewers,
  'PUT /api/alarm-rules/:id': admins,
  'DELETE /api/alarm-rules/:id': admins,
  'GET /api/reconciliations': viewers,
  'POST /api/reconciliations': admins,
  'POST /api/reconciliations/try': admins,
  'GET /api/reconciliations/:id': viewers,
  'PUT /api/reconciliations/:id': admins,
  'DELETE /api/reconciliations/:id': admins,
  'POST /api/reconciliations/:id/run': operators,
  'GET /api/reconciliations/:id/results': viewers,
  'GET /api/reconciliations/:id/results/:result': viewers,
  'GET /api/reconciliations/:id/results/:result/lines': viewers,
  'GET /api/reconciliations/:id/results/:result/csv': viewers,
  'GET /api/schedules': viewers,
  'POST /api/schedules': admins,
  'POST /api/schedules/times': viewers,
  'POST /api/schedules/try': admins,
  'GET /api/schedules/:id': viewers,
  'PUT /api/schedules/:id': admins,
  'DELETE /api/schedules/:id': admins,
  'POST /api/schedules/:id/pause': operators,
  'POST /api/schedules/:id/resume': operators,
  'POST /api/schedules/:id/run': operators,
  'GET /api/schedules/:id/firings': viewers,
  'GET /api/schedules/:id/firings/:firing/runs': viewers,
  'GET /api/alarm-channels': viewers,
  'POST /api/alarm-channels': admins,
  'GET /api/alarm-channels/:id/edit': viewers,
  'PUT /api/alarm-channels/:id': admins,
  'DELETE /api/alarm-channels/:id': admins,
  'POST /api/alarm-channels/:id/test': admins,
  'POST /api/alarm-channels/test': admins,
  'GET /api/archive': auditors,
  'PUT /api/archive/settings': admins,
  'POST /api/archive/round': admins,
  'GET /api/archive/files': auditors,
  'POST /api/archive/files/:id/check': auditors,
  'GET /api/archive/files/:id/download': admins,
  'GET /api/archive/runs': auditors,
  'GET /api/archive/search': auditors,
  'GET /api/documents': viewers,
  'GET /api/documents/:id': viewers,
  'GET /api/workflows': viewers,
  'GET /api/workflows/create': viewers,
  'POST /api/workflows': admins,
  'GET /api/workflows/:id': viewers,
  'PUT /api/workflows/:id': admins,
  'DELETE /api/workflows/:id': admins,
  'GET /api/workflows/:id/versions': viewers,
  'GET /api/workflows/:id/versions/:version': viewers,
  'POST /api/workflows/:id/versions/:version/restore': admins,
  'POST /api/workflows/:id/preview': viewers,
  'POST /api/workflows/preview': viewers,
  'POST /api/workflows/run-step': operators,
  'POST /api/workflows/:slug/runs': operators,
  'GET /api/workflows/:slug/runs': everybody,
  'GET /api/workflows/:slug/runs/:id': everybody,
  'POST /api/workflows/:slug/batches': operators,
  'POST /api/workflows/:slug/batches/check': operators,
  'GET /api/workflows/:slug/batches': viewers,
  'GET /api/workflows/:slug/batches/:id': everybody,
  'GET /api/workflows/:slug/batches/:id/events': everybody,
  'GET /api/workflows/:slug/batches/:id/lines': everybody,
  'GET /api/workflows/:slug/batches/:id/results': everybody,
  'POST /api/workflows/:slug/batches/:id/pause': operators,
  'POST /api/workflows/:slug/batches/:id/resume': operators,
  'POST /api/workflows/:slug/batches/:id/cancel': operators,
  'POST /api/workflows/:slug/batches/:id/retry': operators,
  'GET /api/user': auditors,
  'GET /api/user/create': admins,
  'POST /api/user': admins,
  'GET /api/user/:id/edit': auditors,
  'PUT /api/user/:id': admins,
  'DELETE /api/user/:id': admins,
  'GET /api/role': auditors,
  'GET /api/role/create': admins,
  'POST /api/role': admins,
  'GET /api/role/:id/edit': auditors,
  'PUT /api/role/:id': admins,
  'DELETE /api/role/:id': admins,
  'GET /api/api-permission': auditors,
  'GET /api/api-permission/:id/edit': auditors,
  'GET /api/api-permission/:id/apis': auditors,
  'GET /api/api-permission/:id/endpoints': auditors,
  'POST /api/api-permission/:id/preview': auditors,
  'PUT /api/api-permission/:id/update': admins,
  'DELETE /api/api-permission/:role/:user': admins,
  'GET /api/access/endpoint/:id': auditors,
  'GET /api/apis/:id/access/roles': auditors,
  'GET /api/apis/:id/access/tokens': auditors,
  'GET /api/apis/:id/access/endpoints': auditors,
  'GET /api/access/workflow/:id': auditors,
  'GET /api/access/:subject/:id/endpoints': auditors,
  'POST /admin/token/store': admins,
  'GET /api/token/create': admins,
  'GET /api/token': auditors,
  'GET /api/tool-calls': auditors,
  'GET /api/token/choices': admins,
  'POST /api/token/check-agent': admins,
  'GET /api/token/:id': auditors,
  'PUT /api/token/:id/limits': admins,
  'POST /api/token/:id/signing-secret': admins,
  'DELETE /api/token/:id/signing-secret': admins,
  'DELETE /api/token/:id': admins,
  'GET /api/token-issuers': auditors,
  'GET /api/token-issuers/create': ['Super Admin'],
  'GET /api/token-issuers/:id': auditors,
  'POST /api/token-issuers': ['Super Admin'],
  'PUT /api/token-issuers/:id': ['Super Admin'],
  'POST /api/token-issuers/:id/keys': ['Super Admin'],
  'DELETE /api/token-issuers/:id': ['Super Admin'],
  'GET /api/audit': auditors,
  'GET /api/audit/export': auditors,
  'GET /api/audit/:id/restore': auditors,
  'POST /api/audit/:id/restore': auditors,
  'GET /api/logs': auditors,
  'GET /api/logs/download': admins,
  'POST /api/post/image': operators,
  'GET /api/gateway': viewers,
  'GET /api/gateway-requests': auditors,
  'GET /api/nodes': viewers,
  'GET /api/traffic': viewers,
}

let server: TestServer
const tokens = new Map<string, string>()
let ended: string
let personal: string
beforeAll(async () => {
  server = await buildServer()
  for (const role of everybody) tokens.set(role, (await server.buildUser({ role })).token)
  ended = (await server.buildUser({ role: 'Super Admin' })).token
  await server.send('POST', '/api/logout', { token: ended })
  const made = await server.send('POST', '/admin/token/store', {
    token: tokens.get('Super Admin'),
    body: {},
  })
  personal = (made.body as { access_token: { token: string } }).access_token.token
})
afterAll(() => server.close())

const keys = routes.map((route) => `${route.method} ${route.path}`)

// Calls that would end the session which the next row needs.
const endsSession = new Set(['POST /api/logout'])

async function callAs(key: string, token?: string) {
  const [method, path] = key.split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string]
  const url = path.replace(':subject', 'user').replace(/:\w+/g, '999999')
  return server.send(method, url, { token })
}

it('every route has a row, and every row a route', () => {
  expect(Object.keys(table).toSorted()).toEqual(keys.toSorted())
})

// What a personal token opens, beside the gateway.
const openToTokens = new Set([
  'POST /api/workflows/:slug/runs',
  'GET /api/workflows/:slug/runs',
  'GET /api/workflows/:slug/runs/:id',
  'POST /api/workflows/:slug/batches',
  'GET /api/workflows/:slug/batches/:id',
  'GET /api/workflows/:slug/batches/:id/lines',
  'GET /api/workflows/:slug/batches/:id/results',
])

describe.each(keys.filter((key) => table[key] !== 'public'))('%s', (key) => {
  it('answers 401 signed out, and with an ended session or a made-up token', async () => {
    for (const token of [undefined, ended, 'ghp_made-up'])
      expect((await callAs(key, token)).status).toBe(401)
  })

  it(`${openToTokens.has(key) ? 'opens to' : 'refuses'} a Super Admin’s personal token`, async () => {
    expect((await callAs(key, personal)).status === 401).toBe(!openToTokens.has(key))
  })

  it.each(everybody)('as %s', async (role) => {
    if (endsSession.has(key)) return
    const answer = await callAs(key, tokens.get(role))
    expect(answer.status === 401).toBe(false)
    const isAllowed = table[key]?.includes(role) ?? false
    expect(
      answer.status === 403 && (answer.body as { code: string }).code === 'permission.denied',
    ).toBe(!isAllowed)
  })
})

it('the seeded roles hold what the product says they do', () => {
  const lacking = (role: keyof typeof seedRoles) =>
    permissions.filter((name) => !(seedRoles[role] as readonly Permission[]).includes(name))
  expect(lacking('Super Admin')).toEqual([])
  expect(lacking('Admin')).toEqual(['token.create_any'])
  expect(seedRoles.Auditor.every((name) => name.endsWith('.view'))).toBe(true)
  expect(seedRoles['API Consumer']).toEqual([])
})
