import { readFileSync } from 'node:fs'
import { alarmKinds, latencyBucketsMs } from '@gatehouse/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'
import { recordingGateway } from '../../../test/servers/recording-gateway.ts'

// Rules and board of deploy/ ask for what a server reports.

const read = (name: string) =>
  readFileSync(new URL(`../../../../../deploy/${name}`, import.meta.url), 'utf8')

interface Rules {
  groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[]
}
interface Board {
  panels: {
    title: string
    gridPos: Record<'x' | 'y' | 'w' | 'h', number>
    targets: { expr: string }[]
  }[]
}
const rules = (parse(read('prometheus/gatehouse-rules.yml')) as Rules).groups.flatMap(
  (group) => group.rules,
)
const { panels } = JSON.parse(read('grafana/gatehouse.json')) as Board
const expressions = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
]

let server: TestServer
const known = new Set<string>()
let reported = ''
beforeAll(async () => {
  const gateway = recordingGateway()
  server = await buildServer({}, gateway.link)
  const buckets = latencyBucketsMs.map(() => 1)
  const counts = { requests: 1, duration_ms: 1, bytes_in: 0, bytes_out: 0, buckets }
  gateway.report({ traffic: [{ endpoint_id: 0, status: 200, ...counts }] })
  const { text } = await server.send('GET', '/metrics')
  reported = text
  for (const [, name = '', kind] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
    known.add(name)
    if (kind === 'histogram')
      for (const end of ['bucket', 'sum', 'count']) known.add(`${name}_${end}`)
  }
})
afterAll(() => server.close())

/** Names of metrics in an expression: words that are neither functions nor labels. */
function metricsOf(expression: string): string[] {
  const bare = expression
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\b(?:by|without)\s*\([^)]*\)/g, '')
    .replaceAll(/\{[^}]*\}/g, '')
  return [...bare.matchAll(/\b[a-z]+(?:_[a-z]+)+\b(?!\s*\()|\bup\b/g)].map(([name]) => name)
}

describe('what a server reports', () => {
  it('says of each metric what it is before its first line, and all its lines stand together', () => {
    let current = ''
    const begun = new Set<string>()
    for (const line of reported.split('\n').filter(Boolean)) {
      const [, name = ''] = /^# HELP (\w+) \S/.exec(line) ?? []
      if (name !== '') {
        expect(begun.has(name), line).toBe(false)
        begun.add((current = name))
      } else if (line.startsWith('#')) expect(line).toMatch(new RegExp(`^# TYPE ${current} `))
      else expect(line).toMatch(new RegExp(`^${current}(?:_bucket|_sum|_count)?(?:\\{| )`))
    }
    expect(begun.has('gateway_request_duration_seconds')).toBe(true)
  })

  it('names counters, and nothing else, with _total', () => {
    const kinds = [...reported.matchAll(/^# TYPE (\w+) (\w+)$/gm)]
    expect(kinds.length).toBeGreaterThan(40)
    for (const [line, name = '', kind] of kinds)
      expect(name.endsWith('_total'), line).toBe(kind === 'counter')
  })
})

describe('what Prometheus and Grafana are given', () => {
  it.each(expressions)('%s asks for metrics that there are: %s', (_, expression) => {
    const asked = metricsOf(expression)
    expect(asked.length).toBeGreaterThan(0)
    // Prometheus makes `up` itself.
    expect(asked.filter((name) => name !== 'up' && !known.has(name))).toEqual([])
  })

  it('alarms are asked for by kinds that there are', () => {
    const asked = expressions.flatMap(([, expr]) =>
      [...expr.matchAll(/what="(\w+)"/g)].map(([, kind]) => kind!),
    )
    expect(asked.length).toBeGreaterThan(3)
    expect(asked.filter((kind) => !(alarmKinds as readonly string[]).includes(kind))).toEqual([])
  })

  it('each rule says what it means and what to do', () => {
    for (const { annotations } of rules)
      expect(annotations).toEqual({ summary: expect.any(String), description: expect.any(String) })
  })

  it('no two panels of the board overlap', () => {
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24)
  })
})
