import { randomBytes } from 'node:crypto'
import type { DocumentRecord, HomeAnswer, RunListItem } from '@gatehouse/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildServer, httpApi, type TestServer } from '../../../../test/servers/build-server.ts'
import {
  cut,
  json,
  runOf,
  startRunServer,
  type RunServer,
} from '../../../../test/servers/run-server.ts'
import { createTestDatabase } from '../../../../test/test-database.ts'
import { createSecretBox } from '../../../kernel/secret-box.ts'
import { inTransactionOn } from '../../../stores.ts'
import { claimDocument } from '../ledger/documents/document-ledger.ts'

// A document is known once in its register (spec: document-register).

let app: RunServer
/** Another server on the same database. */
let other: TestServer
let companies: { api: number; endpoint: number }[]
beforeAll(async () => {
  const database = await createTestDatabase()
  app = await startRunServer({}, database)
  other = await buildServer(
    {},
    undefined,
    { db: database.db, drop: async () => undefined },
    { secrets: createSecretBox(randomBytes(32)), instanceId: 'second' },
  )
  companies = []
  for (const name of ['Acme', 'Beta']) {
    const api = await app.createApi({ name, answer_timeout_ms: 20_000 })
    const endpoint = await app.endpoint({ run_settings: { reference_path: 'no' } }, api)
    companies.push({ api, endpoint })
  }
})
afterAll(async () => {
  await other.close()
  await app.close()
})
beforeEach(() => {
  app.upstream.received.length = 0
  app.answer(json(200, {}))
})

let content = 0
const carry = (end_point: number, no: string) => ({
  end_point,
  body: JSON.stringify({ no, n: ++content }),
})
const send = (company: number, no: string) => app.tax([carry(companies[company]!.endpoint, no)])
const get = async (path: string) => (await app.server.send('GET', path, { token: app.token })).body
const rowsOf = <T>(body: unknown) => (body as [{ data: T[] }])[0].data
const documents = async (query: string) =>
  rowsOf<DocumentRecord>(await get(`/api/documents?${query}`))
const changed = (api: number, body: Record<string, unknown>) =>
  app.server.send('PUT', `/api/apis/${api}`, {
    token: app.token,
    body: httpApi({ api_url: app.upstream.url, ...body }),
  })
const registerOf = async (api: number) =>
  (await app.server.stores.apis.find(api))?.document_register

describe('two companies whose numbers overlap', () => {
  it('send each of them, and each of them once', async () => {
    for (const no of ['S-1', 'S-2'])
      for (const company of [0, 1]) expect((await send(company, no)).status).toBe(200)
    for (const company of [0, 1]) expect((await send(company, 'S-1')).status).toBe(409)
    expect(app.upstream.received).toHaveLength(4)
    const found = await documents('search=S-1')
    expect(found.map(({ register, state }) => `${register} ${state}`).toSorted()).toEqual([
      'Acme accepted',
      'Beta accepted',
    ])
    expect((await documents('register=Beta')).map(({ reference }) => reference)).toEqual([
      'S-2',
      'S-1',
    ])
  })

  it('are told apart in history, search and home', async () => {
    const [acme, beta] = [runOf(await send(0, 'T-1')), runOf(await send(1, 'T-1'))]
    const runs = rowsOf<RunListItem>(await get('/api/runs?register=Acme&reference=T-1'))
    expect(runs).toMatchObject([{ id: acme.id, registers: ['Acme'] }])
    expect(await app.show(beta.id)).toMatchObject({
      registers: ['Beta'],
      steps: [{ documents: [{ register: 'Beta', reference: 'T-1' }] }],
    })
    const { groups } = (await get('/api/search?q=T-1&register=Beta')) as {
      groups: { kind: string; hits: { registers: string[]; title: string }[] }[]
    }
    const named = groups.flatMap(({ kind, hits }) =>
      hits.map(({ registers, title }) => `${kind} ${title} ${registers.join()}`),
    )
    expect(named).toEqual(['run T-1 Beta', 'document T-1 Beta'])
    app.answer(cut)
    await send(0, 'T-unknown')
    app.answer(json(200, { ok: true }))
    const waitingIn = async (register: string) => {
      const { waiting } = (await get(`/api/home?register=${register}`)) as HomeAnswer
      return waiting?.find(({ state }) => state === 'unknown')?.total
    }
    expect([await waitingIn(''), await waitingIn('Acme'), await waitingIn('Beta')]).toEqual([
      1, 1, 0,
    ])
    const home = (await get('/api/home?register=Beta')) as {
      documents: { authorities: { register: string; api: { name: string } }[] }
    }
    expect(home.documents.authorities).toMatchObject([{ register: 'Beta', api: { name: 'Beta' } }])
  })

  it('share a number where they name one register', async () => {
    const shared = await app.createApi({ name: 'Acme 2', document_register: 'Acme' })
    const endpoint = await app.endpoint({ run_settings: { reference_path: 'no' } }, shared)
    expect((await send(0, 'U-1')).status).toBe(200)
    expect((await app.tax([carry(endpoint, 'U-1')])).status).toBe(409)
    const { registers } = (await get('/api/document-registers')) as {
      registers: { name: string; apis: { name: string }[] }[]
    }
    expect(registers.find(({ name }) => name === 'Acme')?.apis.map(({ name }) => name)).toEqual([
      'Acme',
      'Acme 2',
    ])
  })
})

