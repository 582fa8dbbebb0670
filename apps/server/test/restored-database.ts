import pg from 'pg'

/** A PostgreSQL database that a test sets back to an earlier moment, while servers use it. */
export async function openRestorable(url: string) {
  const name = new URL(url).pathname.slice(1)
  const copy = `${name}_copy`
  const maintenance = new URL(url)
  maintenance.pathname = '/postgres'
  const client = new pg.Client({ connectionString: maintenance.href })
  await client.connect()
  /** Ends every connection to the database, and lets none begin meanwhile. */
  const withoutConnections = async (work: () => Promise<unknown>) => {
    await client.query(`alter database ${name} allow_connections false`)
    await client.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`,
    )
    await work()
    await client.query(`alter database ${name} allow_connections true`)
  }
  return {
    /** Keeps a copy of what the database holds now. */
    keep: () => withoutConnections(() => client.query(`create database ${copy} template ${name}`)),
    /** Puts the copy in its place; all that was written since is lost. */
    restore: () =>
      withoutConnections(async () => {
        await client.query(`drop database ${name}`)
        await client.query(`alter database ${copy} rename to ${name}`)
      }),
    close: () => client.end(),
  }
}
