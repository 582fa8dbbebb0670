import { openSession, signIn, type Product } from '../../e2e/harness/run-product.ts'
import { quantile, rounded } from '../runs/figures.ts'
import { openTimedClient } from '../runs/timed-client.ts'

/** Compares a document of all APIs, of which fifty differ, while another client asks for its session. */
export async function measureDiff(product: Product) {
  const token = await openSession(product.url)
  const headers = { authorization: `Bearer ${token}` }
  const beganExport = performance.now()
  const exported = await (await fetch(`${product.url}/api/configuration`, { headers })).text()
  const exportMs = performance.now() - beganExport
  const yaml = exported.startsWith('{')
    ? (JSON.parse(exported) as { document: string }).document
    : exported
  const apis = `gatehouse: 1\n${/^apis:\n(?: .*\n|\n)*/m.exec(yaml)?.[0] ?? ''}`
  let changed = 0
  const document = apis.replaceAll('http://127.0.0.1:9\n', (found) =>
    changed++ % 100 === 0 ? 'http://127.0.0.2:9\n' : found,
  )
  const call = await signIn(product.url, 120_000)
  const client = await openTimedClient(product.url, 1)
  const waits: number[] = []
  let isDone = false
  const beside = (async () => {
    while (!isDone) waits.push((await client.get('/api/auth')).ms)
  })()
  const began = performance.now()
  const { status, body } = await call('POST', '/api/configuration/diff', { document })
  const ms = performance.now() - began
  isDone = true
  await beside
  client.close()
  console.log(
    `${apis.length} B of APIs, ${yaml.length} B in all; ${status} ${JSON.stringify(body).slice(0, 300)}`,
  )
  return [
    { what: 'a comparison', figure: Math.round(ms), goal: 'ms of a comparison' as const },
    { what: 'an export', figure: Math.round(exportMs), goal: null },
    {
      what: 'GET /api/auth beside it, p95',
      figure: rounded(quantile(waits, 0.95)),
      goal: 'ms p95 of a list' as const,
    },
    { what: 'GET /api/auth beside it, longest', figure: rounded(Math.max(...waits)), goal: null },
  ]
}
