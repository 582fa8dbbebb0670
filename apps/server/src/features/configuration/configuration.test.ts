// Databases: SQLite.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'
import { configure, configuredSecrets } from '../../../test/rows/full-configuration.ts'
import { tables } from '../../db/tables.ts'
import { configurationTables, sections } from './sections.ts'

let server: TestServer
let whole: string
beforeAll(async () => {
  server = await buildServer()
  await configure(server)
  whole = await exported(server)
})
afterAll(() => server.close())

async function exported({ send, admin }: TestServer): Promise<string> {
  const answer = await send('GET', '/api/configuration', { token: admin.token })
  expect(answer.status, answer.text).toBe(200)
  expect(answer.headers['content-type']).toBe('application/yaml; charset=utf-8')
  return answer.text
}

interface Result {
  section: string
  name: string
  action: string
  ok: boolean
  message: string
}

async function apply(to: TestServer, document: string, more = {}): Promise<Result[]> {
  const body = { document, ...more }
  const answer = await to.send('POST', '/api/configuration/apply', { token: to.admin.token, body })
  expect(answer.status, answer.text).toBe(200)
  return (answer.body as { results: Result[] }).results
}

interface Change {
  section: string
  name: string
  action: string
  fields: { field: string; before: string | null; after: string | null }[]
}

async function diff(document: string, more = {}): Promise<Change[]> {
  const body = { document, ...more }
  const answer = await server.send('POST', '/api/configuration/diff', {
    token: server.admin.token,
    body,
  })
  expect(answer.status, answer.text).toBe(200)
  return (answer.body as { things: Change[] }).things
}

const failed = (results: Result[]) => results.filter(({ ok }) => !ok)

it('a document of APIs alone is compared without reading what refers to them', async () => {
  const made = async (document: string) =>
    (await server.statements.during(() => diff(document))).statements
  const ofApis = await made('gatehouse: 1\napis: {}\n')
  expect(ofApis).toBeGreaterThan(0)
  expect(ofApis * 5).toBeLessThan(await made('gatehouse: 1\naccess: {}\n'))
})

