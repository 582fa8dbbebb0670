import { expect, it } from 'vitest'
import { ReportBacklog } from './report-backlog.ts'

const count = { duration_ms: 5, bytes_in: 1, bytes_out: 2, buckets: [1, 0] }
const toolCall = (calls: number) => ({
  token_id: 3,
  day: '2026-06-01',
  tool: 'sales_orders',
  calls,
  refused: 1,
  failed: 0,
  waiting: 0,
  buckets: [calls, 0],
})
const reportAt = (at: string, requests: number) => ({
  at,
  traffic: [{ endpoint_id: 7, status: 200, requests, ...count }],
  token_uses: [[3, requests] as const],
  quota_uses: [[3, requests] as const],
  tool_calls: [toolCall(requests)],
  unknown_keys: [9],
  web_sockets: { opened: 1, refused: 0, bytes_in: 4, bytes_out: 0 },
})

it('adds up what was counted in a minute, and gives the oldest minute first', () => {
  const backlog = new ReportBacklog()
  backlog.add(reportAt('2026-06-01T08:00:01.000Z', 2))
  backlog.add(reportAt('2026-06-01T08:01:00.000Z', 4))
  backlog.add(reportAt('2026-06-01T08:00:59.999Z', 3))
  expect(backlog.take()).toEqual({
    at: '2026-06-01T08:00:59.999Z',
    traffic: [
      {
        endpoint_id: 7,
        status: 200,
        requests: 5,
        duration_ms: 10,
        bytes_in: 2,
        bytes_out: 4,
        buckets: [2, 0],
      },
    ],
    token_uses: [[3, 5]],
    quota_uses: [[3, 5]],
    tool_calls: [{ ...toolCall(5), refused: 2 }],
    unknown_keys: [9],
    web_sockets: { opened: 2, refused: 0, bytes_in: 8, bytes_out: 0 },
  })
  expect(backlog.take()).toMatchObject({ traffic: [{ requests: 4 }] })
  expect(backlog.take()).toBeUndefined()
})

it('adds up what the cache did', () => {
  const backlog = new ReportBacklog()
  const cached = (hits: number) => {
    const report = reportAt('2026-06-01T08:00:01.000Z', 2)
    const cache = { hits, misses: 1, saved_ms: 10 }
    return { ...report, traffic: report.traffic.map((row) => ({ ...row, cache })) }
  }
  backlog.add(cached(2))
  backlog.add(reportAt('2026-06-01T08:00:02.000Z', 1))
  backlog.add(cached(3))
  expect(backlog.take()?.traffic).toMatchObject([
    { requests: 5, cache: { hits: 5, misses: 2, saved_ms: 20 } },
  ])
})

it('takes back what did not arrive', () => {
  const backlog = new ReportBacklog()
  backlog.add(reportAt('2026-06-01T08:00:01.000Z', 2))
  const taken = backlog.take()!
  backlog.add(reportAt('2026-06-01T08:00:02.000Z', 3))
  backlog.add(taken)
  expect(backlog.take()).toMatchObject({ traffic: [{ requests: 5 }], quota_uses: [[3, 5]] })
  expect(backlog.take()).toBeUndefined()
})