it('a step of each register has its own document of the same reference', async () => {
  app.answer((request, response, socket) =>
    json(app.upstream.received.length === 1 ? 200 : 422, {})(request, response, socket),
  )
  const answer = await app.tax(companies.map(({ endpoint }) => carry(endpoint, 'V-1')))
  const run = await app.show(runOf(answer).id)
  expect(run.registers).toEqual(['Acme', 'Beta'])
  expect(
    run.steps.map(({ documents: [document] }) => `${document?.register} ${document?.state}`),
  ).toEqual(['Acme accepted', 'Beta not_accepted'])
})

describe('references that look the same', () => {
  it.each([
    ['composed and decomposed', 'Caf\u00e9-1', 'Cafe\u0301-1'],
    ['with invisible signs', 'W-1', '\u200fW\u200b-1\u2060'],
    ['with white space around', 'W-2', ' W-2\u00a0'],
  ])('are one document: %s', async (_, one, same) => {
    expect((await send(0, one)).status).toBe(200)
    expect((await send(0, same)).status).toBe(409)
  })

  it('are shown and sent as they came', async () => {
    const came = '\u200fX\u200b-1'
    expect((await send(0, came)).status).toBe(200)
    expect(app.upstream.received[0]?.body).toContain(came)
    expect(await documents('register=Acme&sort=-id&limit=1')).toMatchObject([{ reference: came }])
  })

  it('77 and 77.0 are two', async () => {
    const number = (no: string) => ({ end_point: companies[0]!.endpoint, body: `{"no":${no}}` })
    expect((await app.tax([number('77')])).status).toBe(200)
    expect((await app.tax([number('77.0')])).status).toBe(200)
  })

  it('one of nothing that shows is refused at its field', async () => {
    const answer = await send(0, '\u200b \ufeff')
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: { 'endpoint_1.body': ['The body has no document reference at no.'] } },
    })
  })

  it('of many servers at once, one sends', async () => {
    const spellings = ['Zo\u00eb', 'Zoe\u0308', '\u200fZo\u00eb', 'Zo\u00eb ', 'Zo\u200be\u0308']
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(
        spellings.map((text, index) => {
          const body = { endpoint_1: carry(companies[0]!.endpoint, `${round}-${text}`) }
          const server = index % 2 === 0 ? app.server : other
          return server.send('POST', '/api/tax', { token: app.token, body })
        }),
      )
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    }
    expect(app.upstream.received).toHaveLength(5)
  })
})

