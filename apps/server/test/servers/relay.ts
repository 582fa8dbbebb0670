import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'

/** Stands between a server and what it talks to, and takes the part of a bad network. */
export interface Relay {
  /** Of 127.0.0.1. */
  port: number
  /** Bytes go nowhere and are lost, new connections get no answer: a network that is cut off. */
  silence: () => void
  /** New connections are refused; the others go on. */
  refuseMore: () => Promise<void>
  /** Connections break, and new ones are refused. */
  goAway: () => Promise<void>
  /** New connections get through again. Those from before stay as they are. */
  comeBack: () => Promise<void>
  /** Connections that clients have open now. */
  count: () => number
  /** Connections that clients have opened so far. */
  attempts: () => number
  close: () => Promise<void>
}

/** Relays TCP connections to where `dial` leads. */
export async function openRelay(dial: () => Socket): Promise<Relay> {
  const open = new Set<Socket>()
  let isSilent = false
  let attempts = 0
  const relay = createServer((client) => {
    attempts++
    const server = dial()
    for (const socket of [client, server]) {
      open.add(socket)
      socket.on('error', () => {}).on('close', () => open.delete(socket))
    }
    // What is silent once stays silent: TCP gives a connection up long after its network is back.
    let isLost = isSilent
    client.on('data', (bytes) => {
      isLost ||= isSilent
      if (!isLost) server.write(bytes)
    })
    server.on('data', (bytes) => {
      isLost ||= isSilent
      if (!isLost) client.write(bytes)
    })
    client.on('close', () => (isSilent || isLost ? undefined : server.destroy()))
    server.on('close', () => (isSilent || isLost ? undefined : client.destroy()))
  })
  relay.listen(0, '127.0.0.1')
  await once(relay, 'listening')
  const { port } = relay.address() as AddressInfo
  const goAway = async () => {
    relay.close()
    for (const socket of open) socket.destroy()
    if (relay.listening) await once(relay, 'close')
  }
  return {
    port,
    silence: () => {
      isSilent = true
    },
    refuseMore: async () => {
      relay.close()
    },
    goAway,
    comeBack: async () => {
      isSilent = false
      if (relay.listening) return
      relay.listen(port, '127.0.0.1')
      await once(relay, 'listening')
    },
    count: () => [...open].filter(({ localPort }) => localPort === port).length,
    attempts: () => attempts,
    close: goAway,
  }
}