describe('the export', () => {
  it('has every section, and no secret', () => {
    const document = parse(whole) as Record<string, object>
    expect(Object.keys(document)).toEqual(['gatehouse', ...sections.map(({ name }) => name)])
    for (const secret of Object.values(configuredSecrets)) expect(whole).not.toContain(secret)
    for (const name of Object.keys(configuredSecrets)) expect(whole).toContain(`\${${name}}`)
    expect(whole.match(/: \$\{env:/g)).toHaveLength(Object.keys(configuredSecrets).length)
  })

  it('holds names instead of ids', () => {
    expect(whole).not.toMatch(/^\s+(?:\w+_)?ids?: (?:\d|\n)/m)
    expect(whole).toContain('endpoint: Tax GET /z-status/{id}')
    expect(whole).toContain('12345678901234567890.10')
  })

  it('knows every table: as configuration, or as what is not', () => {
    const known = [...Object.keys(configurationTables), ...notConfiguration]
    expect(known.toSorted()).toEqual(Object.keys(tables).toSorted())
  })
})

// A table that is added belongs here, or into a section.
const notConfiguration = [
  // People, what they show, and what they did.
  [
    'user',
    'user_role',
    'user_language',
    'second_factor',
    'recovery_code',
    'passkey',
    'passkey_challenge',
    'password_link',
    'code_failure',
    'sign_on_provider',
    'sign_on_role',
    'user_identity',
    'session',
    'login_failure',
    'personal_token',
    'token_usage',
    'tool_usage',
    'admin_token',
    'audit_event',
    'deletion',
  ],
  // The catalogue of the product, and the installation itself.
  ['permission', 'key_check', 'config_revision', 'config_change', 'node', 'duty', 'backup'],
  ['sample_service'],
  // What is in force counts; who drafts it publishes it.
  ['api_draft'],
  // What people keep to work with.
  ['saved_mapping', 'docs_link'],
  ['gateway_account', 'gateway_config', 'gateway_token'],
  // What was learned, obtained, counted or sent.
  ['sign_in_token', 'procedure_contract', 'delivery'],
  ['traffic_minute', 'traffic_hour', 'traffic_day'],
  ['hook_receipt', 'alarm', 'alarm_mute', 'run', 'run_step', 'run_attempt', 'run_input'],
  ['document', 'document_step', 'document_quarter', 'document_change'],
  [
    'pending_poll',
    'pending_step',
    'verdict_watch',
    'healing_step',
    'run_release',
    'lane_entry',
    'lane_rate',
    'batch',
    'batch_input',
  ],
  ['reconciliation_result', 'reconciliation_line', 'schedule_firing', 'schedule_item'],
  ['search_todo', 'search_word', 'search_progress'],
  ['archive_round', 'archive_size', 'archive_file', 'archive_run', 'installation_hold'],
].flat()

describe('export, apply, export', () => {
  it('gives the same bytes on an empty installation', async () => {
    const empty = await buildServer()
    try {
      const results = await apply(empty, whole, { values: configuredSecrets })
      expect(failed(results)).toEqual([])
      expect(await exported(empty)).toBe(whole)
      const api = (await empty.stores.apis.findByName('Tax'))!
      const place = { table: 'api', row: api.id, field: 'upstream_token_encrypted' }
      expect(empty.secrets.open(api.upstream_token_encrypted!, place)).toBe(
        configuredSecrets['env:APIS_TAX_CREDENTIAL_TOKEN'],
      )
      const again = await apply(empty, whole)
      expect(again).toEqual([])
    } finally {
      await empty.close()
    }
  })

  it('gives the same bytes after everything was removed', async () => {
    const nothing = `gatehouse: 1\n${sections.map(({ name }) => `${name}: {}\n`).join('')}`
    // The client of the gateway has it.
    expect(failed(await apply(server, nothing, { prune: true })).map(({ name }) => name)).toEqual([
      'API Consumer',
    ])
    const bare = parse(await exported(server)) as { roles: object }
    expect(Object.keys(bare)).toEqual(['gatehouse', 'archive', 'roles', 'access'])
    expect(Object.keys(bare.roles)).toEqual(['API Consumer'])
    expect(failed(await apply(server, whole, { values: configuredSecrets }))).toEqual([])
    expect(await exported(server)).toBe(whole)
  })

  it('changes nothing a second time, without values', async () => {
    const before = await server.db.selectFrom('audit_event').select('id').execute()
    expect(await apply(server, whole)).toEqual([])
    const after = await server.db.selectFrom('audit_event').select('id').execute()
    expect(after).toHaveLength(before.length)
  })
})

const part = (section: string, name: string, fields: object) =>
  `gatehouse: 1\n${section}:\n  ${JSON.stringify(name)}: ${JSON.stringify(fields)}\n`

describe('a part of a configuration', () => {
  it('says what it changes, field by field, and leaves what it does not name', async () => {
    const document = part('apis', 'ERP', { connect_timeout_ms: 2500, credential: null })
    const [changed, ...others] = await diff(document)
    expect(changed).toMatchObject({ name: 'ERP', action: 'change' })
    expect(changed?.fields.find(({ field }) => field === 'connect_timeout_ms')).toEqual({
      field: 'connect_timeout_ms',
      before: '1500',
      after: '2500',
    })
    expect(others.map(({ name, action }) => [name, action])).toEqual([
      ['Ledger', 'stays'],
      ['Tax', 'stays'],
    ])
    expect(JSON.stringify(changed)).not.toContain('planted')
  })

  it('leaves what it does not name inside of a field, and asks for no secret that it does not name', async () => {
    const named = part('apis', 'Tax', { credential: { kind: 'bearer', token: 'keep' } })
    expect((await diff(named)).find(({ name }) => name === 'Tax')?.action).toBe('same')
    const answer = await server.send('POST', '/api/configuration/diff', {
      token: server.admin.token,
      body: { document: named },
    })
    expect(answer.body).toMatchObject({ references: [] })
  })

  it('names what would be removed', async () => {
    const things = await diff(part('apis', 'ERP', {}), { prune: true })
    expect(things.map(({ name, action }) => [name, action])).toEqual([
      ['ERP', 'same'],
      ['Ledger', 'remove'],
      ['Tax', 'remove'],
    ])
  })

  it('does what it can, and says of the rest why not, and where', async () => {
    const document = `gatehouse: 1
apis:
  Broken:
    api_protocol: http
    api_url: ftp://nowhere
    gateway_status: active
    api_access: internally
  Sound:
    api_protocol: http
    api_url: https://sound.example.com
    gateway_status: active
    api_access: internally
access:
  Cashiers:
    endpoints:
      - Tax POST /gone
`
    const results = await apply(server, document)
    expect(results).toEqual([
      {
        section: 'apis',
        name: 'Broken',
        action: 'add',
        ok: false,
        message: expect.stringMatching(/^Line 5, column 5 \(\/apis\/Broken\/api_url\): /),
      },
      { section: 'apis', name: 'Sound', action: 'add', ok: true, message: '' },
      {
        section: 'access',
        name: 'Cashiers',
        action: 'change',
        ok: false,
        message:
          'Line 16, column 9 (/access/Cashiers/endpoints/0): There is no endpoint Tax POST /gone.',
      },
    ])
    expect(await server.stores.apis.findByName('Sound')).toMatchObject({ context: 'sound' })
    await apply(server, whole, { prune: true })
    expect(await exported(server)).toBe(whole)
  })

  it('refuses a new secret without a value, and takes one that is given', async () => {
    const credential = { kind: 'basic', username: 'erp', password: '${env:ERP_PASSWORD}' }
    const document = part('apis', 'ERP', { credential })
    const [refused] = await apply(server, document)
    expect(refused).toMatchObject({ ok: false, message: expect.stringContaining('ERP_PASSWORD') })
    const values = { 'env:ERP_PASSWORD': 'planted-by-apply' }
    const shown = await diff(document, { values })
    expect(JSON.stringify(shown)).toContain('from env:ERP_PASSWORD')
    expect(JSON.stringify(shown)).not.toContain('planted')
    expect(failed(await apply(server, document, { values }))).toEqual([])
    expect(server.logLines.join('')).not.toContain('planted')
    const audit = await server.db.selectFrom('audit_event').selectAll().execute()
    expect(JSON.stringify(audit)).not.toContain('planted-by-apply')
    // What stands for the stored secret keeps it.
    expect(
      await diff(part('apis', 'ERP', { credential: { ...credential, password: 'keep' } })),
    ).toContainEqual(expect.objectContaining({ name: 'ERP', action: 'same' }))
  })

  it('never moves the watermark of a schedule back', async () => {
    const name = 'invoices Orders'
    const watermark = { path: 'at', type: 'text', value: '2026-01-01' }
    const { schedules } = parse(whole) as {
      schedules: Record<string, { list: object }>
    }
    const document = part('schedules', name, { list: { ...schedules[name]!.list, watermark } })
    expect(failed(await apply(server, document))).toEqual([])
    await server.db
      .updateTable('schedule')
      .set({ watermark: '2026-06-30' })
      .where('name', '=', 'Orders')
      .execute()
    expect((await diff(document)).find((each) => each.name === name)?.action).toBe('same')
  })
})

it('an endpoint that is added asks for a token unless the document says otherwise; one that is there keeps what it has', async () => {
  const name = 'Tax GET /unsaid'
  const unsaid = { api: 'Tax', method_type: 'get', path: '/unsaid', status: 'active' }
  const document = (more: object) =>
    part('endpoints', name, { ...unsaid, summery: 'Unsaid', description: 'Unsaid', ...more })
  const asks = async () =>
    (await server.stores.endpoints.listAll()).find(({ path }) => path === '/unsaid')?.authentication
  expect(failed(await apply(server, document({})))).toEqual([])
  expect(await asks()).toBe(1)
  expect(failed(await apply(server, document({ authentication: false })))).toEqual([])
  expect(failed(await apply(server, document({ summery: 'Said' })))).toEqual([])
  expect(await asks()).toBe(0)
})

describe('422 with the place', () => {
  it.each([
    ['no YAML', 'apis: [', 'Line 1'],
    ['no configuration', 'hello: 1', 'gatehouse: 1'],
    ['a section that is not known', 'gatehouse: 1\napi: {}', 'Line 2, column 1 (/api)'],
    ['a field that is not known', part('apis', 'ERP', { api_ulr: 'x' }), '(/apis/ERP/api_ulr)'],
    [
      'a secret in the clear',
      part('webhooks', 'salla-orders', { secret: 'in the clear' }),
      '(/webhooks/salla-orders/secret): Secrets are given by reference',
    ],
    [
      'a key that its fields contradict',
      part('endpoints', 'Tax GET /a', { api: 'Tax', method_type: 'get', path: '/b' }),
      'it is called Tax GET /b',
    ],
  ])('%s', async (_, document, words) => {
    for (const call of ['diff', 'apply']) {
      const answer = await server.send('POST', `/api/configuration/${call}`, {
        token: server.admin.token,
        body: { document },
      })
      expect(answer.status).toBe(422)
      expect((answer.body as { errors: { document: string[] } }).errors.document[0]).toContain(
        words,
      )
    }
  })
})

describe('permissions are those of the screens', () => {
  it('what a user may not see is left out, and said', async () => {
    const viewer = await server.buildUser({ permissions: ['api.view', 'endpoint.view'] })
    const answer = await server.send('GET', '/api/configuration', { token: viewer.token })
    expect(Object.keys(parse(answer.text) as object)).toEqual([
      'gatehouse',
      'apis',
      'contexts',
      'endpoints',
    ])
    expect(answer.text).toContain('# You may not see: workflows')
  })

  it('what a user may not change is refused', async () => {
    const editor = await server.buildUser({ permissions: ['api.view', 'api.edit', 'role.view'] })
    const document = part('roles', 'Mine', { permissions: ['api.delete'] })
    const answer = await server.send('POST', '/api/configuration/apply', {
      token: editor.token,
      body: { document },
    })
    const [result] = (answer.body as { results: Result[] }).results
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining('role.create') })
  })
})
