import { noTokenLimits } from '@gatehouse/contract'
import type { AgentReply } from '@gatehouse/contract/gateway'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ok } from '../../../../test/servers/lane-server.ts'
import { startMachineServer, type MachineServer } from '../../../../test/servers/machine-server.ts'
import { recordingGateway } from '../../../../test/servers/recording-gateway.ts'
import { cut, json } from '../../../../test/servers/run-server.ts'

const gateway = recordingGateway()
let app: MachineServer
let flow: Awaited<ReturnType<MachineServer['workflow']>>
let erp: Awaited<ReturnType<MachineServer['machine']>>
beforeAll(async () => {
  app = await startMachineServer({}, undefined, gateway.link)
  const post = await app.endpoint({ path: '/invoices' })
  flow = await app.workflow([{ endpointId: post, text: '{"no":"{{input.no}}"}' }], {
    definition: {
      name: 'File an invoice',
      description: 'Files it.',
      reference_path: 'no',
      input_schema: {
        type: 'object',
        required: ['no'],
        properties: { no: { $ref: '#/$defs/no' }, total: { type: 'number' } },
        $defs: { no: { type: 'string' } },
      },
    },
  })
  erp = await app.machine(flow)
})
afterAll(() => app.close())
beforeEach(() => {
  app.upstream.received.length = 0
  app.answer(ok)
})

const toolOf = ({ slug }: { slug: string }) => `workflow_${slug.replaceAll('-', '_')}`

function ask(tool: string | null, given: unknown = {}, token = erp.token): Promise<AgentReply> {
  const written = typeof given === 'string' ? given : JSON.stringify(given)
  return gateway.control.askAgent!({
    token,
    address: '127.0.0.1',
    agent: 'a client',
    requestId: 'request',
    traceparent: null,
    tool,
    message: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":${written}}}`,
  })
}
async function call(tool: string, given: unknown, token?: string) {
  const reply = await ask(tool, given, token)
  if (reply.what !== 'result') throw new Error(reply.what)
  const run = JSON.parse(reply.structured ?? '{}') as { run?: { id: number; state: string } }
  return { ...reply, text: reply.texts.join('\n'), run: run.run }
}
let count = 0
const filed = (more: object = {}) => {
  const no = `AG-${++count}`
  return { input: { no, ...more }, idempotency_key: `key-of-${no}` }
}

describe('the tools of a token', () => {
  it('are the workflows that a role of its user has, and run_status', async () => {
    const reply = await ask(null)
    if (reply.what !== 'tools') throw new Error(reply.what)
    expect(reply.tools.map(({ name }) => name)).toEqual([toolOf(flow), 'run_status'])
    expect(JSON.parse(reply.tools[0]?.listed ?? '')).toMatchObject({
      title: 'File an invoice',
      description: expect.stringMatching(/^Files it\./),
      inputSchema: {
        required: ['input', 'idempotency_key'],
        properties: {
          input: { properties: { no: { $ref: '#/properties/input/$defs/no' } } },
        },
      },
      annotations: { readOnlyHint: false, idempotentHint: true },
    })
  })

  it('are none for a token without access, a revoked one, and an unknown one', async () => {
    const other = await app.machine()
    const gone = await app.machine(flow)
    await app.server.stores.tokens.revoke(gone.tokenId, app.server.time.now.toISOString())
    for (const token of [other.token, gone.token, 'ghp_none'])
      expect(await ask(null, {}, token)).toEqual({ what: 'tools', tools: [] })
    expect(await ask(toolOf(flow), filed(), other.token)).toEqual({ what: 'unknown' })
    expect(await call(toolOf(flow), filed(), gone.token)).toMatchObject({ isError: true })
    expect(app.upstream.received).toEqual([])
  })

  it('are those that the token is limited to', async () => {
    const second = await app.workflow([{ endpointId: await app.endpoint(), text: '{}' }])
    const both = await app.machine(flow, second)
    await app.server.db
      .updateTable('personal_token')
      .set({ limits: JSON.stringify({ ...noTokenLimits, workflows: [second.id] }) })
      .where('id', '=', both.tokenId)
      .execute()
    const reply = await ask(null, {}, both.token)
    expect(reply.what === 'tools' && reply.tools.map(({ name }) => name)).toEqual([
      toolOf(second),
      'run_status',
    ])
    expect(await ask(toolOf(flow), filed(), both.token)).toEqual({ what: 'unknown' })
  })
})

