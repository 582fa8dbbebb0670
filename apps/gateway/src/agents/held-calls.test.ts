import { noTransformation } from '@gatehouse/contract'
import type { AgentQuestion, AgentReply } from '@gatehouse/contract/gateway'
import { describe, expect, it } from 'vitest'
import type { AgentAskedMessage } from '../messages/agent-question-messages.ts'
import { clientToken } from '../testing/build-snapshot.ts'
import {
  buildTool,
  jsonBody,
  parameter,
  startAgentGateway,
  textsOf,
} from './testing/agent-gateway.ts'

// Calls that a person has to release: the stages go up to the call itself, which the control plane stores.

const waits: AgentReply = {
  what: 'result',
  texts: ['Run 7 waits for release.'],
  structured: '{"run":{"id":7,"state":"waits_for_release"}}',
  isError: false,
  isWaiting: true,
}
const held = buildTool({
  name: 'sales_order',
  effect: 'submit',
  needs_release: true,
  parameters: [parameter('path', 'id', { is_required: true }), parameter('query', 'dry')],
  body: jsonBody,
})

async function start(
  reply: (question: AgentQuestion) => AgentReply | undefined = () => waits,
  given: Parameters<typeof startAgentGateway>[0] = {},
) {
  const questions: AgentQuestion[] = []
  const started = await startAgentGateway({
    endpoints: [
      { method: 'POST', path: '/orders/{id}', tool: held },
      { path: '/z', tool: buildTool({ name: 'z_last' }) },
    ],
    ...given,
    options: {
      onAgentAsked: ({ id, question }: AgentAskedMessage) => {
        if (question.tool !== null) questions.push(question)
        setImmediate(() =>
          started.gateway.answerAgent(
            id,
            question.tool === null ? { what: 'tools', tools: [] } : reply(question),
          ),
        )
      },
    },
  })
  return { ...started, questions }
}

describe('a call that a person has to release', () => {
  it('is handed over as it would be sent, in both revisions, and nothing is called', async () => {
    const { call, sendModern, questions, upstream } = await start()
    const given = { id: 'A 1', dry: 'no', body: { total: 1 } }
    const answered = await call('sales_order', given)
    expect(answered.structuredContent).toEqual({ run: { id: 7, state: 'waits_for_release' } })
    expect(textsOf(answered)).toBe('Run 7 waits for release.')
    const { body } = await sendModern('tools/call', { name: 'sales_order', arguments: given })
    expect(body.result).toMatchObject({ structuredContent: { run: { id: 7 } } })
    expect(questions).toHaveLength(2)
    expect(questions[0]).toMatchObject({
      tool: 'sales_order',
      token: clientToken,
      held: {
        endpoint_id: 1,
        method: 'POST',
        target: '/orders/A%201?dry=no',
        body: '{"total":1}',
      },
    })
    const names = questions[0]?.held?.headers.map(([name]) => name.toLowerCase())
    expect(names).toContain('content-type')
    expect(names).not.toContain('authorization')
    expect(upstream.requests).toEqual([])
  })

  it('is changed first as the endpoint says, without the trace of its caller', async () => {
    const { call, questions } = await start(undefined, {
      endpoints: [
        {
          method: 'POST',
          path: '/orders/{id}',
          tool: held,
          transformation: { ...noTransformation, request_rules: 'set header X-Branch: north' },
        },
      ],
    })
    await call(
      'sales_order',
      { id: '1' },
      { headers: { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` } },
    )
    const named = (questions[0]?.held?.headers ?? []).map(
      ([name, value]) => [name.toLowerCase(), value] as const,
    )
    expect(Object.fromEntries(named)).toMatchObject({ 'x-branch': 'north' })
    expect(Object.fromEntries(named)).not.toHaveProperty('traceparent')
  })

  it('is refused before it is handed over where its arguments do not fit', async () => {
    const { call, questions } = await start()
    expect(textsOf(await call('sales_order', {}))).toContain('the arguments do not fit')
    expect(questions).toEqual([])
  })

  it('is asked about by run_status, at the path of its API too', async () => {
    const { list, call, questions } = await start()
    expect(await list()).toEqual(['run_status', 'sales_order', 'z_last'])
    expect(await list({ path: '/mcp/sales' })).toEqual(['run_status', 'sales_order', 'z_last'])
    await call('run_status', { id: 7 }, { path: '/mcp/sales' })
    expect(questions).toMatchObject([{ tool: 'run_status' }])
  })

  it('without a control plane: nothing was sent, and the same call may be made again', async () => {
    const { call, upstream } = await start(() => undefined)
    const lost = await call('sales_order', { id: '1' })
    expect(lost.isError).toBe(true)
    expect(textsOf(lost)).toMatch(/^Nothing of this call was sent\..*Call it again/)
    expect(upstream.requests).toEqual([])
  })
})

it('where no call needs a release, run_status is no tool', async () => {
  const { list } = await start(undefined, { endpoints: [{ tool: buildTool({ name: 'a' }) }] })
  expect(await list()).toEqual(['a'])
})
