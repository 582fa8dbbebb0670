import { appendFileSync } from 'node:fs'
import type { LogPage } from '@gatehouse/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'
import { createLogFolder } from '../../../test/places/log-folder.ts'

const folder = createLogFolder()
let server: TestServer
beforeAll(async () => {
  server = await buildServer({ DATA_DIR: folder.dataDir })
})
afterAll(async () => {
  await server.close()
  folder.remove()
})
beforeEach(() => folder.remove())

const get = (query: string, token = server.admin.token) =>
  server.send('GET', `/api/logs${query}`, { token })
const page = async (query: string) => {
  const answer = await get(query)
  expect(answer.status, query).toBe(200)
  return answer.body as LogPage
}

const levels = ['DEBUG', 'INFO', 'NOTICE', 'WARNING', 'ERROR', 'CRITICAL', 'ALERT', 'EMERGENCY']
const heading = (index: number) =>
  `[2026-11-21 10:00:${String(index % 60).padStart(2, '0')}] local.${levels[index % 8]}: entry ${index}\n`
const standardLog = (count: number) =>
  Array.from({ length: count }, (_, index) => heading(index)).join('')

describe('a page of a log', () => {
  it('is empty where there are no logs', async () => {
    expect(await page('')).toEqual({
      logs: [],
      files: [],
      folders: [],
      current_file: null,
      standardFormat: false,
      total: 0,
      levels: [],
      page: 1,
      per_page: 30,
      last_page: 1,
      reading: null,
      other_servers: [],
    })
  })

  it('names the other servers that live: gateways that run alone keep their logs', async () => {
    const { nodes } = server.stores
    const now = server.time.now.toISOString()
    const node = { start_id: '', beat: 0, place: '', version: '1', role: 'gateway', state: null }
    const times = { started_at: now, seen_at: now, stopped_at: null }
    for (const name of ['edge-2', 'edge-1'])
      await nodes.insert({ ...node, ...times, instance_id: name, name })
    await nodes.insert({ ...node, ...times, instance_id: 'gone', name: 'gone', stopped_at: now })
    expect((await page('')).other_servers).toEqual(['edge-1', 'edge-2'])
  })

  it('is of the newest file where none is named', async () => {
    folder.write('admin/old.log', 'old\n', new Date('2026-01-01'))
    folder.write('runs/new.log', 'new\n', new Date('2026-03-01'))
    folder.write('admin/middle.log', 'middle\n', new Date('2026-02-01'))
    const { current_file, logs, files, folders } = await page('')
    expect(current_file).toBe('runs/new.log')
    expect(logs.map(({ text }) => text)).toEqual(['new'])
    expect(folders).toEqual(['admin', 'runs'])
    expect(files).toEqual([
      {
        id: 'runs/new.log',
        folder: 'runs',
        name: 'new.log',
        size: 4,
        modified_at: '2026-03-01T00:00:00.000Z',
      },
      expect.objectContaining({ id: 'admin/middle.log' }),
      expect.objectContaining({ id: 'admin/old.log' }),
    ])
  })

  it('holds 30 entries, newest first; beyond the last page it is the last page', async () => {
    folder.write('a.log', standardLog(95))
    const first = await page('?l=a.log')
    expect(first).toMatchObject({ total: 95, page: 1, per_page: 30, last_page: 4 })
    expect(first.logs.map(({ text }) => text)).toEqual(
      Array.from({ length: 30 }, (_, index) => `entry ${94 - index}`),
    )
    const last = await page('?l=a.log&page=4')
    expect(last.logs.map(({ text }) => text)).toEqual([
      'entry 4',
      'entry 3',
      'entry 2',
      'entry 1',
      'entry 0',
    ])
    expect(await page('?l=a.log&page=1000000')).toEqual(last)
    const small = await page('?l=a.log&page=2&per_page=7')
    expect(small).toMatchObject({ per_page: 7, page: 2, last_page: 14 })
    expect(small.logs.map(({ text }) => text)).toEqual(
      Array.from({ length: 7 }, (_, index) => `entry ${87 - index}`),
    )
  })

  it.each(['page=0', 'page=x', 'per_page=0', 'per_page=101', 'level=loud', 'entry=-1'])(
    'is refused with what makes no sense: %s',
    async (query) => {
      expect((await get(`?${query}`)).status).toBe(422)
    },
  )

  it('gives each level its class and icon', async () => {
    folder.write('a.log', standardLog(8))
    const { logs } = await page('?l=a.log')
    expect(
      logs.map(({ level, level_class, level_img }) => [level, level_class, level_img]),
    ).toEqual([
      ['emergency', 'danger', 'exclamation-triangle'],
      ['alert', 'danger', 'exclamation-triangle'],
      ['critical', 'danger', 'exclamation-triangle'],
      ['error', 'danger', 'exclamation-triangle'],
      ['warning', 'warning', 'exclamation-triangle'],
      ['notice', 'info', 'info-circle'],
      ['info', 'info', 'info-circle'],
      ['debug', 'info', 'info-circle'],
    ])
  })

  it('holds only the levels and the text that are asked for', async () => {
    folder.write('a.log', standardLog(800))
    const errors = await page('?l=a.log&level=error,alert')
    expect(errors).toMatchObject({ total: 200, last_page: 7 })
    expect(errors.logs.map(({ level }) => level)).toEqual(
      Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? 'alert' : 'error')),
    )
    const found = await page('?l=a.log&search=ENTRY%2077')
    expect(found.logs.map(({ text }) => text)).toEqual([
      ...Array.from({ length: 10 }, (_, index) => `entry ${779 - index}`),
      'entry 77',
    ])
    const both = await page('?l=a.log&search=entry%2077&level=info')
    expect(both.logs.map(({ text }) => text)).toEqual(['entry 777'])
    expect(await page('?l=a.log&search=nowhere')).toMatchObject({ total: 0, page: 1, logs: [] })
  })

  it('counts what the search finds by level, whatever levels are asked for', async () => {
    folder.write('a.log', standardLog(20))
    const two = (level: string) => ({ level, entries: 2 })
    const counted = [
      ...['debug', 'info', 'notice', 'warning'].map((level) => ({ level, entries: 3 })),
      ...['error', 'critical', 'alert', 'emergency'].map(two),
    ]
    expect((await page('?l=a.log')).levels).toEqual(counted)
    expect(await page('?l=a.log&level=error')).toMatchObject({ total: 2, levels: counted })
    const one = [{ level: 'debug', entries: 1 }]
    expect((await page('?l=a.log&search=entry%208')).levels).toEqual(one)
    expect((await page('?l=a.log&search=entry%20nine')).levels).toEqual([])
    folder.write('plain.log', 'just text\n')
    expect((await page('?l=plain.log')).levels).toEqual([])
  })

  it('is the one with an entry that is linked to, also when the file has grown', async () => {
    folder.write('a.log', standardLog(200))
    const linked = (await page('?l=a.log&page=3')).logs[4]
    const id = linked?.id ?? -1
    expect(await page(`?l=a.log&entry=${id}`)).toMatchObject({ page: 3 })
    appendFileSync(folder.path('a.log'), standardLog(60))
    const later = await page(`?l=a.log&entry=${id}`)
    expect(later.page).toBe(5)
    expect(later.logs).toContainEqual(linked)
    expect((await page('?l=a.log&entry=99999999')).page).toBe(1)
  })

  it('shows what has been written since', async () => {
    folder.write('a.log', heading(1))
    expect((await page('?l=a.log')).logs.map(({ text }) => text)).toEqual(['entry 1'])
    appendFileSync(folder.path('a.log'), 'more of its stack\n')
    expect((await page('?l=a.log')).logs[0]).toMatchObject({ stack: 'more of its stack' })
    appendFileSync(folder.path('a.log'), '[2026-11-21 10:00:09] loc')
    expect((await page('?l=a.log')).total).toBe(1)
    appendFileSync(folder.path('a.log'), 'al.ERROR: now whole')
    expect((await page('?l=a.log')).logs[0]).toMatchObject({ level: 'error', text: 'now whole' })
    folder.write('a.log', heading(3))
    expect((await page('?l=a.log')).logs.map(({ text }) => text)).toEqual(['entry 3'])
  })

  it('carries the request id of our own lines, and the stack of an error', async () => {
    const line = {
      level: 'error',
      time: '2026-11-21T10:00:00.000Z',
      context: 'admin',
      request_id: 'b3b7f0f0-0000-4000-8000-000000000001',
      err: {
        type: 'Error',
        message: 'no',
        stack: 'Error: no\n    at start (apps/server/src/start.ts:1:1)',
        cause: { type: 'Error', message: 'refused', stack: 'Error: refused', code: 'ECONNREFUSED' },
      },
      path: '/api/apis',
      msg: 'call failed',
    }
    folder.write('a.log', `${JSON.stringify(line)}\n`)
    expect((await page('?l=a.log')).logs).toEqual([
      {
        id: 0,
        level: 'error',
        level_class: 'danger',
        level_img: 'exclamation-triangle',
        context: 'admin',
        date: '2026-11-21T10:00:00.000Z',
        text: 'call failed {"path": "/api/apis"}',
        stack:
          'Error: no\n    at start (apps/server/src/start.ts:1:1)\nCaused by: Error: refused (ECONNREFUSED)',
        request_id: 'b3b7f0f0-0000-4000-8000-000000000001',
        is_truncated: false,
      },
    ])
    expect((await page('?l=a.log&search=8000-000000000001')).total).toBe(1)
  })
})
