import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findAppKey, joinDataDir, loadAppKey, openDataDir } from './data-dir.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-data-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('is held by one, and free again after release', () => {
  const first = openDataDir(folder)
  expect(() => openDataDir(folder)).toThrow(`in use by process ${process.pid}`)
  first.release()
  const second = openDataDir(folder)
  expect(second.instanceId).toBe(first.instanceId)
  second.release()
})

it('is held by its control plane too, which may outlive the process that holds it', () => {
  const whole = openDataDir(folder)
  const control = joinDataDir(folder)
  expect(control).toMatchObject({ instanceId: whole.instanceId, place: whole.place })
  whole.release()
  expect(() => openDataDir(folder, 10)).toThrow(`in use by process ${process.pid}`)
  control.release()
  openDataDir(folder).release()
})

it('makes a private key once and gives the same back', () => {
  const key = loadAppKey(folder, undefined, false)
  expect(key).toHaveLength(32)
  expect(statSync(join(folder, 'app.key')).mode & 0o777).toBe(0o600)
  expect(loadAppKey(folder, undefined, true)).toEqual(key)
})

it('refuses a key file that others may read', () => {
  loadAppKey(folder, undefined, false)
  chmodSync(join(folder, 'app.key'), 0o640)
  expect(() => loadAppKey(folder, undefined, false)).toThrow(/chmod 600/)
})

it('makes no new key while secrets exist that only the lost one opens', () => {
  expect(() => loadAppKey(folder, undefined, true)).toThrow(/key is missing/)
})

it('prefers the key of the environment and writes none', () => {
  const given = Buffer.alloc(32, 7)
  expect(loadAppKey(folder, given, true)).toBe(given)
  expect(() => readFileSync(join(folder, 'app.key'))).toThrow()
})

it('makes again what a start was killed in writing: no installation is without a name or a key', () => {
  // As earlier releases left them, and what is left beside them now.
  for (const name of ['instance-id', 'app.key'])
    writeFileSync(join(folder, name), '', { mode: 0o600 })
  for (const name of ['instance-id.part', 'app.key.part']) writeFileSync(join(folder, name), 'half')
  const opened = openDataDir(folder)
  opened.release()
  expect(opened.instanceId).toMatch(/^[\da-f-]{36}$/)
  expect(findAppKey(folder, undefined)).toBeUndefined()
  const key = loadAppKey(folder, undefined, false)
  expect(findAppKey(folder, undefined)).toEqual(key)
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
  // A key that was in use is not replaced.
  writeFileSync(join(folder, 'app.key'), '')
  expect(() => loadAppKey(folder, undefined, true)).toThrow(/key is missing/)
})
