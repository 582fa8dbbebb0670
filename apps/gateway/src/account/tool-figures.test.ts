import type { AgentReply } from '@gatehouse/contract/gateway'
import { expect, it } from 'vitest'
import type { AgentAskedMessage } from '../messages/agent-question-messages.ts'
import { buildTool, parameter, startAgentGateway } from '../agents/testing/agent-gateway.ts'

// What a worker reports of the calls of a token: by tool, refused, failed and waiting.

const run = (state: string, parts: Partial<AgentReply & { what: 'result' }> = {}): AgentReply => ({
  what: 'result',
  texts: [`Run 7: ${state}`],
  structured: JSON.stringify({ run: { id: 7, state } }),
  isError: false,
  ...parts,
})
const replies: Record<string, AgentReply> = {
  sales_held: run('waits_for_release', { isWaiting: true }),
  workflow_file: run('waits_for_release', { isWaiting: true }),
  workflow_broken: run('rejected', { isError: true }),
  workflow_unfit: run('', { isError: true, structured: null }),
  run_status: run('rejected', { isError: true }),
}

async function start() {
  const started = await startAgentGateway({
    endpoints: [
      {
        path: '/orders/{id}',
        tool: buildTool({
          parameters: [parameter('path', 'id', { is_required: true })],
        }),
      },
      {
        path: '/held',
        method: 'POST',
        tool: buildTool({ name: 'sales_held', effect: 'submit', needs_release: true }),
      },
    ],
    answer: (socket, { requestLine }) =>
      socket.write(
        `HTTP/1.1 ${requestLine.includes('/broken') ? '503 Away' : '200 OK'}\r\nContent-Length: 2\r\n\r\nok`,
      ),
    options: {
      onAgentAsked: ({ id, question }: AgentAskedMessage) => {
        const reply = replies[question.tool ?? ''] ?? { what: 'unknown' as const }
        setImmediate(() => started.gateway.answerAgent(id, reply))
      },
    },
  })
  const figures = () =>
    started.gateway
      .report()
      .tool_calls.map(({ tool, calls, refused, failed, waiting, buckets }) => ({
        tool,
        counts: [calls, refused, failed, waiting],
        timed: buckets.reduce((sum, times) => sum + times, 0),
      }))
  return { ...started, figures }
}

it('the calls of a token are counted by tool, with what became of them', async () => {
  const { call, figures } = await start()
  await call('sales_orders', { id: 'a' })
  await call('sales_orders', { id: 'b' })
  await call('sales_orders', {})
  await call('sales_orders', { id: 'broken' })
  await call('sales_held', {})
  expect(figures()).toEqual([
    { tool: 'sales_orders', counts: [4, 1, 1, 0], timed: 4 },
    { tool: 'sales_held', counts: [1, 0, 0, 1], timed: 1 },
  ])
  expect(figures()).toEqual([])
})

it('a run that waits or has failed is counted; a look at one is neither', async () => {
  const { call, figures } = await start()
  for (const tool of ['workflow_file', 'workflow_broken', 'workflow_unfit', 'run_status'])
    await call(tool, {})
  expect(figures()).toEqual([
    { tool: 'workflow_file', counts: [1, 0, 0, 1], timed: 1 },
    { tool: 'workflow_broken', counts: [1, 0, 1, 0], timed: 1 },
    { tool: 'workflow_unfit', counts: [1, 1, 0, 0], timed: 1 },
    { tool: 'run_status', counts: [1, 0, 0, 0], timed: 1 },
  ])
})

it('names that a client makes up are not kept', async () => {
  const { send, figures } = await start()
  await send('tools/call', { name: 'sales_secret', arguments: {} })
  await send('tools/call', { name: 'workflow_secret', arguments: {} })
  expect(figures()).toEqual([])
})
