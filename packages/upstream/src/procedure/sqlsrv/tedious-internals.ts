import { createRequire } from 'node:module'
import type messageIo from 'tedious/lib/message-io.js'

/** Bounds that a client and a server may agree on (MS-TDS 2.2.6.4, PacketSize). */
const [smallest, largest] = [512, 32_767]

// Its type declares a default export; what is exported is the class itself.
const MessageIO = createRequire(import.meta.url)(
  'tedious/lib/message-io.js',
) as typeof messageIo.default

let isInstalled = false

/**
 * A server may ask for packets of another size. tedious takes any number: with one below a packet's
 * own head it would cut its next request into empty packets until the memory is full. Sizes out of
 * bounds are passed over, for all connections of this process. May be called again.
 */
export function installPacketSizeGuard(): void {
  if (isInstalled) return
  isInstalled = true
  // oxlint-disable-next-line typescript/unbound-method -- called with the `this` of each call below
  const original = MessageIO.prototype.packetSize as (...size: [] | [number]) => number
  MessageIO.prototype.packetSize = function (...[size]: [] | [number]) {
    const isSound = size !== undefined && size >= smallest && size <= largest
    return isSound ? original.call(this, size) : original.call(this)
  }
}
