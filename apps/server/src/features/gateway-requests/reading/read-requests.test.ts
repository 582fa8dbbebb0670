import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readMaxBytes, readRequests, type RequestQuestion } from './read-requests.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-requests-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const start = Date.parse('2026-06-01T08:00:00.000Z')
const timeOf = (second: number) => new Date(start + second * 1_000).toISOString()

/** A line of the request that ended in this second. */
function line(second: number, fields: Record<string, unknown> = {}): string {
  const { level = 'info', ...rest } = fields
  const shown = { request_id: `r${second}`, method: 'GET', path: '/shop/orders', endpoint_id: 1 }
  const more = { api_id: 1, status: 200, duration_ms: 4.5, token_id: 5, user_id: 6 }
  return `${JSON.stringify({ level, time: timeOf(second), context: 'gateway', ...shown, ...more, ...rest })}\n`
}

const write = (file: string, lines: readonly string[]) =>
  writeFileSync(join(folder, file), lines.join(''))

const ask = (question: Partial<RequestQuestion> = {}, filter: object = {}) =>
  readRequests({ folder, limit: 100, ...question, filter: { search: '', ...filter } })
const ids = ({ lines }: ReturnType<typeof ask>) => lines.map(({ fields }) => fields['request_id'])

const day = '2026-06-01'

describe('requests of several workers', () => {
  it('are merged by time, newest first, over files of all sizes and days', () => {
    write('gateway-1-2026-05-31.log', [line(-9), line(-7)])
    write(`gateway-1-${day}.log`, [line(0), line(3)])
    write(`gateway-1-${day}.2.log`, [line(4), line(8)])
    write(`gateway-1-${day}.10.log`, [line(9)])
    write(`gateway-2-${day}.log`, [line(-8), line(1), line(5), line(10)])
    expect(ids(ask())).toEqual([10, 9, 8, 5, 4, 3, 1, 0, -7, -8, -9].map((at) => `r${at}`))
  })

  it('come in pages that neither repeat nor leave out a request, whatever the size of the page', () => {
    const seconds = Array.from({ length: 4_000 }, (_, second) => second)
    const pad = 'x'.repeat(200)
    for (const worker of [1, 2, 3])
      write(
        `gateway-${worker}-${day}.log`,
        seconds.filter((at) => at % 3 === worker - 1).map((at) => line(at, { path: `/${pad}` })),
      )
    for (const limit of [7, 1_000]) {
      const seen: unknown[] = []
      let older: RequestQuestion['older']
      do {
        const answer = ask({ limit, older })
        seen.push(...ids(answer))
        older = answer.older
      } while (older.length > 0)
      expect(seen).toEqual(seconds.toReversed().map((at) => `r${at}`))
    }
  })

  it('that were written out of order by a restart are all found', () => {
    write(`gateway-1-${day}.log`, [line(5), line(3), line(6), line(4)])
    write(`gateway-2-${day}.log`, [line(2), line(7)])
    const first = ask({ limit: 3 })
    const second = ask({ older: first.older })
    expect(new Set([...ids(first), ...ids(second)]).size).toBe(6)
    expect(first.lines.length + second.lines.length).toBe(6)
  })
})

describe('what has come since an answer', () => {
  it('is what was written behind it, in new files too', () => {
    write(`gateway-1-${day}.log`, [line(0), line(1)])
    const { newest } = ask()
    expect(ids(ask({ since: newest }))).toEqual([])
    appendFileSync(join(folder, `gateway-1-${day}.log`), line(2))
    write(`gateway-1-${day}.2.log`, [line(4)])
    write(`gateway-2-${day}.log`, [line(3)])
    expect(ids(ask({ since: newest }))).toEqual(['r4', 'r3', 'r2'])
  })

  it('is everything that is left where the file of the place was removed for its age', () => {
    write(`gateway-1-${day}.log`, [line(0)])
    const { newest } = ask()
    rmSync(join(folder, `gateway-1-${day}.log`))
    write(`gateway-1-${day}.2.log`, [line(1)])
    expect(ids(ask({ since: newest }))).toEqual(['r1'])
    expect(ids(ask({ older: newest }))).toEqual([])
  })

  it('is no line that is still being written', () => {
    write(`gateway-1-${day}.log`, [line(0), line(1).slice(0, 90)])
    const { newest, lines } = ask()
    expect(lines).toHaveLength(1)
    write(`gateway-1-${day}.log`, [line(0), line(1)])
    expect(ids(ask({ since: newest }))).toEqual(['r1'])
  })
})

