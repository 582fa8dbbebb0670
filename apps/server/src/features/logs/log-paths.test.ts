import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import type { LogPage } from '@gatehouse/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'
import { createLogFolder } from '../../../test/places/log-folder.ts'
import { LogFileGone, openLogFile } from './reading/open-log-file.ts'

const isPosix = process.platform !== 'win32'
const own = createLogFolder()
const others = createLogFolder()
const nginx = join(others.dataDir, 'nginx')
const socket = createServer()
let server: TestServer

beforeAll(async () => {
  own.write('admin/admin-2026-11-21.log', '{"level":"info","time":"2026","msg":"hello"}\n')
  own.write('top.log', 'a line\n')
  writeFileSync(join(own.dataDir, 'app.key'), 'the key')
  writeFileSync(join(own.dataDir, 'secret.log'), 'outside of the folder')
  mkdirSync(join(nginx, 'old'), { recursive: true })
  writeFileSync(join(nginx, 'error.log'), 'one\n')
  writeFileSync(join(nginx, 'old', 'error.log'), 'two\n')
  writeFileSync(join(others.dataDir, 'beside.log'), 'outside of the folder')
  own.write('admin/.hidden.log', 'hidden')
  if (isPosix) {
    own.write('admin/new\nline.log', 'strange')
    own.write('admin/\u202egol.exe', 'strange')
    symlinkSync('admin-2026-11-21.log', own.path('admin/current.log'))
    symlinkSync('../../app.key', own.path('admin/key.log'))
    symlinkSync('/etc/passwd', own.path('admin/passwd.log'))
    symlinkSync('/dev/zero', own.path('admin/zero.log'))
    symlinkSync('/', own.path('root'))
    symlinkSync('loop.log', own.path('admin/loop.log'))
    symlinkSync('../..', own.path('admin/up'))
    symlinkSync(join(others.dataDir, 'beside.log'), join(nginx, 'beside.log'))
    symlinkSync(join(own.dataDir, 'app.key'), join(nginx, 'key.log'))
    execFileSync('mkfifo', [own.path('admin/pipe.log')])
    socket.listen(own.path('admin/socket.log'))
    await once(socket, 'listening')
  }
  // The last one leads back to where the key lies.
  server = await buildServer({ DATA_DIR: own.dataDir, LOG_DIRS: `${nginx},${own.dataDir}` })
})
afterAll(async () => {
  socket.close()
  await server.close()
  own.remove()
  others.remove()
})

const get = (path: string) => server.send('GET', path, { token: server.admin.token })
const listed = async () => (await get('/api/logs')).body as LogPage

it('lists regular files that lie under a root, and nothing else', async () => {
  const { files, folders } = await listed()
  expect(files.map(({ id }) => id).toSorted()).toEqual(
    [
      'admin/admin-2026-11-21.log',
      ...(isPosix ? ['admin/current.log'] : []),
      'top.log',
      `${nginx}/error.log`,
      `${nginx}/old/error.log`,
    ].toSorted(),
  )
  expect(folders.toSorted()).toEqual(['', 'admin', nginx, `${nginx}/old`].toSorted())
})

it('opens what it lists, through a link that stays under its root too', async () => {
  for (const { id } of (await listed()).files) {
    expect((await get(`/api/logs?l=${encodeURIComponent(id)}`)).status, id).toBe(200)
    expect((await get(`/api/logs/download?file=${encodeURIComponent(id)}`)).status, id).toBe(200)
  }
})

