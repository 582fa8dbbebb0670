import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A new folder for `DATA_DIR`, as a first start leaves it: migrated, with the first administrator. For journeys that
 * are not about first starts; a first start takes half a second of CPU time more.
 */
export function newDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-journey-'))
  const left = process.env.GATEHOUSE_FIRST_START
  if (left !== undefined) cpSync(left, folder, { recursive: true })
  return folder
}
