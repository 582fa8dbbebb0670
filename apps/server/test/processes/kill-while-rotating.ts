import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { runTokenAuthority } from '@gatehouse/upstream/token-authority'
import { connect } from '../../src/db/connect.ts'
import { insertApi, newKey } from '../servers/sign-in-server.ts'
import { prepareDatabase } from '../test-database.ts'

interface RotationReport {
  kills: number
  /** The next start signed in. */
  worked: number
  /** The next start said `refused`, and what to do about it. */
  refused: number
  /** Anything else: a loss without a word. */
  silent: string[]
}

/**
 * Kills a server with SIGKILL while it rotates a refresh token, at another moment each time, and looks at
 * what its next start says.
 */
export async function killWhileRotating(kills: number): Promise<RotationReport> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-rotation-'))
  const authority = await runTokenAuthority({ rotates: true, delayMs: 5 })
  const db = connect({ kind: 'file', folder })
  await prepareDatabase(db)
  const apiId = await insertApi(db)
  const report: RotationReport = { kills, worked: 0, refused: 0, silent: [] }
  const file = fileURLToPath(new URL('sign-in-process.ts', import.meta.url))
  const key = newKey().toString('hex')

  function start() {
    const child = spawn(process.execPath, [file, folder, authority.tokenUrl, key, String(apiId)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
    return {
      line: async () => String((await lines.next()).value),
      kill: async () => {
        child.kill('SIGKILL')
        await ended
      },
    }
  }

  for (let kill = 1; kill <= kills; kill++) {
    const mortal = start()
    const first = await mortal.line()
    // The moments are spread over a whole rotation.
    await sleep((kill * 7) % 50)
    await mortal.kill()
    const heir = start()
    const said = first.startsWith('ok') ? await heir.line() : first
    await heir.kill()
    const row = await db.selectFrom('sign_in_token').selectAll().executeTakeFirstOrThrow()
    if (said.startsWith('ok')) {
      report.worked += 1
      continue
    }
    const isSaid = row.is_refused === 1 && row.message.endsWith('Enter the refresh token again.')
    if (isSaid) report.refused += 1
    else report.silent.push(said)
    // The administrator enters the refresh token again.
    await authority.reset()
    await db.deleteFrom('sign_in_token').execute()
  }
  await db.destroy()
  await authority.stop()
  rmSync(folder, { recursive: true })
  return report
}
