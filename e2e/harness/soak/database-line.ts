import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A line to the PostgreSQL of a proof that can be cut. */
interface DatabaseLine {
  /** The address of the database at the other end. */
  url: string
  /** From now on nothing gets through; `gone`: connections break and new ones are refused. */
  cut: (how: 'silent' | 'gone') => Promise<void>
  /** New connections get through again. */
  mend: () => Promise<void>
  close: () => Promise<void>
}

/** `databaseUrl` names the folder of a socket, as of a throwaway PostgreSQL. */
export async function lineTo(databaseUrl: string): Promise<DatabaseLine> {
  const real = new URL(databaseUrl)
  const place = `${real.searchParams.get('host') ?? ''}/.s.PGSQL.5432`
  const ends = new Set<Socket>()
  let isCut = false
  const server = createServer((client) => {
    const database = connect(place)
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      ends.add(from)
      from.on('data', (bytes) => void (isCut || to.write(bytes)))
      from
        .on('error', () => {})
        .on('close', () => {
          ends.delete(from)
          to.destroy()
        })
    }
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const port = await listen(0)
  const hangUp = async () => {
    if (server.listening) server.close()
    for (const end of ends) end.destroy()
    await new Promise(setImmediate)
  }
  return {
    url: `postgres://${real.username}@127.0.0.1:${port}${real.pathname}`,
    cut: async (how) => {
      isCut = true
      if (how === 'gone') await hangUp()
    },
    mend: async () => {
      // What was silent stays lost: TCP gives a connection up long after its network is back.
      for (const end of ends) end.destroy()
      isCut = false
      if (!server.listening) await listen(port)
    },
    close: hangUp,
  }
}
