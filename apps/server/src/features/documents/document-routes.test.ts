import type { DocumentDetail, DocumentRecord } from '@gatehouse/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'
import { carryDocument } from '../../../test/rows/carry-document.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await buildServer()
  token = (await server.buildUser({ role: 'Auditor' })).token
  await carryDocument(server, {
    reference: 'INV-1',
    state: 'succeeded',
    answer: '{"number":"N-77","qr":"AQI="}',
  })
  await carryDocument(server, { reference: 'INV-2', state: 'unknown' })
  await carryDocument(server, { reference: 'INV-3', state: 'rejected' })
  await carryDocument(server, { reference: 'INV-3', state: 'rejected' })
  await carryDocument(server, { reference: 'INV-1', state: 'succeeded', isTest: true })
  await carryDocument(server, {
    reference: 'CN_1',
    kind: 'credit',
    original: 'INV-1',
    state: 'succeeded',
  })
  await carryDocument(server, {
    reference: 'CN-2',
    kind: 'credit',
    original: 'INV-1',
    state: 'unknown',
  })
})
afterAll(() => server.close())

async function list(query = '') {
  const answer = await server.send('GET', `/api/documents?${query}`, { token })
  expect(answer.status, answer.text).toBe(200)
  return (answer.body as [{ data: DocumentRecord[]; total: number }])[0]
}
const references = async (query?: string) =>
  (await list(query)).data.map(({ reference, is_test }) => (is_test ? `${reference} T` : reference))

const show = async (reference: string) => {
  const { data } = await list(`search=${reference}&test=0&kind=tax`)
  const answer = await server.send('GET', `/api/documents/${data[0]?.id}`, { token })
  expect(answer.status, answer.text).toBe(200)
  return answer.body as DocumentDetail
}

it('lists newest first, in pages, with the number of runs of each', async () => {
  expect(await references()).toEqual(['CN-2', 'CN_1', 'INV-1 T', 'INV-3', 'INV-2', 'INV-1'])
  expect(await references('limit=2&page=2')).toEqual(['INV-1 T', 'INV-3'])
  expect((await list('search=INV-3')).data).toMatchObject([{ runs: 2, state: 'not_accepted' }])
})

it.each([
  ['search=inv-2', ['INV-2']],
  ['search=n-77', ['INV-1']],
  ['search=CN_', ['CN_1']],
  ['state=unknown', ['CN-2', 'INV-2']],
  ['kind=credit', ['CN-2', 'CN_1']],
  ['test=1', ['INV-1 T']],
  ['test=0&kind=tax&state=accepted', ['INV-1']],
  ['state=&kind=&test=&sort=reference&limit=3', ['CN-2', 'CN_1', 'INV-1']],
])('%s finds %j', async (query, expected) => {
  expect((await references(query)).toSorted()).toEqual(expected.toSorted())
})

it.each(['state=odd', 'kind=build', 'test=2', 'sort=qr', 'limit=101'])(
  'refuses %s (422)',
  async (query) => {
    expect((await server.send('GET', `/api/documents?${query}`, { token })).status).toBe(422)
  },
)

it('shows a document with its runs, its QR text and the credit notes against it', async () => {
  const document = await show('INV-1')
  expect(document).toMatchObject({
    reference: 'INV-1',
    is_test: false,
    state: 'accepted',
    authority_reference: 'N-77',
    qr: 'AQI=',
    runs: 1,
    original: null,
  })
  expect(document.history).toMatchObject([
    { kind: 'tax', state: 'succeeded', document_state: 'accepted', position: 1, user_name: 'Ada' },
  ])
  expect(document.credit_notes.map(({ reference, state }) => [reference, state])).toEqual([
    ['CN-2', 'unknown'],
    ['CN_1', 'accepted'],
  ])
})

it('shows with a credit note the document that it credits', async () => {
  const [credit] = (await list('search=CN_1')).data
  const answer = await server.send('GET', `/api/documents/${credit?.id}`, { token })
  expect(answer.body).toMatchObject({
    kind: 'credit',
    original_reference: 'INV-1',
    original: { reference: 'INV-1', is_test: false },
    credit_notes: [],
  })
})

it('an unknown id is not found (404)', async () => {
  expect((await server.send('GET', '/api/documents/999999', { token })).status).toBe(404)
})

it('needs run.view (403)', async () => {
  const other = await server.buildUser({ permissions: ['tax.view'] })
  expect((await server.send('GET', '/api/documents', { token: other.token })).status).toBe(403)
})
