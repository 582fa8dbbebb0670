import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'

const module = fileURLToPath(new URL('ask-secret.ts', import.meta.url))
/** Of util-linux: gives a program a terminal. */
const hasScript = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0

/** Asks at a terminal, where this is typed. All that the terminal shows, and the answer in hexadecimal. */
async function typeAt(typed: string): Promise<string> {
  const program = `import { askSecret } from ${JSON.stringify(module)}
    const answer = await askSecret('Password: ').catch((error) => error.message)
    console.log('<' + Buffer.from(answer).toString('hex') + '>')
    process.exit()`
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-ask-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'ask.mjs'), program)
  const command = `"${process.execPath}" "${join(folder, 'ask.mjs')}"`
  const child = spawn('script', ['-qec', command, '/dev/null'])
  let shown = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (!shown.includes('Password: ') && (shown + text).includes('Password: '))
      child.stdin.write(typed)
    shown += text
  })
  await once(child, 'close')
  return shown
}

describe.skipIf(!hasScript)('a question for a secret', () => {
  it('is answered, and the terminal shows nothing of the answer', async () => {
    const shown = await typeAt('hörse battery\r')
    expect(shown).toContain(`<${Buffer.from('hörse battery').toString('hex')}>`)
    expect(shown).not.toContain('battery')
  })

  it.each([
    ['Ctrl+C', '\u0003'],
    ['Ctrl+D', '\u0004'],
  ])('%s gives up', async (_, key) => {
    expect(await typeAt(key)).toContain(`<${Buffer.from('Nothing was changed.').toString('hex')}>`)
  })
})
