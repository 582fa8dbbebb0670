import { noTokenLimits, type AgentQuestion, type AgentReply } from '@gatehouse/contract/gateway'
import { describe, expect, it } from 'vitest'
import { buildToken, clientToken } from '../testing/build-snapshot.ts'
import type { AgentAskedMessage } from '../messages/agent-question-messages.ts'
import { buildTool, startAgentGateway, textsOf } from './testing/agent-gateway.ts'

// What the control plane answers in place of the stages: the workflows of a token.

const workflow = { name: 'workflow_file', listed: '{"name":"workflow_file","inputSchema":{}}' }
const result: AgentReply = {
  what: 'result',
  texts: ['Run 7 has succeeded.'],
  structured: '{"run":{"id":7}}',
  isError: false,
}

/** `reply` undefined: the control plane is away. */
async function start(
  reply: (question: AgentQuestion) => AgentReply | undefined,
  given: Parameters<typeof startAgentGateway>[0] = {},
) {
  const questions: AgentQuestion[] = []
  const started = await startAgentGateway({
    endpoints: [
      { tool: buildTool({ name: 'sales_orders' }) },
      { path: '/z', tool: buildTool({ name: 'z_last' }) },
    ],
    ...given,
    options: {
      onAgentAsked: ({ id, question }: AgentAskedMessage) => {
        questions.push(question)
        setImmediate(() => started.gateway.answerAgent(id, reply(question)))
      },
    },
  })
  return { ...started, questions }
}

describe('workflows of a token', () => {
  it('are listed among the tools of endpoints, by name', async () => {
    const { list, questions } = await start(() => ({ what: 'tools', tools: [workflow] }))
    expect(await list()).toEqual(['sales_orders', 'workflow_file', 'z_last'])
    expect(questions).toMatchObject([{ token: clientToken, tool: null, address: '127.0.0.1' }])
  })

  it('are no tools of one API, and nothing is asked', async () => {
    const { list, send, questions } = await start(() => ({ what: 'tools', tools: [workflow] }))
    expect(await list({ path: '/mcp/sales' })).toEqual(['sales_orders', 'z_last'])
    const { text } = await send('tools/call', { name: 'workflow_file' }, { path: '/mcp/sales' })
    expect(text).toContain('Unknown tool: workflow_file')
    expect(questions).toEqual([])
  })

  it('are called with the message as it came, in both revisions', async () => {
    const { call, sendModern, questions, upstream } = await start(() => result)
    const answered = await call('workflow_file', { input: { n: 1 }, idempotency_key: 'key-12345' })
    expect(textsOf(answered)).toBe('Run 7 has succeeded.')
    expect(answered.structuredContent).toEqual({ run: { id: 7 } })
    const { body } = await sendModern('tools/call', { name: 'run_status', arguments: { id: 7 } })
    expect(body.result).toMatchObject({ structuredContent: { run: { id: 7 } } })
    expect(questions.map(({ tool }) => tool)).toEqual(['workflow_file', 'run_status'])
    expect(questions[1]).toMatchObject({ agent: 'test client' })
    expect(JSON.parse(questions[0]?.message ?? '')).toMatchObject({
      params: { arguments: { input: { n: 1 } } },
    })
    expect(upstream.requests).toEqual([])
  })

  it('count towards the quota of the token', async () => {
    const quota = { per_day: 1, per_month: null }
    const { send, questions } = await start(() => result, {
      snapshot: { tokens: [buildToken({ limits: { ...noTokenLimits, quota } })] },
    })
    const call = () => send('tools/call', { name: 'workflow_file', arguments: {} })
    expect((await call()).status).toBe(200)
    const refused = await call()
    expect(refused.status).toBe(429)
    expect(refused.text).toContain('client.quota_exceeded')
    expect(questions).toHaveLength(1)
  })

  it('that the token may not run are unknown tools, as those that do not exist', async () => {
    const { send } = await start(() => ({ what: 'unknown' }))
    const { body } = await send('tools/call', { name: 'workflow_secret' })
    expect(body.error).toMatchObject({ message: 'Unknown tool: workflow_secret' })
  })

  it('without a control plane: lists are those of endpoints, and a call says that its outcome is unknown', async () => {
    const { list, call } = await start(() => undefined)
    expect(await list()).toEqual(['sales_orders', 'z_last'])
    const lost = await call('workflow_file', {})
    expect(lost.isError).toBe(true)
    expect(textsOf(lost)).toContain(
      'Do not call this with another idempotency_key: ask with run_status',
    )
  })
})
