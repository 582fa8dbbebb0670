/** SQLITE_FULL; the upper bits say more about an error. */
const sqliteFull = 13
/** SQLITE_IOERR_SHMSIZE: there is no room for the index of the journal. */
const sqliteIndexSize = 4_874

/** True when a write was refused because there was no room: on the disk, within a quota or in the database. */
export function isStoreFull(error: unknown): boolean {
  return causesOf(error).some((each) => {
    const { code, errcode } = each as { code?: string; errcode?: number }
    // PostgreSQL: disk_full.
    return (
      code === 'ENOSPC' ||
      code === 'EDQUOT' ||
      code === '53100' ||
      errcode === sqliteIndexSize ||
      ((errcode ?? 0) & 0xff) === sqliteFull
    )
  })
}

/** The error and what caused it, five deep at most. */
function causesOf(error: unknown): Error[] {
  const causes: Error[] = []
  for (let each = error; each instanceof Error && causes.length < 5; each = each.cause)
    causes.push(each)
  return causes
}
