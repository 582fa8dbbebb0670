import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { DocumentRecord, UnclearRun } from '@gatehouse/contract'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createInstallation, type Installation } from '../../../test/processes/admin-commands.ts'
import { serve } from '../../../test/servers/serve-installation.ts'

// A backup is restored twice in a row over a server that has sent since, with real processes, kills and sockets: what
// the journal of submits knows is asked about and sent by nobody again (spec: restore).

const isPostgres = process.env['TEST_DATABASE_URL'] !== undefined

/** It takes whatever comes, also twice, and says what it has. */
async function startAuthority() {
  const taken: string[] = []
  /** References whose answer never comes. */
  const silent = new Set<string>()
  const waiting: ServerResponse[] = []
  const server = createServer((request, response) => {
    void (async () => {
      const asked = /^\/status\/(.+)$/.exec(request.url ?? '')?.[1]
      if (asked !== undefined) {
        response.writeHead(taken.includes(asked) ? 200 : 404).end()
        return
      }
      let body = ''
      for await (const chunk of request) body += String(chunk)
      const { no } = JSON.parse(body) as { no: string }
      taken.push(no)
      if (silent.has(no)) waiting.push(response)
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}')
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, taken, silent }
}

type Authority = Awaited<ReturnType<typeof startAuthority>>
type Server = Awaited<ReturnType<typeof serve>>

const start = ({ folder, environment }: Installation) =>
  serve(folder, { ...environment, UPSTREAM_ALLOW: '127.0.0.1' })

const made = async ({ send }: Server, path: string, body: object): Promise<number> => {
  const answer = await send('POST', path, body)
  if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
  return answer.body.id
}

async function setUp(server: Server, { url }: Authority) {
  const api_id = await made(server, '/api/apis', {
    name: 'Authority',
    api_protocol: 'http',
    gateway_status: 'active',
    api_access: 'internally',
    api_url: url,
  })
  const endpoint = (method_type: string, path: string, run_settings: object) =>
    made(server, '/api/endpoint', {
      api_id,
      method_type,
      path,
      status: 'active',
      authentication: 0,
      summery: path,
      description: path,
      run_settings,
    })
  const status = await endpoint('get', '/status/{no}', {})
  const submit = await endpoint('post', '/submit', {
    reference_path: 'no',
    status_query: {
      endpoint_id: status,
      parameter: 'no',
      received: { statuses: '200' },
      not_received: { statuses: '404' },
      quiet_seconds: 1,
    },
  })
  await made(server, '/api/workflows', {
    name: 'Invoices',
    slug: 'invoices',
    kind: 'tax',
    status: 'active',
    reference_path: 'no',
    lane: { name: 'invoices', concurrency: 1 },
    steps: [{ endpoint_id: submit, body: { kind: 'template', text: '{"no":"{{input.no}}"}' } }],
  })
  return submit
}

const put = async ({ send }: Server, no: string) => {
  const answer = await send('POST', '/api/workflows/invoices/runs', { no })
  expect([200, 202], JSON.stringify(answer.body)).toContain(answer.status)
}
const lane = async ({ send }: Server, what: 'pause' | 'resume') => {
  const { body } = await send('GET', '/api/lanes')
  const [first] = (body as unknown as { lanes: { id: number }[] }).lanes
  const answer = await send('POST', `/api/lanes/${first?.id}/${what}`, { reason: 'A test' })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
}
const listOf = async <T>({ send }: Server, path: string) =>
  ((await send('GET', path)).body as unknown as [{ data: T[] }])[0].data
const statesOf = async (server: Server) => {
  const rows = await listOf<DocumentRecord>(server, '/api/documents?limit=100')
  return Object.fromEntries(rows.map(({ reference, state }) => [reference, state]))
}
const release = async ({ send }: Server) => {
  const answer = await send('POST', '/api/installation/release', { note: 'All of it is known.' })
  expect(answer.status).toBe(200)
}
const backUp = async (installation: Installation) => {
  const file = join(installation.folder, 'one.backup')
  expect((await installation.admin(['backup', file])).code).toBe(0)
  return file
}
const restore = async (installation: Installation, file: string) => {
  const restored = await installation.admin(['restore', file, '--replace'])
  expect(restored.code, restored.err).toBe(0)
}
const until = (work: () => Promise<void>) => vi.waitFor(work, { interval: 300 })

/** Sent before the backup, queued at it, and sent after it: by a lane, by hand, and with an answer that never came. */
async function begin(installation: Installation, authority: Authority) {
  const server = await start(installation)
  const submit = await setUp(server, authority)
  await put(server, 'before')
  await until(async () => expect(await statesOf(server)).toEqual({ before: 'accepted' }))
  await lane(server, 'pause')
  await put(server, 'queued-1')
  await put(server, 'queued-2')
  const file = await backUp(installation)
  await lane(server, 'resume')
  await put(server, 'later')
  const byHand = { endpoint_1: { end_point: submit, body: '{"no":"by-hand"}' } }
  expect((await server.send('POST', '/api/tax', byHand)).status).toBe(200)
  const sent = ['before', 'queued-1', 'queued-2', 'later', 'by-hand']
  await until(async () => expect(authority.taken.toSorted()).toEqual(sent.toSorted()))
  authority.silent.add('cut')
  await put(server, 'cut')
  await until(async () => expect(authority.taken).toContain('cut'))
  await server.kill()
  return { file, sent: [...sent, 'cut'] }
}

const isOnce = ({ taken }: Authority) => expect(taken).toHaveLength(new Set(taken).size)

it('what was sent after the backup is unknown after each restore, is asked about, and is sent by nobody again', async () => {
  const installation = await createInstallation()
  const authority = await startAuthority()
  const { file, sent } = await begin(installation, authority)
  // What the second one finds is in the journal, which is a file.
  for (const round of isPostgres ? [1] : [1, 2]) {
    await restore(installation, file)
    const server = await start(installation)
    // It was paused when the backup was made.
    await lane(server, 'resume')
    const { body } = await server.send('GET', '/api/installation/hold')
    expect(body).toMatchObject({ hold: { reason: 'restore' } })
    const known = await statesOf(server)
    expect(Object.keys(known).toSorted()).toEqual(sent.toSorted())
    expect(known['before']).toBe('accepted')
    const found = await listOf<UnclearRun>(server, '/api/runs/unclear?limit=100')
    for (const { can, step } of found) {
      expect(can).toMatchObject({ ask: true, resume: false })
      expect(step?.message).toMatch(/^Sent after the backup/)
    }
    // Programs that lost the answer send again; the held lanes keep it.
    await put(server, 'later')
    await put(server, `new-${round}`)
    await until(async () => {
      const states = await statesOf(server)
      expect(sent.map((no) => [no, states[no]])).toEqual(sent.map((no) => [no, 'accepted']))
    })
    await release(server)
    await until(async () => expect((await statesOf(server))[`new-${round}`]).toBe('accepted'))
    sent.push(`new-${round}`)
    await server.kill()
  }
  isOnce(authority)
  expect(authority.taken.toSorted()).toEqual(sent.toSorted())
})

// The journal is a file: what it decides runs once, where starts are quick.
it.runIf(!isPostgres)(
  'without the journal it would be sent twice: this is what it is for',
  async () => {
    const installation = await createInstallation()
    const authority = await startAuthority()
    const { file } = await begin(installation, authority)
    rmSync(join(installation.folder, 'submits'), { recursive: true })
    await restore(installation, file)
    const server = await start(installation)
    await lane(server, 'resume')
    await release(server)
    await until(async () => {
      expect(authority.taken.filter((no) => no === 'queued-1')).toHaveLength(2)
    })
    await server.kill()
  },
)

it.runIf(!isPostgres)(
  'a first start that is killed while it reads the journal, and later ones, hold and enter nothing twice',
  async () => {
    const installation = await createInstallation()
    const authority = await startAuthority()
    const { file, sent } = await begin(installation, authority)
    await restore(installation, file)
    const killed = await start(installation)
    await killed.kill()
    // As where it was killed before it noted that it has read the journal.
    rmSync(join(installation.folder, 'last-start.json'))
    const server = await start(installation)
    await until(async () => {
      const states = await statesOf(server)
      expect(sent.map((no) => [no, states[no]])).toEqual(sent.map((no) => [no, 'accepted']))
    })
    const found = await listOf<{ reference: string }>(server, '/api/runs?limit=100')
    const references = found.map(({ reference }) => reference).filter((no) => no === 'cut')
    expect(references).toHaveLength(1)
    await release(server)
    await server.stop()
    // Nothing was sent since: the last line of the journal is still that of before the restore.
    const again = await start(installation)
    expect((await again.send('GET', '/api/installation/hold')).body).toEqual({ hold: null })
    isOnce(authority)
    await again.kill()
  },
)

it.runIf(!isPostgres)(
  'a copy of an earlier database is held as well, by what the data folder knows of the last start and submit',
  async () => {
    const installation = await createInstallation()
    const authority = await startAuthority()
    const { file, sent } = await begin(installation, authority)
    await restore(installation, file)
    // As a copy of the file of before would be: it says nothing of a restore.
    const db = installation.open()
    await db.deleteFrom('installation_hold').execute()
    await installation.close()
    const server = await start(installation)
    const { body } = await server.send('GET', '/api/installation/hold')
    expect(body).toMatchObject({ hold: { reason: 'older_database' } })
    expect(Object.keys(await statesOf(server)).toSorted()).toEqual(sent.toSorted())
    await until(async () => {
      const states = await statesOf(server)
      expect(new Set(Object.values(states))).toEqual(new Set(['accepted']))
    })
    await lane(server, 'resume')
    await release(server)
    await put(server, 'new')
    await until(async () => expect((await statesOf(server))['new']).toBe('accepted'))
    await server.stop()
    // A start on the same database is no restore.
    const again = await start(installation)
    expect((await again.send('GET', '/api/installation/hold')).body).toEqual({ hold: null })
    isOnce(authority)
    await again.kill()
  },
)

// A database in a file has no standby that takes over.
it.runIf(isPostgres)(
  'a database that loses its last commits under a running server is held within seconds, and nothing is sent again',
  async () => {
    const installation = await createInstallation()
    const authority = await startAuthority()
    const server = await start(installation)
    await setUp(server, authority)
    await put(server, 'kept')
    await put(server, 'lost')
    await until(async () =>
      expect(await statesOf(server)).toEqual({ kept: 'accepted', lost: 'accepted' }),
    )
    expect((await server.send('GET', '/api/installation/hold')).body).toEqual({ hold: null })
    // As a standby that took over would have it: the commits of the last run are not there.
    const db = installation.open()
    const { id } = await db
      .selectFrom('run')
      .select('id')
      .where('reference', '=', 'lost')
      .executeTakeFirstOrThrow()
    await db.transaction().execute(async (lost) => {
      await lost.deleteFrom('document_step').where('run_id', '=', id).execute()
      await lost.deleteFrom('document').where('reference', '=', 'lost').execute()
      const steps = lost.selectFrom('run_step').select('id').where('run_id', '=', id)
      await lost.deleteFrom('run_attempt').where('step_id', 'in', steps).execute()
      await lost.deleteFrom('run_step').where('run_id', '=', id).execute()
      await lost.deleteFrom('run_input').where('run_id', '=', id).execute()
      await lost.deleteFrom('run').where('id', '=', id).execute()
    })
    await installation.close()
    await until(async () => {
      const { body } = await server.send('GET', '/api/installation/hold')
      expect(body).toMatchObject({ hold: { reason: 'older_database' } })
    })
    // The program never learned that it was accepted.
    await put(server, 'lost')
    await until(async () => expect((await statesOf(server))['lost']).toBe('accepted'))
    await release(server)
    await put(server, 'new')
    await until(async () => expect((await statesOf(server))['new']).toBe('accepted'))
    await server.stop()
    const again = await start(installation)
    expect((await again.send('GET', '/api/installation/hold')).body).toEqual({ hold: null })
    isOnce(authority)
    await again.kill()
  },
)
