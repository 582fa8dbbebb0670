import { expect, it } from 'vitest'
import { probeDashboard, probeGateway, probeUpstreams } from './suites.ts'

it.each([
  ['the gateway reads requests', probeGateway],
  ['the dashboard’s port reads requests', probeDashboard],
  ['the gateway reads answers', probeUpstreams],
] as const)('%s as RFC 9110 and RFC 9112 say', async (_, run) => {
  const { failures, left } = await run()
  expect(failures.filter(({ name }) => !left.has(name))).toEqual([])
  // What is mended is no longer known to fail.
  expect(failures.map(({ name }) => name).toSorted()).toEqual([...left.keys()].toSorted())
})