describe('filters', () => {
  const kinds = [
    line(0, { endpoint_id: 7, api_id: 2 }),
    line(1, { endpoint_id: 70, api_id: 20, status: 404, method: 'POST' }),
    line(2, { level: 'warn', status: 503, token_id: 50, user_id: 60 }),
    line(3, { level: 'warn', status: 0, duration_ms: 900 }),
    line(4, { path: '/shop/Invoices/"token_id":50', status: 499 }),
    line(5, { endpoint_id: null, api_id: null, token_id: null, user_id: null, status: 404 }),
  ]
  it('those that went through with a note', () => {
    const detail = 'The request does not fit: /body/a'
    write(`gateway-1-${day}.log`, [
      ...kinds,
      line(6, { detail }),
      line(7, { status: 422, code: 'client.invalid', detail }),
      line(8, { path: '/"detail":', status: 404 }),
      line(9, { status: 404, detail }),
    ])
    expect(ids(ask({}, { status: 'noted' }))).toEqual(['r9', 'r6'])
  })

  it.each([
    [{ endpoint: 7 }, ['r0']],
    [{ api: 2 }, ['r0']],
    [{ token: 50 }, ['r2']],
    [{ token: 5, endpoint: 7 }, ['r0']],
    [{ client: 60 }, ['r2']],
    [{ status: '404' }, ['r5', 'r1']],
    [{ status: '0' }, ['r3']],
    [{ status: 'answered' }, ['r0']],
    [{ status: 'refused' }, ['r5', 'r4', 'r1']],
    [{ status: 'failed' }, ['r3', 'r2']],
    [{ method: 'POST' }, ['r1']],
    [{ slower: 900 }, ['r3']],
    [{ search: 'invoices shop' }, ['r4']],
    [{ search: 'r3' }, ['r3']],
    [{ from: timeOf(1), to: timeOf(3) }, ['r2', 'r1']],
  ])('%j', (filter, found) => {
    write(`gateway-1-${day}.log`, kinds)
    expect(ids(ask({}, filter))).toEqual(found)
  })

  it('a time within large files of several days is found without reading them whole', () => {
    const pad = { path: `/${'x'.repeat(1_900)}` }
    const hour = Array.from({ length: 36_000 }, (_, at) => line(at / 10, pad))
    write(`gateway-1-${day}.log`, hour)
    write('gateway-1-2026-06-02.log', [line(86_400)])
    const answer = ask({ limit: 1_000 }, { from: timeOf(1_000), to: timeOf(1_010) })
    expect(answer.lines).toHaveLength(100)
    expect(answer.older).toEqual([])
    expect(answer.lookedBackTo).toBeNull()
  })
})

it('an answer looks through a bounded part of the log, and the next one goes on from there', () => {
  const pad = { path: `/${'x'.repeat(1_900)}` }
  const count = Math.ceil((readMaxBytes * 1.2) / line(0, pad).length)
  write(
    `gateway-1-${day}.log`,
    Array.from({ length: count }, (_, at) => line(at, at === 0 ? { token_id: 99 } : pad)),
  )
  const first = ask({}, { token: 99 })
  expect(first.lines).toEqual([])
  const [place] = first.older
  expect(place?.offset).toBeGreaterThan(0)
  expect(first.lookedBackTo).toMatch(/^2026-06-01T/)
  expect(ids(ask({ older: first.older }, { token: 99 }))).toEqual(['r0'])
})

describe('what is no request', () => {
  it('notes, faults, torn lines and lines of any length', () => {
    write(`gateway-1-${day}.log`, [
      line(0),
      '{"level":"info","time":"2026-06-01T08:00:01.000Z","context":"gateway","msg":"a note"}\n',
      `${'y'.repeat(400_000)}\n`,
      '\n',
      '[1,2]\n',
      'null\n',
      '{"level":"info","time":"2026-06-01T08:00:01.0\n',
      line(2),
    ])
    expect(ids(ask())).toEqual(['r2', 'r0'])
  })

  it('other files, links and folders of these names', () => {
    const elsewhere = join(folder, 'elsewhere.txt')
    writeFileSync(elsewhere, line(1))
    write('gateway-2026-06-01.log', [line(2)])
    mkdirSync(join(folder, `gateway-2-${day}.log`))
    symlinkSync(elsewhere, join(folder, `gateway-3-${day}.log`))
    write(`gateway-1-${day}.log`, [line(0)])
    expect(ids(ask())).toEqual(['r0'])
  })

  it('a folder that is not there', () => {
    expect(ask({ folder: join(folder, 'none') })).toEqual({
      lines: [],
      older: [],
      newest: [],
      lookedBackTo: null,
    })
  })
})
