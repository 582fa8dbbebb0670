import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSession, runProduct, signIn, type Call } from '../../e2e/harness/run-product.ts'
import { registerSteps, startBenchUpstream } from '../runs/bench-upstream.ts'
import { median, quantile, rounded } from '../runs/figures.ts'
import { openTimedClient } from '../runs/timed-client.ts'

const inputs = 20_000
const pauseMs = 50

interface BesideOptions {
  databaseUrl: string | undefined
  seconds: number
}

/**
 * How long home takes beside a batch of 20,000 inputs: while it is uploaded, and while its lane sends as fast as it can.
 * Beside it a call that reads one row, which shows what the machine does.
 */
export async function measureHomeBeside({ databaseUrl, seconds }: BesideOptions) {
  const folder = mkdtempSync(join(os.tmpdir(), 'gatehouse-bench-home-'))
  const upstream = await startBenchUpstream()
  try {
    const environment: Record<string, string> = databaseUrl ? { DATABASE_URL: databaseUrl } : {}
    const product = await runProduct({ DATA_DIR: folder, ...environment })
    try {
      const call = await signIn(product.url)
      await addWorkflow(call, (await registerSteps(call, upstream.url))[1] ?? 0)
      const client = await openTimedClient(product.url, 2)
      try {
        const idle = await timesOf(client, 2)
        const uploading = upload(product.url)
        const [whileUploaded] = await Promise.all([timesOf(client, 5), uploading])
        const sending = await timesOf(client, seconds)
        const { body } = await call('GET', '/api/workflows/invoices/batches?limit=1')
        return {
          rows: [
            rowOf('nothing', idle),
            rowOf('a batch is uploaded', whileUploaded),
            rowOf('its runs are sent', sending),
          ],
          /** It has to be at work still, or the last row says nothing. */
          batch: JSON.stringify(body).slice(0, 600),
        }
      } finally {
        client.close()
      }
    } finally {
      await product.end('SIGTERM')
    }
  } finally {
    await upstream.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Client = Awaited<ReturnType<typeof openTimedClient>>

async function timesOf(client: Client, seconds: number) {
  const home: number[] = []
  const other: number[] = []
  const end = performance.now() + seconds * 1_000
  while (performance.now() < end) {
    home.push((await client.get('/api/home?zone=Asia/Riyadh')).ms)
    other.push((await client.get('/api/auth')).ms)
    await sleep(pauseMs)
  }
  return { home, other }
}

const rowOf = (beside: string, { home, other }: { home: number[]; other: number[] }) => ({
  'beside it': beside,
  calls: home.length,
  'home p50, ms': rounded(median(home)),
  'home p95, ms': rounded(quantile(home, 0.95)),
  'GET /api/auth p50, ms': rounded(median(other)),
  'GET /api/auth p95, ms': rounded(quantile(other, 0.95)),
})

async function addWorkflow(call: Call, endpoint_id: number): Promise<void> {
  const answer = await call('POST', '/api/workflows', {
    name: 'Invoices',
    slug: 'invoices',
    kind: 'tax',
    status: 'active',
    reference_path: 'no',
    lane: { name: 'invoices', concurrency: 8 },
    steps: [
      { endpoint_id, body: { kind: 'template', text: '{"reference":"{{input.no}}","n":1}' } },
    ],
  })
  if (answer.status !== 201) throw new Error(JSON.stringify(answer))
}

async function upload(url: string): Promise<void> {
  const lines = Array.from({ length: inputs }, (_, index) => JSON.stringify({ no: `H-${index}` }))
  const answer = await fetch(`${url}/api/workflows/invoices/batches`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await openSession(url)}`,
      'content-type': 'application/x-ndjson',
    },
    body: lines.join('\n'),
  })
  if (answer.status !== 202) throw new Error(`${answer.status} ${await answer.text()}`)
}
