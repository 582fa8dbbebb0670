import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  closeSync,
  writeSync,
} from 'node:fs'
import os from 'node:os'
import { join } from 'node:path'
import http from 'node:http'
import { adminPassword, runProduct } from '../e2e/harness/run-product.ts'

// A log of 1 GiB through the product: how soon its newest page is there, how fast it is read, how fast
// any page comes afterwards, what others notice of it; beside grep and tail on the same file.

const mebibyte = 1024 * 1024
const sizeBytes = Number(process.argv[2] ?? 1024) * mebibyte
const goals = { newestMs: 300, readMBps: 800, pageMs: 10 }

type Get = Awaited<ReturnType<typeof signIn>>
interface Page {
  total: number
  last_page: number
  reading: object | null
}

const lines = {
  'Laravel log': (index: number) => {
    const isError = index % 37 === 0
    const head = `[2026-11-21 10:00:00] local.${isError ? 'ERROR' : 'INFO'}: Request ${index} of customer ${index % 977} was handled in ${index % 300} ms {"user":${index % 50},"ip":"10.0.0.${index % 255}"}\n`
    const frame =
      '#0 /srv/app/vendor/laravel/framework/src/Illuminate/Foundation/Http/Kernel.php(144): handle()\n'
    return isError ? `${head}[stacktrace]\n${frame.repeat(8)}"} \n` : head
  },
  'JSON lines': (index: number) =>
    `{"level":"${index % 37 === 0 ? 'error' : 'info'}","time":"2026-11-21T10:00:00.123Z","context":"admin","request_id":"b3b7f0f0-0000-4000-8000-${String(index).padStart(12, '0')}","method":"GET","path":"/api/apis","status":200,"duration_ms":${index % 30},"msg":"request"}\n`,
}

function writeLog(path: string, lineOf: (index: number) => string): void {
  const fd = openSync(path, 'w')
  let index = 0
  for (let written = 0; written < sizeBytes;) {
    let text = ''
    while (text.length < mebibyte) text += lineOf(index++)
    written += writeSync(fd, text)
  }
  closeSync(fd)
}

/** Signs in and returns a function that gets as the administrator, over one connection: cheap enough to time others by. */
async function signIn(url: string) {
  const login = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@example.com', password: adminPassword }),
  })
  const { token } = (await login.json()) as { token: string }
  const headers = { authorization: `Bearer ${token}` }
  return (path: string, agent: http.Agent) =>
    new Promise<string>((resolve, reject) => {
      const request = http.get(`${url}${path}`, { agent, headers }, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (piece: string) => (text += piece))
        answer.on('end', () => resolve(text))
      })
      request.on('error', reject)
    })
}

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const began = performance.now()
  const result = await work()
  return { ms: performance.now() - began, result }
}

/** Makes calls that have nothing to do with logs, one after the other, until it is stopped. */
function startOthers(get: Get, agent: http.Agent) {
  const times: number[] = []
  const stop = new AbortController()
  const running = (async () => {
    while (!stop.signal.aborted) times.push((await timed(() => get('/api/auth', agent))).ms)
  })()
  return {
    stop: async () => {
      stop.abort()
      await running
      return times
    },
  }
}

const quantile = (times: number[], share: number) =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length * share)] ?? 0
const rounded = (ms: number) => Math.round(ms * 10) / 10
const spread = (times: number[]) =>
  `${rounded(quantile(times, 0.5))} / ${rounded(quantile(times, 0.99))}`

function timeCommand(command: string, args: string[]): string {
  const began = performance.now()
  // Not to /dev/null: grep would stop at the first match.
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  return status === 0 ? `${rounded(performance.now() - began)} ms` : 'not found'
}

function peakMemoryMiB(pid: number): number {
  const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Math.round(Number(peak?.[1] ?? 0) / 1024)
}

async function measure(name: keyof typeof lines) {
  const folder = mkdtempSync(join(os.tmpdir(), 'gatehouse-bench-logs-'))
  mkdirSync(join(folder, 'logs', 'bench'), { recursive: true })
  const path = join(folder, 'logs', 'bench', 'big.log')
  writeLog(path, lines[name])
  const product = await runProduct({ DATA_DIR: folder })
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const otherAgent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  try {
    const get = await signIn(product.url)
    const read = async (query: string) =>
      JSON.parse(await get(`/api/logs?l=bench%2Fbig.log&${query}`, agent)) as Page
    const whole = async (query: string) => {
      while ((await read(`${query}&follow=1`)).reading) await new Promise(setImmediate)
    }
    for (let warm = 0; warm < 300; warm++) await get('/api/auth', agent)
    const alone = startOthers(get, otherAgent)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const before = await alone.stop()
    const memoryBefore = peakMemoryMiB(product.controlPid())

    const others = startOthers(get, otherAgent)
    const began = performance.now()
    const newest = await timed(() => read('page=1'))
    // The answer to a caller that waits for another page, as soon as the file has been read.
    await whole('page=2')
    const readMs = performance.now() - began
    const during = await others.stop()

    const { last_page, total } = await read('page=1')
    for (let warm = 1; warm <= 50; warm++) await read(`page=${warm}`)
    const pages: number[] = []
    for (let round = 0; round < 300; round++) {
      const page = round === 0 ? last_page : 1 + ((round * 7_919_993) % last_page)
      pages.push((await timed(() => read(`page=${page}`))).ms)
    }
    const errors = await timed(() => read('level=error'))
    const search = await timed(() => whole('search=customer%20500%20was'))
    return {
      file: name,
      entries: total,
      'newest page, cold': rounded(newest.ms),
      'read whole, MB/s': Math.round(sizeBytes / 1e6 / (readMs / 1000)),
      'any page, 50 / 99 %': spread(pages),
      'slowest page': rounded(Math.max(...pages)),
      'page of errors': rounded(errors.ms),
      'search all': rounded(search.ms),
      'others before, 50 / 99 %': spread(before),
      'others meanwhile': spread(during),
      'peak memory before / after, MiB': `${memoryBefore} / ${peakMemoryMiB(product.controlPid())}`,
      'grep -c': timeCommand('grep', ['-c', name === 'JSON lines' ? '"error"' : 'ERROR', path]),
      'tail -n 30': timeCommand('tail', ['-n', '30', path]),
    }
  } finally {
    agent.destroy()
    otherAgent.destroy()
    await product.end('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  }
}

const cpu = os.cpus()
console.log(
  `${new Date().toISOString().slice(0, 10)}, ${cpu.length} × ${cpu[0]?.model}, Node ${process.version}`,
)
console.log(
  `${sizeBytes / mebibyte} MiB; times in ms, over HTTP; load ${os.loadavg()[0]?.toFixed(1)}`,
)
const results = [await measure('Laravel log'), await measure('JSON lines')]
for (const result of results) console.log(result)
const isMissed = results.some(
  (result) =>
    result['newest page, cold'] > goals.newestMs ||
    result['read whole, MB/s'] < goals.readMBps ||
    Number(result['any page, 50 / 99 %'].split(' / ')[1]) > goals.pageMs,
)
if (isMissed) {
  console.error(`Missed: ${JSON.stringify(goals)}`)
  process.exitCode = 1
}
