import type { SearchGroup, SearchHit, SearchKind } from '@gatehouse/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startMachineServer } from '../../../test/servers/machine-server.ts'

let machine: Awaited<ReturnType<typeof startMachine>>
const first = {
  no: 'INV-2026-0014808',
  branch: 'b1',
  password: 'hunter2hunter2',
  customer: { name: 'مؤسسة النور للتجارة', vat: '300100292527863' },
  buyer: 'Société Générale Müller',
  total: '1250.00',
}
const second = { no: 'INV-2026-0014809', branch: 'b2', buyer: 'Al Watan Printing', total: '99.5' }

/** One workflow whose runs carry documents, and one whose runs stay in their lane. */
async function startMachine() {
  const app = await startMachineServer()
  const endpointId = await app.endpoint({ run_settings: { reference_path: 'no' } })
  const steps = [{ endpointId, text: '{"no":"{{input.no}}"}' }]
  const definition = { reference_path: 'no' }
  const invoices = await app.workflow(steps, { kind: 'tax', definition })
  const paused = await app.workflow(steps, { lane: { is_paused: 1 } })
  return { app, invoices, paused, erp: await app.machine(invoices, paused) }
}

beforeAll(async () => {
  machine = await startMachine()
  const { app, invoices, paused, erp } = machine
  await app.start(invoices.slug, erp.token, first, { headers: { prefer: 'wait=10' } })
  await app.start(paused.slug, erp.token, second)
  await app.server.unattended.texts.look()
})
afterAll(() => machine.app.close())

interface Found {
  groups: SearchGroup[]
  is_too_short: boolean
  searched_since: string | null
  indexed_share: number | null
}

async function ask(q: string, query = '', token = machine.app.token): Promise<Found> {
  const url = `/api/search?q=${encodeURIComponent(q)}${query}`
  const answer = await machine.app.server.send('GET', url, { token })
  expect(answer.status, answer.text).toBe(200)
  return answer.body as Found
}

async function hitsOf(kind: SearchKind, q: string, query = ''): Promise<SearchHit[]> {
  const { groups } = await ask(q, query)
  return groups.find((group) => group.kind === kind)?.hits ?? []
}

const referencesOf = async (kind: SearchKind, q: string, query = '') =>
  (await hitsOf(kind, q, query)).map(({ title }) => title)

describe('200', () => {
  it.each([
    ['the reference', 'INV-2026-0014808'],
    ['the reference in small letters', 'inv-2026-0014808'],
    ['a part of the reference', '6-001480'],
    ['a piece of the reference', '0014808'],
    ['a word without accents', 'societe'],
    ['the beginning of a word', 'mül'],
    ['two words in any order', 'muller GÉNÉRALE'],
    ['an Arabic word with its article', 'النور'],
    ['an Arabic word with another ending', 'تجاره'],
    ['an amount', '1250.00'],
    ['an amount with thousands', '1,250.00'],
    ['an amount without decimals', '1250'],
    ['an amount in Arabic digits', '١٢٥٠'],
    ['full-width digits', '１２５０'],
    ['a tax number', '300100292527863'],
  ])('finds a run and its document by %s', async (_, q) => {
    expect(await referencesOf('run', q)).toEqual([first.no])
    expect(await referencesOf('document', q)).toEqual([first.no])
  })

  it('finds runs that wait in a lane, and says what they are', async () => {
    const [hit] = await hitsOf('run', 'watan')
    expect(hit).toMatchObject({
      kind: 'run',
      title: '',
      state: 'queued',
      amount: '99.5',
      is_exact: false,
      workflow: { id: machine.paused.id },
      snippet: {
        path: 'buyer',
        pieces: [
          { text: 'Al ', is_hit: false },
          { text: 'Watan', is_hit: true },
          { text: ' Printing', is_hit: false },
        ],
      },
    })
  })

  it('finds neither secrets nor names of values, and all words have to be there', async () => {
    for (const q of ['hunter2hunter2', 'buyer', 'password', 'societe watan', 'nothing'])
      expect((await ask(q)).groups.map(({ total }) => total)).toEqual([0, 0, 0, 0])
  })

  it('finds a run by its id, with the exact one first', async () => {
    const [run] = await hitsOf('run', 'watan')
    const [hit] = await hitsOf('run', `#${run?.id}`)
    expect(hit).toMatchObject({ id: run?.id, is_exact: true })
  })

  it('finds workflows by name and slug', async () => {
    const [hit] = await hitsOf('workflow', machine.invoices.slug)
    expect(hit).toMatchObject({ kind: 'workflow', id: machine.invoices.id, state: 'active' })
  })

  it('finds batches by their file', async () => {
    const { server } = machine.app
    await server.db
      .insertInto('batch')
      .values({
        workflow_id: machine.invoices.id,
        workflow_version: 1,
        user_id: 1,
        user_name: 'Amal',
        file_name: 'november-invoices.csv',
        total: 3,
        content_sha256: 'x',
        created_at: '2026-06-01T08:00:00.000Z',
      })
      .execute()
    const [hit] = await hitsOf('batch', 'november')
    expect(hit).toMatchObject({ kind: 'batch', title: 'november-invoices.csv' })
    expect(hit?.workflow?.id).toBe(machine.invoices.id)
  })

  it.each(['"', "'", '%', '_', '*', 'a', '-', 'NEAR(', '" OR "', '\0', ':*', '!', '\\'])(
    'takes %j for what it is, and no question is a command',
    async (q) => {
      expect((await ask(q)).is_too_short).toBe(!/or|near/i.test(q))
    },
  )

  it.each([
    'societe" OR "watan',
    "societe') | ('watan",
    'societe:* | watan',
    'NOT watan AND societe',
    'societe*',
    '{words} : societe',
  ])('%s finds nothing that its words do not', async (q) => {
    expect((await referencesOf('run', q)).length).toBeLessThanOrEqual(1)
    expect(await referencesOf('run', q)).not.toContain(second.no)
  })

  it('filters by kind, state and period', async () => {
    const { groups } = await ask('inv', '&kinds=document')
    expect(groups.map(({ kind }) => kind)).toEqual(['document'])
    expect(await referencesOf('run', 'societe', '&state=succeeded')).toEqual([first.no])
    expect(await referencesOf('document', 'societe', '&state=accepted')).toEqual([first.no])
    expect(await referencesOf('run', 'societe', '&state=queued')).toEqual([])
    expect(await referencesOf('run', 'societe', '&from=2026-06-01&to=2026-06-01')).toEqual([
      first.no,
    ])
    expect(await referencesOf('run', 'societe', '&from=2026-06-02')).toEqual([])
    expect(await referencesOf('run', 'societe', '&to=2026-05-31')).toEqual([])
  })

  it('pages through each kind', async () => {
    const all = (await hitsOf('run', 'report erp')).length
    expect(all).toBe(0)
    const [one] = (await ask('b1 b2')).groups
    expect(one?.total).toBe(0)
    const pages = await Promise.all(
      [1, 2, 3].map((page) => hitsOf('run', 'inv', `&limit=1&page=${page}`)),
    )
    expect(pages.map((hits) => hits.length)).toEqual([1, 1, 0])
  })
})

