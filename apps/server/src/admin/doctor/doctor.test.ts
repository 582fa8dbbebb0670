import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  createInstallation,
  runOn,
  type Installation,
} from '../../../test/processes/admin-commands.ts'
import { mends } from './mends.ts'

interface Found {
  name: string
  state: string
  words: string
  mend: string | null
}

async function lookAt(there: Installation, environment: Record<string, string> = {}) {
  const { code, out } = await runOn({ ...there.environment, ...environment }, ['doctor', '--json'])
  return { code, found: new Map((JSON.parse(out) as Found[]).map((each) => [each.name, each])) }
}

it('a new installation has no failure, and is told what it lacks and what mends it', async () => {
  const there = await createInstallation()
  chmodSync(there.folder, 0o700)
  const { code, found } = await lookAt(there)
  expect(code).toBe(0)
  const lacks = [...found.values()].filter(({ state }) => state !== 'ok')
  expect(lacks.map(({ name }) => name).toSorted()).toEqual(['backup', 'channels', 'public_url'])
  for (const { name, mend } of lacks) expect(mend).toBe(mends[name])
  const { out } = await there.admin(['doctor'])
  expect(out).toMatch(
    /^warning {2}channels {5}alarms reach nobody: no channel is on\n {9}→ Alarms, Channels/m,
  )
  expect(out).toMatch(/\d+ of \d+ checks are in order\.$/)
  expect(out).not.toMatch(/^ok /m)
  expect((await there.admin(['doctor', '--all'])).out).toMatch(/^ok +sizes +[\d.]+ MB; rows/m)
})

it('every check has something that mends it', async () => {
  const { found } = await lookAt(await createInstallation())
  const own = [...found.keys()].filter((name) => !['sizes', 'evidence'].includes(name))
  expect(own.filter((name) => !mends[name])).toEqual([])
  expect(Object.keys(mends).filter((name) => !found.has(name))).toEqual([])
})

it('finds what is held, paused, given up, silent, unacknowledged and about to end', async () => {
  const there = await createInstallation()
  const db = there.open()
  const old = '2026-01-01T00:00:00.000Z'
  const now = new Date().toISOString()
  await db
    .insertInto('installation_hold')
    .values({ id: 1, reason: 'restore', backup_made_at: old, held_since: old })
    .execute()
  await db
    .insertInto('lane')
    .values({
      name: 'Invoices',
      concurrency: 1,
      is_strict_order: 0,
      is_paused: 1,
      paused_at: old,
      pause_reason: 'a sign-in was refused',
      outage_since: old,
    })
    .execute()
  const server = { instance_id: 'a', start_id: 'a', beat: 1, place: 'here', role: 'all' }
  const minuteAgo = new Date(Date.now() - 60_000).toISOString()
  const state = {
    revision: 1,
    mark: 'x',
    refusal: null,
    isolated_apis: 2,
    workers: null,
    in_flight: 0,
    load: null,
    clock: { offset_ms: 9_000, error_ms: 1 },
  }
  await db
    .insertInto('node')
    .values([
      { ...server, name: 'till-1', version: '1', started_at: old, seen_at: minuteAgo },
      {
        ...server,
        instance_id: 'b',
        name: 'till-2',
        version: '2',
        started_at: old,
        seen_at: now,
        state: JSON.stringify(state),
      },
    ])
    .execute()
  const [rule] = await db
    .selectFrom('alarm_rule')
    .selectAll()
    .where('kind', '=', 'expiry')
    .execute()
  const alarm = { rule_id: rule?.id ?? 0, rule_name: 'Expires', kind: 'expiry', path: '/' } as const
  await db
    .insertInto('alarm')
    .values({
      ...alarm,
      subject: 'api:1',
      title: 'The certificate of Tax ends',
      since: old,
      raised_at: old,
    })
    .execute()
  await db.updateTable('alarm_rule').set({ is_on: 0 }).where('kind', '=', 'disk').execute()
  const { code, found } = await lookAt(there)
  expect(code).toBe(1)
  const say = (name: string) => `${found.get(name)?.state} ${found.get(name)?.words}`
  expect(say('held')).toBe(`failed since ${old} nothing is sent`)
  expect(say('lanes')).toBe(`warning paused: Invoices since ${old} a sign-in was refused`)
  expect(say('outages')).toContain(`Invoices since ${old}`)
  expect(say('servers')).toBe(
    'warning till-1 is silent; till-2 has a clock that is 9000 ms off; till-2 can’t read 2 APIs',
  )
  expect(say('expiry')).toContain('The certificate of Tax ends')
  expect(say('alarms')).toContain('acknowledged by nobody: The certificate of Tax ends')
  expect(say('rules')).toMatch(/^warning tell nobody: .*\(off\)/)
})

it('finds a certificate that ends, copies that nobody needs, answers that wait, and growth', async () => {
  const there = await createInstallation()
  const [cert, key] = [join(there.folder, 'cert.pem'), join(there.folder, 'key.pem')]
  const args = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const own = ['-subj', '/CN=localhost', '-keyout', key, '-out', cert]
  execFileSync('openssl', ['req', ...args, ...own, '-days', '9'], { stdio: 'ignore' })
  const copy = join(there.folder, 'before-upgrade.0200-x.0240-y.2026-01-01T00-00-00-000Z.sqlite')
  writeFileSync(copy, 'x')
  utimesSync(copy, new Date('2026-01-01'), new Date('2026-01-01'))
  mkdirSync(join(there.folder, 'run-evidence'))
  writeFileSync(join(there.folder, 'run-evidence', '1'), 'x')
  const db = there.open()
  await db
    .insertInto('archive_size')
    .values(
      [1, 6].map((day) => ({
        day: `2026-11-0${day}`,
        measured_at: '',
        database_bytes: day * 1e12,
        archive_bytes: 0,
      })),
    )
    .execute()
  await db
    .updateTable('archive_setting')
    .set({ test_days: null, read_days: null, submit_days: null })
    .execute()
  const { found } = await lookAt(there, { TLS_CERT: cert, TLS_KEY: key })
  expect(found.get('retention')).toMatchObject({
    state: 'warning',
    words: 'bodies and answers stay for ever',
  })
  expect(found.get('certificate')).toMatchObject({
    state: 'warning',
    words: expect.stringMatching(/ends in [89] days$/),
  })
  expect(found.get('copies')?.words).toContain('before-upgrade.0200-x')
  expect(found.get('evidence')).toMatchObject({ state: 'warning' })
  expect(found.get('growth')?.words).toContain('1000.0 GB a day over 5 days')
})