/** As it is in the URL: the server decodes it once. */
const tricks = [
  '',
  '.',
  '..',
  '/',
  'admin',
  'admin/',
  '%00',
  '../app.key',
  '../secret.log',
  '../../etc/passwd',
  'admin/../../app.key',
  'admin/../../secret.log',
  'admin/./admin-2026-11-21.log',
  'admin//admin-2026-11-21.log',
  './admin/admin-2026-11-21.log',
  '/admin/admin-2026-11-21.log',
  'admin/../admin/admin-2026-11-21.log',
  '..%2fapp.key',
  '%2e%2e%2fapp.key',
  '%2e%2e/%2e%2e/etc/passwd',
  '%252e%252e%252fapp.key',
  '..%5capp.key',
  '..%c0%afapp.key',
  '%c0%ae%c0%ae/app.key',
  '%ef%bc%8e%ef%bc%8e/app.key',
  '..;/app.key',
  '....//app.key',
  '..././app.key',
  '/etc/passwd',
  'file:///etc/passwd',
  '//etc/passwd',
  'C:\\Windows\\win.ini',
  '\\\\localhost\\c$\\x',
  '/proc/self/environ',
  '/proc/self/fd/0',
  '/dev/zero',
  '/dev/stdin',
  '~/.ssh/id_rsa',
  'admin/admin-2026-11-21.log%00',
  'admin/admin-2026-11-21.log%00.txt',
  '%00admin/admin-2026-11-21.log',
  'admin/admin-2026-11-21.log%20',
  'admin/admin-2026-11-21.log.',
  'admin/admin-2026-11-21.log/',
  'admin/admin-2026-11-21.log::$DATA',
  'admin/admin-2026-11-21.log%0a',
  'ADMIN/ADMIN-2026-11-21.LOG',
  'Admin/admin-2026-11-21.log',
  'admin/ａdmin-2026-11-21.log',
  'admin\\admin-2026-11-21.log',
  'admin-2026-11-21.log',
  'app.key',
  'secret.log',
  'beside.log',
  'admin/.hidden.log',
  'admin/key.log',
  'admin/passwd.log',
  'admin/zero.log',
  'admin/pipe.log',
  'admin/socket.log',
  'admin/loop.log',
  'admin/up',
  'admin/up/app.key',
  'root/etc/passwd',
  'root',
  'admin/new%0aline.log',
  'admin/%e2%80%aegol.exe',
  'admin/*.log',
  'admin/admin-????-??-??.log',
  '{admin,runs}/admin-2026-11-21.log',
  '$(id)',
  '`id`',
  '|id',
  'eyJpdiI6IjEyMyJ9',
  'php://filter/resource=/etc/passwd',
  'undefined',
  'null',
  '__proto__',
  'constructor',
  'toString',
  `${'../'.repeat(200)}etc/passwd`,
  'a'.repeat(8_000),
]

describe('whatever is sent in place of a name from the listing is a 404', () => {
  const more = () => [
    `${nginx}/../beside.log`,
    `${nginx}/beside.log`,
    `${nginx}/key.log`,
    nginx,
    `${own.dataDir}/app.key`,
    `${own.dataDir}/logs/top.log`,
    own.path('top.log'),
  ]

  it('there are more than forty tricks', () => {
    expect(new Set([...tricks, ...more()]).size).toBeGreaterThan(80)
  })

  it('when it is read', async () => {
    for (const trick of [...tricks, ...more()]) {
      const answer = await get(`/api/logs?l=${trick}`)
      expect(answer.status, trick).toBe(404)
      expect(answer.body, trick).toMatchObject({ code: 'log.not_found' })
      expect(answer.text).not.toMatch(/the key|outside of the folder|root:/)
    }
  })

  it('when it is downloaded', async () => {
    for (const trick of [...tricks, ...more()]) {
      const answer = await get(`/api/logs/download?file=${trick}`)
      expect(answer.status, trick).toBe(404)
      expect(answer.text).not.toMatch(/the key|outside of the folder|root:/)
    }
  })

  it('when it is sent twice, or as a list, or not at all', async () => {
    for (const query of ['l=top.log&l=../app.key', 'l=a&l=b']) {
      expect((await get(`/api/logs?${query}`)).status, query).toBe(404)
    }
    expect((await get('/api/logs/download?file=top.log&file=top.log')).status).toBe(404)
    expect((await get('/api/logs/download')).status).toBe(404)
  })
})

describe.runIf(isPosix)('what is put in the place of a listed file is not opened', () => {
  const openListed = (id: string) =>
    openLogFile({ path: join(own.dataDir, 'logs', id), root: join(own.dataDir, 'logs') })

  it.each(['pipe.log', 'socket.log', 'passwd.log', 'current.log', 'up', 'nothing.log'])(
    'a pipe, a socket, a link, a folder, nothing: %s',
    (name) => {
      expect(() => openListed(`admin/${name}`)).toThrow(LogFileGone)
    },
  )

  it('a folder that has become a link', () => {
    own.write('swapped/file.log', 'inside')
    writeFileSync(join(others.dataDir, 'file.log'), 'outside of the folder')
    renameSync(own.path('swapped'), own.path('was-swapped'))
    symlinkSync(others.dataDir, own.path('swapped'))
    expect(() => openListed('swapped/file.log')).toThrow(LogFileGone)
  })
})
