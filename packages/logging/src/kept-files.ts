import { readdirSync, statSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'

/** A file of a log: `{name}-2026-11-21.log` is the first one of its day, `{name}-2026-11-21.2.log` the next. */
interface KeptFile {
  file: string
  day: string
  number: number
}

/** The files of one log in a folder, in no order. */
export function listFiles(folder: string, name: string): KeptFile[] {
  return readdirSync(folder).flatMap((file) => {
    const [, day = '', number = '1'] =
      /^-(\d{4}-\d\d-\d\d)(?:\.(\d{1,6}))?\.log$/.exec(file.slice(name.length)) ?? []
    return day !== '' && file.startsWith(name) ? [{ file, day, number: Number(number) }] : []
  })
}

/** Removes the files of days before `oldest`. Returns the others. */
export function removeOldFiles(folder: string, files: readonly KeptFile[], oldest: string) {
  const isOld = ({ day }: KeptFile) => day < oldest
  for (const { file } of files.filter((each) => isOld(each))) unlinkSync(join(folder, file))
  return files.filter((each) => !isOld(each))
}

/** Removes the oldest files, until the others hold `maxBytes` at most. The newest one stays. */
export function removeExcessFiles(
  folder: string,
  files: readonly KeptFile[],
  maxBytes: number,
): void {
  if (maxBytes === Number.POSITIVE_INFINITY) return
  const newestFirst = files.toSorted((one, other) =>
    one.day === other.day ? other.number - one.number : one.day < other.day ? 1 : -1,
  )
  let total = 0
  for (const [at, { file }] of newestFirst.entries()) {
    const path = join(folder, file)
    total += statSync(path, { throwIfNoEntry: false })?.size ?? 0
    if (at > 0 && total > maxBytes) unlinkSync(path)
  }
}
