import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { manifestNameOf } from './files/manifest.ts'
import type { RoundParts } from './round-parts.ts'

/**
 * Removes what this server began to write and never completed. The database still holds all of it: nothing
 * is removed from there before a file is complete and its row says so.
 */
export async function sweepUnfinished({ inTransaction, folder, owner }: RoundParts): Promise<void> {
  const begun = await inTransaction(({ archive }) => archive.listFiles('writing', owner))
  for (const { id, name } of begun) {
    for (const each of [name, manifestNameOf(name)])
      for (const path of [join(folder, each), join(folder, `${each}.part`)])
        await rm(path, { force: true })
    await inTransaction(({ archive }) => archive.removeFile(id))
  }
}