describe('a call', () => {
  it('is carried out once, however often it comes with its key, and numbers keep their digits', async () => {
    const given = `{"input":{"no":"AG-EXACT","total":1.10},"idempotency_key":"key-of-exact"}`
    const first = await call(toolOf(flow), given)
    expect(first).toMatchObject({ isError: false, run: { state: 'succeeded' } })
    const again = await call(toolOf(flow), given)
    expect(again.run?.id).toBe(first.run?.id)
    expect(app.upstream.received).toHaveLength(1)
    const row = await app.server.db
      .selectFrom('run_input')
      .select('body')
      .where('run_id', '=', first.run?.id ?? 0)
      .executeTakeFirstOrThrow()
    expect(row.body).toBe('{"no":"AG-EXACT","total":1.10}')
  })

  it('with arguments that do not fit starts nothing, and names each place', async () => {
    expect((await call(toolOf(flow), { other: 1 })).text.split('\n')).toEqual([
      'Nothing was started: the arguments do not fit.',
      '/idempotency_key: This argument is required: a text.',
      '/input: This argument is required.',
      '/other: There is no such argument.',
    ])
    const unfit = await call(toolOf(flow), { input: { total: 'x' }, idempotency_key: 'key-12345' })
    expect(unfit.text).toContain('/total')
    const short = await call(toolOf(flow), { ...filed(), idempotency_key: 'short' })
    expect(short.text).toContain('8 to 200 visible ASCII characters')
    expect(app.upstream.received).toEqual([])
  })

  it('that was rejected is an error with what was answered', async () => {
    app.answer(json(422, { error: 'VAT number' }))
    const rejected = await call(toolOf(flow), filed())
    expect(rejected).toMatchObject({ isError: true, run: { state: 'rejected' } })
  })

  it('whose outcome is unknown says so, and names run_status', async () => {
    app.answer(cut)
    const given = filed()
    const lost = await call(toolOf(flow), given)
    expect(lost).toMatchObject({ isError: true, run: { state: 'unknown' } })
    expect(lost.text).toContain('The answer of run')
    expect(lost.text).toContain('It may have been carried out. Do not call this again')
    expect(lost.text).toContain('run_status')
    const again = await call(toolOf(flow), given)
    expect(again.run).toMatchObject({ id: lost.run?.id, state: 'unknown' })
    expect(app.upstream.received).toHaveLength(1)
  })

  it('that needs a release waits for it, as of an agent alone', async () => {
    const post = await app.endpoint()
    const guarded = await app.workflow([{ endpointId: post, text: '{}' }], {
      definition: { needs_release: 'agents' },
    })
    const { token } = await app.machine(guarded)
    const waiting = await call(toolOf(guarded), filed(), token)
    expect(waiting).toMatchObject({ isError: false, run: { state: 'waits_for_release' } })
    expect(waiting.text).toContain('waits for release')
    const { release } = await app.show(waiting.run?.id ?? 0)
    expect(release).toMatchObject({ via: 'agent', asked_by: expect.stringMatching(/, a client$/) })
    expect(app.upstream.received).toEqual([])
  })
})

describe('run_status', () => {
  it('finds a run by its id, its key and its reference, with its answers', async () => {
    const given = filed()
    const { run } = await call(toolOf(flow), given)
    for (const choice of [
      { id: run?.id },
      { idempotency_key: given.idempotency_key },
      { reference: given.input.no },
    ]) {
      const found = await call('run_status', choice)
      expect(found.run).toMatchObject({ id: run?.id, steps: [{ answer: '{"id":7}' }] })
    }
  })

  it('shows no run of another user, and wants one name', async () => {
    const { run } = await call(toolOf(flow), filed())
    const other = await app.machine(flow)
    const hidden = await call('run_status', { id: run?.id }, other.token)
    expect(hidden).toMatchObject({ isError: true, structured: null })
    for (const given of [{}, { id: 1, reference: 'x' }, { id: 'x' }, { id: 1.5 }])
      expect((await call('run_status', given)).text).toContain('Name one of')
  })
})
