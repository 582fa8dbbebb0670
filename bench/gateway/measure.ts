import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import { join } from 'node:path'
import type { Peer } from './peers.ts'

/** Clock ticks a second of /proc (`getconf CLK_TCK`). */
const ticksPerSecond = 100

interface Load {
  connections: number
  seconds: number
  path: string
  /** In place of those of the peer. */
  headers?: string[]
  /** JSON that is posted; a GET without. */
  body?: string
}

export interface Measured {
  name: string
  cpuUs: number
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
  errors: number
  memoryMiB: number
}

export function cpuSeconds(pid: number): number {
  // The name of the process is in brackets and may contain any character.
  const [, after = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\)\s(?=[A-Z] )/)
  const fields = after.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

export function memoryMiB(pid: number): number {
  const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Math.round(Number(resident?.[1] ?? 0) / 1024)
}

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)

function milliseconds(text: string | undefined): number {
  const [, number = '0', unit = 'ms'] = /([\d.]+)(us|ms|s)/.exec(text ?? '') ?? []
  return Number(number) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? 1)
}

/** Runs wrk against a proxy and sets the CPU time of its processes beside the answers it gave. */
export function measure(peer: Peer, load: Load): Measured {
  const { connections, seconds, path, headers = peer.headers, body } = load
  const before = sum(peer.pids.map(cpuSeconds))
  const { stdout } = spawnSync(
    'wrk',
    [
      '-t1',
      `-c${connections}`,
      `-d${seconds}s`,
      '--latency',
      ...headers.flatMap((header) => ['-H', header]),
      ...(body === undefined ? [] : ['-s', postingScript(body)]),
      `${peer.url}${path}`,
    ],
    { encoding: 'utf8' },
  )
  const spent = sum(peer.pids.map(cpuSeconds)) - before
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1] ?? 0)
  const refused = Number(/Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1] ?? 0)
  const broken = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(stdout)
  return {
    name: peer.name,
    cpuUs: (spent / requests) * 1e6,
    requestsPerSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1] ?? 0),
    p50Ms: milliseconds(/50%\s+(\S+)/.exec(stdout)?.[1]),
    p99Ms: milliseconds(/99%\s+(\S+)/.exec(stdout)?.[1]),
    errors: refused + sum(broken?.slice(1).map(Number) ?? []),
    memoryMiB: Math.max(...peer.pids.map(memoryMiB)),
  }
}

const scripts = new Map<string, string>()

/** A file that tells wrk to post this; removed when the bench ends. */
function postingScript(body: string): string {
  const known = scripts.get(body)
  if (known !== undefined) return known
  const folder = mkdtempSync(join(os.tmpdir(), 'gatehouse-bench-wrk-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'post.lua')
  const words = [
    'wrk.method = "POST"',
    'wrk.headers["Content-Type"] = "application/json"',
    `wrk.body = ${JSON.stringify(body)}`,
  ]
  writeFileSync(file, words.join('\n'))
  scripts.set(body, file)
  return file
}

export const median = (numbers: number[]) =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0

/** The median of each figure; all errors, and the most memory. */
export function summary(runs: Measured[]): Measured {
  const of = (field: Exclude<keyof Measured, 'name'>) => median(runs.map((run) => run[field]))
  return {
    name: runs[0]?.name ?? '',
    cpuUs: of('cpuUs'),
    requestsPerSecond: of('requestsPerSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    errors: runs.reduce((total, run) => total + run.errors, 0),
    memoryMiB: Math.max(...runs.map((run) => run.memoryMiB)),
  }
}
