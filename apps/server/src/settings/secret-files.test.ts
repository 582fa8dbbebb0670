import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from './settings.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-secrets-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function secret(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

describe('a secret that comes as a file', () => {
  it('is read without the line end that editors add', () => {
    const key = Buffer.alloc(32, 7)
    const settings = readSettings({
      APP_KEY_FILE: secret('key', `${key.toString('base64')}\n`),
      METRICS_TOKEN_FILE: secret('token', 'a token of 20 chars.'.replaceAll(' ', '-')),
      DATABASE_URL_FILE: secret('url', 'postgres://one@db.example/gatehouse\n'),
    })
    expect(settings.appKey).toEqual(key)
    expect(settings.metricsToken).toBe('a-token-of-20-chars.')
    expect(settings.databaseUrl).toBe('postgres://one@db.example/gatehouse')
  })

  it('is refused where it can’t be read, is empty, or stands beside the value', () => {
    expect(() => readSettings({ APP_KEY_FILE: join(folder, 'none') })).toThrow(
      `APP_KEY_FILE=${join(folder, 'none')} can't be used: it can't be read (ENOENT)`,
    )
    expect(() => readSettings({ APP_KEY_FILE: secret('empty', '\n') })).toThrow('the file is empty')
    const both = { METRICS_TOKEN: 'x'.repeat(20), METRICS_TOKEN_FILE: secret('both', 'x') }
    expect(() => readSettings(both)).toThrow('METRICS_TOKEN is set too: set one')
  })

  it('is checked like any other, and its text is in no message', () => {
    const file = secret('short', 'c2hvcnQ=')
    expect(() => readSettings({ APP_KEY_FILE: file })).toThrow(
      "APP_KEY=(hidden) can't be used: 32 random bytes",
    )
  })

  it('has no such form where it is not a secret', () => {
    expect(readSettings({ PORT_FILE: secret('port', '4711') }).port).toBe(3000)
  })
})
