import type { LogPage } from '@gatehouse/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

async function readFixture(name: string, query = ''): Promise<LogPage> {
  folder.copyFixture(name, `others/${name}`)
  const path = `/api/logs?l=${encodeURIComponent(`others/${name}`)}${query}`
  const answer = await server.send('GET', path, { token: server.admin.token })
  expect(answer.status).toBe(200)
  return answer.body as LogPage
}

describe('log files of others are read as what they are', () => {
  it('a Laravel log with CRLF: one error with its stack', async () => {
    const page = await readFixture('rap2hpoutre-laravel.log')
    expect(page).toMatchObject({ standardFormat: true, total: 1, page: 1, last_page: 1 })
    const [entry] = page.logs
    expect(entry).toMatchObject({
      id: 0,
      level: 'error',
      level_class: 'danger',
      level_img: 'exclamation-triangle',
      context: 'local',
      date: '2018-09-05 20:20:51',
      is_truncated: false,
    })
    expect(entry?.text).toMatch(/^The "--versio" option does not exist\. \{"exception":/)
    const stack = entry?.stack.split('\n') ?? []
    expect(stack[0]).toBe('[stacktrace]')
    expect(stack.at(-1)).toBe('"}')
    expect(stack.filter((line) => /^#\d+ /.test(line))).toHaveLength(11)
    expect(entry?.stack).not.toMatch(/\r|\\x0d/)
  })

  it('a Laravel log: 82 errors of context local, all with stacks, on three pages', async () => {
    const pages = await Promise.all(
      [1, 2, 3].map((page) => readFixture('lnav-logfile_laravel.0', `&page=${page}`)),
    )
    const entries = pages.flatMap(({ logs }) => logs)
    expect(pages[0]).toMatchObject({ standardFormat: true, total: 82, last_page: 3, per_page: 30 })
    expect(entries).toHaveLength(82)
    expect(new Set(entries.map(({ id }) => id)).size).toBe(82)
    for (const entry of entries) {
      expect(entry).toMatchObject({ level: 'error', level_class: 'danger', context: 'local' })
      expect(entry.date).toMatch(/^2023-05-15 \d\d:\d\d:\d\d$/)
      expect(entry.stack).toMatch(/(^|\n)\[stacktrace\]\n#0 /)
    }
    const dates = entries.map(({ date }) => date)
    expect(dates).toEqual(dates.toSorted().toReversed())
    expect(entries.at(-1)).toMatchObject({ id: 0, date: '2023-05-15 18:19:32' })
    expect(entries.at(-1)?.text).toMatch(/^Target class \[Fruitcake\\Cors\\HandleCors\] does not/)
  })

  it('a Laravel log with text between date and level: recognised, the text kept', async () => {
    const at = '[2022-08-25 11:16:17]'
    folder.write(
      'others/between.log',
      `${at} some additional text [!@#$%^&] and characters // !@#$ local.DEBUG: message\n` +
        `${at} [pid 7] production.ERROR: broke\n#0 a.php(1)\n${at} local.INFO: plain\n`,
    )
    const answer = await server.send('GET', '/api/logs?l=others/between.log', {
      token: server.admin.token,
    })
    expect(answer.body).toMatchObject({
      standardFormat: true,
      logs: [
        { level: 'info', context: 'local', text: 'plain', stack: '' },
        { level: 'error', context: 'production', text: '[pid 7] broke', stack: '#0 a.php(1)' },
        {
          level: 'debug',
          level_class: 'info',
          context: 'local',
          date: '2022-08-25 11:16:17',
          text: 'some additional text [!@#$%^&] and characters // !@#$ message',
          stack: '',
        },
      ],
    })
  })

  it('a pino log: level, date and message; the rest as JSON behind it', async () => {
    const { logs, standardFormat } = await readFixture('lnav-logfile_pino.0')
    expect(standardFormat).toBe(true)
    expect(logs).toHaveLength(1)
    expect(logs[0]).toMatchObject({ level: 'info', date: '2025-04-24T22:08:37.537Z', stack: '' })
    expect(logs[0]?.text).toMatch(
      /^Charge request received\. \{"pid": 17, .*"service\.name": "payment"/,
    )
  })

  it('an access log: each line an entry with its own time stamp', async () => {
    const { logs, standardFormat, total } = await readFixture('opcodes-access_dummy.log')
    expect({ standardFormat, total }).toEqual({ standardFormat: false, total: 10 })
    expect(logs[0]).toMatchObject({ date: '03/Aug/2023:15:58:46 +0000', level: '', context: '' })
    expect(logs.at(-1)).toMatchObject({ id: 0, date: '18/Jan/2023:05:21:57 +0000' })
    expect(logs.at(-1)?.text).toMatch(/^205\.123\.147\.41 - - \[18\/Jan/)
  })

  it('lines with CRLF, without the carriage returns', async () => {
    const { logs } = await readFixture('lnav-logfile_crlf.0')
    expect(logs.map(({ date, text }) => ({ date, text }))).toEqual([
      { date: '2014-10-08 16:56:38,344', text: '2014-10-08 16:56:38,344:WARN:foo bar baz' },
      { date: '2012-07-02 10:22:40,672', text: '2012-07-02 10:22:40,672:DEBUG:foo bar baz' },
    ])
  })

  it('invalid UTF-8: replaced, and lines without a time stamp by their number', async () => {
    const { logs } = await readFixture('lnav-logfile_invalid_utf8.0')
    expect(logs.map(({ date }) => date)).toEqual([
      '6',
      '5',
      '4',
      '3',
      '2',
      '2015-03-12T23:16:52.071',
    ])
    expect(logs[2]?.text).toMatch(/^\t\t<node>\?+\uFFFD+\?\?<\/node>$/)
  })

  it('a coloured log: without the colours, found as it reads', async () => {
    const { logs } = await readFixture('lnav-logfile_ansi.1')
    expect(logs).toHaveLength(10)
    expect(logs.at(-1)).toMatchObject({
      date: 'Sep 19 09:24:04',
      text: 'Sep 19 09:24:04 Tims-MacBook-Air AMPDeviceDiscoveryAgent[17600]: tid:1d1f - Mux ID not found in mapping dictionary',
    })
    expect(JSON.stringify(logs)).not.toMatch(/\\u001b|\\\\x1b/)
    const found = await readFixture('lnav-logfile_ansi.1', '&search=TID%3A1D1F')
    expect(found.total).toBe(4)
    expect((await readFixture('lnav-logfile_ansi.1', '&search=31m')).total).toBe(0)
  })
})
