import { connect as dial } from 'node:net'
import { join } from 'node:path'
import { openRelay, type Relay } from './relay.ts'

/** Stands between a server and PostgreSQL, and takes the part of a bad network. */
export interface DatabaseRelay extends Omit<Relay, 'port'> {
  /** The address of the database through this relay. */
  url: string
}

/** Relays TCP connections to the PostgreSQL of the test run, whose address has the folder of a socket. */
export async function relayTo(databaseUrl: string): Promise<DatabaseRelay> {
  const real = new URL(databaseUrl)
  const place = join(real.searchParams.get('host') ?? '', '.s.PGSQL.5432')
  const { port, ...relay } = await openRelay(() => dial(place))
  return { ...relay, url: `postgres://${real.username}@127.0.0.1:${port}${real.pathname}` }
}