describe('the register of an API', () => {
  it('is named like it, and like no other', async () => {
    const long = await app.createApi({ name: `L${'x'.repeat(99)}` })
    expect(await registerOf(long)).toBe(`L${'x'.repeat(79)}`)
    const first = await app.createApi({ name: 'Renamed' })
    expect((await changed(first, { name: 'Another name' })).status).toBe(200)
    expect(await registerOf(first)).toBe('Renamed')
    expect(await registerOf(await app.createApi({ name: 'Renamed' }))).toBe('Renamed (2)')
  })

  it.each(['x'.repeat(81), 'a\u200bb'])('422: %s', async (document_register) => {
    const answer = await app.post('/api/apis', httpApi({ name: 'Bad register', document_register }))
    expect(answer.status).toBe(422)
    expect((answer.body as { errors: object }).errors).toHaveProperty('document_register')
  })

  it('stays while a document is unknown, and names it', async () => {
    const api = await app.createApi({ name: 'Gamma', answer_timeout_ms: 20_000 })
    const endpoint = await app.endpoint({ run_settings: { reference_path: 'no' } }, api)
    app.answer((_request, _response, socket) => socket.destroy())
    const { id } = runOf(await app.tax([carry(endpoint, 'G-1')]))
    const answer = await changed(api, {
      name: 'Gamma',
      document_register: 'Delta',
      confirm_register: true,
    })
    expect(answer).toMatchObject({
      status: 409,
      body: {
        code: 'api.register_in_use',
        documents: 1,
        references: ['G-1'],
        errors: {
          document_register: [
            '1 document is open or unknown in the register Gamma: G-1. Settle that first.',
          ],
        },
      },
    })
    await app.post(`/api/runs/${id}/resolve`, { step: 1, verdict: 'received', reference: 'A-1' })
    // Accepted now: it stays in its register, and the change asks.
    const asked = await changed(api, { name: 'Gamma', document_register: 'Delta' })
    expect(asked).toMatchObject({
      status: 409,
      body: { code: 'api.register_change', documents: 1 },
    })
    expect(await registerOf(api)).toBe('Gamma')
    const done = await changed(api, {
      name: 'Gamma',
      document_register: 'Delta',
      confirm_register: true,
    })
    expect(done.status).toBe(200)
    app.answer(json(200, {}))
    expect((await app.tax([carry(endpoint, 'G-1')])).status).toBe(200)
    expect((await documents('search=G-1')).map(({ register }) => register).toSorted()).toEqual([
      'Delta',
      'Gamma',
    ])
  })

  it('changes without a question where it has no documents', async () => {
    const api = await app.createApi({ name: 'Empty' })
    expect((await changed(api, { name: 'Empty', document_register: 'Full' })).status).toBe(200)
    // Absent and blank keep it.
    expect((await changed(api, { name: 'Empty', document_register: '' })).status).toBe(200)
    expect(await registerOf(api)).toBe('Full')
  })

  it('a claim that was planned before a change is refused', async () => {
    const api = await app.createApi({ name: 'Moving', answer_timeout_ms: 20_000 })
    const endpoint = await app.endpoint({ run_settings: { reference_path: 'no' } }, api)
    const run = runOf(await app.tax([carry(endpoint, 'M-1')]))
    const inTransaction = inTransactionOn(app.server.db, { now: () => app.server.time.now })
    const claim = () =>
      inTransaction((stores) =>
        claimDocument(stores, {
          runId: run.id,
          position: 1,
          apiId: api,
          kind: 'tax',
          isTest: false,
          register: 'Moving',
          reference: 'M-2',
          originalReference: null,
          now: '2026-06-01T08:00:00.000Z',
        }),
      )
    let claimed: Promise<unknown> | undefined
    await inTransaction(async ({ apis, documents: store }) => {
      await store.holdClaimsOf(api)
      claimed = claim().catch((error: unknown) => error)
      const { version } = (await apis.find(api))!
      await apis.update(api, version, { document_register: 'Moved' })
    })
    expect(await claimed).toMatchObject({
      code: 'request.invalid',
      message: 'The document register of the API was changed. Send this again.',
    })
    expect((await app.tax([carry(endpoint, 'M-2')])).status).toBe(200)
    expect(await documents('search=M-2')).toMatchObject([{ register: 'Moved', state: 'accepted' }])
  })
})
