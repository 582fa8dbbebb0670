import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DocumentRecord, RunListItem, RunSummary } from '@gatehouse/contract'
import { expect, it, onTestFinished } from 'vitest'
import { endpointOf, httpApi } from '../../../../test/servers/build-server.ts'
import { startUpstream } from '../../../../test/servers/hostile-upstream.ts'
import { runServerProcess } from '../../../../test/servers/run-server-process.ts'
import { createPrepared } from '../../../../test/test-database.ts'

const password = 'correct horse battery'
const kills = 5

interface Sent {
  documents: { no: string }[]
}

/** Takes what it is sent, decides after two questions, and loses each third answer to a question. */
async function startAuthority() {
  /** The documents of each submission, and how often it was asked about it. */
  const submissions = new Map<string, { names: string[]; asked: number }>()
  const taken = new Set<string>()
  const next = new Map<string, number>()
  const violations: string[] = []
  let questions = 0
  const isRefused = (name: string) => name.endsWith('b')
  const upstream = await startUpstream((request, response, socket): void => {
    const say = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (request.url === '/next') {
      const { no } = JSON.parse(request.body) as { no: string }
      next.set(no, (next.get(no) ?? 0) + 1)
      return say(200, {})
    }
    if (request.method === 'POST') {
      const names = (JSON.parse(request.body) as Sent).documents.map(({ no }) => no)
      for (const name of names)
        if (taken.has(name)) violations.push(`${name} was sent twice`)
        else taken.add(name)
      const uid = `S-${names[0]}`
      submissions.set(uid, { names, asked: 0 })
      return say(202, { uid, accepted: names.map((no) => ({ no })) })
    }
    if (++questions % 3 === 0) {
      socket.destroy()
      return
    }
    const submission = submissions.get(request.url.split('/').at(-1) ?? '')
    if (!submission) return say(404, {})
    const isDecided = ++submission.asked > 2
    const stateOf = (no: string) =>
      isDecided ? (isRefused(no) ? 'Invalid' : 'Valid') : 'Submitted'
    say(200, { summary: submission.names.map((no) => ({ no, status: stateOf(no) })) })
  })
  return { ...upstream, taken, next, violations, isRefused }
}

const says = (value: string) => ({ conditions: [{ path: 'status', test: 'equals', value }] })

it('what was taken is decided, through servers that are killed and answers that are lost', async () => {
  const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'gatehouse-pending-')))
  const postgres = await createPrepared(folders[0]!)
  const authority = await startAuthority()
  onTestFinished(async () => {
    await authority.close()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })
  const environment = {
    ADMIN_PASSWORD: password,
    // Servers on one database share their key.
    APP_KEY: randomBytes(32).toString('base64'),
    ...(postgres ? { DATABASE_URL: postgres.url } : {}),
  }
  const start = (index: number) => runServerProcess({ dataDir: folders[index] ?? '', environment })
  // One server on SQLite; on PostgreSQL two at once.
  const servers = [await start(0), ...(postgres ? [await start(1)] : [])]
  let token = ''

  async function call(method: string, path: string, body?: unknown) {
    const answer = await fetch(`${servers[0]?.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: await answer.json() }
  }
  const create = async (path: string, body: object) => {
    const created = await call('POST', path, body)
    expect(created.status, JSON.stringify(created.body)).toBe(201)
    return (created.body as { id: number }).id
  }
  const login = await call('POST', '/api/login', { email: 'admin@example.com', password })
  token = (login.body as { token: string }).token
  const api = await create('/api/apis', httpApi({ api_url: authority.url }))
  const endpoint = (path: string, method_type: string, run_settings?: object) =>
    create('/api/endpoint', endpointOf(api, { path, summery: path, method_type, run_settings }))
  const status = await endpoint('/submissions/{uid}', 'get')
  const next = await endpoint('/next', 'post')
  const submit = await endpoint('/submissions', 'post', {
    documents: {
      items_path: 'documents',
      reference_path: 'no',
      accepted_path: 'accepted',
      answer_reference_path: 'no',
      poll: {
        list_path: 'summary',
        reference_path: 'no',
        accepted: says('Valid'),
        rejected: says('Invalid'),
      },
    },
    status_query: {
      endpoint_id: status,
      parameter: 'uid',
      received: { statuses: '200' },
      not_received: { statuses: '404' },
    },
    pending: {
      rule: { statuses: '202' },
      parameter_path: 'uid',
      first_after_seconds: 1,
      factor: 1,
      max_every_seconds: 1,
    },
  })

  /** The runs that were answered with 202. */
  const answered = new Map<number, string>()
  async function send(name: string, letters: string) {
    const documents = [...letters].map((letter) => ({ no: `${name}${letter}` }))
    const sent = await call('POST', '/api/tax', {
      endpoint_1: { end_point: submit, body: JSON.stringify({ documents }) },
      endpoint_2: { end_point: next, body: JSON.stringify({ no: name }) },
    }).catch(() => undefined)
    if (sent?.status === 202) answered.set((sent.body as { run: RunSummary }).run.id, name)
  }

  for (let kill = 0; kill < kills; kill++) {
    await Promise.all(
      ['x', 'y', 'z'].map((each) => send(`${kill}${each}-`, each === 'z' ? 'abc' : 'ac')),
    )
    // The moments are spread over the time between two questions.
    await sleep((kill * 370) % 1000)
    const index = kill % servers.length
    servers[index]?.child.kill('SIGKILL')
    await servers[index]?.exited
    servers[index] = await start(index)
  }
  const runs = async () => {
    const { body } = await call('GET', '/api/runs?limit=100')
    return (body as [{ data: RunListItem[] }])[0].data
  }
  await expect
    .poll(
      async () =>
        (await runs()).filter(({ state }) => ['pending', 'running'].includes(state)).length,
      { interval: 300 },
    )
    .toBe(0)

  expect(authority.violations).toEqual([])
  expect(answered.size).toBeGreaterThan(kills)
  for (const { id, state } of await runs()) {
    const name = answered.get(id)
    if (name === undefined) continue
    const isPart = name.includes('z')
    // The second step may have been under way when a server was killed: then its outcome is unknown.
    expect(isPart ? ['partial'] : ['succeeded', 'unknown'], `run ${id}`).toContain(state)
    expect(authority.next.get(name) ?? 0, `run ${id}`).toBe(isPart ? 0 : 1)
  }
  const { body } = await call('GET', '/api/documents?limit=100')
  const documents = (body as [{ data: DocumentRecord[] }])[0].data
  for (const { reference, state, run_id } of documents)
    if (answered.has(run_id ?? 0))
      expect(state, reference).toBe(authority.isRefused(reference) ? 'not_accepted' : 'accepted')
  for (const { child } of servers) child.kill('SIGKILL')
  await Promise.all(servers.map(({ exited }) => exited))
  await postgres?.drop()
})
