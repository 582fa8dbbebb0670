import { expect, it } from 'vitest'
import { snapshotWith, startGateway, startUpstream } from '../policy/testing/policy-gateway.ts'

/** The API waits for `ofApi` ms, and `/a` for `ofEndpoint`. */
const snapshotOf = (url: string, ofApi: number, ofEndpoint: number) => {
  const snapshot = snapshotWith({}, { base_url: url, answer_timeout_ms: ofApi })
  const endpoints = snapshot.endpoints.map((endpoint) =>
    endpoint.path === '/a' ? { ...endpoint, answer_timeout_ms: ofEndpoint } : endpoint,
  )
  return { ...snapshot, endpoints }
}

it('an endpoint that waits longer than its API still has an answer when the others have given up', async () => {
  const release = Promise.withResolvers<void>()
  const { url } = await startUpstream((req, res) => {
    if (req.url === '/a') void release.promise.then(() => res.end('late'))
  })
  const { ask } = await startGateway(snapshotOf(url, 100, 60_000))
  const slow = ask({ path: '/p/a' })
  expect(await ask({ path: '/p/7/b' })).toMatchObject({ status: 504, code: 'upstream.timeout' })
  release.resolve()
  expect(await slow).toMatchObject({ status: 200, text: 'late' })
})

it('an endpoint that waits shorter than its API gives up first', async () => {
  const waiting: (() => void)[] = []
  const { url } = await startUpstream((_, res) => void waiting.push(() => res.end('late')))
  const { ask } = await startGateway(snapshotOf(url, 60_000, 100))
  const other = ask({ path: '/p/7/b' })
  expect(await ask({ path: '/p/a' })).toMatchObject({ status: 504, code: 'upstream.timeout' })
  for (const answer of waiting) answer()
  expect(await other).toMatchObject({ status: 200, text: 'late' })
})