describe('who may see what', () => {
  it.each<[string, Parameters<typeof machine.app.person>[0], string[]]>([
    ['run.view', ['run.view'], ['run', 'document']],
    ['workflow.view', ['workflow.view'], ['batch', 'workflow']],
    ['neither', ['api.view'], []],
  ])('with %s', async (_, permissions, kinds) => {
    const person = await machine.app.person(permissions)
    const { groups } = await ask('societe', '', person.token)
    expect(groups.map(({ kind }) => kind)).toEqual(kinds)
    const forced = await ask('societe', '&kinds=run,document,batch,workflow', person.token)
    expect(forced.groups.map(({ kind }) => kind)).toEqual(kinds)
  })

  it('nobody who is not signed in: 401', async () => {
    expect((await machine.app.server.send('GET', '/api/search?q=x')).status).toBe(401)
  })
})

it.each([
  'kinds=user',
  'state=none',
  'from=yesterday',
  'page=0',
  'limit=51',
  `q=${'x'.repeat(201)}`,
])('422 for %s', async (query) => {
  const { server, token } = machine.app
  expect((await server.send('GET', `/api/search?${query}`, { token })).status).toBe(422)
})

describe('the keeper of the words', () => {
  it('reads a run again when its state changes, and forgets what was removed', async () => {
    const { server } = machine.app
    const [run] = await hitsOf('run', 'societe')
    await server.db.updateTable('run_input').set({ body: '{}' }).execute()
    await server.db.updateTable('run_step').set({ body: null, source_body: null }).execute()
    await server.stores.search.forget([run?.id ?? 0])
    await server.unattended.texts.look()
    expect(await hitsOf('run', 'societe')).toEqual([])
    expect(await referencesOf('run', '0014808')).toEqual([first.no])
    expect(await server.stores.search.listTodo(10)).toEqual([])
  })

  it('reads runs from before the search in the background, and says how far it is', async () => {
    const { server } = machine.app
    const [last] = await server.db.selectFrom('run').select('id').orderBy('id', 'desc').execute()
    const above = (last?.id ?? 0) + 1
    const body = '{"note":"Phoenix"}'
    await server.db.updateTable('run_input').set({ body }).execute()
    await server.db
      .updateTable('search_progress')
      .set({ below: above, first_below: above })
      .execute()
    expect((await ask('phoenix')).indexed_share).toBe(0)
    await server.unattended.texts.look()
    const { groups, indexed_share } = await ask('phoenix')
    expect(indexed_share).toBeNull()
    expect(groups[0]?.total).toBeGreaterThan(1)
  })
})
