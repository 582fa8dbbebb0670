import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

interface TsqlOptions {
  port: number
  password?: string
  /** `off`, `request` or `require`, as freetds.conf has it. */
  encryption?: string
  /** Checks the server's certificate against this file. */
  caFile?: string
}

const preambleAndPrompts = /^(?:(?:\d+> )+|(?:locale|using default charset) .*\n)/gm

/**
 * Lets FreeTDS's `tsql` sign in over TDS 7.4 and run batches one after the other. `output` is all it
 * printed of answers, prompts taken out; `errors` what it printed of errors and of its version of TDS.
 */
export async function runTsql(batches: readonly string[], options: TsqlOptions) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-tsql-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const config = join(folder, 'freetds.conf')
  const { port, password = 'secret', encryption = 'off', caFile } = options
  const lines = [
    '[test]',
    'host = localhost',
    `port = ${port}`,
    'tds version = 7.4',
    'client charset = UTF-8',
    `encryption = ${encryption}`,
    ...(caFile === undefined ? [] : [`ca file = ${caFile}`, 'check certificate hostname = yes']),
  ]
  writeFileSync(config, `${lines.join('\n')}\n`)
  const program = process.env['GATEHOUSE_TEST_TSQL'] ?? 'tsql'
  const login = ['-S', 'test', '-U', 'gatehouse', '-P', password]
  // Says the version of TDS that it speaks; a bar between columns.
  const child = spawn(program, [...login, '-o', 'v', '-t', '|'], {
    env: { ...process.env, FREETDSCONF: config, LC_ALL: 'C.UTF-8' },
    timeout: 20_000,
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(batches.map((batch) => `${batch}\ngo\n`).join(''))
  const [output, errors, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { output: output.replaceAll(preambleAndPrompts, ''), errors, exitCode }
}
