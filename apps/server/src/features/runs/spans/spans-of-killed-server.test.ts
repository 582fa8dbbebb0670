import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunDetail, RunListItem } from '@gatehouse/contract'
import { readTraceparent } from '@gatehouse/logging/spans'
import { expect, it, onTestFinished } from 'vitest'
import { endpointOf, httpApi } from '../../../../test/servers/build-server.ts'
import { startUpstream } from '../../../../test/servers/hostile-upstream.ts'
import { runServerProcess } from '../../../../test/servers/run-server-process.ts'
import { startCollector, treeOf, valuesOf } from '../../../../test/servers/span-collector.ts'
import { createPrepared } from '../../../../test/test-database.ts'

const password = 'correct horse battery'

it('a run whose server is killed keeps its trace, and its spans are sent once', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-spans-'))
  const postgres = await createPrepared(dataDir)
  const collector = await startCollector()
  const held = Promise.withResolvers<void>()
  let answersRest = false
  const authority = await startUpstream((request, response) => {
    if (request.url === '/first' || answersRest) response.writeHead(200).end('{}')
    else held.resolve()
  })
  onTestFinished(async () => {
    await authority.close()
    await collector.close()
    await postgres?.drop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const environment = {
    ADMIN_PASSWORD: password,
    APP_KEY: randomBytes(32).toString('base64'),
    ...collector.environment,
    ...(postgres ? { DATABASE_URL: postgres.url } : {}),
  }
  let server = await runServerProcess({ dataDir, environment })
  let token = ''
  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return (await answer.json()) as T
  }
  const login = { email: 'admin@example.com', password }
  token = (await call<{ token: string }>('POST', '/api/login', login)).token
  const { id: api } = await call<{ id: number }>(
    'POST',
    '/api/apis',
    httpApi({ api_url: authority.url }),
  )
  const endpoint = async (path: string) =>
    (
      await call<{ id: number }>(
        'POST',
        '/api/endpoint',
        endpointOf(api, { path, summery: path, method_type: 'post' }),
      )
    ).id
  const [first, second] = [await endpoint('/first'), await endpoint('/second')]
  void call('POST', '/api/tax', {
    endpoint_1: { end_point: first, body: '{"no":1}' },
    endpoint_2: { end_point: second, body: '{"no":1}' },
  }).catch(() => undefined)
  await held.promise
  server.child.kill('SIGKILL')
  await server.exited
  expect(collector.spans()).toEqual([])

  answersRest = true
  server = await runServerProcess({ dataDir, environment })
  await expect.poll(() => collector.spans().length).toBe(5)
  const spans = collector.spans()
  expect(treeOf(spans)).toEqual([
    'run tax',
    'run tax > step 1 /first',
    'run tax > step 1 /first > POST /first',
    'run tax > step 2 /second',
    'run tax > step 2 /second > POST /second',
  ])
  expect(valuesOf(spans[0]!)).toMatchObject({ 'gatehouse.run_state': 'unknown' })
  expect(spans.map((span) => valuesOf(span)['gatehouse.outcome'])).toEqual([
    undefined,
    'ok',
    'ok',
    'crash',
    'crash',
  ])
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(5)
  const told = authority.received.map(({ headers }) => readTraceparent(String(headers.traceparent)))
  expect(told.map((each) => each?.spanId)).toEqual([spans[2]?.spanId, spans[4]?.spanId])
  const [{ data }] = await call<[{ data: RunListItem[] }]>('GET', '/api/runs')
  const { trace_id } = await call<RunDetail>('GET', `/api/runs/${data[0]?.id}`)
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([trace_id]))
})
