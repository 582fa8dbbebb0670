import { expect, it } from 'vitest'
import { answerAlone } from './answer-alone.ts'

const question = {
  token: 'ghp_x',
  address: '127.0.0.1',
  agent: 'a client',
  requestId: 'request',
  traceparent: null,
  message: '',
}

it('a gateway that runs alone has no workflows, and says that no call can wait there', () => {
  expect(answerAlone({ ...question, tool: null })).toEqual({ what: 'tools', tools: [] })
  expect(answerAlone({ ...question, tool: 'workflow_ship' })).toEqual({ what: 'unknown' })
  const held = { endpoint_id: 1, method: 'POST', target: '/x', headers: [], body: null }
  expect(answerAlone({ ...question, tool: 'sales_order', held })).toMatchObject({
    isError: true,
    texts: [expect.stringMatching(/^Nothing was called: .* runs alone/)],
  })
  expect(answerAlone({ ...question, tool: 'run_status' })).toMatchObject({
    isError: true,
    texts: [expect.stringContaining('knows no runs')],
  })
})
