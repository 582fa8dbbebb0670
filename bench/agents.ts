import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import { Agent, request } from 'undici'
import { snapshotTool, type SnapshotEndpoint } from '@gatehouse/contract/gateway'
import { createGateway } from '../apps/gateway/src/gateway.ts'
import { workerDefaults } from '../apps/gateway/src/messages/worker-settings.ts'
import { bareWorker } from '../apps/gateway/src/testing/bare-worker.ts'
import {
  buildApi,
  buildEndpoint,
  buildSnapshot,
  buildToken,
  digestOf,
} from '../apps/gateway/src/testing/build-snapshot.ts'

// What agents cost: a list of 1,000 tools, a call of a tool beside the same request plain, and other traffic while
// lists are asked for without end. One worker, in the process of its client: the figures hold both.
//
//   npm run bench agents [rounds]

const rounds = Number(process.argv[2] ?? 5)
const tools = 1_000
const callsPerRound = 4_000
const listGoalMs = 50
const callGoalUs = 60

const schema = '{"type":"string","description":"One of the words by which orders are found."}'
const endpoints: SnapshotEndpoint[] = Array.from({ length: tools }, (_, at) =>
  buildEndpoint({
    id: at + 1,
    path: `/orders/${at}/{id}`,
    requires_token: true,
    tool: snapshotTool.parse({
      name: `sales_orders_${at}`,
      title: `Orders of place ${at}`,
      description: 'Finds orders by their words, the newest first. It only reads.',
      effect: 'read',
      parameters: [
        { argument: 'id', in: 'path', name: 'id', is_required: true, schema },
        { argument: 'words', in: 'query', name: 'words', is_required: false, schema },
      ],
      body: null,
      defs: '',
      answer_schema: '',
      asked_by: null,
    }),
  }),
)

const upstream = createServer((_, res) => {
  res.setHeader('content-type', 'application/json')
  res.end('{"no":7,"total":119.00}')
})
await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
const base_url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
/** A caller may list 100 pages at once: each list is that of another user. */
const tokens = Array.from({ length: 50 }, (_, at) => `ghp_${String(at).padStart(49, '0')}`)
const snapshot = buildSnapshot({
  tokens: tokens.map((token, at) =>
    buildToken({ id: at + 1, user_id: at + 1, digest: digestOf(token) }),
  ),
  apis: [buildApi({ base_url, offer_to_agents: true })],
  endpoints,
  access: [{ role_id: 2, endpoint_ids: endpoints.map(({ id }) => id) }],
})
const gateway = createGateway({
  ...bareWorker,
  internalNetworks: [...workerDefaults.internalNetworks],
  traceSecret: 'of this comparison',
})
await gateway.prepare(snapshot)
const swapped = gateway.swap(snapshot)
if (!swapped.ok) throw new Error(swapped.reason)
const url = `http://127.0.0.1:${await gateway.listen({ host: '127.0.0.1', port: 0 })}`

const agent = new Agent({ pipelining: 1, connections: 8 })
async function send(path: string, body?: string, token = tokens[0]): Promise<string> {
  const answer = await request(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    dispatcher: agent,
    ...(body === undefined ? {} : { body }),
  })
  return answer.body.text()
}
const message = (method: string, params: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })

let lister = 0
const listed = async () => {
  const token = tokens[++lister]
  let count = 0
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const text = await send('/mcp', message('tools/list', cursor === '' ? {} : { cursor }), token)
    const { result } = JSON.parse(text) as { result: { tools: object[]; nextCursor?: string } }
    count += result.tools.length
    cursor = result.nextCursor
  }
  if (count !== tools) throw new Error(`${count} tools were listed.`)
}
const call = message('tools/call', { name: 'sales_orders_7', arguments: { id: 'a', words: 'b' } })
const plain = () => send('/sales/orders/7/a?words=b')
const asTool = () => send('/mcp', call)

const percentile = (sorted: readonly number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
const sortedNumbers = (values: readonly number[]) => values.toSorted((one, other) => one - other)

async function timesOf(work: () => Promise<unknown>, count: number): Promise<number[]> {
  const times: number[] = []
  for (let at = 0; at < count; at++) {
    const from = performance.now()
    await work()
    times.push(performance.now() - from)
  }
  return sortedNumbers(times)
}

/** CPU time of each, in µs. */
async function cpuOf(work: () => Promise<unknown>, count: number): Promise<number> {
  const from = process.cpuUsage()
  for (let at = 0; at < count; at++) await work()
  const { user, system } = process.cpuUsage(from)
  return (user + system) / count
}

const [cpu] = os.cpus()
console.log(`${os.cpus().length} × ${cpu?.model}, Node ${process.version}, load ${os.loadavg()[0]}`)
for (const work of [plain, asTool]) await timesOf(work, callsPerRound)
await listed()

const lists = await timesOf(listed, 40)
const differences: number[] = []
const rows: object[] = []
for (let round = 1; round <= rounds; round++) {
  const before = await cpuOf(plain, callsPerRound)
  const more = await cpuOf(asTool, callsPerRound)
  differences.push(more - before)
  rows.push({
    round,
    'plain, CPU µs': Math.round(before),
    'tool, CPU µs': Math.round(more),
    'more, µs': Math.round(more - before),
  })
}
console.table(rows)
const alone = await timesOf(plain, 2_000)
/** The p99 of plain requests, while four clients in this process send such messages without end. */
async function besideFlood(method: string): Promise<number> {
  let isFlooded = true
  const flood = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (isFlooded) await send('/mcp', message(method, {}))
    }),
  )
  const times = await timesOf(plain, 2_000)
  isFlooded = false
  await flood
  return percentile(times, 0.99)
}

// What the clients themselves cost in this process is in both.
const besidePings: number[] = []
const besideLists: number[] = []
for (let round = 1; round <= rounds; round++) {
  besidePings.push(await besideFlood('ping'))
  besideLists.push(await besideFlood('tools/list'))
}
const median = (values: readonly number[]) => percentile(sortedNumbers(values), 0.5)
const cost = median(differences)
console.table({
  'list of 1,000 tools in pages, p95 ms': percentile(lists, 0.95).toFixed(1),
  'a call of a tool beside the request plain, µs more': Math.round(cost),
  'plain alone, p99 ms': percentile(alone, 0.99).toFixed(2),
  'plain beside pings without end, p99 ms': median(besidePings).toFixed(2),
  'plain beside lists without end, p99 ms': median(besideLists).toFixed(2),
})
if (percentile(lists, 0.95) > listGoalMs) missed('the list')
if (cost > callGoalUs) missed('the call')
await agent.close()
await gateway.close()
upstream.close()

function missed(what: string): void {
  console.error(`Missed: ${what}`)
  process.exitCode = 1
}
