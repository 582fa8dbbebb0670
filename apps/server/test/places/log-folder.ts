import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const fixtures = fileURLToPath(new URL('../../fixtures/logs', import.meta.url))

/** A data folder with logs in it that a test may write as it likes. */
export function createLogFolder() {
  const dataDir = mkdtempSync(join(realpathSync(tmpdir()), 'gatehouse-logs-'))
  const path = (id: string) => join(dataDir, 'logs', id)
  return {
    dataDir,
    path,
    write: (id: string, content: string | Uint8Array, modified?: Date) => {
      mkdirSync(dirname(path(id)), { recursive: true })
      writeFileSync(path(id), content)
      if (modified) utimesSync(path(id), modified, modified)
    },
    copyFixture: (name: string, id: string) => {
      mkdirSync(dirname(path(id)), { recursive: true })
      copyFileSync(join(fixtures, name), path(id))
    },
    remove: () => rmSync(dataDir, { recursive: true, force: true }),
  }
}
