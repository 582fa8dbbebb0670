import { afterAll, describe, expect, it } from 'vitest'
import {
  buildServer,
  endpointOf,
  httpApi,
  type TestServer,
} from '../../../../test/servers/build-server.ts'
import { createPeerUpstream } from '../../../../test/servers/run-peer.ts'
import { watchLedger } from '../../../../test/run-model/ledger-watch.ts'
import { createRandom } from '../../../../test/run-model/random.ts'
import { RunModel } from '../../../../test/run-model/run-model.ts'
import {
  allBehaviour,
  startAuthority,
  type Authority,
} from '../../../../test/run-model/scripted-authority.ts'

const upstream = createPeerUpstream()
afterAll(() => upstream.close())

const says = (path: string, value: string) => ({
  statuses: '200-299',
  conditions: [{ path, test: 'equals', value }],
})

const stateIs = (value: string) => ({
  statuses: '200',
  conditions: [{ path: 'state', test: 'equals', value }],
})

async function createEndpoints(server: TestServer, authority: Authority) {
  const { token } = server.admin
  const create = async (path: string, body: unknown) => {
    const created = await server.send('POST', path, { token, body })
    expect(created.status, created.text).toBe(201)
    return (created.body as { id: number }).id
  }
  const api = await create('/api/apis', httpApi({ api_url: authority.url }))
  const endpoint = (path: string, method_type: string, run_settings?: object) =>
    create('/api/endpoint', endpointOf(api, { path, summery: path, method_type, run_settings }))
  const submit = async (path: string, overrides: object) => {
    const asked = await endpoint(`/status${path}`, 'get')
    return endpoint(path, 'post', {
      idempotency_header: 'x-step',
      status_query: {
        endpoint_id: asked,
        parameter: 'no',
        received: { statuses: '200' },
        not_received: { statuses: '404' },
      },
      ...overrides,
    })
  }
  return {
    plain: await submit('/plain', { reference_path: 'no' }),
    safe: await submit('/safe', { reference_path: 'no', is_duplicate_safe: true }),
    // Its rules know every answer: they distinguish a refusal, a success and a duplicate.
    refusing: await submit('/refusing', {
      reference_path: 'no',
      is_duplicate_safe: true,
      success_rule: says('authority', 'A-1'),
      rejection_rule: says('refused', 'true'),
      duplicate_rule: { statuses: '208' },
    }),
    later: await submit('/later', {
      reference_path: 'no',
      status_query: {
        endpoint_id: await endpoint('/decision', 'get'),
        parameter: 'no',
        received: stateIs('valid'),
        not_received: { statuses: '404' },
        pending: stateIs('taken'),
        rejected: stateIs('invalid'),
      },
      pending: {
        rule: { statuses: '202' },
        parameter_path: 'uid',
        first_after_seconds: 3,
        max_every_seconds: 30,
        give_up_minutes: 2,
      },
    }),
    bare: await submit('/bare', {}),
    put: await endpoint('/put', 'put'),
    read: await endpoint('/read', 'get'),
  }
}

/** What was met in all of the runs together. */
const met = new Set<string>()
const refusals = [
  'document.may_be_accepted',
  'run.in_progress',
  'run.may_be_accepted',
  'run.not_resumable',
  'run.not_unknown',
  'run.superseded',
  'run.unresolved',
].map((code) => `refused: ${code}`)
const verdicts = ['received', 'not_received', 'too_early', 'said_once', 'unclear'].map(
  (said) => `asked: ${said}`,
)

// The watch hangs triggers into SQLite; what PostgreSQL does otherwise has tests of its own.
describe.runIf(process.env.TEST_DATABASE_URL === undefined)('whatever happens', () => {
  it.each([1, 2, 3, 4])(
    'nothing accepted is sent twice, nothing is lost, nothing is shown wrong (%i)',
    async (seed) => {
      const server = await buildServer()
      const random = createRandom(seed)
      const authority = await startAuthority(random, () => server.time.now.getTime())
      try {
        const endpoints = await createEndpoints(server, authority)
        const watch = await watchLedger(server.db, authority)
        const model = new RunModel({ server, upstream, authority, random, endpoints })
        for (let action = 0; action < 600; action++) {
          await model.perform()
          expect(await watch.check(), `after action ${action}`).toEqual([])
          expect(model.faults).toEqual([])
        }
        await model.end()
        expect(await watch.check()).toEqual([])
        expect(model.faults).toEqual([])
        for (const what of [...model.done.keys(), ...authority.seen.keys()]) met.add(what)
      } finally {
        await server.close()
        await authority.close()
      }
    },
  )

  it('has happened: no promise was kept for want of trying', () => {
    expect([...met]).toEqual(expect.arrayContaining([...allBehaviour, ...refusals, ...verdicts]))
  })
})
