import { createWriteStream, openAsBlob, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { once } from 'node:events'
import { adminPassword, signIn, type Product } from '../../e2e/harness/run-product.ts'
import { quantile, rounded } from './figures.ts'

interface BatchOptions {
  endpoints: readonly number[]
  folder: string
  inputs: number
  inputBytes: number
}

export type BatchFigures = Awaited<ReturnType<typeof measureBatch>>

/** Checks, stores and reads a batch over HTTP, while another caller asks who they are, again and again. */
export async function measureBatch(product: Product, options: BatchOptions) {
  const { url } = product
  const slug = await saveWorkflow(url, options.endpoints)
  const upload = await openAsBlob(await writeInputs(options))
  const call = await openCalls(url)
  const path = `/api/workflows/${slug}/batches`
  const before = residentMiB(product)
  forgetPeak(product)
  const checked = await timed(() => call('POST', `${path}/check`, upload))
  const others = askBeside(() => call('GET', '/api/auth'))
  const stored = await timed(() => call('POST', path, upload))
  const beside = await others.end()
  const peak = peakMiB(product)
  const { id, total } = (JSON.parse(stored.text) as { batch: { id: number; total: number } }).batch
  if (total !== options.inputs) throw new Error(`${total} inputs were taken`)
  const shown = await timed(() => call('GET', `${path}/${id}`))
  const page = await timed(() => call('GET', `${path}/${id}/lines?state=queued&page=5000`))
  const results = await timed(() => call('GET', `${path}/${id}/results?format=csv`))
  return {
    checked: { seconds: checked.seconds },
    stored: { seconds: stored.seconds },
    memory: { mebibytes: Math.round(peak - before), 'before, MiB': Math.round(before) },
    'other calls beside it': { 'p50, ms': beside.p50, 'p99, ms': beside.p99 },
    progress: { seconds: shown.seconds },
    'a page of its inputs': { seconds: page.seconds },
    'all results': { seconds: results.seconds },
  }
}

async function timed(work: () => Promise<string>) {
  const began = performance.now()
  const text = await work()
  return { text, seconds: rounded((performance.now() - began) / 1_000) }
}

/** Makes calls as the administrator, without a limit on their time. */
async function openCalls(url: string) {
  const login = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@example.com', password: adminPassword }),
  })
  const { token } = (await login.json()) as { token: string }
  return async (method: string, path: string, body?: Blob) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
      ...(body ? { body } : {}),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 500)}`)
    return text
  }
}

/** Repeats a call until `end`, and says how long it took. */
function askBeside(ask: () => Promise<unknown>) {
  let isOver = false
  const times: number[] = []
  const asking = (async () => {
    while (!isOver) {
      const began = performance.now()
      await ask()
      times.push(performance.now() - began)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })()
  return {
    end: async () => {
      isOver = true
      await asking
      return { p50: rounded(quantile(times, 0.5)), p99: rounded(quantile(times, 0.99)) }
    },
  }
}

/** A workflow with a schema, whose lane carries nothing out. */
async function saveWorkflow(url: string, [endpoint = 0]: readonly number[]): Promise<string> {
  const call = await signIn(url)
  const must = async (path: string, body: unknown) => {
    const answer = await call('POST', path, body)
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
  }
  const slug = 'bench-batches'
  await must('/api/workflows', {
    name: 'Bench batches',
    slug,
    kind: 'tax',
    status: 'active',
    lane: { name: slug },
    input_schema: {
      type: 'object',
      required: ['number', 'total', 'customer'],
      properties: {
        number: { type: 'string', maxLength: 40 },
        total: { type: 'number' },
        customer: { type: 'object', properties: { name: { type: 'string' } } },
      },
    },
    reference_path: 'number',
    steps: [
      { endpoint_id: endpoint, body: { kind: 'template', text: '{"n":"{{input.number}}"}' } },
    ],
  })
  const { lanes } = (await call('GET', '/api/lanes')).body as { lanes: { id: number }[] }
  for (const { id } of lanes) await must(`/api/lanes/${id}/pause`, { reason: 'It is measured.' })
  return slug
}

/** JSON lines, each of the same size. */
async function writeInputs({ folder, inputs, inputBytes }: BatchOptions): Promise<string> {
  const file = join(folder, 'inputs.ndjson')
  const out = createWriteStream(file)
  for (let index = 0; index < inputs; index++) {
    const head = `{"number":"INV-${index}","total":${index}.10,"customer":{"name":"Customer ${index % 977}"},"note":"`
    const line = `${head}${'n'.repeat(inputBytes - head.length - 3)}"}\n`
    if (!out.write(line)) await once(out, 'drain')
  }
  out.end()
  await finished(out)
  return file
}

const statusOf = ({ process: { pid } }: Product, field: string) =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) /
  1_024

const residentMiB = (product: Product) => statusOf(product, 'VmRSS')
const peakMiB = (product: Product) => statusOf(product, 'VmHWM')

/** The peak counts from now on (proc(5), `clear_refs`). */
const forgetPeak = ({ process: { pid } }: Product) => writeFileSync(`/proc/${pid}/clear_refs`, '5')
